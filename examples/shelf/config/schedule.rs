use housekey::{ScheduleConfig, default, env};

/// When the app does things by itself.
pub fn schedule() -> ScheduleConfig {
    ScheduleConfig {
        // The last run of each task is in the database, so however many machines there are, each time has one run.
        store: "database".into(),
        // Whether the server runs it too, without a `schedule:work` beside it.
        serve: env("SCHEDULE_IN_SERVE", false),
        ..default()
    }
}
