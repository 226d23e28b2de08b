use std::collections::HashMap;
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use crate::Entry;

/// Longer values are read from disk each time.
const LONGEST: usize = 512;
/// More entries than this are not remembered.
const MOST: usize = 2048;
/// A file that was written more recently may be written again within the same tick of the file system's clock (two
/// seconds at the coarsest), and look the same after it.
const SETTLED: Duration = Duration::from_secs(3);

/// Small values that this process has read, each with the stamp of its file.
///
/// Asking the system for a file's stamp takes a microsecond, and no wait for a thread that may block. Every write puts
/// another file in place of the old one, so a value whose file still bears the stamp is the value; another process's
/// write is seen at once. The folder must be on a local disk for that, as it must be for its locks.
#[derive(Debug, Default)]
pub(super) struct Memory(Mutex<HashMap<String, Arc<Remembered>>>);

#[derive(Debug)]
struct Remembered {
    file: PathBuf,
    stamp: Stamp,
    entry: Entry,
}

impl Memory {
    /// The value, if its file is the one it was read from.
    pub(super) fn recall(&self, key: &str) -> Option<Entry> {
        let known = Arc::clone(self.lock().get(key)?);
        let stamp = fs::metadata(&known.file).ok().and_then(|file| Stamp::of(&file));
        if stamp != Some(known.stamp) {
            self.lock().remove(key);
            return None;
        }
        Some(known.entry.clone())
    }

    /// Remembers what was read from a file. `file` says what the file was like before it was read.
    pub(super) fn keep(&self, key: &str, path: &Path, file: &Metadata, entry: &Entry) {
        let Some(stamp) = Stamp::of(file).filter(|_| entry.value.len() <= LONGEST && is_settled(file)) else {
            return;
        };
        let remembered = Remembered { file: path.to_owned(), stamp, entry: entry.clone() };
        let mut entries = self.lock();
        if entries.len() >= MOST && !entries.contains_key(key) {
            entries.clear();
        }
        entries.insert(key.to_owned(), Arc::new(remembered));
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<Remembered>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn is_settled(file: &Metadata) -> bool {
    let age = file.modified().ok().and_then(|at| SystemTime::now().duration_since(at).ok());
    age.is_some_and(|age| age >= SETTLED)
}

/// What tells a file from the one that takes its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Stamp {
    inode: u64,
    size: u64,
    modified: (i64, i64),
    changed: (i64, i64),
}

impl Stamp {
    #[cfg(unix)]
    fn of(file: &Metadata) -> Option<Self> {
        use std::os::unix::fs::MetadataExt;
        Some(Self {
            inode: file.ino(),
            size: file.size(),
            modified: (file.mtime(), file.mtime_nsec()),
            changed: (file.ctime(), file.ctime_nsec()),
        })
    }

    /// Without inodes a stamp says too little.
    #[cfg(not(unix))]
    fn of(_: &Metadata) -> Option<Self> {
        None
    }
}

#[cfg(test)]
#[cfg(unix)]
mod tests {
    use super::*;

    fn entry(value: &[u8]) -> Entry {
        Entry { value: value.to_vec(), expires_at: None }
    }

    fn aged(path: &Path, value: &[u8]) -> Metadata {
        fs::write(path, value).unwrap();
        let file = fs::File::options().write(true).open(path).unwrap();
        file.set_modified(SystemTime::now() - 2 * SETTLED).unwrap();
        fs::metadata(path).unwrap()
    }

    #[test]
    fn a_value_is_recalled_until_its_file_is_replaced_or_gone() {
        let folder = tempfile::tempdir().unwrap();
        let (path, beside) = (folder.path().join("a"), folder.path().join("b"));
        let memory = Memory::default();
        let file = aged(&path, b"1");
        memory.keep("key", &path, &file, &entry(b"1"));
        assert_eq!(memory.recall("key"), Some(entry(b"1")));
        assert_eq!(memory.recall("another"), None);

        let file = aged(&beside, b"2");
        fs::rename(&beside, &path).unwrap();
        assert_eq!(memory.recall("key"), None, "another file of the same size and age");
        memory.keep("key", &path, &file, &entry(b"2"));
        assert_eq!(memory.recall("key"), None, "renaming changed the stamp: it has to be read once more");
        memory.keep("key", &path, &fs::metadata(&path).unwrap(), &entry(b"2"));
        assert_eq!(memory.recall("key"), Some(entry(b"2")));

        fs::remove_file(&path).unwrap();
        assert_eq!(memory.recall("key"), None);
    }

    #[test]
    fn what_was_just_written_or_is_long_is_not_remembered() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let memory = Memory::default();
        fs::write(&path, b"1").unwrap();
        memory.keep("new", &path, &fs::metadata(&path).unwrap(), &entry(b"1"));
        assert_eq!(memory.recall("new"), None);
        let long = vec![0; LONGEST + 1];
        let file = aged(&path, &long);
        memory.keep("long", &path, &file, &entry(&long));
        assert_eq!(memory.recall("long"), None);
    }

    #[test]
    fn it_never_grows_beyond_its_bound() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let file = aged(&path, b"1");
        let memory = Memory::default();
        for number in 0..2 * MOST + 1 {
            memory.keep(&number.to_string(), &path, &file, &entry(b"1"));
            assert!(memory.lock().len() <= MOST);
        }
    }
}
