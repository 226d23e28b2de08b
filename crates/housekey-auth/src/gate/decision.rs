use std::borrow::Cow;

use housekey_core::{Error, Result};

/// What the gate answers: yes, or no and why.
///
/// ```
/// use housekey_auth::gate::Decision;
///
/// let decision = Decision::deny("You do not own this post.");
/// assert!(decision.is_denied());
/// assert_eq!(decision.reason(), Some("You do not own this post."));
/// assert_eq!(decision.authorize().unwrap_err().status(), 403);
/// assert_eq!(Decision::deny_as_not_found().authorize().unwrap_err().status(), 404);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Decision(Outcome);

#[derive(Clone, Debug, PartialEq, Eq)]
enum Outcome {
    Allowed,
    Denied(Option<Cow<'static, str>>),
    NotFound,
    /// The ability asks for a user, and nobody is signed in.
    SignInFirst,
}

impl Decision {
    pub fn allow() -> Self {
        Self(Outcome::Allowed)
    }

    /// No, for a reason the visitor may read.
    pub fn deny(reason: impl Into<Cow<'static, str>>) -> Self {
        Self(Outcome::Denied(Some(reason.into())))
    }

    /// No, and whoever asks shall not even learn that the thing exists: 404.
    pub fn deny_as_not_found() -> Self {
        Self(Outcome::NotFound)
    }

    pub(crate) fn sign_in_first() -> Self {
        Self(Outcome::SignInFirst)
    }

    pub fn is_allowed(&self) -> bool {
        self.0 == Outcome::Allowed
    }

    pub fn is_denied(&self) -> bool {
        !self.is_allowed()
    }

    /// Whether it is a no that signing in may change.
    pub fn needs_sign_in(&self) -> bool {
        self.0 == Outcome::SignInFirst
    }

    pub fn reason(&self) -> Option<&str> {
        match &self.0 {
            Outcome::Denied(reason) => reason.as_deref(),
            _ => None,
        }
    }

    /// Nothing for a yes. A no becomes an error: 403 with the reason, 404 where it was chosen, 401 when nobody is
    /// signed in.
    pub fn authorize(self) -> Result<()> {
        match self.0 {
            Outcome::Allowed => Ok(()),
            Outcome::Denied(reason) => {
                Err(Error::forbidden(reason.unwrap_or(Cow::Borrowed("You are not allowed to do this."))))
            }
            Outcome::NotFound => Err(Error::not_found()),
            Outcome::SignInFirst => Err(Error::unauthenticated()),
        }
    }
}

impl From<bool> for Decision {
    fn from(allowed: bool) -> Self {
        Self(if allowed { Outcome::Allowed } else { Outcome::Denied(None) })
    }
}

/// What an ability may return: a `bool`, a [`Decision`], or a `Result` of either when it can fail.
#[diagnostic::on_unimplemented(
    message = "an ability answers a `bool`, a `Decision` or a `Result` of one, not `{Self}`"
)]
pub trait IntoDecision {
    fn into_decision(self) -> Result<Decision>;
}

impl IntoDecision for bool {
    fn into_decision(self) -> Result<Decision> {
        Ok(self.into())
    }
}

impl IntoDecision for Decision {
    fn into_decision(self) -> Result<Decision> {
        Ok(self)
    }
}

impl<T: IntoDecision> IntoDecision for Result<T> {
    fn into_decision(self) -> Result<Decision> {
        self?.into_decision()
    }
}

/// What a hook may return: an `Option` of a `bool` or a [`Decision`], `None` to leave the question to others; or a
/// `Result` of that when it can fail.
#[diagnostic::on_unimplemented(message = "a hook of the gate answers an `Option<Decision>`, not `{Self}`")]
pub trait IntoOpinion {
    fn into_opinion(self) -> Result<Option<Decision>>;
}

impl<T: IntoDecision> IntoOpinion for Option<T> {
    fn into_opinion(self) -> Result<Option<Decision>> {
        self.map(T::into_decision).transpose()
    }
}

impl<T: IntoOpinion> IntoOpinion for Result<T> {
    fn into_opinion(self) -> Result<Option<Decision>> {
        self?.into_opinion()
    }
}
