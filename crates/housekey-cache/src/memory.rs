use std::collections::HashMap;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use housekey_core::{Clock, Error, Result};
use time::OffsetDateTime;

use crate::store::{Counter, Entry, Store, StoreFuture};

/// A [`Store`] in this process's memory: fast, private to the process, gone when it ends.
///
/// It never grows past its limit: when a write does not fit, ended entries go first, then the ones
/// that were not used for longest. Choose another store when several processes serve the application
/// or when losing an entry matters.
///
/// ```
/// use housekey_cache::{Cache, MemoryStore};
/// use housekey_core::Clock;
///
/// let clock = Clock::system();
/// let cache = Cache::new(MemoryStore::new(clock.clone()).limit(8 * 1024 * 1024), clock);
/// ```
#[derive(Debug)]
pub struct MemoryStore {
    shards: Box<[Mutex<Shard>]>,
    hasher: RandomState,
    clock: Clock,
    limit_per_shard: usize,
}

/// Enough that the threads of one machine rarely meet at the same lock.
const SHARDS: usize = 16;

/// What an entry costs beside its key and value: the map's slot and two allocations, roughly.
const OVERHEAD: usize = 128;

/// How often, counted in writes to a shard, entries nobody asks for any more are swept out.
const WRITES_PER_SWEEP: u32 = 1024;

impl MemoryStore {
    /// The limit of a store that was not given one: 64 MiB.
    pub const DEFAULT_LIMIT: usize = 64 * 1024 * 1024;

    pub fn new(clock: Clock) -> Self {
        let shards = (0..SHARDS).map(|_| Mutex::default()).collect();
        let store = Self { shards, hasher: RandomState::new(), clock, limit_per_shard: 0 };
        store.limit(Self::DEFAULT_LIMIT)
    }

    /// Sets how many bytes all entries together may take. One value can take a sixteenth of it.
    #[must_use]
    pub fn limit(mut self, bytes: usize) -> Self {
        self.limit_per_shard = bytes / SHARDS;
        self
    }

    fn shard(&self, key: &str) -> MutexGuard<'_, Shard> {
        let index = self.hasher.hash_one(key) as usize % SHARDS;
        // Nothing panics while a shard is held; if something ever did, a cache may still go on.
        self.shards[index].lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn write(&self, shard: &mut Shard, key: &str, entry: Entry) -> Result<()> {
        let now = self.clock.now();
        if !entry.is_live(now) {
            shard.remove(key);
            return Ok(());
        }
        let weight = weight(key, &entry);
        if weight > self.limit_per_shard {
            return Err(Error::internal(format!(
                "`{key}` takes {weight} bytes, more than the {} one entry of the memory cache may take; \
                 raise `memory_limit` in config/cache.rs or use the file store",
                self.limit_per_shard
            )));
        }
        shard.insert(key, entry);
        shard.writes += 1;
        if shard.writes >= WRITES_PER_SWEEP || shard.bytes > self.limit_per_shard {
            shard.sweep(now);
        }
        if shard.bytes > self.limit_per_shard {
            shard.evict(self.limit_per_shard);
        }
        Ok(())
    }
}

impl Store for MemoryStore {
    fn name(&self) -> &'static str {
        "memory"
    }

    fn entry<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<Entry>> {
        let entry = self.shard(key).live(key, self.clock.now()).cloned();
        ready(Ok(entry))
    }

    fn put<'a>(&'a self, key: &'a str, value: Vec<u8>, ttl: Option<Duration>) -> StoreFuture<'a, ()> {
        let entry = Entry::new(value, ttl, &self.clock);
        ready(self.write(&mut self.shard(key), key, entry))
    }

    fn increment<'a>(&'a self, key: &'a str, by: i64, ttl: Option<Duration>) -> StoreFuture<'a, Counter> {
        let mut shard = self.shard(key);
        let counter = match shard.live(key, self.clock.now()) {
            Some(entry) => entry.incremented(key, by),
            None => Entry::new(b"0".to_vec(), ttl, &self.clock).incremented(key, by),
        };
        ready(counter.and_then(|counter| self.write(&mut shard, key, counter.into()).map(|()| counter)))
    }

    fn compare_and_swap<'a>(
        &'a self,
        key: &'a str,
        expected: Option<&'a [u8]>,
        new: Option<Vec<u8>>,
        ttl: Option<Duration>,
    ) -> StoreFuture<'a, bool> {
        let mut shard = self.shard(key);
        let present = shard.live(key, self.clock.now()).map(|entry| entry.value.as_slice());
        if present != expected {
            return ready(Ok(false));
        }
        let written = match new {
            Some(value) => self.write(&mut shard, key, Entry::new(value, ttl, &self.clock)),
            None => {
                shard.remove(key);
                Ok(())
            }
        };
        ready(written.map(|()| true))
    }

    fn forget<'a>(&'a self, key: &'a str) -> StoreFuture<'a, bool> {
        let now = self.clock.now();
        let removed = self.shard(key).remove(key);
        ready(Ok(removed.is_some_and(|entry| entry.is_live(now))))
    }

    fn clear<'a>(&'a self, prefix: &'a str) -> StoreFuture<'a, ()> {
        for shard in &self.shards {
            let mut shard = shard.lock().unwrap_or_else(PoisonError::into_inner);
            shard.retain(|key, _| !key.starts_with(prefix));
        }
        ready(Ok(()))
    }
}

