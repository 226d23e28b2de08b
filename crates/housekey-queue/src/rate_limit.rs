use std::time::Duration;

use housekey_cache::{Cache, RateLimiter};
use housekey_core::{Error, Result, Services};

/// How often jobs of a kind may begin: the answer of [`Job::rate_limit`](crate::Job::rate_limit).
///
/// ```
/// use std::time::Duration;
/// use housekey_queue::RateLimit;
///
/// assert_eq!(RateLimit::per_minute(30), RateLimit::new(30, Duration::from_secs(60)));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct RateLimit {
    max: u32,
    window: Duration,
}

impl RateLimit {
    /// So many in each span of time, which opens with the first of them.
    pub fn new(max: u32, window: Duration) -> Self {
        Self { max, window }
    }

    pub fn per_second(max: u32) -> Self {
        Self::new(max, Duration::from_secs(1))
    }

    pub fn per_minute(max: u32) -> Self {
        Self::new(max, Duration::from_secs(60))
    }

    pub fn per_hour(max: u32) -> Self {
        Self::new(max, Duration::from_secs(3600))
    }

    /// Counts a job that is about to begin. `Some`: it has to wait that long.
    pub(crate) async fn wait(&self, name: &str, services: &Services) -> Result<Option<Duration>> {
        let cache = services.get::<Cache>().ok_or_else(|| {
            Error::internal(format!(
                "the job `{name}` has a rate limit, which is counted in the cache, and this app has none"
            ))
        })?;
        let limiter = RateLimiter::new((*cache).clone());
        let status = limiter.hit(&format!("queue:{name}"), self.max, self.window).await?;
        // A limit of nothing has no window that ends.
        Ok((!status.allowed).then(|| status.retry_after.max(Duration::from_millis(100))))
    }
}
