use housekey::default;
use housekey::throttle::{Limit, ThrottleConfig};

/// How often is too often. What goes over a limit is answered 429, with the time to wait.
pub fn throttle() -> ThrottleConfig {
    ThrottleConfig {
        // Limits with a name, for routes that share one: `.middleware("throttle:writes")`. A route of its own says
        // it in place: `.middleware("throttle:6,1")` is six requests in one minute.
        limiters: [("writes".to_owned(), vec![Limit::per_minute(60)])].into(),

        ..default()
    }
}
