use housekey::axum::http::{HeaderValue, header};
use housekey::prelude::*;

/// The answer to a form that leads to another site.
///
/// No redirect: a browser holds the whole way of a form against `form-action` of the page it stood on, and ours let forms go
/// nowhere but here. So the form ends at this page, and the page goes on. It does so by itself, also without script.
pub fn leave_for(url: &str, name: &str) -> Result<Response> {
    if wants_json() {
        return Ok(redirect(url).into_response());
    }
    let refresh = HeaderValue::from_str(&format!("0; url={url}"))
        .map_err(|_| Error::internal("the address of a provider that no header can hold"))?;
    let page = rsx! {
        <!DOCTYPE html>
        <html lang=(locale())>
            <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <meta name="color-scheme" content="light dark">
                <title>(t!("On to :name", name))</title>
                <link rel="icon" href="/favicon.svg">
            </head>
            <body>
                <main>
                    <h1>(t!("On to :name", name))</h1>
                    <p><a href=(url)>(t("Go on, if nothing happens."))</a></p>
                </main>
            </body>
        </html>
    };
    let page = view(page).header(header::REFRESH, refresh);
    Ok(page.header(header::CACHE_CONTROL, HeaderValue::from_static("no-store")).into_response())
}
