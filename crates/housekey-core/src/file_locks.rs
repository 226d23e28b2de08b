use std::fs::{self, File, OpenOptions, TryLockError};
use std::io::{self, ErrorKind, Write};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use crate::{Error, Result};

/// A change takes well under a millisecond; a lock held this long belongs to a process that hangs.
const TIMEOUT: Duration = Duration::from_secs(10);

/// Turns at files that several processes change. What belongs together has one lock, by its number and its file.
///
/// The system gives a lock back when its process dies. Readers need none: they see the old file or the new one.
///
/// ```
/// use housekey_core::FileLocks;
///
/// # let folder = tempfile::tempdir()?;
/// # let folder = folder.path();
/// let locks = FileLocks::new(16);
/// let lock = locks.take(7, &folder.join(".lock-7"))?;
/// lock.replace(&folder.join("counter"), &folder.join(".new-7"), b"1")?;
/// # assert_eq!(std::fs::read(folder.join("counter"))?, b"1");
/// # housekey_core::Result::<()>::Ok(())
/// ```
#[derive(Debug)]
pub struct FileLocks {
    /// Threads of this process queue here, so that only one of them at a time waits for the file.
    gates: Box<[Mutex<()>]>,
}

/// Held while files are changed.
#[derive(Debug)]
pub struct FileLock<'a> {
    _file: File,
    _gate: MutexGuard<'a, ()>,
}

impl FileLocks {
    pub fn new(count: usize) -> Self {
        Self { gates: (0..count).map(|_| Mutex::default()).collect() }
    }

    /// Takes a lock, for which its file is made, and the folder of that. Blocks the thread; after ten seconds it is an error.
    pub fn take(&self, index: usize, path: &Path) -> Result<FileLock<'_>> {
        let gate = self.gates[index].lock().unwrap_or_else(PoisonError::into_inner);
        // Opened anew each time: when someone removes the folder under a running process, the next
        // change of every process meets the others at the new file.
        let file = open(path).map_err(|error| file_error("open the lock", path, error))?;
        let file = match file.try_lock() {
            Ok(()) => file,
            Err(TryLockError::WouldBlock) => queue_for(file, path)?,
            Err(TryLockError::Error(error)) => return Err(file_error("lock", path, error)),
        };
        Ok(FileLock { _file: file, _gate: gate })
    }
}

impl FileLock<'_> {
    /// Writes a file so that it appears whole or not at all. `draft` is beside it, under a name that is only used with this lock:
    /// a crash leaves at most that one, and the next write takes it over.
    ///
    /// The disk is not waited for: after a loss of power the file may be the old one, or damaged.
    /// [`replace_file`](crate::replace_file) waits.
    pub fn replace(&self, path: &Path, draft: &Path, content: &[u8]) -> io::Result<()> {
        private(OpenOptions::new().write(true).create(true).truncate(true))
            .open(draft)?
            .write_all(content)?;
        fs::rename(draft, path)
    }
}

/// Makes a folder, and those above it, for the app's own user alone.
pub fn make_private_folder(folder: &Path) -> io::Result<()> {
    let mut builder = fs::DirBuilder::new();
    #[cfg(unix)]
    std::os::unix::fs::DirBuilderExt::mode(&mut builder, 0o700);
    builder.recursive(true).create(folder)
}

/// What could not be done with a file or a folder, and what to do about it: `file_error("write", path, error)`.
pub fn file_error(doing: &str, path: &Path, error: io::Error) -> Error {
    let advice = match error.kind() {
        ErrorKind::PermissionDenied | ErrorKind::ReadOnlyFilesystem => {
            "; let the user who runs the application write there"
        }
        ErrorKind::StorageFull => "; free some space",
        _ => "",
    };
    Error::from(error).context(format!("could not {doing} {}{advice}", path.display()))
}

fn open(path: &Path) -> io::Result<File> {
    let open = || private(OpenOptions::new().write(true).create(true).truncate(false)).open(path);
    match (open(), path.parent()) {
        (Err(error), Some(folder)) if error.kind() == ErrorKind::NotFound => {
            make_private_folder(folder)?;
            open()
        }
        (result, _) => result,
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
    let started = thread::Builder::new().name("file-lock".into()).spawn(wait);
    started.map_err(|error| file_error("wait for", path, error))?;
    match locked.recv_timeout(TIMEOUT) {
        Ok(outcome) => outcome.map_err(|error| file_error("lock", path, error)),
        Err(_) => Err(Error::internal(format!(
            "other processes have kept {} from us for over {} s; find one that hangs with `fuser` and end it",
            path.display(),
            TIMEOUT.as_secs()
        ))),
    }
}

#[cfg(unix)]
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    std::os::unix::fs::OpenOptionsExt::mode(options, 0o600)
}

#[cfg(not(unix))]
fn private(options: &mut OpenOptions) -> &mut OpenOptions {
    options
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_who_know_the_file_take_turns_and_nobody_else_may_read_it() {
        let folder = tempfile::tempdir().unwrap();
        let (lock, counter, draft) =
            (folder.path().join("made/.lock"), folder.path().join("made/n"), folder.path().join("made/.new"));
        thread::scope(|scope| {
            for _ in 0..2 {
                scope.spawn(|| {
                    // Locks of its own, as another process has.
                    let locks = FileLocks::new(1);
                    for _ in 0..200 {
                        let lock = locks.take(0, &lock).unwrap();
                        let count: u32 = fs::read_to_string(&counter).map_or(0, |text| text.parse().unwrap());
                        lock.replace(&counter, &draft, (count + 1).to_string().as_bytes()).unwrap();
                    }
                });
            }
        });
        assert_eq!(fs::read_to_string(&counter).unwrap(), "400");
        #[cfg(unix)]
        {
            use std::os::unix::fs::PermissionsExt;
            let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
            assert_eq!((mode(&counter), mode(&folder.path().join("made"))), (0o600, 0o700));
        }
    }

    #[test]
    fn what_a_crash_left_half_written_is_written_over() {
        let folder = tempfile::tempdir().unwrap();
        let (path, draft) = (folder.path().join("n"), folder.path().join(".new"));
        fs::write(&draft, "half of something long").unwrap();
        let locks = FileLocks::new(1);
        locks.take(0, &folder.path().join(".lock")).unwrap().replace(&path, &draft, b"whole").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"whole");
        assert!(!draft.exists());
    }
}
