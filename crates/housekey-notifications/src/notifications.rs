use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, OnceLock};

use housekey_core::translation::{locale, with_locale};
use housekey_core::{Encrypter, Error, Result, random, service};
use housekey_mail::{Address, DeferredJob, JobQueue};

use crate::channel::{Channel, Content, Delivery};
use crate::channels::{DatabaseChannel, LogChannel, MailChannel};
use crate::queued::{self, NOTIFICATION_JOB};
use crate::{Notifiable, Notification, NotificationFake, NotificationsConfig};

/// Sends notifications. Cheap to clone; [`notifications()`] gives the application's.
#[derive(Clone)]
pub struct Notifications(Arc<Shared>);

struct Shared {
    channels: BTreeMap<String, Arc<dyn Channel>>,
    encrypter: Option<Arc<Encrypter>>,
    config: NotificationsConfig,
    fake: OnceLock<NotificationFake>,
}

impl Notifications {
    /// The framework's channels and these, which win over one of the same name.
    pub fn new(more: impl IntoIterator<Item = Arc<dyn Channel>>, encrypter: Option<Arc<Encrypter>>) -> Self {
        Self::configured(more, encrypter, NotificationsConfig::default())
    }

    pub(crate) fn configured(
        more: impl IntoIterator<Item = Arc<dyn Channel>>,
        encrypter: Option<Arc<Encrypter>>,
        config: NotificationsConfig,
    ) -> Self {
        let ours: [Arc<dyn Channel>; 3] =
            [Arc::new(MailChannel), Arc::new(DatabaseChannel), Arc::new(LogChannel)];
        let channels = ours.into_iter().chain(more).map(|channel| (channel.name().to_owned(), channel));
        Self(Arc::new(Shared { channels: channels.collect(), encrypter, config, fake: OnceLock::new() }))
    }

    /// The same with one channel more.
    pub(crate) fn with(&self, channel: Arc<dyn Channel>) -> Self {
        let Shared { channels, encrypter, config, .. } = &*self.0;
        let all = channels.values().cloned().chain([channel]);
        Self::configured(all, encrypter.clone(), config.clone())
    }

    /// Tells somebody, over every channel of the notification. One that fails does not keep the others from trying; the
    /// error names each that did.
    ///
    /// Who has no address on a channel is left out of it.
    pub async fn send(&self, to: &dyn Notifiable, notification: impl Notification) -> Result<()> {
        self.send_to(to, &Arc::new(notification)).await
    }

    /// Tells several people. Somebody who cannot be told does not keep the others from being told.
    pub async fn send_to_all<'a, T: Notifiable + 'a>(
        &self,
        recipients: impl IntoIterator<Item = &'a T>,
        notification: impl Notification,
    ) -> Result<()> {
        let notification = Arc::new(notification);
        let mut problems = Vec::new();
        for to in recipients {
            if let Err(problem) = self.send_to(to, &notification).await {
                problems.push(problem);
            }
        }
        one_of(problems)
    }

    /// From now on, tells nobody; the answer says who would have been told what.
    pub fn fake(&self) -> NotificationFake {
        self.0.fake.get_or_init(NotificationFake::default).clone()
    }

    /// Delivers what was queued.
    pub async fn run_job(&self, payload: &serde_json::Value) -> Result<()> {
        let delivery = queued::decode(payload, self.0.encrypter.as_deref())?;
        self.deliver(&delivery).await
    }

    /// What was queued, opened.
    #[cfg(feature = "queue")]
    pub(crate) fn queued_delivery(&self, payload: &serde_json::Value) -> Result<Delivery> {
        queued::decode(payload, self.0.encrypter.as_deref())
    }

    async fn send_to<N: Notification>(&self, to: &dyn Notifiable, notification: &Arc<N>) -> Result<()> {
        let deliveries = self.prepare(to, &**notification).await?;
        if let Some(fake) = self.0.fake.get() {
            fake.add(to, notification.clone(), deliveries);
            return Ok(());
        }
        let waits = self.0.config.queue_all || notification.should_queue();
        let jobs = if waits { JobQueue::current() } else { None };
        let mut problems = Vec::new();
        for delivery in deliveries {
            let done = match &jobs {
                Some(jobs) => self.queue(jobs, &delivery, &**notification).await,
                None => self.deliver(&delivery).await,
            };
            if let Err(problem) = done {
                problems
                    .push(problem.context(format!("telling {} over `{}`", delivery.kind, delivery.channel)));
            }
        }
        one_of(problems)
    }

