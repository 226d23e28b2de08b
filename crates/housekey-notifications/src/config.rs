use serde::{Deserialize, Serialize};

/// `config/notifications.rs`.
///
/// ```
/// use housekey_core::env;
/// use housekey_notifications::NotificationsConfig;
///
/// pub fn notifications() -> NotificationsConfig {
///     NotificationsConfig { queue_all: env("NOTIFICATIONS_QUEUE", true), ..Default::default() }
/// }
/// # assert!(notifications().queue_all);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct NotificationsConfig {
    /// The connection whose `notifications` table the `database` channel writes to; the default one if not given.
    pub connection: Option<String>,
    /// Whether every notification waits in the app's queue, also one whose
    /// [`should_queue`](crate::Notification::should_queue) says no. A form then answers before the mail server does,
    /// and as fast for an address nobody has.
    pub queue_all: bool,
    /// The queue of notifications that name none; the app's default one if not given.
    pub queue: Option<String>,
}
