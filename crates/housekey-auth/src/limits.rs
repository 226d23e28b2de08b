use std::sync::Arc;
use std::time::Duration;

use housekey_cache::{Cache, MemoryStore};
use housekey_core::{Clock, Result};
use housekey_engine::{BoxError, BoxFuture, Hit, RateLimitStore};

/// Counts the engine's rate limits in the app's cache, so that all processes share one count.
///
/// A cache that is away must not lock everyone out, nor let everyone try as often as they like: then each process counts
/// for itself until it is back.
pub(crate) struct CacheLimits {
    shared: Cache,
    own: Cache,
    clock: Clock,
}

impl CacheLimits {
    pub(crate) fn new(cache: &Cache, clock: Clock) -> Arc<Self> {
        let own = Cache::new(MemoryStore::new(clock.clone()), clock.clone());
        Arc::new(Self { shared: cache.with_prefix("auth:limit:"), own, clock })
    }

    async fn count(&self, cache: &Cache, key: &str, window: Duration) -> Result<Hit> {
        let counter = cache.count(key, 1, Some(window)).await?;
        let left = counter.expires_at.map(|end| end - self.clock.now());
        let resets_in = left.and_then(|left| Duration::try_from(left).ok()).unwrap_or(window);
        Ok(Hit { count: u32::try_from(counter.value).unwrap_or(u32::MAX), resets_in })
    }
}

impl RateLimitStore for CacheLimits {
    fn hit<'a>(
        &'a self,
        key: &'a str,
        window: Duration,
    ) -> BoxFuture<'a, std::result::Result<Hit, BoxError>> {
        Box::pin(async move {
            let counted = match self.count(&self.shared, key, window).await {
                Ok(hit) => Ok(hit),
                Err(error) => {
                    tracing::warn!(%error, "rate limits are counted in this process alone: the cache is away");
                    self.count(&self.own, key, window).await
                }
            };
            counted.map_err(|error| BoxError::from(error.to_string()))
        })
    }

    fn forget<'a>(&'a self, key: &'a str) -> BoxFuture<'a, std::result::Result<(), BoxError>> {
        Box::pin(async move {
            // It may have been counted here while the cache was away.
            let forgotten = self.own.forget(key).await.and(self.shared.forget(key).await);
            forgotten.map(drop).map_err(|error| BoxError::from(error.to_string()))
        })
    }
}
