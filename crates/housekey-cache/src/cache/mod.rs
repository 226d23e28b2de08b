mod lock;

use std::sync::Arc;
use std::time::Duration;

use housekey_core::{Clock, Error, Result};
use serde::Serialize;
use serde::de::DeserializeOwned;
use time::OffsetDateTime;

pub use lock::{Lock, LockGuard};

use crate::MemoryStore;
use crate::store::{Counter, Store};

/// Typed values over a [`Store`]. Cheap to clone; clones share the store.
///
/// Values are kept as JSON. A lifetime of `None` keeps a value until it is forgotten.
///
/// ```
/// use housekey_cache::Cache;
/// use std::time::Duration;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> housekey_core::Result<()> {
/// let cache = Cache::memory();
/// cache.put("colour", &"green", Some(Duration::from_secs(60))).await?;
/// assert_eq!(cache.get::<String>("colour").await?.as_deref(), Some("green"));
/// assert_eq!(cache.pull::<String>("colour").await?.as_deref(), Some("green"));
/// assert_eq!(cache.get::<String>("colour").await?, None);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Cache {
    store: Arc<dyn Store>,
    prefix: Arc<str>,
    clock: Clock,
}

impl Cache {
    /// A cache on a store. Both should read the same clock.
    pub fn new(store: impl Store, clock: Clock) -> Self {
        Self::from_shared(Arc::new(store), clock)
    }

    /// A cache on a store that is shared already.
    pub fn from_shared(store: Arc<dyn Store>, clock: Clock) -> Self {
        Self { store, prefix: "".into(), clock }
    }

    /// A cache in this process's memory: for tests and examples.
    pub fn memory() -> Self {
        Self::new(MemoryStore::new(Clock::system()), Clock::system())
    }

    /// The same store seen through another prefix, in place of the present one.
    #[must_use]
    pub fn with_prefix(&self, prefix: impl Into<Arc<str>>) -> Self {
        Self { prefix: prefix.into(), ..self.clone() }
    }

