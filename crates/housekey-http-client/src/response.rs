use std::fmt;

use bytes::Bytes;
use http::header::CONTENT_TYPE;
use http::{HeaderMap, HeaderValue, StatusCode};
use serde::de::DeserializeOwned;

use crate::HttpError;

#[derive(Clone)]
pub struct HttpResponse {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl HttpResponse {
    pub fn of_json(status: StatusCode, body: &serde_json::Value) -> Self {
        let json = HeaderValue::from_static("application/json");
        Self { status, headers: HeaderMap::from_iter([(CONTENT_TYPE, json)]), body: body.to_string().into() }
    }

    /// Whether the host says that all is well: a status of 200 to 299.
    pub fn is_success(&self) -> bool {
        self.status.is_success()
    }

    /// One header as text; `None` when it is absent.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    /// The body as text. What is not UTF-8 becomes `�`.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.body).into_owned()
    }

    /// The body read as JSON. The error does not show it: it may hold a token.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, HttpError> {
        serde_json::from_slice(&self.body).map_err(|_| {
            let (status, length) = (self.status.as_u16(), self.body.len());
            HttpError::answer(format!(
                "the answer ({status}, {length} bytes, {}) is not the JSON it should be",
                self.content_type()
            ))
        })
    }

    /// What the answer says to be, without parameters: `application/json`.
    pub fn content_type(&self) -> &str {
        let given = self.headers.get(CONTENT_TYPE).and_then(|value| value.to_str().ok());
        given.and_then(|value| value.split(';').next()).map_or("no content type", str::trim)
    }
}

/// Its status and length, and nothing of what it holds.
impl fmt::Debug for HttpResponse {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} ({} bytes)", self.status, self.body.len())
    }
}
