use axum::response::{Html, IntoResponse};
use housekey_core::Error;
use http::header::RETRY_AFTER;

use crate::response::escape;
use crate::{RequestContext, Response};

/// The page for an app without a view layer. It asks again by itself.
pub(crate) fn page(error: &Error, context: &RequestContext) -> Response {
    let wait = error.headers().get(RETRY_AFTER).and_then(|wait| wait.to_str().ok()).unwrap_or("60");
    let again = match context.method().is_safe() {
        true => format!("<meta http-equiv=\"refresh\" content=\"{wait}\">"),
        // What was typed into a form would not be sent a second time.
        false => String::new(),
    };
    let message = escape(error.message());
    Html(format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\">{again}<title>Back shortly</title></head>\
         <body><h1>Back shortly</h1><p>{message}</p></body></html>"
    ))
    .into_response()
}
