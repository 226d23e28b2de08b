use std::borrow::Cow;
use std::fmt;

use http::StatusCode;

/// Why there is no answer, or none that can be taken. The sentence is for the log: it never holds a token, a secret or
/// anything else of what was sent or answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HttpError {
    kind: Kind,
    reason: Cow<'static, str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Unreachable,
    Timeout,
    Refused,
    Answer,
    Status(StatusCode),
}

impl HttpError {
    /// No connection, or it broke.
    pub fn unreachable(reason: impl Into<Cow<'static, str>>) -> Self {
        Self { kind: Kind::Unreachable, reason: reason.into() }
    }

    pub fn timeout(reason: impl Into<Cow<'static, str>>) -> Self {
        Self { kind: Kind::Timeout, reason: reason.into() }
    }

    /// A request that we do not send: to a private address, without TLS.
    pub fn refused(reason: impl Into<Cow<'static, str>>) -> Self {
        Self { kind: Kind::Refused, reason: reason.into() }
    }

    /// An answer that makes no sense: too long, no JSON.
    pub fn answer(reason: impl Into<Cow<'static, str>>) -> Self {
        Self { kind: Kind::Answer, reason: reason.into() }
    }

    /// An answer that says that something is wrong.
    pub(crate) fn status_of(origin: &str, status: StatusCode) -> Self {
        Self { kind: Kind::Status(status), reason: format!("{origin} answered {status}").into() }
    }

    /// The status of the answer, when there was one that is no success.
    pub fn status(&self) -> Option<StatusCode> {
        match self.kind {
            Kind::Status(status) => Some(status),
            _ => None,
        }
    }

    pub fn is_timeout(&self) -> bool {
        self.kind == Kind::Timeout
    }

    /// Whether the host could not be reached, or was too slow.
    pub fn is_unreachable(&self) -> bool {
        matches!(self.kind, Kind::Unreachable | Kind::Timeout)
    }

    /// Whether we did not send the request.
    pub fn is_refused(&self) -> bool {
        self.kind == Kind::Refused
    }
}

impl fmt::Display for HttpError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for HttpError {}
