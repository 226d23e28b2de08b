use housekey::{ScheduleConfig, default};

pub fn schedule() -> ScheduleConfig {
    // In the database of the queue, so that a job and its time are written in one transaction.
    ScheduleConfig { store: "database".into(), lease: 5, ..default() }
}
