//! Notifications for Housekey: one thing to say, told over mail, the database, the log, or a channel of one's own.
//!
//! A short tour:
//!
//! - [`Notification`] is what is said: its channels, its mail, its data, whether it waits in the queue.
//! - [`Notifiable`] is who it is said to; [`route`] makes one of an address.
//! - [`notify`] tells somebody. Every sentence is written in the recipient's language.
//! - [`Channel`] is a way to tell; [`Delivery`] is a notification on its way, complete in itself.
//! - [`NotificationsConfig`] (`config/notifications.rs`) says which connection and which queue are used.
//! - [`Inbox`] is what people can read in the app. It stands on a [`NotificationStore`]: the table `notifications` where
//!   the cargo feature `database` is on.
//! - [`NotificationFake`] is for tests: who was told what.
//! - [`NotificationsProvider`] brings all of it into an app. With the cargo feature `queue`, `QueueingProvider` lets
//!   mail and notifications wait in the app's queue.
//!
//! ```
//! use housekey_core::Result;
//! use housekey_core::translation::t;
//! use housekey_mail::Message;
//! use housekey_notifications::{Notifiable, Notification, notify, route};
//!
//! struct Invitation { team: String, url: String }
//!
//! impl Notification for Invitation {
//!     fn to_mail(&self, _: &dyn Notifiable) -> Result<Message> {
//!         Ok(Message::new()
//!             .subject(t!("Join :team", team = self.team))
//!             .line(t("You were invited to work together."))
//!             .action(t("Join"), &self.url))
//!     }
//! }
//!
//! async fn invite(email: &str) -> Result<()> {
//!     let invitation = Invitation { team: "Lighthouse".into(), url: "https://a.example/join".into() };
//!     notify(&route("mail", email).locale("de"), invitation).await
//! }
//! ```

mod channel;
mod channels;
mod config;
mod fake;
mod inbox;
mod notifiable;
mod notification;
mod notifications;
mod provider;
mod queued;
#[cfg(feature = "queue")]
mod queueing;
mod secrets;
#[cfg(feature = "database")]
mod store;
#[cfg(feature = "database")]
pub mod tables;

pub use channel::{Channel, ChannelFuture, Content, Delivery};
pub use config::NotificationsConfig;
pub use fake::NotificationFake;
pub use inbox::{Inbox, MemoryNotificationStore, NotificationStore, StoreFuture, StoredNotification, inbox};
pub use notifiable::{Notifiable, NotifiableKey, OnDemand, route};
pub use notification::{Notification, channels};
pub use notifications::{Notifications, notifications, notify, run_notification_job};
pub use provider::{AppNotifications, NotificationsProvider};
pub use queued::NOTIFICATION_JOB;
#[cfg(feature = "queue")]
pub use queueing::QueueingProvider;
#[cfg(feature = "database")]
pub use store::DatabaseNotificationStore;
