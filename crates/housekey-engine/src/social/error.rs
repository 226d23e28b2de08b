use std::borrow::Cow;
use std::fmt;

use http::StatusCode;

use crate::http_client::HttpError;

/// Why a provider could not be asked, or its answer not be taken. The sentence is for the log: it never holds a token, a
/// secret or anything else of what was sent or answered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SocialError(Cause);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Cause {
    Http(HttpError),
    Exchange(Cow<'static, str>),
    IdToken(Cow<'static, str>),
    Profile(Cow<'static, str>),
}

impl SocialError {
    /// A request that we do not send: to a private address, without TLS.
    pub fn refused(reason: impl Into<Cow<'static, str>>) -> Self {
        HttpError::refused(reason).into()
    }

    /// An answer that makes no sense: too long, no JSON.
    pub fn answer(reason: impl Into<Cow<'static, str>>) -> Self {
        HttpError::answer(reason).into()
    }

    /// An answer whose status is no success.
    pub fn answered(what: &str, status: StatusCode) -> Self {
        Self::answer(format!("the provider answered {} when asked for {what}", status.as_u16()))
    }

    /// A code or a refresh token that the provider did not take.
    pub fn exchange(reason: impl Into<Cow<'static, str>>) -> Self {
        Self(Cause::Exchange(reason.into()))
    }

    /// An id token that does not hold.
    pub fn id_token(reason: impl Into<Cow<'static, str>>) -> Self {
        Self(Cause::IdToken(reason.into()))
    }

    /// No profile, or one that says too little.
    pub fn profile(reason: impl Into<Cow<'static, str>>) -> Self {
        Self(Cause::Profile(reason.into()))
    }

    /// The code in the redirect after a failed exchange, as in the reference.
    pub(crate) fn callback_code(&self) -> &'static str {
        if self.is_profile() { "unable_to_get_user_info" } else { "invalid_code" }
    }

    pub fn is_timeout(&self) -> bool {
        self.http().is_some_and(HttpError::is_timeout)
    }

    /// Whether the provider could not be reached, or was too slow.
    pub fn is_unreachable(&self) -> bool {
        self.http().is_some_and(HttpError::is_unreachable)
    }

    /// Whether we did not send the request.
    pub fn is_refused(&self) -> bool {
        self.http().is_some_and(HttpError::is_refused)
    }

    /// Whether an id token did not hold.
    pub fn is_id_token(&self) -> bool {
        matches!(self.0, Cause::IdToken(_))
    }

    /// Whether there was no profile to take.
    pub fn is_profile(&self) -> bool {
        matches!(self.0, Cause::Profile(_))
    }

    fn http(&self) -> Option<&HttpError> {
        match &self.0 {
            Cause::Http(error) => Some(error),
            _ => None,
        }
    }
}

impl From<HttpError> for SocialError {
    fn from(error: HttpError) -> Self {
        Self(Cause::Http(error))
    }
}

impl fmt::Display for SocialError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Cause::Http(error) => error.fmt(f),
            Cause::Exchange(reason) | Cause::IdToken(reason) | Cause::Profile(reason) => f.write_str(reason),
        }
    }
}

impl std::error::Error for SocialError {}
