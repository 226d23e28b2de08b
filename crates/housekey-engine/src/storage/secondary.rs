use std::collections::HashMap;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use crate::{BoxError, BoxFuture, Clock};

/// A fast store of texts that expire, such as a cache server. The engine keeps sessions and the counters of
/// rate limits in it; plugins may keep more.
pub trait SecondaryStorage: Send + Sync {
    /// The text under a key, unless it expired.
    fn get<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<Option<String>, BoxError>>;

    /// Puts a text under a key, for some time or for good.
    fn set<'a>(
        &'a self,
        key: &'a str,
        value: &'a str,
        ttl: Option<Duration>,
    ) -> BoxFuture<'a, Result<(), BoxError>>;

    /// Takes a key away.
    fn delete<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<(), BoxError>>;

    /// Counts one up, in one step, and gives the new count. The time to live counts from the first step.
    fn increment<'a>(&'a self, key: &'a str, ttl: Duration) -> BoxFuture<'a, Result<i64, BoxError>>;
}

/// A [`SecondaryStorage`] in this process, for tests.
#[derive(Debug, Default)]
pub struct MemorySecondaryStorage {
    clock: Clock,
    entries: Mutex<HashMap<String, (String, Option<i64>)>>,
}

impl MemorySecondaryStorage {
    /// Nothing stored; time comes from this clock.
    pub fn new(clock: Clock) -> Self {
        Self { clock, entries: Mutex::default() }
    }

    /// The keys in use.
    pub fn keys(&self) -> Vec<String> {
        self.entries().keys().cloned().collect()
    }

    fn entries(&self) -> MutexGuard<'_, HashMap<String, (String, Option<i64>)>> {
        let mut entries = self.entries.lock().unwrap_or_else(PoisonError::into_inner);
        let now = self.clock.unix_millis();
        entries.retain(|_, (_, expires)| expires.is_none_or(|expires| expires > now));
        entries
    }

    fn expiry(&self, ttl: Duration) -> i64 {
        self.clock.unix_millis().saturating_add(i64::try_from(ttl.as_millis()).unwrap_or(i64::MAX))
    }
}

impl SecondaryStorage for MemorySecondaryStorage {
    fn get<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<Option<String>, BoxError>> {
        Box::pin(async move { Ok(self.entries().get(key).map(|(value, _)| value.clone())) })
    }

    fn set<'a>(
        &'a self,
        key: &'a str,
        value: &'a str,
        ttl: Option<Duration>,
    ) -> BoxFuture<'a, Result<(), BoxError>> {
        Box::pin(async move {
            let expires = ttl.map(|ttl| self.expiry(ttl));
            self.entries().insert(key.to_owned(), (value.to_owned(), expires));
            Ok(())
        })
    }

    fn delete<'a>(&'a self, key: &'a str) -> BoxFuture<'a, Result<(), BoxError>> {
        Box::pin(async move {
            self.entries().remove(key);
            Ok(())
        })
    }

    fn increment<'a>(&'a self, key: &'a str, ttl: Duration) -> BoxFuture<'a, Result<i64, BoxError>> {
        Box::pin(async move {
            let expires = self.expiry(ttl);
            let mut entries = self.entries();
            let entry = entries.entry(key.to_owned()).or_insert_with(|| ("0".into(), Some(expires)));
            let count = entry.0.parse().unwrap_or(0) + 1;
            entry.0 = count.to_string();
            Ok(count)
        })
    }
}
