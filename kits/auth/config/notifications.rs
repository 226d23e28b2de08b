use housekey::{NotificationsConfig, env};

/// How people are told things.
pub fn notifications() -> NotificationsConfig {
    NotificationsConfig {
        // The connection whose `notifications` table the database channel writes to (make:notifications-table). None: the default one.
        connection: None,

        // Every notification goes through the queue: with a worker, a form answers before the mail server does, and what
        // the mail server refuses is tried again.
        queue_all: env("NOTIFICATIONS_QUEUE", true),

        // The queue they wait in. None: the default one.
        queue: None,
    }
}
