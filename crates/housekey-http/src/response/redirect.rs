use axum::response::IntoResponse;
use housekey_core::Result;
use http::header::LOCATION;
use http::{HeaderValue, StatusCode};

use crate::routing::route_url;
use crate::validation::origin_page;
use crate::{RequestContext, Response};

/// Sends the browser elsewhere.
///
/// ```
/// use housekey_http::response::redirect;
///
/// async fn store() -> impl axum::response::IntoResponse {
///     redirect("/dashboard")
/// }
/// ```
pub fn redirect(to: &str) -> Redirect {
    Redirect { status: StatusCode::SEE_OTHER, to: to.to_owned() }
}

/// Sends the browser to a named route.
pub fn redirect_to_route(name: &str, parameters: &[(&str, &str)]) -> Result<Redirect> {
    Ok(redirect(&route_url(name, parameters)?))
}

/// Sends the browser back where it came from, as long as that was this site; else to `/`.
pub fn back() -> Redirect {
    let from = RequestContext::current().map(|context| origin_page(context.headers()));
    redirect(from.as_ref().and_then(|page| page.to_str().ok()).unwrap_or("/"))
}

/// An answer that sends the browser elsewhere: 303, so that it asks with `GET` there.
#[derive(Clone, Debug)]
#[must_use]
pub struct Redirect {
    status: StatusCode,
    to: String,
}

impl Redirect {
    /// Uses another status: 302 as the seed's guards do, 307 to keep the method.
    pub fn status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// Where it leads.
    pub fn target(&self) -> &str {
        &self.to
    }
}

impl IntoResponse for Redirect {
    fn into_response(self) -> Response {
        // Bytes a header cannot hold (a line break above all) make it no redirect at all.
        match HeaderValue::from_str(&self.to) {
            Ok(location) => (self.status, [(LOCATION, location)]).into_response(),
            Err(_) => housekey_core::Error::internal("a redirect to an address that no header can hold")
                .into_response(),
        }
    }
}
