mod record;
mod shard;

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use housekey_core::{Clock, Error, Result};

use crate::store::{Counter, Entry, Store, StoreFuture};
use shard::{Shards, Writer};

/// A [`Store`] in a folder, shared by every process that opens the same one.
///
/// A key's hash names its file and its shard (a subfolder with a lock file of its own). Changes happen
/// under the shard's lock, so counters are exact between processes; a new value is written beside the old
/// one and renamed over it, so readers need no lock and never see half a value. A file that was damaged
/// all the same is an error to whoever reads it; `put`, `forget` and `clear` replace or remove it.
///
/// The folder is made readable to its owner only: caches hold what pages hold.
#[derive(Debug)]
pub struct FileStore {
    shards: Arc<Shards>,
    clock: Clock,
}

impl FileStore {
    /// Opens the store, making its folder if need be.
    pub fn open(folder: impl Into<PathBuf>, clock: Clock) -> Result<Self> {
        let shards = Shards::new(folder.into());
        shards.ensure_root()?;
        Ok(Self { shards: Arc::new(shards), clock })
    }

    /// Runs file work on the blocking pool. It runs to its end even when the caller gives up waiting,
    /// so a dropped request cannot leave a change half made.
    fn blocking<T, W>(&self, work: W) -> StoreFuture<'_, T>
    where
        T: Send + 'static,
        W: FnOnce(&Shards, &Clock) -> Result<T> + Send + 'static,
    {
        let shards = self.shards.clone();
        let clock = self.clock.clone();
        Box::pin(async move {
            tokio::task::spawn_blocking(move || work(&shards, &clock))
                .await
                .map_err(|stopped| Error::from(stopped).context("the file cache stopped while working"))?
        })
    }

    /// Runs `work` while no other task or process can change the key's shard.
    fn locked<T, W>(&self, key: &str, work: W) -> StoreFuture<'_, T>
    where
        T: Send + 'static,
        W: FnOnce(&mut Writer<'_>) -> Result<T> + Send + 'static,
    {
        let key = key.to_owned();
        self.blocking(move |shards, clock| work(&mut shards.lock(&key, clock)?))
    }
}

impl Store for FileStore {
    fn name(&self) -> &'static str {
        "file"
    }

    fn entry<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<Entry>> {
        let key = key.to_owned();
        self.blocking(move |shards, clock| shards.read(&key, clock.now()))
    }

    fn put<'a>(&'a self, key: &'a str, value: Vec<u8>, ttl: Option<Duration>) -> StoreFuture<'a, ()> {
        let entry = Entry::new(value, ttl, &self.clock);
        self.locked(key, move |writer| writer.write(&entry))
    }

    fn increment<'a>(&'a self, key: &'a str, by: i64, ttl: Option<Duration>) -> StoreFuture<'a, Counter> {
        let fresh = Entry::new(b"0".to_vec(), ttl, &self.clock);
        self.locked(key, move |writer| {
            let entry = writer.read()?.unwrap_or(fresh);
            let counter = entry.incremented(writer.key(), by)?;
            writer.write(&counter.into())?;
            Ok(counter)
        })
    }

    fn compare_and_swap<'a>(
        &'a self,
        key: &'a str,
        expected: Option<&'a [u8]>,
        new: Option<Vec<u8>>,
        ttl: Option<Duration>,
    ) -> StoreFuture<'a, bool> {
        let expected = expected.map(<[u8]>::to_vec);
        let new = new.map(|value| Entry::new(value, ttl, &self.clock));
        self.locked(key, move |writer| {
            if writer.read()?.map(|entry| entry.value) != expected {
                return Ok(false);
            }
            match new {
                Some(entry) => writer.write(&entry)?,
                None => drop(writer.remove()?),
            }
            Ok(true)
        })
    }

    fn forget<'a>(&'a self, key: &'a str) -> StoreFuture<'a, bool> {
        self.locked(key, |writer| {
            // A damaged one goes too.
            let present = !matches!(writer.read(), Ok(None));
            writer.remove()?;
            Ok(present)
        })
    }

    fn clear<'a>(&'a self, prefix: &'a str) -> StoreFuture<'a, ()> {
        let prefix = prefix.to_owned();
        self.blocking(move |shards, _| shards.clear(&prefix))
    }
}