    /// What configuration calls the store.
    pub fn store_name(&self) -> &'static str {
        self.store.name()
    }

    /// The store below, for bytes that are not JSON. Keys there carry the prefix.
    pub fn store(&self) -> &Arc<dyn Store> {
        &self.store
    }

    pub(crate) fn now(&self) -> OffsetDateTime {
        self.clock.now()
    }

    /// The value under `key`. One that is there but is no `T` is an error that says so.
    pub async fn get<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>> {
        let bytes = self.store.get(&self.full(key)).await?;
        bytes.map(|bytes| decode(key, &bytes)).transpose()
    }

    /// Whether there is a value under `key`.
    pub async fn has(&self, key: &str) -> Result<bool> {
        Ok(self.store.get(&self.full(key)).await?.is_some())
    }

    /// When the value under `key` ends: `None` if there is no value, `Some(None)` if it stays.
    pub async fn expires_at(&self, key: &str) -> Result<Option<Option<OffsetDateTime>>> {
        Ok(self.store.entry(&self.full(key)).await?.map(|entry| entry.expires_at))
    }

    /// Writes a value, in place of the one that is there. Without a `ttl` it stays until it is forgotten.
    pub async fn put<T: Serialize + ?Sized>(
        &self,
        key: &str,
        value: &T,
        ttl: Option<Duration>,
    ) -> Result<()> {
        self.store.put(&self.full(key), encode(key, value)?, ttl).await
    }

    /// Writes a value only if there is none, and says whether it did.
    pub async fn add<T: Serialize + ?Sized>(
        &self,
        key: &str,
        value: &T,
        ttl: Option<Duration>,
    ) -> Result<bool> {
        self.store.add(&self.full(key), encode(key, value)?, ttl).await
    }

    /// Takes a value out. Of several callers at once exactly one gets it.
    pub async fn pull<T: DeserializeOwned>(&self, key: &str) -> Result<Option<T>> {
        let full = self.full(key);
        while let Some(bytes) = self.store.get(&full).await? {
            if self.store.compare_and_swap(&full, Some(&bytes), None, None).await? {
                return decode(key, &bytes).map(Some);
            }
        }
        Ok(None)
    }

    /// The value under `key`, or the one that `make` answers, which is then kept for the next caller.
    ///
    /// Callers that miss at the same time each make the value; wrap the call in a [`lock`](Self::lock)
    /// where that is too dear. A kept value that is no `T` (a deployment changed the type) is made anew.
    pub async fn remember<T, F>(&self, key: &str, ttl: Option<Duration>, make: F) -> Result<T>
    where
        T: Serialize + DeserializeOwned,
        F: AsyncFnOnce() -> Result<T>,
    {
        if let Some(bytes) = self.store.get(&self.full(key)).await? {
            match decode(key, &bytes) {
                Ok(value) => return Ok(value),
                Err(error) => tracing::warn!(key, %error, "a cached value is made anew"),
            }
        }
        let value = make().await?;
        self.put(key, &value, ttl).await?;
        Ok(value)
    }

    /// Adds to a counter and answers the sum. `ttl` applies when the counter is created.
    pub async fn increment(&self, key: &str, by: i64, ttl: Option<Duration>) -> Result<i64> {
        Ok(self.count(key, by, ttl).await?.value)
    }

    /// Takes from a counter and answers what is left; it can go below zero.
    pub async fn decrement(&self, key: &str, by: i64, ttl: Option<Duration>) -> Result<i64> {
        let by = by.checked_neg().ok_or_else(|| Error::internal("this step is too large to take away"))?;
        self.increment(key, by, ttl).await
    }

    /// Like [`increment`](Self::increment), and says when the counter starts over.
    pub async fn count(&self, key: &str, by: i64, ttl: Option<Duration>) -> Result<Counter> {
        self.store.increment(&self.full(key), by, ttl).await
    }

    /// Replaces `expected` by `new` if that is what is there (`None`: nothing), and says whether it did.
    ///
    /// ```
    /// # use housekey_cache::Cache;
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> housekey_core::Result<()> {
    /// let cache = Cache::memory();
    /// assert!(cache.compare_and_swap("turn", None, Some(&"white"), None).await?);
    /// assert!(!cache.compare_and_swap("turn", Some(&"black"), Some(&"white"), None).await?);
    /// # Ok(()) }
    /// ```
    pub async fn compare_and_swap<T: Serialize + ?Sized>(
        &self,
        key: &str,
        expected: Option<&T>,
        new: Option<&T>,
        ttl: Option<Duration>,
    ) -> Result<bool> {
        let expected = expected.map(|value| encode(key, value)).transpose()?;
        let new = new.map(|value| encode(key, value)).transpose()?;
        self.store.compare_and_swap(&self.full(key), expected.as_deref(), new, ttl).await
    }

    /// Removes a value and says whether there was one.
    pub async fn forget(&self, key: &str) -> Result<bool> {
        self.store.forget(&self.full(key)).await
    }

    /// Removes everything under this cache's prefix.
    pub async fn clear(&self) -> Result<()> {
        self.store.clear(&self.prefix).await
    }

    /// A lock that one holder at a time can have, in whichever process. It frees itself after `ttl`.
    pub fn lock(&self, name: &str, ttl: Duration) -> Lock {
        Lock::new(self.clone(), format!("lock:{name}"), ttl)
    }

    pub(crate) fn full(&self, key: &str) -> String {
        format!("{}{key}", self.prefix)
    }
}

fn encode<T: Serialize + ?Sized>(key: &str, value: &T) -> Result<Vec<u8>> {
    serde_json::to_vec(value).map_err(|error| {
        Error::from(error).context(format!("the value for `{key}` cannot be written as JSON"))
    })
}

fn decode<T: DeserializeOwned>(key: &str, bytes: &[u8]) -> Result<T> {
    serde_json::from_slice(bytes).map_err(|error| {
        let wanted = std::any::type_name::<T>();
        Error::from(error)
            .context(format!("the cached value of `{key}` is not a {wanted}; forget it or rename the key"))
    })
}
