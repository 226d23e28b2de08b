use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use housekey_mail::Message;
use serde_json::Value;

use crate::channel::{Content, Delivery};
use crate::{Notifiable, NotifiableKey, Notification};

/// Who would have been told what. [`Notifications::fake`](crate::Notifications::fake) gives it; clones look at the same
/// list.
///
/// ```
/// use housekey_core::Result;
/// use housekey_mail::Message;
/// use housekey_notifications::{Notifiable, Notification, Notifications, route};
///
/// struct Welcome { name: String }
///
/// impl Notification for Welcome {
///     fn to_mail(&self, _: &dyn Notifiable) -> Result<Message> {
///         Ok(Message::new().subject(format!("Welcome {}", self.name)))
///     }
/// }
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<()> {
/// let notifications = Notifications::new([], None);
/// let fake = notifications.fake();
/// let ada = route("mail", "ada@example.com");
/// fake.assert_nothing_sent();
///
/// notifications.send(&ada, Welcome { name: "Ada".into() }).await?;
///
/// fake.assert_sent_to::<Welcome>(&ada).assert_count::<Welcome>(1);
/// fake.assert_sent_to_where::<Welcome>(&ada, |welcome| welcome.name == "Ada");
/// assert_eq!(fake.mail_to::<Welcome>(&ada).subject_text(), "Welcome Ada");
/// # Ok(()) }
/// ```
#[derive(Clone, Default)]
pub struct NotificationFake(Arc<Mutex<Vec<Sent>>>);

#[derive(Clone)]
struct Sent {
    key: Option<NotifiableKey>,
    notification: Arc<dyn Any + Send + Sync>,
    kind: String,
    deliveries: Vec<Delivery>,
}

impl Sent {
    fn is_for(&self, to: &dyn Notifiable) -> bool {
        match (&self.key, to.notifiable_key()) {
            (Some(key), Some(other)) => *key == other,
            _ => self.deliveries.iter().any(|delivery| {
                let theirs = to.route_for(&delivery.channel);
                theirs.is_some() && theirs == delivery.address
            }),
        }
    }
}

impl NotificationFake {
    pub(crate) fn add(
        &self,
        to: &dyn Notifiable,
        notification: Arc<impl Notification>,
        deliveries: Vec<Delivery>,
    ) {
        // Nothing to deliver is nothing sent: `should_send` said no, or no channel reaches them.
        if deliveries.is_empty() {
            return;
        }
        let sent = Sent { key: to.notifiable_key(), kind: notification.kind(), notification, deliveries };
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(sent);
    }

    fn all(&self) -> Vec<Sent> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn of<N: Notification>(&self, to: &dyn Notifiable) -> Vec<Sent> {
        self.all().into_iter().filter(|sent| sent.notification.is::<N>() && sent.is_for(to)).collect()
    }

    #[track_caller]
    fn last<N: Notification>(&self, to: &dyn Notifiable) -> Sent {
        let Some(sent) = self.of::<N>(to).pop() else {
            panic!("no {} was sent to them; {self}", name::<N>());
        };
        sent
    }

    /// Every notification of a type that somebody was sent, oldest first.
    pub fn sent_to<N: Notification>(&self, to: &dyn Notifiable) -> Vec<Arc<N>> {
        self.of::<N>(to).into_iter().filter_map(|sent| sent.notification.downcast().ok()).collect()
    }

    /// The mail of the last notification of a type that somebody was sent.
    ///
    /// # Panics
    /// When there is none, or it did not go by mail.
    #[track_caller]
    pub fn mail_to<N: Notification>(&self, to: &dyn Notifiable) -> Message {
        let mail = self.last::<N>(to).deliveries.into_iter().find_map(|delivery| match delivery.content {
            Content::Mail(message) => Some(*message),
            Content::Data(_) => None,
        });
        let Some(mail) = mail else { panic!("{} did not go by mail; {self}", name::<N>()) };
        mail
    }

    /// What the last notification of a type gave a channel such as `database`.
    ///
    /// # Panics
    /// When there is none, or it did not go over that channel.
    #[track_caller]
    pub fn data_to<N: Notification>(&self, to: &dyn Notifiable, channel: &str) -> Value {
        let delivery = self.last::<N>(to).deliveries.into_iter().find(|delivery| delivery.channel == channel);
        let Some(delivery) = delivery else { panic!("{} did not go over `{channel}`; {self}", name::<N>()) };
        delivery.data().clone()
    }

    pub fn clear(&self) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clear();
    }

    /// # Panics
    /// When somebody was not sent such a notification.
    #[track_caller]
    pub fn assert_sent_to<N: Notification>(&self, to: &dyn Notifiable) -> &Self {
        self.last::<N>(to);
        self
    }

    /// # Panics
    /// When somebody was not sent such a notification that satisfies the test.
    #[track_caller]
    pub fn assert_sent_to_where<N: Notification>(
        &self,
        to: &dyn Notifiable,
        test: impl Fn(&N) -> bool,
    ) -> &Self {
        let found = self.sent_to::<N>(to).iter().any(|notification| test(notification));
        assert!(found, "no {} like that was sent to them; {self}", name::<N>());
        self
    }

    /// # Panics
    /// When somebody was sent such a notification.
    #[track_caller]
    pub fn assert_not_sent_to<N: Notification>(&self, to: &dyn Notifiable) -> &Self {
        assert!(self.of::<N>(to).is_empty(), "{} was sent to them; {self}", name::<N>());
        self
    }

    /// # Panics
    /// When the last such notification went over other channels.
    #[track_caller]
    pub fn assert_sent_over<N: Notification, const C: usize>(
        &self,
        to: &dyn Notifiable,
        channels: [&str; C],
    ) -> &Self {
        let sent = self.last::<N>(to);
        let over: Vec<&str> = sent.deliveries.iter().map(|delivery| delivery.channel.as_str()).collect();
        assert_eq!(over, channels, "{} went over other channels", name::<N>());
        self
    }

    /// # Panics
    /// When it was another number of such notifications.
    #[track_caller]
    pub fn assert_count<N: Notification>(&self, count: usize) -> &Self {
        let found = self.all().iter().filter(|sent| sent.notification.is::<N>()).count();
        assert_eq!(found, count, "another number of {} was sent; {self}", name::<N>());
        self
    }

    /// # Panics
    /// When anybody was sent anything.
    #[track_caller]
    pub fn assert_nothing_sent(&self) -> &Self {
        assert!(self.all().is_empty(), "something was sent; {self}");
        self
    }
}

fn name<N>() -> &'static str {
    std::any::type_name::<N>()
}

/// The list a failing assertion prints.
impl fmt::Display for NotificationFake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all = self.all();
        if all.is_empty() {
            return f.write_str("nothing was sent");
        }
        f.write_str("these were sent:")?;
        for sent in all {
            let over: Vec<&str> = sent.deliveries.iter().map(|delivery| delivery.channel.as_str()).collect();
            let key = sent.key.map(|key| format!("{} {}", key.kind, key.id));
            let to = key.or_else(|| sent.deliveries.iter().find_map(|delivery| delivery.address.clone()));
            write!(f, "\n  {} to {} over {}", sent.kind, to.unwrap_or_default(), over.join(", "))?;
        }
        Ok(())
    }
}

impl fmt::Debug for NotificationFake {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self}")
    }
}
