use serde::{Deserialize, Serialize};

/// `config/events.rs`: where durable events wait, and how they are told.
///
/// ```
/// use housekey_events::EventsConfig;
///
/// pub fn events() -> EventsConfig {
///     EventsConfig { timeout: 10, ..EventsConfig::default() }
/// }
/// # assert_eq!(events().poll, 1_000);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct EventsConfig {
    /// The connection whose transactions count, and that has the outbox; the default one if not given.
    pub connection: Option<String>,
    /// Milliseconds between two looks into the outbox. Events that its own process emits wake a relay at once.
    pub poll: u64,
    /// Seconds that a listener may take. After a process was killed, what it had in hand waits a little longer than this.
    pub timeout: u64,
    /// How many listeners a relay calls at the same time.
    pub concurrency: usize,
}

impl Default for EventsConfig {
    fn default() -> Self {
        Self { connection: None, poll: 1_000, timeout: 30, concurrency: 4 }
    }
}
