use std::fmt;

use bytes::Bytes;
use http::header::{CONTENT_TYPE, LOCATION};
use http::{HeaderValue, Response, StatusCode};
use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

use crate::url::printable;
use crate::{ApiError, Result};

/// What an endpoint answers when all went well.
pub struct Reply(Response<Bytes>);

impl Reply {
    /// 200 and JSON.
    pub fn json(body: &(impl Serialize + ?Sized)) -> Result<Self> {
        let body = serde_json::to_vec(body)
            .map_err(|error| ApiError::internal("an answer could not be written", error))?;
        Ok(Self(response(StatusCode::OK, "application/json", body.into())))
    }

    /// 302 to an address, which must have been checked.
    pub fn redirect(to: &str) -> Result<Self> {
        let location = HeaderValue::from_str(&printable(to))
            .map_err(|error| ApiError::internal("a redirect leads to what is no address", error))?;
        let mut response = response(StatusCode::FOUND, "application/json", Bytes::new());
        response.headers_mut().insert(LOCATION, location);
        Ok(Self(response))
    }

    /// The same answer without the content type that an empty body need not have.
    #[must_use]
    pub fn without_content_type(mut self) -> Self {
        self.0.headers_mut().remove(CONTENT_TYPE);
        self
    }

    /// 200 and a page.
    pub fn html(page: String) -> Self {
        Self(response(StatusCode::OK, "text/html; charset=utf-8", page.into()))
    }

    /// The same answer with a header more.
    #[must_use]
    pub fn with_header(mut self, name: http::HeaderName, value: HeaderValue) -> Self {
        self.0.headers_mut().insert(name, value);
        self
    }

    pub(crate) fn into_response(self) -> Response<Bytes> {
        self.0
    }
}

impl ApiError {
    pub(crate) fn to_response(&self) -> Response<Bytes> {
        let mut response = if self.is_empty() {
            let mut response = Response::new(Bytes::new());
            *response.status_mut() = self.status();
            response
        } else {
            let body = match self.own_body() {
                Some(own) => serde_json::to_vec(own).unwrap_or_default(),
                None => serde_json::to_vec(&ErrorBody(self)).unwrap_or_default(),
            };
            response(self.status(), "application/json", body.into())
        };
        response.headers_mut().extend(self.headers().clone());
        response
    }
}

struct ErrorBody<'a>(&'a ApiError);

impl Serialize for ErrorBody<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("message", self.0.message())?;
        if let Some(code) = self.0.code() {
            map.serialize_entry("code", code)?;
        }
        for (name, value) in self.0.fields() {
            map.serialize_entry(name, value)?;
        }
        map.end()
    }
}

impl fmt::Debug for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Reply({})", self.0.status())
    }
}

fn response(status: StatusCode, content_type: &'static str, body: Bytes) -> Response<Bytes> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
    response
}
