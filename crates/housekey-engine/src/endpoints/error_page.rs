use crate::url::{component, with_parameter};
use crate::{Api, Endpoint, Reply, Result, Scope};

/// `GET /error`: where a link that cannot be followed ends.
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/error", |api| Box::pin(async move { answer(api) })).scoped(Scope::Server)
}

fn answer(api: &Api) -> Result<Reply> {
    let code = api.request().query("error").filter(|code| is_code(code)).unwrap_or_else(|| "UNKNOWN".into());
    let options = api.options();
    if let Some(target) = &options.on_api_error.error_url {
        return Reply::redirect(&with_parameter(target, "error", &code));
    }
    if options.production {
        return Reply::redirect(&format!("/?error={}", component(&code)));
    }
    // The code holds letters, digits and a few signs only, so that the page needs no escaping.
    Ok(Reply::html(format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>Error</title></head>\
         <body><h1>Something went wrong</h1><p>The link could not be followed.</p><p>Code: <code>{code}</code></p></body></html>"
    )))
}

fn is_code(text: &str) -> bool {
    let allowed = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b'.');
    !text.is_empty() && text.len() <= 64 && text.bytes().all(allowed)
}
