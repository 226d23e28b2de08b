use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use data_encoding::HEXLOWER;
use housekey_core::{Clock, Error, Result};
use sha2::{Digest, Sha256};
use time::OffsetDateTime;

use super::record::{self, Record};
use crate::Entry;

/// The folder and its 256 shards.
#[derive(Debug)]
pub(super) struct Shards {
    root: PathBuf,
    /// Threads of this process queue here, so that only one of them at a time waits for the file lock.
    gates: Box<[Mutex<()>]>,
    writes: AtomicU32,
}

const SHARDS: usize = 256;
const LOCK_FILE: &str = ".lock";
/// A shard's lock also guards its one temporary file, so a crash leaves at most one and the next write
/// takes it over.
const NEW_FILE: &str = ".new";

/// Every so many writes the shard at hand is rid of entries whose time is over.
const WRITES_PER_SWEEP: u32 = 64;

/// A change takes well under a millisecond; a lock held this long belongs to a process that hangs.
const LOCK_TIMEOUT: Duration = Duration::from_secs(10);

impl Shards {
    pub(super) fn new(root: PathBuf) -> Self {
        let gates = (0..SHARDS).map(|_| Mutex::default()).collect();
        Self { root, gates, writes: AtomicU32::new(0) }
    }

    /// Makes the folder. Called again on a miss: a folder that an operator removed is an empty cache,
    /// one that cannot be made is a cache out of reach.
    pub(super) fn ensure_root(&self) -> Result<()> {
        if self.root.is_dir() {
            return Ok(());
        }
        make_folder(&self.root).map_err(|error| trouble("make the cache folder", &self.root, error))
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
        Ok(Writer { shards: self, key, place, clock, _lock: lock })
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

    fn lock_shard(&self, index: usize) -> Result<ShardLock<'_>> {
        let gate = self.gates[index].lock().unwrap_or_else(PoisonError::into_inner);
        let path = self.folder(index).join(LOCK_FILE);
        // Opened anew each time: when someone removes the folder under a running process, the next
        // change of every process meets the others at the new file.
        let file = open_lock(&path).map_err(|error| trouble("open the cache lock", &path, error))?;
        let file = match file.try_lock() {
            Ok(()) => file,
            Err(TryLockError::WouldBlock) => queue_for(file, &path)?,
            Err(TryLockError::Error(error)) => return Err(trouble("lock", &path, error)),
        };
        Ok(ShardLock { _file: file, _gate: gate })
    }
}

/// Queues for the lock with the system, which wakes whoever waits. Looking now and then instead could find it taken for
/// ever, beside busy processes that take it again as soon as they have let go.
///
/// That wait has no end, so a thread of its own does it. Given up on, it lets go of the lock when it gets it.
fn queue_for(file: File, path: &Path) -> Result<File> {
    let (sender, locked) = mpsc::channel();
    let wait = move || {
        let outcome = loop {
            match file.lock() {
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                outcome => break outcome,
            }
        };
        let _ = sender.send(outcome.map(|()| file));
    };
    let started = thread::Builder::new().name("cache-lock".into()).spawn(wait);
    started.map_err(|error| trouble("wait for", path, error))?;
    match locked.recv_timeout(LOCK_TIMEOUT) {
        Ok(outcome) => outcome.map_err(|error| trouble("lock", path, error)),
        Err(_) => Err(Error::internal(format!(
            "other processes have kept {} from us for over {} s; find one that hangs with `fuser` and end it",
            path.display(),
            LOCK_TIMEOUT.as_secs()
        ))),
    }
}

/// Where a key lives.
struct Place {
    index: usize,
    folder: PathBuf,
    file: PathBuf,
}

/// Held while a shard is changed; the system drops the file lock with the file, even if the process dies.
struct ShardLock<'a> {
    _file: File,
    _gate: MutexGuard<'a, ()>,
}

/// The right to change one key.
pub(super) struct Writer<'a> {
    shards: &'a Shards,
    key: &'a str,
    place: Place,
    clock: &'a Clock,
    _lock: ShardLock<'a>,
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
        write_new(&new, &record::encode(self.key, entry))
            .and_then(|()| fs::rename(&new, &self.place.file))
            .map_err(|error| trouble("write the cache file", &self.place.file, error))?;
        if self.shards.writes.fetch_add(1, Ordering::Relaxed) % WRITES_PER_SWEEP == WRITES_PER_SWEEP - 1 {
            sweep(&self.place.folder, |record| record.is_some_and(|record| !record.entry.is_live(now)))?;
        }
        Ok(())
    }

    pub(super) fn remove(&mut self) -> Result<()> {
        match fs::remove_file(&self.place.file) {
            Err(error) if error.kind() != ErrorKind::NotFound => {
                Err(trouble("remove the cache file", &self.place.file, error))
            }
            _ => Ok(()),
        }
    }
}

fn read_record(file: &Path, key: &str) -> Result<Option<Entry>> {
    let bytes = match fs::read(file) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(trouble("read the cache file", file, error)),
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
    let files = fs::read_dir(folder).map_err(|error| trouble("list the cache folder", folder, error))?;
    for file in files.flatten() {
        if file.file_name() == LOCK_FILE {
            continue;
        }
        let path = file.path();
        let record = match fs::read(&path) {
            Ok(bytes) => record::decode(&bytes),
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            Err(error) => return Err(trouble("read the cache file", &path, error)),
        };
        if unwanted(record.as_ref()) {
            match fs::remove_file(&path) {
                Err(error) if error.kind() != ErrorKind::NotFound => {
                    return Err(trouble("remove the cache file", &path, error));
                }
                _ => {}
            }
        }
    }
    Ok(())
}

fn open_lock(path: &Path) -> io::Result<File> {
    let open = || private(OpenOptions::new().write(true).create(true).truncate(false)).open(path);
    match (open(), path.parent()) {
        (Err(error), Some(folder)) if error.kind() == ErrorKind::NotFound => {
            make_folder(folder)?;
            open()
        }
        (result, _) => result,
    }
}

fn write_new(path: &Path, bytes: &[u8]) -> io::Result<()> {
    private(OpenOptions::new().write(true).create(true).truncate(true)).open(path)?.write_all(bytes)
}

#[cfg(unix)]
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600)
}

#[cfg(not(unix))]
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

fn make_folder(path: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(path)
}

fn trouble(verb: &str, path: &Path, error: io::Error) -> Error {
    let advice = match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "; let the user who runs the application write there"
        }
        ErrorKind::StorageFull => "; free some space",
        _ => "",
    };
    Error::from(error).context(format!("could not {verb} {}{advice}", path.display()))
}
