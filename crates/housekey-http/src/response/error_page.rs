use axum::response::{Html, IntoResponse};
use housekey_core::Error;
use http::Method;

use crate::validation::own_page;
use crate::{RequestContext, Response};

/// Draws the page for an error. `None` leaves it to the next renderer; the last one is the framework's own.
///
/// Status and headers of the error are set afterwards. Implemented by every
/// `Fn(&Error, &ErrorContext) -> Option<Response>`.
pub trait ErrorRenderer: Send + Sync + 'static {
    /// Draws the page, or passes.
    fn render(&self, error: &Error, context: &ErrorContext<'_>) -> Option<Response>;
}

impl<F> ErrorRenderer for F
where
    F: Fn(&Error, &ErrorContext<'_>) -> Option<Response> + Send + Sync + 'static,
{
    fn render(&self, error: &Error, context: &ErrorContext<'_>) -> Option<Response> {
        self(error, context)
    }
}

/// What a page may know about the request that failed.
#[derive(Debug)]
pub struct ErrorContext<'a> {
    request: &'a RequestContext,
    debug: bool,
}

impl<'a> ErrorContext<'a> {
    pub(crate) fn new(request: &'a RequestContext, debug: bool) -> Self {
        Self { request, debug }
    }

    /// Whether the page may show the inside of the error: never in production.
    pub fn is_debug(&self) -> bool {
        self.debug
    }

    pub fn request(&self) -> &RequestContext {
        self.request
    }

    /// The name to give when asking for help.
    pub fn request_id(&self) -> &str {
        self.request.request_id()
    }

    pub fn method(&self) -> &Method {
        self.request.method()
    }

    /// The path, without the query.
    pub fn path(&self) -> &str {
        self.request.uri().path()
    }

    /// The page with the form that was refused: the one of this site that the browser came from. `None` if it says none, and
    /// for a request that sends nothing.
    pub fn form_page(&self) -> Option<String> {
        let page = own_page(self.request.headers()).filter(|_| !self.request.method().is_safe())?;
        page.to_str().ok().map(str::to_owned)
    }
}

/// A page without a style of its own, for apps without a view layer.
pub(crate) fn default_page(error: &Error, context: &ErrorContext<'_>) -> Response {
    let status = error.status().as_u16();
    let message = escape(error.message());
    let mut details = String::new();
    if context.is_debug() {
        for line in error.source_chain() {
            details += &format!("<li>{}</li>", escape(&line));
        }
        details = format!("<ul>{details}</ul>");
    }
    let id = escape(context.request_id());
    let back = context.form_page().map_or_else(String::new, |page| {
        format!("<p><a href=\"{}\">Back to the form</a></p>", escape(&page))
    });
    Html(format!(
        "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\">\
         <meta name=\"viewport\" content=\"width=device-width\"><title>{status}</title></head>\
         <body><h1>{status}</h1><p>{message}</p>{back}{details}<p><small>{id}</small></p></body></html>"
    ))
    .into_response()
}

pub(crate) fn escape(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}
