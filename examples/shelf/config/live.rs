use housekey::{LiveConfig, default, env};

/// What carries news to open pages.
pub fn live() -> LiveConfig {
    LiveConfig {
        // `process` for a single process; `redis` or `postgres` when a worker or a second machine says something, too.
        driver: env("LIVE_DRIVER", "process"),
        ..default()
    }
}
