use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use housekey_cache::{Counter, Entry, MemoryStore, Store, StoreFuture};
use housekey_core::{Clock, Error};

/// A store whose next lock cannot be taken, whenever the test says so: it does not answer then.
#[derive(Clone, Debug)]
pub(crate) struct FailingLocks {
    store: Arc<MemoryStore>,
    fails: Arc<AtomicBool>,
}

impl FailingLocks {
    pub(crate) fn new(clock: &Clock) -> Self {
        Self { store: Arc::new(MemoryStore::new(clock.clone())), fails: Arc::default() }
    }

    pub(crate) fn fail_once(&self) {
        self.fails.store(true, Ordering::SeqCst);
    }
}

impl Store for FailingLocks {
    fn name(&self) -> &'static str {
        "failing locks"
    }

    fn entry<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<Entry>> {
        self.store.entry(key)
    }

    fn put<'a>(&'a self, key: &'a str, value: Vec<u8>, ttl: Option<Duration>) -> StoreFuture<'a, ()> {
        self.store.put(key, value, ttl)
    }

    /// A lock is an entry that was absent.
    fn add<'a>(&'a self, key: &'a str, value: Vec<u8>, ttl: Option<Duration>) -> StoreFuture<'a, bool> {
        if self.fails.swap(false, Ordering::SeqCst) {
            return Box::pin(async { Err(Error::internal("the cache does not answer")) });
        }
        self.store.add(key, value, ttl)
    }

    fn increment<'a>(&'a self, key: &'a str, by: i64, ttl: Option<Duration>) -> StoreFuture<'a, Counter> {
        self.store.increment(key, by, ttl)
    }

    fn compare_and_swap<'a>(
        &'a self,
        key: &'a str,
        expected: Option<&'a [u8]>,
        new: Option<Vec<u8>>,
        ttl: Option<Duration>,
    ) -> StoreFuture<'a, bool> {
        self.store.compare_and_swap(key, expected, new, ttl)
    }

    fn forget<'a>(&'a self, key: &'a str) -> StoreFuture<'a, bool> {
        self.store.forget(key)
    }

    fn clear<'a>(&'a self, prefix: &'a str) -> StoreFuture<'a, ()> {
        self.store.clear(prefix)
    }
}