#[derive(Debug, Default)]
struct Shard {
    slots: HashMap<String, Slot>,
    bytes: usize,
    writes: u32,
    uses: u64,
}

#[derive(Debug)]
struct Slot {
    entry: Entry,
    last_use: u64,
}

impl Shard {
    fn live(&mut self, key: &str, now: OffsetDateTime) -> Option<&Entry> {
        self.uses += 1;
        let slot = self.slots.get_mut(key).filter(|slot| slot.entry.is_live(now))?;
        slot.last_use = self.uses;
        Some(&slot.entry)
    }

    fn insert(&mut self, key: &str, entry: Entry) {
        self.uses += 1;
        self.bytes += weight(key, &entry);
        let slot = Slot { entry, last_use: self.uses };
        if let Some(replaced) = self.slots.insert(key.to_owned(), slot) {
            self.bytes -= weight(key, &replaced.entry);
        }
    }

    fn remove(&mut self, key: &str) -> Option<Entry> {
        let slot = self.slots.remove(key)?;
        self.bytes -= weight(key, &slot.entry);
        Some(slot.entry)
    }

    fn retain(&mut self, mut keep: impl FnMut(&str, &Slot) -> bool) {
        let bytes = &mut self.bytes;
        self.slots.retain(|key, slot| {
            let kept = keep(key, slot);
            if !kept {
                *bytes -= weight(key, &slot.entry);
            }
            kept
        });
    }

    fn sweep(&mut self, now: OffsetDateTime) {
        self.writes = 0;
        self.retain(|_, slot| slot.entry.is_live(now));
    }

    /// Drops the least recently used entries until a tenth of the limit is free, so that the search
    /// for them is paid once for many writes.
    fn evict(&mut self, limit: usize) {
        let goal = limit - limit / 10;
        let mut by_age: Vec<(u64, usize)> =
            self.slots.iter().map(|(key, slot)| (slot.last_use, weight(key, &slot.entry))).collect();
        by_age.sort_unstable();
        let mut bytes = self.bytes;
        let mut oldest_kept = 0;
        for (last_use, weight) in by_age {
            // The newest entry is the one being written: it fits on its own, and it stays.
            if bytes <= goal || last_use == self.uses {
                break;
            }
            bytes -= weight;
            oldest_kept = last_use + 1;
        }
        self.retain(|_, slot| slot.last_use >= oldest_kept);
    }
}

fn weight(key: &str, entry: &Entry) -> usize {
    key.len() + entry.value.len() + OVERHEAD
}

fn ready<'a, T: Send + 'a>(result: Result<T>) -> StoreFuture<'a, T> {
    Box::pin(std::future::ready(result))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn the_store_stays_under_its_limit_and_keeps_what_was_used_last() {
        let limit = SHARDS * 64 * 1024;
        let store = MemoryStore::new(Clock::system()).limit(limit);
        for round in 0..4000 {
            store.put(&format!("filler-{round}"), vec![0; 1024], None).await.unwrap();
            store.put("kept", b"used all the time".to_vec(), None).await.unwrap();
        }
        let bytes: usize = store.shards.iter().map(|shard| shard.lock().unwrap().bytes).sum();
        assert!(bytes <= limit, "{bytes} bytes held, {limit} allowed");
        assert!(store.get("kept").await.unwrap().is_some());
        assert!(store.get("filler-0").await.unwrap().is_none());
        assert!(store.get("filler-3999").await.unwrap().is_some());
    }

    #[tokio::test]
    async fn a_value_that_can_never_fit_is_refused_with_advice() {
        let store = MemoryStore::new(Clock::system()).limit(SHARDS * 1024);
        let error = store.put("big", vec![0; 4096], None).await.unwrap_err();
        assert!(error.source_chain().join(" ").contains("memory_limit"));
    }

    #[tokio::test]
    async fn entries_nobody_reads_again_are_swept_when_their_time_is_over() {
        let clock = Clock::frozen(OffsetDateTime::UNIX_EPOCH);
        let store = MemoryStore::new(clock.clone());
        for index in 0..500 {
            store.put(&format!("short-{index}"), vec![1], Some(Duration::from_secs(1))).await.unwrap();
        }
        clock.advance(Duration::from_secs(2));
        for index in 0..WRITES_PER_SWEEP * SHARDS as u32 * 2 {
            store.put(&format!("other-{}", index % 64), vec![1], None).await.unwrap();
        }
        let held: usize = store.shards.iter().map(|shard| shard.lock().unwrap().slots.len()).sum();
        assert!(held < 64 + 500 / 2, "{held} entries are still held");
    }
}
