use std::time::Duration;

use housekey_core::Secret;

/// What `down` is told.
///
/// ```
/// use std::time::Duration;
/// use housekey_http::maintenance::Downtime;
///
/// let downtime = Downtime::new()
///     .retry_after(Duration::from_secs(120))
///     .secret("correct-horse-battery")
///     .except(["/up", "/webhooks/*"])
///     .message("We move to a larger house and are back at nine.");
/// # drop(downtime);
/// ```
#[derive(Clone, Debug)]
pub struct Downtime {
    pub(super) retry_after: Duration,
    pub(super) secret: Option<Secret>,
    pub(super) except: Vec<String>,
    pub(super) message: Option<String>,
}

impl Downtime {
    /// A minute at a time, for everybody.
    pub fn new() -> Self {
        Self { retry_after: Duration::from_secs(60), secret: None, except: Vec::new(), message: None }
    }

    #[must_use]
    pub fn retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = wait;
        self
    }

    /// The word that lets somebody in. It has at least eight characters: it stands between visitors and a house that is
    /// half torn down.
    #[must_use]
    pub fn secret(mut self, secret: impl Into<Secret>) -> Self {
        self.secret = Some(secret.into());
        self
    }

    /// Addresses that answer as always. `*` at the end stands for the rest.
    #[must_use]
    pub fn except<P: Into<String>>(mut self, paths: impl IntoIterator<Item = P>) -> Self {
        self.except.extend(paths.into_iter().map(Into::into));
        self
    }

    /// The sentence on the page, instead of ours.
    #[must_use]
    pub fn message(mut self, message: impl Into<String>) -> Self {
        self.message = Some(message.into());
        self
    }
}

impl Default for Downtime {
    fn default() -> Self {
        Self::new()
    }
}
