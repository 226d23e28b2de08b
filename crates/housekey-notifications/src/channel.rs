use std::future::Future;
use std::pin::Pin;

use housekey_core::Result;
use housekey_mail::Message;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::NotifiableKey;

/// A way to tell somebody something. `mail`, `database` and `log` are ours;
/// [`AppNotifications::notification_channel`](crate::AppNotifications::notification_channel) adds another.
///
/// ```
/// use housekey_notifications::{Channel, ChannelFuture, Delivery};
///
/// struct Sms;
///
/// impl Channel for Sms {
///     fn name(&self) -> &'static str {
///         "sms"
///     }
///
///     fn deliver<'a>(&'a self, delivery: &'a Delivery) -> ChannelFuture<'a> {
///         Box::pin(async move {
///             let (_number, _data) = (&delivery.address, delivery.data());
///             Ok(())
///         })
///     }
/// }
/// ```
pub trait Channel: Send + Sync + 'static {
    /// The name notifications know it by.
    fn name(&self) -> &'static str;

    /// Whether it can only reach who has an address on it ([`Notifiable::route_for`](crate::Notifiable::route_for)).
    /// Others are left out without an error.
    fn needs_address(&self) -> bool {
        true
    }

    /// Tells them. May run in a worker, and more than once for the same [`Delivery::id`] after a failure.
    fn deliver<'a>(&'a self, delivery: &'a Delivery) -> ChannelFuture<'a>;
}

pub type ChannelFuture<'a> = Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>>;

/// A notification on its way to one recipient over one channel, complete in itself: it can wait in a queue.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
#[non_exhaustive]
pub struct Delivery {
    /// The same for every channel of one notification to one recipient, and for every retry.
    pub id: String,
    /// The notification's name.
    pub kind: String,
    pub channel: String,
    /// Who it is for in the database.
    pub to: Option<NotifiableKey>,
    /// Where the channel reaches them.
    pub address: Option<String>,
    pub locale: String,
    pub content: Content,
}

#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub enum Content {
    /// A mail, for the mail channel.
    Mail(Box<Message>),
    /// Data, for every other one.
    Data(Value),
}

impl Delivery {
    /// The data; nothing for a mail.
    pub fn data(&self) -> &Value {
        match &self.content {
            Content::Data(data) => data,
            Content::Mail(_) => &Value::Null,
        }
    }
}
