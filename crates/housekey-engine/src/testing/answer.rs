use bytes::Bytes;
use http::{HeaderMap, Response, StatusCode};
use serde_json::Value as Json;

/// What the engine answered.
#[derive(Clone, Debug)]
pub struct Answer {
    status: StatusCode,
    headers: HeaderMap,
    body: Bytes,
}

impl Answer {
    pub(super) fn of(response: Response<Bytes>) -> Self {
        let (parts, body) = response.into_parts();
        Self { status: parts.status, headers: parts.headers, body }
    }

    pub fn status(&self) -> StatusCode {
        self.status
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name).and_then(|value| value.to_str().ok())
    }

    pub fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    pub fn body(&self) -> &Bytes {
        &self.body
    }

    /// The body; null when it is no JSON.
    pub fn json(&self) -> Json {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }

    /// The code of a refusal.
    pub fn code(&self) -> Option<String> {
        Some(self.json().get("code")?.as_str()?.to_owned())
    }
}
