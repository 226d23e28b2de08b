use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::WhenUnavailable;

/// So many requests in so much time.
///
/// ```
/// use housekey_http::throttle::Limit;
///
/// let limit = Limit::per_minute(5).by("ada@example.com");
/// assert_eq!(limit.max(), 5);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "camelCase")]
pub struct Limit {
    max: u32,
    seconds: u64,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    by: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    when_unavailable: Option<WhenUnavailable>,
}

impl Limit {
    /// `max` requests in any window of this length; parts of a second are dropped.
    pub fn new(max: u32, window: Duration) -> Self {
        Self { max, seconds: window.as_secs().max(1), by: None, when_unavailable: None }
    }

    pub fn per_second(max: u32) -> Self {
        Self::new(max, Duration::from_secs(1))
    }

    pub fn per_minute(max: u32) -> Self {
        Self::per_minutes(1, max)
    }

    pub fn per_minutes(minutes: u32, max: u32) -> Self {
        Self::new(max, Duration::from_secs(u64::from(minutes) * 60))
    }

    pub fn per_hour(max: u32) -> Self {
        Self::per_minutes(60, max)
    }

    pub fn per_day(max: u32) -> Self {
        Self::per_minutes(24 * 60, max)
    }

    /// Counts by this key instead of by visitor: the address somebody tries to sign in as, say.
    #[must_use]
    pub fn by(mut self, key: impl Into<String>) -> Self {
        self.by = Some(key.into());
        self
    }

    /// Lets requests pass while the cache cannot be reached. Not for anything an attacker could want to guess.
    #[must_use]
    pub fn or_allow(mut self) -> Self {
        self.when_unavailable = Some(WhenUnavailable::Allow);
        self
    }

    pub fn max(&self) -> u32 {
        self.max
    }

    pub fn window(&self) -> Duration {
        Duration::from_secs(self.seconds)
    }

    /// What it counts by, if not by visitor.
    pub fn key(&self) -> Option<&str> {
        self.by.as_deref()
    }

    pub(super) fn allows_when_unavailable(&self, default: WhenUnavailable) -> bool {
        self.when_unavailable.unwrap_or(default) == WhenUnavailable::Allow
    }
}

/// What a limiter answers: one limit, several that must all be kept, or none at all (`None`).
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits(pub Vec<Limit>);

impl From<Limit> for Limits {
    fn from(limit: Limit) -> Self {
        Self(vec![limit])
    }
}

impl From<Option<Limit>> for Limits {
    fn from(limit: Option<Limit>) -> Self {
        Self(limit.into_iter().collect())
    }
}

impl From<Vec<Limit>> for Limits {
    fn from(limits: Vec<Limit>) -> Self {
        Self(limits)
    }
}

impl<const N: usize> From<[Limit; N]> for Limits {
    fn from(limits: [Limit; N]) -> Self {
        Self(limits.into())
    }
}
