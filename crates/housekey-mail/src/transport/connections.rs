use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use lettre::transport::smtp::client::AsyncSmtpConnection;
use tokio::time::timeout;

/// Connections that wait for the next mail.
///
/// The library's own pool puts a connection back when its user is cancelled, in the middle of a conversation; here
/// one comes back only after a mail went through. And there is no task in the background: what has waited too long is
/// closed when somebody comes by.
pub(super) struct Connections {
    waiting: Mutex<Vec<(AsyncSmtpConnection, Instant)>>,
    limit: usize,
}

/// Servers hang up after five minutes at the latest (RFC 5321), many after one.
const TOO_LONG: Duration = Duration::from_secs(30);

/// How long a waiting connection may take to say that it is alive.
const ALIVE: Duration = Duration::from_secs(2);

impl Connections {
    pub(super) fn new(limit: usize) -> Self {
        Self { waiting: Mutex::default(), limit }
    }

    /// A connection that still answers.
    pub(super) async fn take(&self) -> Option<AsyncSmtpConnection> {
        while let Some((mut connection, since)) = self.pop() {
            let is_alive = timeout(ALIVE, connection.test_connected());
            if since.elapsed() < TOO_LONG && matches!(is_alive.await, Ok(true)) {
                return Some(connection);
            }
        }
        None
    }

    pub(super) fn keep(&self, connection: AsyncSmtpConnection) {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        waiting.retain(|(_, since)| since.elapsed() < TOO_LONG);
        if waiting.len() < self.limit && !connection.has_broken() {
            waiting.push((connection, Instant::now()));
        }
    }

    fn pop(&self) -> Option<(AsyncSmtpConnection, Instant)> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).pop()
    }
}
