use std::time::Duration;

use housekey_core::{Error, Result, random};
use tokio::time::{Instant, sleep};

use super::Cache;

/// A named lock in a [`Cache`], from [`Cache::lock`].
///
/// It frees itself after its lifetime, so a holder that dies blocks nobody for good; work that may take
/// longer calls [`LockGuard::extend`].
///
/// ```
/// use housekey_cache::Cache;
/// use std::time::Duration;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> housekey_core::Result<()> {
/// let cache = Cache::memory();
/// let lock = cache.lock("nightly report", Duration::from_secs(60));
///
/// let guard = lock.try_acquire().await?.expect("nobody holds it yet");
/// assert!(lock.try_acquire().await?.is_none());
/// guard.release().await?;
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Lock {
    cache: Cache,
    key: String,
    ttl: Duration,
}

impl Lock {
    pub(crate) fn new(cache: Cache, key: String, ttl: Duration) -> Self {
        Self { cache, key, ttl }
    }

    /// Takes the lock if it is free.
    pub async fn try_acquire(&self) -> Result<Option<LockGuard>> {
        let owner = random::token();
        let taken = self.cache.add(&self.key, &owner, Some(self.ttl)).await?;
        Ok(taken.then(|| LockGuard { lock: self.clone(), owner, held: true }))
    }

    /// Takes the lock, waiting up to `timeout` for it; 503 when that was not enough.
    pub async fn acquire_within(&self, timeout: Duration) -> Result<LockGuard> {
        let deadline = Instant::now() + timeout;
        let mut pause = Duration::from_millis(2);
        loop {
            if let Some(guard) = self.try_acquire().await? {
                return Ok(guard);
            }
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(Error::unavailable(Duration::from_secs(1))
                    .context(format!("`{}` was not free within {timeout:?}", self.key)));
            }
            sleep(pause.min(left)).await;
            pause = (pause * 2).min(Duration::from_millis(100));
        }
    }

    /// Runs `work` while holding the lock, and gives it back whatever the outcome.
    pub async fn run<T>(&self, timeout: Duration, work: impl AsyncFnOnce() -> Result<T>) -> Result<T> {
        let guard = self.acquire_within(timeout).await?;
        let outcome = work().await;
        guard.release().await?;
        outcome
    }
}

/// A held [`Lock`]. [`release`](Self::release) tells whether it was still held; dropping it gives the
/// lock back too, a moment later and without an answer.
#[derive(Debug)]
#[must_use = "the lock is given back when the guard is dropped"]
pub struct LockGuard {
    lock: Lock,
    owner: String,
    held: bool,
}

impl LockGuard {
    /// Gives the lock back. `false`: its lifetime had passed, and someone else may have been at work.
    pub async fn release(mut self) -> Result<bool> {
        self.held = false;
        release(&self.lock, &self.owner).await
    }

    /// Starts the lock's lifetime anew. `false`: it had passed already.
    pub async fn extend(&self) -> Result<bool> {
        let Lock { cache, key, ttl } = &self.lock;
        cache.compare_and_swap(key, Some(&self.owner), Some(&self.owner), Some(*ttl)).await
    }
}

impl Drop for LockGuard {
    fn drop(&mut self) {
        if !self.held {
            return;
        }
        // Dropping cannot wait. Without a runtime to do it later, the lock's lifetime frees it.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            let (lock, owner) = (self.lock.clone(), std::mem::take(&mut self.owner));
            runtime.spawn(async move {
                if let Err(error) = release(&lock, &owner).await {
                    tracing::warn!(lock = lock.key, %error, "a lock could not be given back");
                }
            });
        }
    }
}

/// Removes the lock only while it is still ours: after its lifetime it may be another's.
async fn release(lock: &Lock, owner: &str) -> Result<bool> {
    lock.cache.compare_and_swap(&lock.key, Some(owner), None, None).await
}
