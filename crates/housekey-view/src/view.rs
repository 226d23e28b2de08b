use std::fmt;

use housekey_core::Error;
use housekey_http::Response;
use housekey_http::axum::body::Body;
use housekey_http::axum::response::IntoResponse;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};
use hypertext::Renderable;

use crate::failure;

/// Most pages fit, and one that grows is copied each time.
const USUAL_PAGE: usize = 16 * 1024;

/// A page as a response.
///
/// ```
/// use housekey_view::prelude::*;
///
/// #[component]
/// fn layout<'a, R: Renderable>(title: &'a str, children: &R) -> impl Renderable {
///     rsx! {
///         <!DOCTYPE html>
///         <html lang="en">
///             <head><title>(title)</title></head>
///             <body>(children)</body>
///         </html>
///     }
/// }
///
/// async fn greet() -> View {
///     let name = "<Ada>";
///     view(rsx! { <Layout title="Hello"><h1>"Hello, " (name) "!"</h1></Layout> })
/// }
/// ```
#[must_use = "a view does nothing until it is returned as a response"]
pub struct View {
    html: Result<String, Error>,
    status: StatusCode,
    headers: HeaderMap,
}

/// Renders a component as a page. If a helper inside it fails (there is no build to point [`assets`](crate::assets) at),
/// the page is that error instead.
pub fn view(component: impl Renderable) -> View {
    let html = failure::catch(|| {
        // XSS SAFETY: it is empty.
        let mut page = hypertext::Buffer::dangerously_from_string(String::with_capacity(USUAL_PAGE));
        component.render_to(&mut page);
        page.rendered().into_inner()
    });
    View { html, status: StatusCode::OK, headers: HeaderMap::new() }
}

impl View {
    /// Answers with this status instead of 200.
    pub fn status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// Adds a header, replacing one of the same name.
    pub fn header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.headers.insert(name, value);
        self
    }

    /// The response, or nothing if a helper failed. For an app's own error pages: what they cannot draw is left to the
    /// framework's, which need no build.
    pub fn ok(self) -> Option<Response> {
        self.html.is_ok().then(|| self.into_response())
    }
}

impl IntoResponse for View {
    fn into_response(self) -> Response {
        let html = match self.html {
            Ok(html) => html,
            Err(error) => return error.into_response(),
        };
        let mut response = Response::new(Body::from(html));
        *response.status_mut() = self.status;
        *response.headers_mut() = self.headers;
        let html = HeaderValue::from_static("text/html; charset=utf-8");
        response.headers_mut().entry(CONTENT_TYPE).or_insert(html);
        response
    }
}

impl fmt::Debug for View {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("View")
            .field("status", &self.status)
            .field("headers", &self.headers)
            .finish_non_exhaustive()
    }
}
