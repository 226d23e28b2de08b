use std::fmt;
use std::sync::Arc;

use housekey_core::{Encrypter, Error, Result};
use housekey_http::{Provider, Registrar};
use housekey_mail::Mailer;

use crate::inbox::{Inbox, NotificationStore};
use crate::{Channel, Notifications};

/// Brings notifications into an app. It stands behind [`MailProvider`](housekey_mail::MailProvider).
///
/// ```
/// use housekey_core::ConfigFiles;
/// use housekey_http::App;
/// use housekey_mail::MailProvider;
/// use housekey_notifications::NotificationsProvider;
///
/// let app = App::new(ConfigFiles::new()).provider(MailProvider::new()).provider(NotificationsProvider::new());
/// # drop(app);
/// ```
#[derive(Clone, Default)]
pub struct NotificationsProvider {
    channels: Vec<Arc<dyn Channel>>,
    inbox: Option<Inbox>,
}

impl NotificationsProvider {
    /// The channels `mail`, `database` and `log`.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a channel.
    pub fn channel(mut self, channel: impl Channel) -> Self {
        self.channels.push(Arc::new(channel));
        self
    }

    /// Says where the database channel keeps its notifications.
    pub fn store(mut self, store: impl NotificationStore) -> Self {
        self.inbox = Some(Inbox::new(store));
        self
    }
}

impl Provider for NotificationsProvider {
    fn name(&self) -> &'static str {
        "notifications"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        if app.services().get::<Mailer>().is_none() {
            return Err(Error::internal(
                "the mail channel needs a mailer; add MailProvider before NotificationsProvider",
            ));
        }
        let encrypter = app.services().require::<Encrypter>()?;
        app.services().insert(Notifications::new(self.channels.clone(), Some(encrypter)));
        if let Some(inbox) = &self.inbox {
            app.services().insert(inbox.clone());
        }
        Ok(())
    }
}

impl fmt::Debug for NotificationsProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.channels.iter().map(|channel| channel.name()).collect();
        f.debug_struct("NotificationsProvider").field("channels", &names).finish_non_exhaustive()
    }
}
