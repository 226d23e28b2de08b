use std::fs::{self, File};
use std::io::{self, ErrorKind, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use housekey_core::{Error, FileLock, FileLocks, Result, file_error, make_private_folder};

use crate::store::{SessionId, SessionRecord, SessionStore, StoreFuture};

/// Keeps each session in a file of its own, readable by the app's user only.
///
/// Several processes may share the folder: a write takes the lock of its shard, looks at the version, and renames a complete new
/// file into place. Readers need no lock: they see the old file or the new one, never half of either.
#[derive(Clone, Debug)]
pub struct FileSessions {
    folder: Arc<Path>,
    locks: Arc<FileLocks>,
}

/// How many locks the sessions share, by the first half-byte of their ids.
const SHARDS: usize = 16;

/// Marks our files, and the layout that follows: version, expiry (both 8 bytes, big-endian), contents.
const MAGIC: &[u8; 4] = b"HKS1";
const HEADER: usize = 20;

impl FileSessions {
    /// Opens the folder, making it when it is not there.
    pub fn open(folder: impl Into<PathBuf>) -> Result<Self> {
        let folder = folder.into();
        make_private_folder(&folder).map_err(|error| {
            Error::from(error).context(format!(
                "the session folder {} cannot be made; give the app's user write access, or name another folder in config/session.rs",
                folder.display()
            ))
        })?;
        Ok(Self { folder: folder.into(), locks: Arc::new(FileLocks::new(SHARDS)) })
    }

    fn path(&self, id: &SessionId) -> PathBuf {
        self.folder.join(id.to_hex())
    }

    /// Runs file work that may wait, for a lock or a disk, off the async threads.
    fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> Result<T> + Send + 'static,
    ) -> StoreFuture<'_, T> {
        let this = self.clone();
        Box::pin(async move { tokio::task::spawn_blocking(move || work(&this)).await? })
    }

    /// Writers of the same shard take turns, over all processes.
    fn lock_shard(&self, id: &SessionId) -> Result<FileLock<'_>> {
        let shard = shard_of(id);
        self.locks.take(shard, &self.folder.join(format!(".lock-{shard:x}")))
    }

    fn swap_now(&self, id: &SessionId, expected: Option<u64>, record: &SessionRecord) -> Result<bool> {
        let lock = self.lock_shard(id)?;
        if self.read_now(id)?.map(|found| found.version) != expected {
            return Ok(false);
        }
        let draft = self.folder.join(format!(".draft-{:x}", shard_of(id)));
        let written = lock.replace(&self.path(id), &draft, &bytes_of(record));
        written.map(|()| true).map_err(|error| self.error("write into", error))
    }

    fn read_now(&self, id: &SessionId) -> Result<Option<SessionRecord>> {
        read_record(&self.path(id)).map_err(|error| self.error("read from", error))
    }

    fn remove_now(&self, id: &SessionId) -> Result<()> {
        let _lock = self.lock_shard(id)?;
        remove_if_there(&self.path(id)).map_err(|error| self.error("remove from", error))
    }

    fn collect_now(&self, now: u64) -> Result<u64> {
        let mut removed = 0;
        let entries = fs::read_dir(&self.folder).map_err(|error| self.error("list", error))?;
        for entry in entries.flatten() {
            let Some(id) = entry.file_name().to_str().and_then(SessionId::from_hex) else { continue };
            // Looked at again under the lock: a request may have prolonged the session just now.
            if is_over(&entry.path(), now) {
                let _lock = self.lock_shard(&id)?;
                if is_over(&entry.path(), now) {
                    remove_if_there(&entry.path()).map_err(|error| self.error("remove from", error))?;
                    removed += 1;
                }
            }
        }
        Ok(removed)
    }

    /// Names the folder and not the file: logs are read by many, and its name belongs to one session.
    fn error(&self, doing: &str, error: io::Error) -> Error {
        file_error(&format!("{doing} the session folder"), &self.folder, error)
    }
}

fn shard_of(id: &SessionId) -> usize {
    usize::from(id.as_bytes()[0]) % SHARDS
}

impl SessionStore for FileSessions {
    fn name(&self) -> &'static str {
        "file"
    }

    fn read<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, Option<SessionRecord>> {
        // In the asking thread: a small file that was written a moment ago is in memory, and the way to another thread and back
        // takes longer than reading it.
        Box::pin(async move { self.read_now(id) })
    }

    fn swap<'a>(
        &'a self,
        id: &'a SessionId,
        expected: Option<u64>,
        record: SessionRecord,
    ) -> StoreFuture<'a, bool> {
        let id = *id;
        self.run(move |this| this.swap_now(&id, expected, &record))
    }

    fn remove<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, ()> {
        let id = *id;
        self.run(move |this| this.remove_now(&id))
    }

    fn collect_garbage(&self, now: u64) -> StoreFuture<'_, u64> {
        self.run(move |this| this.collect_now(now))
    }
}

/// A file that is not ours, or that was cut off, counts as no record: it is logged, and the next write replaces it.
fn read_record(path: &Path) -> io::Result<Option<SessionRecord>> {
    let bytes = match fs::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let record = parse(&bytes);
    if record.is_none() {
        tracing::warn!(bytes = bytes.len(), "a session file is corrupt; the session starts empty");
    }
    Ok(record)
}

fn parse(bytes: &[u8]) -> Option<SessionRecord> {
    let rest = bytes.strip_prefix(MAGIC)?;
    let (version, rest) = rest.split_first_chunk::<8>()?;
    let (expires_at, payload) = rest.split_first_chunk::<8>()?;
    Some(SessionRecord {
        version: u64::from_be_bytes(*version),
        expires_at: u64::from_be_bytes(*expires_at),
        payload: payload.to_vec(),
    })
}