    /// What goes over which channel, written in the recipient's language.
    async fn prepare(&self, to: &dyn Notifiable, notification: &dyn Notification) -> Result<Vec<Delivery>> {
        match notification.locale().or_else(|| to.preferred_locale()) {
            Some(language) => with_locale(&language, async { self.prepare_here(to, notification) }).await,
            None => self.prepare_here(to, notification),
        }
    }

    fn prepare_here(&self, to: &dyn Notifiable, notification: &dyn Notification) -> Result<Vec<Delivery>> {
        let id = random::token();
        let mut deliveries: Vec<Delivery> = Vec::new();
        for name in notification.channels(to) {
            let channel = self.channel(&name)?;
            let address = to.route_for(&name).filter(|address| !address.trim().is_empty());
            let is_twice = deliveries.iter().any(|delivery| delivery.channel == name);
            let is_out_of_reach = channel.needs_address() && address.is_none();
            if is_twice || is_out_of_reach || !notification.should_send(to, &name) {
                continue;
            }
            deliveries.push(Delivery {
                id: id[..36].to_owned(),
                kind: notification.kind(),
                to: to.notifiable_key(),
                locale: locale(),
                content: content(&name, address.as_deref(), to, notification)?,
                address,
                channel: name,
            });
        }
        Ok(deliveries)
    }

    fn channel(&self, name: &str) -> Result<&Arc<dyn Channel>> {
        self.0.channels.get(name).ok_or_else(|| {
            let known: Vec<String> = self.0.channels.keys().map(|name| format!("`{name}`")).collect();
            Error::internal(format!(
                "there is no channel `{name}` for notifications; there are {}; add yours with .notification_channel(…) where the app is put together",
                known.join(", ")
            ))
        })
    }

    async fn deliver(&self, delivery: &Delivery) -> Result<()> {
        self.channel(&delivery.channel)?.deliver(delivery).await
    }

    async fn queue(
        &self,
        jobs: &JobQueue,
        delivery: &Delivery,
        notification: &dyn Notification,
    ) -> Result<()> {
        let mut job =
            DeferredJob::new(NOTIFICATION_JOB, queued::encode(delivery, self.0.encrypter.as_deref())?);
        job.queue = notification.queue().or_else(|| self.0.config.queue.clone());
        job.delay = notification.delay();
        jobs.push(job).await
    }
}

fn content(
    channel: &str,
    address: Option<&str>,
    to: &dyn Notifiable,
    notification: &dyn Notification,
) -> Result<Content> {
    if channel != "mail" {
        return Ok(Content::Data(notification.to_channel(channel, to)?));
    }
    let message = notification.to_mail(to)?;
    let message = match (message.recipients(), address) {
        ([], Some(address)) => message.to(Address::from(address)),
        _ => message,
    };
    let message = match message.language() {
        Some(_) => message,
        None => message.locale(locale()),
    };
    Ok(Content::Mail(Box::new(message)))
}

/// The first problem, with what the others said as notes for the log.
fn one_of(problems: Vec<Error>) -> Result<()> {
    let mut problems = problems.into_iter();
    match problems.next() {
        None => Ok(()),
        Some(first) => Err(problems.fold(first, |first, other| first.context(other.to_string()))),
    }
}

impl fmt::Debug for Notifications {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Notifications").field(&self.0.channels.keys()).finish()
    }
}

/// The application's notifications, from anywhere below a handler, a command or a job.
pub fn notifications() -> Result<Notifications> {
    service::<Notifications>().map(Arc::unwrap_or_clone).ok_or_else(|| {
        Error::internal(
            "notifications() found nothing: add housekey's `notifications` feature (NotificationsProvider) to the app, \
             and outside a request carry the scope with housekey::spawn",
        )
    })
}

/// Tells somebody something: `notify(&user, InvoicePaid { … }).await?`.
pub async fn notify(to: &dyn Notifiable, notification: impl Notification) -> Result<()> {
    notifications()?.send(to, notification).await
}

/// Delivers a notification that was queued: what a worker does with a [`NOTIFICATION_JOB`].
pub async fn run_notification_job(payload: &serde_json::Value) -> Result<()> {
    notifications()?.run_job(payload).await
}
