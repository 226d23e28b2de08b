use axum::Json;
use axum::response::IntoResponse;
use housekey_core::Error;
use http::header::LOCATION;
use http::{HeaderValue, StatusCode};
use serde::Serialize;
use serde_json::{Map, Value};

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
    Redirect { status: StatusCode::SEE_OTHER, to: to.to_owned(), flashed: Map::new(), mistake: None }
}

/// Sends the browser back where it came from, as long as that was this site; else to `/`.
pub fn back() -> Redirect {
    let from = RequestContext::current().map(|context| origin_page(context.headers()));
    redirect(from.as_ref().and_then(|page| page.to_str().ok()).unwrap_or("/"))
}

/// An answer that sends the browser elsewhere: 303, so that it asks with `GET` there.
///
/// A client that asks for JSON would follow a 303 without its code ever seeing it. So the answer to its write is 200 and
/// `{ "redirect": "/dashboard" }` instead, with what was flashed beside it: one controller serves pages and clients.
#[derive(Clone, Debug)]
#[must_use]
pub struct Redirect {
    status: StatusCode,
    to: String,
    flashed: Map<String, Value>,
    mistake: Option<String>,
}

impl Redirect {
    /// Uses another status: 302 as guards do, 307 to keep the method.
    pub fn status(mut self, status: StatusCode) -> Self {
        self.status = status;
        self
    }

    /// Leaves something for the page it leads to: `redirect("/posts").with("status", "The post is published.")`.
    pub fn with(mut self, key: &str, value: impl Serialize) -> Self {
        match serde_json::to_value(value) {
            Ok(value) => drop(self.flashed.insert(key.to_owned(), value)),
            Err(error) => self.mistake = Some(format!("what a redirect flashes as {key:?}: {error}")),
        }
        self
    }

    pub fn target(&self) -> &str {
        &self.to
    }
}

impl IntoResponse for Redirect {
    fn into_response(self) -> Response {
        if let Some(mistake) = self.mistake {
            return Error::internal(mistake).into_response();
        }
        if let Some(context) = RequestContext::current() {
            if context.wants_json() && !context.method().is_safe() {
                let mut body = self.flashed;
                body.insert("redirect".into(), self.to.into());
                return Json(body).into_response();
            }
            for (key, value) in self.flashed {
                if let Err(error) = context.session().flash(&key, value) {
                    return error.into_response();
                }
            }
        }
        // Bytes a header cannot hold (a line break above all) make it no redirect at all.
        match HeaderValue::from_str(&self.to) {
            Ok(location) => (self.status, [(LOCATION, location)]).into_response(),
            Err(_) => Error::internal("a redirect to an address that no header can hold").into_response(),
        }
    }
}
