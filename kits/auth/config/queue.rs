use housekey::{QueueConfig, default, env};

/// Where jobs wait, and how workers treat them.
pub fn queue() -> QueueConfig {
    QueueConfig {
        // `sync` does a job at once, where it is dispatched: nothing else to run. `database` (its tables:
        // make:queue-table) and `redis` keep it for `housekey queue:work`, and answers no longer wait for mail servers.
        driver: env("QUEUE_DRIVER", "sync"),

        // Seconds after which the job of a worker that died is given to another.
        lease: 60,

        // How many jobs a worker does at the same time.
        concurrency: env("QUEUE_CONCURRENCY", 4_usize),

        // What waits can be read with APP_KEY only: a job may carry a link that signs somebody in.
        encrypt: true,

        ..default()
    }
}
