use housekey::{QueueConfig, default};

pub fn queue() -> QueueConfig {
    // A killed worker's jobs are free after some seconds: a proof of five minutes wants to see that often.
    QueueConfig { driver: "database".into(), lease: 3, poll: 100, ..default() }
}
