use std::fmt;
use std::sync::Arc;

use housekey_core::{Encrypter, Error, Result};
use housekey_http::{App, Provider, Registrar};
use housekey_mail::Mailer;

use crate::inbox::{Inbox, NotificationStore};
use crate::{Channel, Notifications, NotificationsConfig};

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

    pub fn channel(mut self, channel: impl Channel) -> Self {
        self.channels.push(Arc::new(channel));
        self
    }

    /// Says where the database channel keeps its notifications, if not in the app's database.
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
        let config = app.config().get::<NotificationsConfig>();
        let inbox = match &self.inbox {
            Some(inbox) => Some(inbox.clone()),
            None => table(app, &config)?,
        };
        if let Some(inbox) = inbox {
            app.services().insert(inbox);
        }
        let config = Arc::unwrap_or_clone(config);
        app.services().insert(Notifications::configured(self.channels.clone(), Some(encrypter), config));
        Ok(())
    }
}

/// Gives an app channels of its own.
///
/// ```
/// use housekey_core::ConfigFiles;
/// use housekey_http::App;
/// use housekey_mail::MailProvider;
/// use housekey_notifications::{AppNotifications, Channel, ChannelFuture, Delivery, NotificationsProvider};
///
/// struct Sms;
///
/// impl Channel for Sms {
///     fn name(&self) -> &'static str {
///         "sms"
///     }
///
///     fn deliver<'a>(&'a self, _: &'a Delivery) -> ChannelFuture<'a> {
///         Box::pin(async { Ok(()) })
///     }
/// }
///
/// let app = App::new(ConfigFiles::new())
///     .provider(MailProvider::new())
///     .provider(NotificationsProvider::new())
///     .notification_channel(Sms);
/// # drop(app);
/// ```
pub trait AppNotifications {
    /// Adds a channel, or replaces the one of its name.
    #[must_use]
    fn notification_channel(self, channel: impl Channel) -> Self;
}

impl AppNotifications for App {
    fn notification_channel(self, channel: impl Channel) -> Self {
        self.provider(OwnChannel(Arc::new(channel)))
    }
}

struct OwnChannel(Arc<dyn Channel>);

impl Provider for OwnChannel {
    fn name(&self) -> &'static str {
        "the app's notification channel"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        let Some(notifications) = app.services().get::<Notifications>() else {
            return Err(Error::internal(format!(
                "the channel `{}` belongs to notifications, which the app does not have yet: add housekey's \
                 `notifications` feature (NotificationsProvider), and the channel after it",
                self.0.name()
            )));
        };
        app.services().insert(notifications.with(self.0.clone()));
        Ok(())
    }
}

/// The app's `notifications` table, where it has a database.
#[cfg(feature = "database")]
fn table(app: &mut Registrar<'_>, config: &NotificationsConfig) -> Result<Option<Inbox>> {
    let databases = app.services().require::<housekey_database::Databases>()?;
    let source = housekey_database::DatabaseSource::named(databases, config.connection.as_deref())?;
    Ok(Some(Inbox::new(crate::DatabaseNotificationStore::new(source))))
}

#[cfg(not(feature = "database"))]
#[allow(clippy::unnecessary_wraps, reason = "the same question as with a database")]
fn table(_: &mut Registrar<'_>, _: &NotificationsConfig) -> Result<Option<Inbox>> {
    Ok(None)
}

impl fmt::Debug for NotificationsProvider {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names: Vec<&str> = self.channels.iter().map(|channel| channel.name()).collect();
        f.debug_struct("NotificationsProvider").field("channels", &names).finish_non_exhaustive()
    }
}
