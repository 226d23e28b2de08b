use std::fmt;

use crate::http_client::HttpError;

/// Why a token does not hold. Nothing of the token is in it, so that it may be logged.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum VerifyError {
    /// It is no token: not three parts, no JSON, too long.
    Malformed,
    /// It wants something to be understood that is not (`crit`).
    Critical,
    /// It names an algorithm that its key is not for, or one that is never taken: `none`, `HS256`.
    Algorithm,
    /// The issuer has no key of this name, or it names none.
    UnknownKey,
    /// Somebody else signed it, or it was changed.
    Signature,
    /// It is of another issuer.
    Issuer,
    /// It is for somebody else.
    Audience,
    /// Its time is over, or it does not say when it is.
    Expired,
    NotYetValid,
    /// The claims are others than the type wants. The sentence names the field.
    Claims(String),
    /// The keys of the issuer could not be fetched: nothing is known about the token. [`is_unavailable`](Self::is_unavailable).
    Unavailable(HttpError),
}

impl VerifyError {
    /// Whether the keys could not be had, so that the answer is rather 503 than 401.
    pub fn is_unavailable(&self) -> bool {
        matches!(self, Self::Unavailable(_))
    }

    /// Whether the token was good once: whoever sent it gets a new one and tries again.
    pub fn is_expired(&self) -> bool {
        matches!(self, Self::Expired)
    }
}

impl fmt::Display for VerifyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Malformed => "this is no token",
            Self::Critical => "the token wants something to be understood that is not",
            Self::Algorithm => "the token names an algorithm that its key is not for",
            Self::UnknownKey => "the issuer has no key of the name that the token gives",
            Self::Signature => "the token was not signed by the issuer",
            Self::Issuer => "the token is of another issuer",
            Self::Audience => "the token is for somebody else",
            Self::Expired => "the token has expired",
            Self::NotYetValid => "the token does not hold yet",
            Self::Claims(reason) => {
                return write!(f, "the token says something else than expected: {reason}");
            }
            Self::Unavailable(error) => {
                return write!(f, "the keys of the issuer could not be fetched: {error}");
            }
        })
    }
}

impl std::error::Error for VerifyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Unavailable(error) => Some(error),
            _ => None,
        }
    }
}
