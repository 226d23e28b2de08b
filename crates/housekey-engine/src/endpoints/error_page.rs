use crate::url::with_parameter;
use crate::{Api, Endpoint, Field, Reply, Result};

/// `GET /error`: where a link that cannot be followed ends.
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/error", |api| Box::pin(async move { answer(api) }))
        .about("Where a browser is sent when a link could not be followed.")
        .takes([
            Field::text("error").optional().about("A code."),
            Field::text("error_description").optional(),
        ])
        .redirects()
        .answers_page()
}

fn answer(api: &Api) -> Result<Reply> {
    let code = api.request().query("error").filter(|code| is_code(code)).unwrap_or_else(|| "UNKNOWN".into());
    let description = api.request().query("error_description").filter(|text| !text.is_empty());
    let options = api.options();
    let target = options.on_api_error.error_url.as_deref().or(options.production.then_some("/"));
    if let Some(target) = target {
        let mut parameters = vec![("error", code.as_str())];
        parameters.extend(description.as_deref().map(|text| ("error_description", text)));
        return Ok(Reply::redirect(&with_parameter(target, &parameters))?.without_content_type());
    }
    // The code holds letters, digits and a few signs only, so that the page needs no escaping.
    Ok(Reply::html(format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Error</title></head>\
         <body><h1>Something went wrong</h1><p>The link could not be followed.</p><p>Code: <code>{code}</code></p></body></html>"
    )))
}

fn is_code(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'\'');
    !text.is_empty() && text.len() <= 64 && text.bytes().all(allowed)
}
