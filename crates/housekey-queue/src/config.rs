use serde::{Deserialize, Serialize};

/// `config/queue.rs`: where jobs wait, and how workers treat them.
///
/// ```
/// use housekey_core::env;
/// use housekey_queue::QueueConfig;
///
/// pub fn queue() -> QueueConfig {
///     QueueConfig { driver: env("QUEUE_DRIVER", "database"), ..QueueConfig::default() }
/// }
/// # assert_eq!(queue().queue, "default");
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct QueueConfig {
    /// `sync` (at once, where they are dispatched), `database` or `redis`.
    pub driver: String,
    /// The connection of the `database` or `redis` driver; the default one if not given.
    pub connection: Option<String>,
    /// The queue of jobs that name none.
    pub queue: String,
    /// Seconds after which the job of a worker that died is given to another. A living worker renews in time, however
    /// long the job takes.
    pub lease: u64,
    /// Milliseconds between two looks into an empty store.
    pub poll: u64,
    /// How many jobs a worker does at the same time.
    pub concurrency: usize,
    /// Seconds that jobs in hand get to finish when a worker is asked to stop; those that need longer go back.
    pub grace: u64,
    /// Whether what jobs carry is sealed with `APP_KEY` while it waits.
    pub encrypt: bool,
    /// Whether jobs wait under a test runner too. Otherwise each is done at once there, whatever the driver.
    pub waits_in_tests: bool,
}

impl Default for QueueConfig {
    fn default() -> Self {
        Self {
            driver: "sync".into(),
            connection: None,
            queue: "default".into(),
            lease: 60,
            poll: 1_000,
            concurrency: 4,
            grace: 30,
            encrypt: true,
            waits_in_tests: false,
        }
    }
}
