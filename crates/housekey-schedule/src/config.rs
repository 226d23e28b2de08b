use serde::{Deserialize, Serialize};

/// `config/schedule.rs`: when tasks run, and where their last run is kept.
///
/// ```
/// use housekey_core::env;
/// use housekey_schedule::ScheduleConfig;
///
/// pub fn schedule() -> ScheduleConfig {
///     ScheduleConfig {
///         timezone: "Europe/Berlin".into(),
///         store: env("SCHEDULE_STORE", "database"),
///         serve: env("SCHEDULE_IN_SERVE", false),
///         ..ScheduleConfig::default()
///     }
/// }
/// # assert_eq!(schedule().misfire_grace, 60);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ScheduleConfig {
    /// The time zone of tasks that name none, such as `Europe/Berlin`.
    pub timezone: String,
    /// Where the last run of each task is kept. `database` is never lost; its table is made by `make:schedule-table`.
    /// `cache` needs no table and is as lasting as the cache is: `cache:clear` forgets it, and a cache in a file is seen
    /// by one machine only.
    pub store: String,
    /// The connection of the store `database`; the default one if not given.
    pub connection: Option<String>,
    /// Whether `serve` runs the schedule too, so that no other process is needed.
    pub serve: bool,
    /// Seconds after its time in which a task is still started: time for a restart. Later its time counts as missed.
    pub misfire_grace: u64,
    /// Seconds after which the run of a process that died counts as cut off. A living one renews in time, however long
    /// the task takes.
    pub lease: u64,
    /// Seconds that running tasks get to finish when the process is asked to stop.
    pub grace: u64,
}

impl Default for ScheduleConfig {
    fn default() -> Self {
        Self {
            timezone: "UTC".into(),
            store: "cache".into(),
            connection: None,
            serve: false,
            misfire_grace: 60,
            lease: 60,
            grace: 30,
        }
    }
}
