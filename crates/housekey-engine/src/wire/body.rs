use http::{HeaderValue, StatusCode};
use serde_json::{Map, Value};

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

/// A request's body.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Body {
    #[default]
    Absent,
    Json(Value),
    /// A form: texts only.
    Form(Map<String, Value>),
}

impl Body {
    /// What some bytes are by their content type.
    pub(super) fn parse(raw: &[u8], content_type: Option<&HeaderValue>, media: Media) -> Result<Self> {
        if raw.len() > LONGEST {
            let message = "The request body is too large";
            return Err(ApiError::new(StatusCode::PAYLOAD_TOO_LARGE, "PAYLOAD_TOO_LARGE", message));
        }
        let given = content_type.map(HeaderValue::as_bytes).unwrap_or_default();
        let given = String::from_utf8_lossy(given).trim().to_owned();
        // Bytes that nobody says how to read are no body: so it is in the reference.
        if raw.is_empty() || given.is_empty() {
            return Ok(Self::Absent);
        }
        let kind = given.split(';').next().unwrap_or_default().trim().to_ascii_lowercase();
        if kind.contains(JSON) {
            serde_json::from_slice(raw).map(Self::Json).map_err(|_| codes::BAD_REQUEST.bad_request())
        } else if kind.contains(FORM) && media == Media::JsonOrForm {
            Ok(Self::Form(form(raw)))
        } else {
            Err(unsupported(&given, media))
        }
    }
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
