use std::time::Duration;

use housekey_core::Result;
use time::OffsetDateTime;

use crate::Cache;

/// Counts attempts per key in a fixed window that opens with the first one.
///
/// A hit is one atomic increment, so no two callers can both be the last one allowed, in whichever
/// process. Refused attempts are counted too but never lengthen the window.
///
/// ```
/// use housekey_cache::{Cache, RateLimiter};
/// use std::time::Duration;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> housekey_core::Result<()> {
/// let limiter = RateLimiter::new(Cache::memory());
/// let minute = Duration::from_secs(60);
///
/// assert!(limiter.hit("sign-in:203.0.113.7", 1, minute).await?.allowed);
/// let second = limiter.hit("sign-in:203.0.113.7", 1, minute).await?;
/// assert!(!second.allowed && second.retry_after <= minute);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct RateLimiter {
    cache: Cache,
}

/// What a [`RateLimiter`] says about an attempt.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimitStatus {
    /// Whether the attempt is within the limit.
    pub allowed: bool,
    /// How many more are allowed in this window.
    pub remaining: u32,
    /// How many a window allows.
    pub limit: u32,
    /// How long until the window is over.
    pub retry_after: Duration,
}

impl RateLimiter {
    /// A limiter that counts in this cache.
    pub fn new(cache: Cache) -> Self {
        Self { cache }
    }

    /// Counts an attempt and decides on it.
    pub async fn hit(&self, key: &str, max: u32, window: Duration) -> Result<RateLimitStatus> {
        let counter = self.cache.count(&storage_key(key), 1, Some(window)).await?;
        Ok(self.decide(counter.value, counter.expires_at, max))
    }

    /// What the next attempt would be told, without counting one.
    pub async fn peek(&self, key: &str, max: u32) -> Result<RateLimitStatus> {
        let key = storage_key(key);
        let count = self.cache.get::<i64>(&key).await?.unwrap_or(0);
        let end = self.cache.expires_at(&key).await?.flatten();
        let next = self.decide(count.saturating_add(1), end, max);
        Ok(RateLimitStatus { remaining: remaining(max, count), ..next })
    }

    /// Forgets a key's attempts, as after a successful sign-in.
    pub async fn reset(&self, key: &str) -> Result<()> {
        self.cache.forget(&storage_key(key)).await.map(drop)
    }

    fn decide(&self, count: i64, end: Option<OffsetDateTime>, max: u32) -> RateLimitStatus {
        let left = end.map_or(time::Duration::ZERO, |end| end - self.cache.now());
        RateLimitStatus {
            allowed: count <= i64::from(max),
            remaining: remaining(max, count),
            limit: max,
            retry_after: Duration::try_from(left).unwrap_or(Duration::ZERO),
        }
    }
}

fn remaining(max: u32, count: i64) -> u32 {
    u32::try_from((i64::from(max) - count).max(0)).unwrap_or(max)
}

fn storage_key(key: &str) -> String {
    format!("limiter:{key}")
}
