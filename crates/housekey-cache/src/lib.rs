//! The application cache: values that may be lost, counters that may not be wrong, and locks.
//!
//! A [`Store`] keeps bytes under a key, with an end of life; [`MemoryStore`] and [`FileStore`] are
//! the two that need nothing installed; the features `database` and `redis` bring one each. A [`Cache`] puts types, a key prefix and the common moves
//! (`remember`, `pull`, `lock`) on top of any store. A [`RateLimiter`] counts on a cache; it is what
//! the `throttle` guard asks.
//!
//! Two promises hold for every store:
//!
//! - **Changes are atomic.** `add`, `increment` and `compare_and_swap` are exact, between tasks and
//!   (except in memory) between processes.
//! - **Unreachable is an error.** A store that cannot answer says so; it never pretends that a key is
//!   missing, because "no entry" may mean "not revoked" or "first attempt" to the caller.
//!
//! ```
//! use housekey_cache::Cache;
//! use std::time::Duration;
//!
//! # #[tokio::main(flavor = "current_thread")] async fn main() -> housekey_core::Result<()> {
//! let cache = Cache::memory();
//! let hour = Some(Duration::from_secs(3600));
//!
//! let answer = cache.remember("answer", hour, async || Ok(42)).await?;
//! assert_eq!(answer, 42);
//! assert_eq!(cache.increment("visits", 1, None).await?, 1);
//! # Ok(()) }
//! ```

mod ambient;
mod cache;
mod config;
#[cfg(feature = "database")]
pub mod database;
mod file;
mod limiter;
mod memory;
#[cfg(any(feature = "database", feature = "redis"))]
mod millis;
#[cfg(feature = "redis")]
pub mod redis;
mod store;

pub use ambient::cache;
pub use cache::{Cache, Lock, LockGuard};
pub use config::CacheConfig;
pub use file::FileStore;
pub use limiter::{RateLimitStatus, RateLimiter};
pub use memory::MemoryStore;
pub use store::{Counter, Entry, Store, StoreFuture};
