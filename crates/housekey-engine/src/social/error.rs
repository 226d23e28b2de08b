use std::borrow::Cow;
use std::fmt;

use http::StatusCode;

use crate::http_client::HttpError;

/// Why a provider could not be asked, or its answer not be taken. The sentence is for the log: it never holds a token, a
/// secret or anything else of what was sent or answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SocialError {
    kind: Kind,
    reason: Cow<'static, str>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Unreachable,
    Timeout,
    Refused,
    Answer,
    Exchange,
    IdToken,
    Profile,
}

impl SocialError {
    /// No connection, or it broke.
    pub fn unreachable(reason: impl Into<Cow<'static, str>>) -> Self {
        Self { kind: Kind::Unreachable, reason: reason.into() }
    }

    /// No answer in time.
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

    /// An answer whose status is no success.
    pub fn answered(what: &str, status: StatusCode) -> Self {
        Self::answer(format!("the provider answered {} when asked for {what}", status.as_u16()))
    }

    /// A code or a refresh token that the provider did not take.
    pub fn exchange(reason: impl Into<Cow<'static, str>>) -> Self {
        Self { kind: Kind::Exchange, reason: reason.into() }
    }

    /// An id token that does not hold.
    pub fn id_token(reason: impl Into<Cow<'static, str>>) -> Self {
        Self { kind: Kind::IdToken, reason: reason.into() }
    }

    /// No profile, or one that says too little.
    pub fn profile(reason: impl Into<Cow<'static, str>>) -> Self {
        Self { kind: Kind::Profile, reason: reason.into() }
    }

    /// The code in the redirect after a failed exchange, as in the reference.
    pub(crate) fn callback_code(&self) -> &'static str {
        if self.is_profile() { "unable_to_get_user_info" } else { "invalid_code" }
    }

    /// Whether no answer came in time.
    pub fn is_timeout(&self) -> bool {
        self.kind == Kind::Timeout
    }

    /// Whether the provider could not be reached, or was too slow.
    pub fn is_unreachable(&self) -> bool {
        matches!(self.kind, Kind::Unreachable | Kind::Timeout)
    }

    /// Whether we did not send the request.
    pub fn is_refused(&self) -> bool {
        self.kind == Kind::Refused
    }

    /// Whether an id token did not hold.
    pub fn is_id_token(&self) -> bool {
        self.kind == Kind::IdToken
    }

    /// Whether there was no profile to take.
    pub fn is_profile(&self) -> bool {
        self.kind == Kind::Profile
    }
}

impl From<HttpError> for SocialError {
    fn from(error: HttpError) -> Self {
        let reason = error.to_string();
        if error.is_timeout() {
            Self::timeout(reason)
        } else if error.is_unreachable() {
            Self::unreachable(reason)
        } else if error.is_refused() {
            Self::refused(reason)
        } else {
            Self::answer(reason)
        }
    }
}

impl fmt::Display for SocialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.reason)
    }
}

impl std::error::Error for SocialError {}
