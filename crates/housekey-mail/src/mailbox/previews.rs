use std::fmt;
use std::sync::{Arc, PoisonError, RwLock};

use housekey_core::Result;

use crate::Message;

/// Mails that can be looked at in `/dev/mailbox` without sending them. A service: whoever brings mails adds them here
/// while the app boots.
///
/// ```
/// use housekey_mail::{MailPreviews, Message};
///
/// let previews = MailPreviews::default();
/// previews.add("Welcome", || Ok(Message::new().to("ada@example.com").subject("Welcome").line("Hello!")));
/// assert_eq!(previews.names(), ["Welcome"]);
/// ```
#[derive(Clone, Default)]
pub struct MailPreviews(Arc<RwLock<Vec<(String, Make)>>>);

type Make = Arc<dyn Fn() -> Result<Message> + Send + Sync>;

impl MailPreviews {
    /// Adds a mail by the name it is listed under. The function runs whenever somebody looks.
    pub fn add(&self, name: impl Into<String>, make: impl Fn() -> Result<Message> + Send + Sync + 'static) {
        self.0.write().unwrap_or_else(PoisonError::into_inner).push((name.into(), Arc::new(make)));
    }

    /// The names, in the order they were added.
    pub fn names(&self) -> Vec<String> {
        self.0.read().unwrap_or_else(PoisonError::into_inner).iter().map(|(name, _)| name.clone()).collect()
    }

    pub(super) fn make(&self, number: usize) -> Option<Result<Message>> {
        let make = self.0.read().unwrap_or_else(PoisonError::into_inner).get(number)?.1.clone();
        Some(make())
    }
}

impl fmt::Debug for MailPreviews {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("MailPreviews").field(&self.names()).finish()
    }
}
