use std::fs::{self, File, OpenOptions};
use std::io::{self, ErrorKind, Read, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use housekey_core::{Error, Result, random};

use crate::store::{SessionId, SessionRecord, SessionStore, StoreFuture};

/// Keeps each session in a file of its own, readable by the app's user only.
///
/// Several processes may share the folder: a write takes the lock of its shard (a lock the operating system gives
/// back when a process dies), looks at the version, and renames a complete new file into place. Readers need no
/// lock: they see the old file or the new one, never half of either.
#[derive(Clone, Debug)]
pub struct FileSessions {
    folder: Arc<Path>,
}

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
        Ok(Self { folder: folder.into() })
    }

    fn path(&self, id: &SessionId) -> PathBuf {
        self.folder.join(id.to_hex())
    }

    /// Runs file work that may wait, for a lock or a disk, off the async threads.
    fn run<T: Send + 'static>(
        &self,
        work: impl FnOnce(&Self) -> io::Result<T> + Send + 'static,
    ) -> StoreFuture<'_, T> {
        let this = self.clone();
        Box::pin(async move {
            let folder = this.folder.clone();
            let result = tokio::task::spawn_blocking(move || work(&this)).await?;
            result.map_err(|error| in_folder(&folder, error))
        })
    }

    /// Writers of the same shard take turns, over all processes.
    fn lock_shard(&self, id: &SessionId) -> io::Result<File> {
        let path = self.folder.join(format!(".lock-{:x}", id.as_bytes()[0] & 0xf));
        let file = private_file().create(true).truncate(false).open(path)?;
        file.lock()?;
        Ok(file)
    }

    fn swap_now(&self, id: &SessionId, expected: Option<u64>, record: &SessionRecord) -> io::Result<bool> {
        let _lock = self.lock_shard(id)?;
        let path = self.path(id);
        if read_record(&path)?.map(|found| found.version) != expected {
            return Ok(false);
        }
        let draft = self.folder.join(format!(".draft-{}", random::short_id()));
        let written = write_record(&draft, record).and_then(|()| fs::rename(&draft, &path));
        if written.is_err() {
            let _ = fs::remove_file(&draft);
        }
        written.map(|()| true)
    }

    fn collect_now(&self, now: u64) -> io::Result<u64> {
        let mut removed = 0;
        for entry in fs::read_dir(&self.folder)? {
            let entry = entry?;
            let name = entry.file_name();
            let Some(name) = name.to_str() else { continue };
            if name.starts_with(".draft-") && is_abandoned(&entry) {
                remove_if_there(&entry.path())?;
            }
            let Some(id) = SessionId::from_hex(name) else { continue };
            // Looked at again under the lock: a request may have prolonged the session just now.
            if is_over(&entry.path(), now) {
                let _lock = self.lock_shard(&id)?;
                if is_over(&entry.path(), now) {
                    remove_if_there(&entry.path())?;
                    removed += 1;
                }
            }
        }
        Ok(removed)
    }
}

impl SessionStore for FileSessions {
    fn name(&self) -> &'static str {
        "file"
    }

    fn read<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, Option<SessionRecord>> {
        // In the asking thread: a small file that was written a moment ago is in memory, and the way to another thread and back
        // takes longer than reading it.
        Box::pin(async move { read_record(&self.path(id)).map_err(|error| in_folder(&self.folder, error)) })
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
        self.run(move |this| {
            let _lock = this.lock_shard(&id)?;
            remove_if_there(&this.path(&id))
        })
    }

    fn collect_garbage(&self, now: u64) -> StoreFuture<'_, u64> {
        self.run(move |this| this.collect_now(now))
    }
}

fn in_folder(folder: &Path, error: io::Error) -> Error {
    Error::from(error).context(format!("the session folder {}", folder.display()))
}

/// A file that is not ours, or that was cut off, counts as no record: it is logged, and the next write replaces it.
fn read_record(path: &Path) -> io::Result<Option<SessionRecord>> {
    let mut bytes = Vec::new();
    match File::open(path) {
        Ok(mut file) => file.read_to_end(&mut bytes)?,
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

fn write_record(path: &Path, record: &SessionRecord) -> io::Result<()> {
    let mut bytes = Vec::with_capacity(HEADER + record.payload.len());
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(&record.version.to_be_bytes());
    bytes.extend_from_slice(&record.expires_at.to_be_bytes());
    bytes.extend_from_slice(&record.payload);
    private_file().create_new(true).open(path)?.write_all(&bytes)
}

/// Whether a file holds a session that has expired. Corrupt files count as over: there is nothing in them to keep.
fn is_over(path: &Path, now: u64) -> bool {
    let mut header = [0; HEADER];
    match File::open(path).and_then(|mut file| file.read_exact(&mut header)) {
        Ok(()) => parse(&header).is_none_or(|record| record.expires_at <= now),
        Err(error) => error.kind() == ErrorKind::UnexpectedEof,
    }
}

/// A draft that a crashed process left behind; a living one renames its draft within moments.
fn is_abandoned(entry: &fs::DirEntry) -> bool {
    let modified = entry.metadata().and_then(|metadata| metadata.modified());
    modified
        .is_ok_and(|at| SystemTime::now().duration_since(at).is_ok_and(|age| age > Duration::from_secs(3600)))
}

fn remove_if_there(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() != ErrorKind::NotFound => Err(error),
        _ => Ok(()),
    }
}

/// Opens for reading and writing; what it creates, only the app's user may read.
fn private_file() -> OpenOptions {
    let mut options = OpenOptions::new();
    options.read(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    options
}

fn make_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    builder.recursive(true);
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.create(folder)
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
