use housekey::{EventsConfig, default};

pub fn events() -> EventsConfig {
    // As with the queue: what a killed relay had in hand waits for a little longer than this.
    EventsConfig { timeout: 3, poll: 100, ..default() }
}
