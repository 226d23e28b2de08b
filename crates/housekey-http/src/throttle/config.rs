use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::{Limit, WhenUnavailable};

/// `config/throttle.rs`.
///
/// ```
/// use housekey_http::throttle::{Limit, ThrottleConfig};
///
/// pub fn throttle() -> ThrottleConfig {
///     ThrottleConfig {
///         limiters: [("login".into(), vec![Limit::per_minute(5), Limit::per_hour(50)])].into(),
///         ..Default::default()
///     }
/// }
/// # throttle();
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ThrottleConfig {
    /// Limiters by name, for `throttle:<name>`. Ones whose limits depend on the request are made with
    /// [`App::limiter`](crate::App::limiter), which also replaces one from here.
    pub limiters: BTreeMap<String, Vec<Limit>>,
    /// What happens while the cache cannot be reached.
    pub when_unavailable: WhenUnavailable,
    /// Whether answers tell the limit and what is left of it (`X-RateLimit-Limit`, `X-RateLimit-Remaining`).
    pub headers: bool,
    /// How many leading bits of an IPv6 address make one visitor. Whoever has one such address has a whole `/64` of
    /// them, and could otherwise take a fresh one for every attempt.
    pub ipv6_prefix: u8,
}

impl Default for ThrottleConfig {
    fn default() -> Self {
        Self {
            limiters: BTreeMap::new(),
            when_unavailable: WhenUnavailable::Refuse,
            headers: true,
            ipv6_prefix: 64,
        }
    }
}
