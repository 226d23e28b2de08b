use std::sync::Arc;
use std::time::Duration;

use housekey_core::Scope;
use http::Method;

/// A form that was sent too often, on the page that shows it again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Throttled {
    pub(crate) method: Method,
    pub(crate) path: String,
    pub(crate) wait: Duration,
}

impl Throttled {
    /// Whether it is the form with this method and action. A page may have several.
    pub fn is_form(&self, method: &str, action: &str) -> bool {
        self.method.as_str() == method && self.path == action
    }

    /// How long to wait before the next try.
    pub fn wait(&self) -> Duration {
        self.wait
    }
}

/// The form that was sent too often, if this page is the answer to that. What was typed into it comes back by
/// [`old`](crate::old).
///
/// ```
/// use housekey_http::throttle::throttled;
///
/// let wait = throttled().filter(|sent| sent.is_form("POST", "/contact")).map(|sent| sent.wait());
/// assert_eq!(wait, None);
/// ```
pub fn throttled() -> Option<Arc<Throttled>> {
    Scope::read(Scope::get::<Throttled>).flatten()
}
