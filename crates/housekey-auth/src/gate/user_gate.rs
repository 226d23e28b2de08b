use std::fmt;
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll, Waker};

use housekey_core::Result;
use housekey_engine::User;

use super::{Decision, Gate, Subject};

/// The [`Gate`], asked on behalf of somebody. [`gate()`](super::gate()) gives it for the present user.
#[derive(Clone)]
pub struct UserGate {
    gate: Arc<Gate>,
    user: Option<Arc<User>>,
}

impl UserGate {
    /// For this user, or for a guest.
    pub fn new(gate: Arc<Gate>, user: Option<Arc<User>>) -> Self {
        Self { gate, user }
    }

    /// The same gate on behalf of somebody else: in a job, a command, an overview of what others may do.
    #[must_use]
    pub fn for_user(&self, user: impl Into<Arc<User>>) -> Self {
        Self { gate: self.gate.clone(), user: Some(user.into()) }
    }

    /// The same gate on behalf of a visitor who is not signed in.
    #[must_use]
    pub fn for_guest(&self) -> Self {
        Self { gate: self.gate.clone(), user: None }
    }

    /// The answer, with the reason.
    pub async fn inspect<'a>(&self, ability: &str, subject: impl Subject<'a>) -> Result<Decision> {
        let about = subject.about();
        self.gate.decide(self.user.as_deref(), ability, about, true).await
    }

    /// Whether it is allowed. It fails only if the ability does: a database out of reach is no refusal.
    ///
    /// ```
    /// use housekey_auth::gate::gate;
    ///
    /// # async fn show() -> housekey_core::Result<()> {
    /// let may_edit = gate().allows("edit-settings", ()).await?;
    /// # Ok(()) }
    /// ```
    pub async fn allows<'a>(&self, ability: &str, subject: impl Subject<'a>) -> Result<bool> {
        Ok(self.inspect(ability, subject).await?.is_allowed())
    }

    pub async fn denies<'a>(&self, ability: &str, subject: impl Subject<'a>) -> Result<bool> {
        Ok(self.inspect(ability, subject).await?.is_denied())
    }

    /// Goes on only if it is allowed; else 403 with the reason, or what the [`Decision`] chose.
    pub async fn authorize<'a>(&self, ability: &str, subject: impl Subject<'a>) -> Result<()> {
        self.inspect(ability, subject).await?.authorize()
    }

    /// Whether it is allowed, without waiting: for views. An ability that is an `async` function cannot answer so; it
    /// counts as denied, and the log says what to do.
    pub fn can<'a>(&self, ability: &str, subject: impl Subject<'a>) -> bool {
        let about = subject.about();
        let deciding = pin!(self.gate.decide(self.user.as_deref(), ability, about, false));
        match deciding.poll(&mut Context::from_waker(Waker::noop())) {
            Poll::Ready(Ok(decision)) => decision.is_allowed(),
            Poll::Ready(Err(error)) => {
                tracing::error!(ability, "denied, because it could not be decided: {error}");
                false
            }
            // Told not to wait, it never does.
            Poll::Pending => false,
        }
    }
}

impl fmt::Debug for UserGate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("UserGate")
            .field("user", &self.user.as_ref().map(|user| &user.id))
            .finish_non_exhaustive()
    }
}
