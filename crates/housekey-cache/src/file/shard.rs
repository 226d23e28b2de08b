use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use data_encoding::HEXLOWER;
use housekey_core::{Clock, Error, FileLock, FileLocks, Result, file_error, make_private_folder};
use sha2::{Digest, Sha256};
use time::OffsetDateTime;

use super::record::{self, Record};
use crate::Entry;

/// The folder and its 256 shards.
#[derive(Debug)]
pub(super) struct Shards {
    root: PathBuf,
    locks: FileLocks,
    writes: AtomicU32,
}

const SHARDS: usize = 256;
const LOCK_FILE: &str = ".lock";
/// What a shard's next file is called until it is whole.
const NEW_FILE: &str = ".new";

/// Every so many writes the shard at hand is rid of entries whose time is over.
const WRITES_PER_SWEEP: u32 = 64;

impl Shards {
    pub(super) fn new(root: PathBuf) -> Self {
        Self { root, locks: FileLocks::new(SHARDS), writes: AtomicU32::new(0) }
    }

    /// Makes the folder. Called again on a miss: a folder that an operator removed is an empty cache,
    /// one that cannot be made is a cache out of reach.
    pub(super) fn ensure_root(&self) -> Result<()> {
        if self.root.is_dir() {
            return Ok(());
        }
        make_private_folder(&self.root)
            .map_err(|error| file_error("make the cache folder", &self.root, error))
    }

    pub(super) fn read(&self, key: &str, now: OffsetDateTime) -> Result<Option<Entry>> {
        let entry = read_record(&self.place(key).file, key)?.filter(|entry| entry.is_live(now));
        if entry.is_none() {
            self.ensure_root()?;
        }
        Ok(entry)
    }

    pub(super) fn lock<'a>(&'a self, key: &'a str, clock: &'a Clock) -> Result<Writer<'a>> {
        let place = self.place(key);
        let lock = self.lock_shard(place.index)?;
        Ok(Writer { shards: self, key, place, clock, lock })
    }

    pub(super) fn clear(&self, prefix: &str) -> Result<()> {
        for index in 0..SHARDS {
            let folder = self.folder(index);
            if !folder.is_dir() {
                continue;
            }
            let _lock = self.lock_shard(index)?;
            sweep(&folder, |record| record.is_none_or(|record| record.key.starts_with(prefix)))?;
        }
        Ok(())
    }

    fn place(&self, key: &str) -> Place {
        let hash = Sha256::digest(key.as_bytes());
        let index = usize::from(hash[0]);
        let folder = self.folder(index);
        Place { index, file: folder.join(HEXLOWER.encode(&hash[1..])), folder }
    }

    fn folder(&self, index: usize) -> PathBuf {
        self.root.join(format!("{index:02x}"))
    }

    fn lock_shard(&self, index: usize) -> Result<FileLock<'_>> {
        self.locks.take(index, &self.folder(index).join(LOCK_FILE))
    }
}

/// Where a key lives.
struct Place {
    index: usize,
    folder: PathBuf,
    file: PathBuf,
}

/// The right to change one key.
pub(super) struct Writer<'a> {
    shards: &'a Shards,
    key: &'a str,
    place: Place,
    clock: &'a Clock,
    lock: FileLock<'a>,
}

impl Writer<'_> {
    pub(super) fn key(&self) -> &str {
        self.key
    }

    pub(super) fn read(&self) -> Result<Option<Entry>> {
        let now = self.clock.now();
        Ok(read_record(&self.place.file, self.key)?.filter(|entry| entry.is_live(now)))
    }

    pub(super) fn write(&mut self, entry: &Entry) -> Result<()> {
        let now = self.clock.now();
        if !entry.is_live(now) {
            return self.remove();
        }
        let new = self.place.folder.join(NEW_FILE);
        self.lock
            .replace(&self.place.file, &new, &record::encode(self.key, entry))
            .map_err(|error| file_error("write the cache file", &self.place.file, error))?;
        if self.shards.writes.fetch_add(1, Ordering::Relaxed) % WRITES_PER_SWEEP == WRITES_PER_SWEEP - 1 {
            sweep(&self.place.folder, |record| record.is_some_and(|record| !record.entry.is_live(now)))?;
        }
        Ok(())
    }

    pub(super) fn remove(&mut self) -> Result<()> {
        match fs::remove_file(&self.place.file) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(file_error("remove the cache file", &self.place.file, error))
            }
            _ => Ok(()),
        }
    }
}

fn read_record(file: &Path, key: &str) -> Result<Option<Entry>> {
    let bytes = match fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(file_error("read the cache file", file, error)),
    };
    match record::decode(&bytes) {
        Some(record) if record.key == key => Ok(Some(record.entry)),
        // Not a miss: to whoever asks, nothing there may mean "not revoked" or "first attempt".
        _ => Err(Error::internal(format!(
            "the cache file {} is damaged: remove it, or run `housekey cache:clear`, and what it held is made anew",
            file.display()
        ))),
    }
}

/// Removes the files of a locked shard that `unwanted` picks; `None` stands for a damaged one.
fn sweep(folder: &Path, unwanted: impl Fn(Option<&Record>) -> bool) -> Result<()> {
    let files = fs::read_dir(folder).map_err(|error| file_error("list the cache folder", folder, error))?;
    for file in files.flatten() {
        if file.file_name() == LOCK_FILE {
            continue;
        }
        let path = file.path();
        let record = match fs::read(&path) {
            Ok(bytes) => record::decode(&bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(file_error("read the cache file", &path, error)),
        };
        if unwanted(record.as_ref()) {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(file_error("remove the cache file", &path, error));
                }
                _ => {}
            }
        }
    }
    Ok(())
}
