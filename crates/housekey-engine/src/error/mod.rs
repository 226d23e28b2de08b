//! What can go wrong, as the client sees it: a status and `{"message", "code"}`.

pub mod codes;

use std::borrow::Cow;
use std::fmt;
use std::time::Duration;

use http::header::RETRY_AFTER;
use http::{HeaderMap, HeaderName, HeaderValue, StatusCode};

use crate::BoxError;
use crate::storage::StorageError;
pub use codes::ErrorCode;

pub type Result<T, E = ApiError> = std::result::Result<T, E>;

/// A refusal or a failure, with the answer it becomes.
///
/// What a client may see (status, code, message) and what only the log may see (the cause) are kept apart.
///
/// ```
/// use housekey_engine::{ApiError, codes};
/// use http::StatusCode;
///
/// let error = codes::INVALID_EMAIL_OR_PASSWORD.with(StatusCode::UNAUTHORIZED);
/// assert_eq!(error.code(), Some("INVALID_EMAIL_OR_PASSWORD"));
/// assert_eq!(error.message(), "Invalid email or password");
/// ```
pub struct ApiError(Box<Inner>);

struct Inner {
    status: StatusCode,
    body: Body,
    headers: HeaderMap,
    /// What the body says besides code and message.
    fields: Vec<(&'static str, serde_json::Value)>,
    cause: Option<(Cow<'static, str>, BoxError)>,
}

enum Body {
    Empty,
    Message { code: Option<Cow<'static, str>>, message: Cow<'static, str> },
    Json(serde_json::Value),
}

impl ApiError {
    /// A refusal with a code and a message of one's own.
    pub fn new(
        status: StatusCode,
        code: impl Into<Cow<'static, str>>,
        message: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::with_body(status, Body::Message { code: Some(code.into()), message: message.into() })
    }

    /// A refusal that carries a message but no code.
    pub fn message_only(status: StatusCode, message: impl Into<Cow<'static, str>>) -> Self {
        Self::with_body(status, Body::Message { code: None, message: message.into() })
    }

    /// A refusal whose body has another shape, as a protocol demands it: `{"error", "error_description"}` of OAuth.
    pub fn json(status: StatusCode, body: serde_json::Value) -> Self {
        Self::with_body(status, Body::Json(body))
    }

    /// A refusal without a body.
    pub fn empty(status: StatusCode) -> Self {
        Self::with_body(status, Body::Empty)
    }

    /// A failure of ours: 500 and an empty body for the client, the cause for the log.
    pub fn internal(what: impl Into<Cow<'static, str>>, cause: impl Into<BoxError>) -> Self {
        let mut error = Self::empty(StatusCode::INTERNAL_SERVER_ERROR);
        error.0.cause = Some((what.into(), cause.into()));
        error
    }

    /// More work than the engine may take on now: 503 and when to try again.
    pub fn too_busy(retry_after: Duration) -> Self {
        let mut error = Self::new(
            StatusCode::SERVICE_UNAVAILABLE,
            "SERVICE_UNAVAILABLE",
            "The server is busy. Please try again in a moment.",
        );
        error.0.headers.insert(RETRY_AFTER, HeaderValue::from(retry_after.as_secs().max(1)));
        error
    }

    /// The same refusal with one more header.
    #[must_use]
    pub fn with_header(mut self, name: HeaderName, value: HeaderValue) -> Self {
        self.0.headers.insert(name, value);
        self
    }

    /// The same refusal, whose body says one thing more. One without a body stays without.
    #[must_use]
    pub fn with_field(mut self, name: &'static str, value: impl Into<serde_json::Value>) -> Self {
        self.0.fields.push((name, value.into()));
        self
    }

    /// What the body says besides code and message.
    pub fn fields(&self) -> &[(&'static str, serde_json::Value)] {
        &self.0.fields
    }

    pub fn status(&self) -> StatusCode {
        self.0.status
    }

    /// The code that programs read.
    pub fn code(&self) -> Option<&str> {
        match &self.0.body {
            Body::Message { code, .. } => code.as_deref(),
            Body::Json(_) | Body::Empty => None,
        }
    }

    /// The message that people read; empty when the answer has no body, or one of another shape.
    pub fn message(&self) -> &str {
        match &self.0.body {
            Body::Message { message, .. } => message,
            Body::Json(_) | Body::Empty => "",
        }
    }

    /// The whole body, where it has [a shape of its own](Self::json).
    pub fn own_body(&self) -> Option<&serde_json::Value> {
        match &self.0.body {
            Body::Json(body) => Some(body),
            Body::Message { .. } | Body::Empty => None,
        }
    }

    /// Whether the answer has no body.
    pub fn is_empty(&self) -> bool {
        matches!(self.0.body, Body::Empty)
    }

    /// Whether this is a failure of ours rather than a refusal.
    pub fn is_internal(&self) -> bool {
        self.0.cause.is_some()
    }

    pub fn headers(&self) -> &HeaderMap {
        &self.0.headers
    }

    pub fn is(&self, code: ErrorCode) -> bool {
        self.code() == Some(code.code)
    }

    /// Whether this refuses a new password for what it is (too short, too long, too common, too personal, compromised), so that a form
    /// says so at the field of the password.
    pub fn is_about_new_password(&self) -> bool {
        codes::ABOUT_NEW_PASSWORD.iter().any(|code| self.is(*code))
    }

    fn with_body(status: StatusCode, body: Body) -> Self {
        Self(Box::new(Inner { status, body, headers: HeaderMap::new(), fields: Vec::new(), cause: None }))
    }
}

impl From<StorageError> for ApiError {
    fn from(error: StorageError) -> Self {
        Self::internal("the storage failed", error)
    }
}

impl fmt::Display for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (&self.0.body, &self.0.cause) {
            (_, Some((what, cause))) => {
                write!(f, "{what}: {cause}")?;
                let mut source = cause.source();
                while let Some(deeper) = source {
                    write!(f, ": {deeper}")?;
                    source = deeper.source();
                }
                Ok(())
            }
            (Body::Empty, None) => write!(f, "{}", self.0.status),
            (Body::Message { message, .. }, None) => f.write_str(message),
            (Body::Json(body), None) => write!(f, "{body}"),
        }
    }
}

impl fmt::Debug for ApiError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}: {self}", self.0.status.as_u16(), self.code().unwrap_or("-"))
    }
}

impl std::error::Error for ApiError {}
