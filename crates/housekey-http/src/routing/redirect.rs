use std::future::{Ready, ready};

use axum::extract::RawPathParams;
use axum::response::IntoResponse;
use http::header::LOCATION;
use http::{HeaderValue, StatusCode};

use super::path::{encode_rest, encode_segment};
use crate::Response;

/// A handler that sends its caller elsewhere.
pub(super) fn to(
    status: StatusCode,
    target: String,
) -> impl Fn(RawPathParams) -> Ready<Response> + Clone + Send + Sync + 'static {
    move |parameters| {
        let location = fill(&target, &parameters);
        ready(match HeaderValue::try_from(location) {
            Ok(location) => (status, [(LOCATION, location)]).into_response(),
            Err(_) => StatusCode::NOT_FOUND.into_response(),
        })
    }
}

fn fill(target: &str, parameters: &RawPathParams) -> String {
    let mut location = target.to_owned();
    for (name, value) in parameters {
        location = location.replace(&format!("{{{name}}}"), &encode_segment(value));
        location = location.replace(&format!("{{*{name}}}"), &encode_rest(value));
    }
    // A value must not turn a path of ours into another host's address: `//evil.example` is one.
    if target.starts_with('/') && !target.starts_with("//") {
        let path = location.trim_start_matches(['/', '\\']);
        return format!("/{path}");
    }
    location
}
