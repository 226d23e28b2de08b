use http::header::CONTENT_TYPE;
use http::{HeaderValue, StatusCode};
use serde_json::{Map, Value};

use super::{Body, Incoming};
use crate::{ApiError, Result, codes};

/// The longest body that is read.
const LONGEST: usize = 1024 * 1024;
const JSON: &str = "application/json";
const FORM: &str = "application/x-www-form-urlencoded";

/// The content types that an endpoint takes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Media {
    #[default]
    Json,
    /// JSON, or what an HTML form sends.
    JsonOrForm,
}

/// Reads the body in the form that its content type names.
pub(crate) fn read_body(incoming: &mut Incoming, media: Media) -> Result<()> {
    let raw = &incoming.raw_body;
    if raw.is_empty() || incoming.method == http::Method::GET {
        return Ok(());
    }
    if raw.len() > LONGEST {
        let message = "The request body is too large";
        return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "PAYLOAD_TOO_LARGE", message));
    }
    let given = incoming.headers.get(CONTENT_TYPE).map(HeaderValue::as_bytes).unwrap_or_default();
    let given = String::from_utf8_lossy(given).trim().to_owned();
    if given.is_empty() {
        // Bytes that nobody says how to read are no body: so it is in the reference.
        return Ok(());
    }
    let kind = given.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
    incoming.body = if kind.contains(JSON) {
        Body::Json(serde_json::from_slice(raw).map_err(|_| codes::BAD_REQUEST.bad_request())?)
    } else if kind.contains(FORM) && media == Media::JsonOrForm {
        Body::Form(form(raw))
    } else {
        return Err(unsupported(&given, media));
    };
    Ok(())
}

fn form(raw: &[u8]) -> Map<String, Value> {
    let pairs = form_urlencoded::parse(raw);
    pairs.map(|(name, value)| (name.into_owned(), Value::String(value.into_owned()))).collect()
}

fn unsupported(given: &str, media: Media) -> ApiError {
    let allowed = match media {
        Media::Json => JSON.to_owned(),
        Media::JsonOrForm => format!("{FORM}, {JSON}"),
    };
    let message = format!("Content-Type \"{given}\" is not allowed. Allowed types: {allowed}");
    codes::UNSUPPORTED_MEDIA_TYPE.saying(StatusCode::UNSUPPORTED_MEDIA_TYPE, message)
}