fn bytes_of(record: &SessionRecord) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + record.payload.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&record.version.to_be_bytes());
    bytes.extend_from_slice(&record.expires_at.to_be_bytes());
    bytes.extend_from_slice(&record.payload);
    bytes
}

/// Whether a file holds a session that has expired. Corrupt files count as over: there is nothing in them to keep.
fn is_over(path: &Path, now: u64) -> bool {
    let mut header = [0; HEADER];
    match File::open(path).and_then(|mut file| file.read_exact(&mut header)) {
        Ok(()) => parse(&header).is_none_or(|record| record.expires_at <= now),
        Err(error) => error.kind() == ErrorKind::UnexpectedEof,
    }
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use housekey_test_support::in_time;

    use super::*;

    fn store() -> (tempfile::TempDir, FileSessions) {
        let folder = tempfile::tempdir().unwrap();
        let store = FileSessions::open(folder.path().join("sessions")).unwrap();
        (folder, store)
    }

    fn record(text: &str, expires_at: u64) -> SessionRecord {
        SessionRecord::new(text.into(), expires_at)
    }

    #[tokio::test]
    async fn only_the_writer_that_saw_the_newest_version_wins() {
        let (_folder, store) = store();
        let id = SessionId::random();
        let first = record("one", 10);
        assert!(store.swap(&id, None, first.clone()).await.unwrap());
        assert!(!store.swap(&id, None, record("two", 10)).await.unwrap());
        assert!(!store.swap(&id, Some(first.version + 1), record("two", 10)).await.unwrap());
        assert!(store.swap(&id, Some(first.version), record("two", 10)).await.unwrap());
        assert_eq!(store.read(&id).await.unwrap().unwrap().payload, b"two");
    }

    #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
    async fn stores_on_one_folder_do_not_lose_each_others_writes() {
        let (_folder, store) = store();
        let id = SessionId::random();
        store.swap(&id, None, record("0", 10)).await.unwrap();
        let writers: Vec<_> = (0..8)
            .map(|_| {
                // A handle of its own takes a lock of its own, as another process would.
                let store = FileSessions::open(store.folder.to_path_buf()).unwrap();
                tokio::spawn(async move {
                    for _ in 0..10 {
                        loop {
                            let found = store.read(&id).await.unwrap().unwrap();
                            let count: u32 = String::from_utf8(found.payload).unwrap().parse().unwrap();
                            let next = record(&(count + 1).to_string(), 10);
                            if store.swap(&id, Some(found.version), next).await.unwrap() {
                                break;
                            }
                        }
                    }
                })
            })
            .collect();
        for writer in writers {
            in_time("a writer", writer).await.unwrap();
        }
        assert_eq!(store.read(&id).await.unwrap().unwrap().payload, b"80");
    }

    #[tokio::test]
    async fn a_corrupt_file_is_no_record_and_is_replaced() {
        let (_folder, store) = store();
        let id = SessionId::random();
        for garbage in
            [&b""[..], b"HKS1", b"HKS1\0\0\0", b"\xff\xfe rubbish that is long enough to be a header"]
        {
            fs::write(store.path(&id), garbage).unwrap();
            assert_eq!(store.read(&id).await.unwrap(), None);
            assert!(store.swap(&id, None, record("fresh", 10)).await.unwrap());
            assert_eq!(store.read(&id).await.unwrap().unwrap().payload, b"fresh");
        }
    }

    #[tokio::test]
    async fn garbage_collection_removes_what_is_over_and_nothing_else() {
        let (_folder, store) = store();
        let (old, young, corrupt) = (SessionId::random(), SessionId::random(), SessionId::random());
        store.swap(&old, None, record("old", 100)).await.unwrap();
        store.swap(&young, None, record("young", 101)).await.unwrap();
        fs::write(store.path(&corrupt), "x").unwrap();
        fs::write(store.folder.join("notes.txt"), "not ours").unwrap();

        assert_eq!(store.collect_garbage(100).await.unwrap(), 2);
        assert!(store.read(&old).await.unwrap().is_none());
        assert!(store.read(&young).await.unwrap().is_some());
        assert!(store.folder.join("notes.txt").exists());
    }

    #[tokio::test]
    async fn an_error_names_the_folder_and_not_the_session() {
        let (_folder, store) = store();
        let id = SessionId::random();
        fs::create_dir(store.path(&id)).unwrap();
        for error in [
            store.read(&id).await.unwrap_err(),
            store.swap(&id, None, record("x", 10)).await.unwrap_err(),
            store.remove(&id).await.unwrap_err(),
        ] {
            let said = format!("{error} {error:?}");
            assert!(said.contains(&store.folder.display().to_string()), "{said}");
            assert!(!said.contains(&id.to_hex()), "{said}");
        }
    }

    #[tokio::test]
    async fn a_folder_that_somebody_removed_is_made_again() {
        let (_folder, store) = store();
        let id = SessionId::random();
        fs::remove_dir_all(&store.folder).unwrap();
        assert_eq!(store.read(&id).await.unwrap(), None);
        assert!(store.swap(&id, None, record("back", 10)).await.unwrap());
        assert_eq!(store.read(&id).await.unwrap().unwrap().payload, b"back");
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn nobody_else_may_read_a_session() {
        use std::os::unix::fs::PermissionsExt;
        let (_folder, store) = store();
        let id = SessionId::random();
        store.swap(&id, None, record("private", 10)).await.unwrap();
        assert_eq!(fs::metadata(store.path(&id)).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(fs::metadata(&store.folder).unwrap().permissions().mode() & 0o777, 0o700);
    }
}
