use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

use housekey_core::random;

/// A folder for files that are not finished.
///
/// Each is locked for as long as somebody works on it, and the system lifts the locks of a process that dies. So whatever is
/// not locked was left behind, and [`sweep`](Self::sweep) can tell, on however many processes share the folder.
///
/// ```
/// use housekey_http::uploads::TemporaryFolder;
///
/// # let place = tempfile::tempdir().unwrap();
/// let folder = TemporaryFolder::new(place.path().join("drafts"));
/// let draft = folder.create()?;
/// draft.keep_as(&place.path().join("report.txt"))?;
/// # Ok::<(), std::io::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct TemporaryFolder(PathBuf);

/// Between making a file and locking it there is a moment; what is younger than this is left alone.
const JUST_MADE: Duration = Duration::from_secs(60);

/// Where files cannot be locked, only their age tells.
const ABANDONED: Duration = Duration::from_secs(24 * 60 * 60);

impl TemporaryFolder {
    /// A folder, which need not exist yet.
    pub fn new(path: impl Into<PathBuf>) -> Self {
        Self(path.into())
    }

    /// A new, empty file. It waits for the disk: call it where that is allowed.
    pub fn create(&self) -> io::Result<TemporaryFile> {
        fs::create_dir_all(&self.0)?;
        // Hidden, so that it is never served, nor taken for a file that somebody keeps.
        let path = self.0.join(format!(".{}", random::token()));
        let file = File::options().read(true).write(true).create_new(true).open(&path)?;
        // Where there are no locks, age decides.
        let _ = file.try_lock();
        Ok(TemporaryFile { path: Some(path), file })
    }

    /// Removes what nobody works on any more, and says how many files that were.
    pub fn sweep(&self) -> io::Result<usize> {
        let entries = match fs::read_dir(&self.0) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(0),
            Err(error) => return Err(error),
        };
        let mut removed = 0;
        for entry in entries {
            let path = entry?.path();
            // Another process may be sweeping too.
            if is_abandoned(&path).unwrap_or(false) && fs::remove_file(&path).is_ok() {
                removed += 1;
            }
        }
        Ok(removed)
    }
}

fn is_abandoned(path: &Path) -> io::Result<bool> {
    let about = fs::symlink_metadata(path)?;
    let age = SystemTime::now().duration_since(about.modified()?).unwrap_or_default();
    if !about.is_file() || age < JUST_MADE {
        return Ok(false);
    }
    match File::open(path)?.try_lock() {
        Ok(()) => Ok(true),
        Err(TryLockError::WouldBlock) => Ok(false),
        Err(TryLockError::Error(_)) => Ok(age > ABANDONED),
    }
}

/// A file that goes away unless it is [kept](Self::keep_as).
#[derive(Debug)]
pub struct TemporaryFile {
    /// `None` once it has a name of its own.
    path: Option<PathBuf>,
    file: File,
}

impl TemporaryFile {
    /// Where it is for now.
    pub fn path(&self) -> &Path {
        self.path.as_deref().unwrap_or(Path::new(""))
    }

    /// The open file.
    pub fn file(&self) -> &File {
        &self.file
    }

    /// Gives it a name, in one step: whoever looks sees what was there before, or all of this. The folder must exist. It
    /// waits for the disk.
    pub fn keep_as(mut self, path: &Path) -> io::Result<()> {
        self.file.sync_all()?;
        match fs::rename(self.path(), path) {
            Ok(()) => {
                self.path = None;
                Ok(())
            }
            // Another file system: a copy beside the place, which then gets its name.
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                let beside = TemporaryFolder::new(path.parent().unwrap_or(path)).create()?;
                fs::copy(self.path(), beside.path())?;
                beside.keep_as(path)
            }
            Err(error) => Err(error),
        }
    }
}

impl Drop for TemporaryFile {
    fn drop(&mut self) {
        if let Some(path) = self.path.take() {
            let _ = fs::remove_file(path);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn age(path: &Path, by: Duration) {
        File::options().write(true).open(path).unwrap().set_modified(SystemTime::now() - by).unwrap();
    }

    // spec: DAT-4
    #[test]
    fn a_sweep_takes_what_a_dead_process_left_and_nothing_else() {
        let place = tempfile::tempdir().unwrap();
        let folder = TemporaryFolder::new(place.path());
        let (old, young) = (place.path().join(".left-behind"), place.path().join(".just-made"));
        fs::write(&old, "x").unwrap();
        fs::write(&young, "x").unwrap();
        age(&old, Duration::from_secs(3600));
        let in_use = folder.create().unwrap();
        age(in_use.path(), Duration::from_secs(3600));
        assert_eq!(folder.sweep().unwrap(), 1);
        assert!(!old.exists() && young.exists() && in_use.path().exists());
    }

    #[test]
    fn a_file_goes_away_unless_it_is_kept() {
        let place = tempfile::tempdir().unwrap();
        let folder = TemporaryFolder::new(place.path().join("t"));
        drop(folder.create().unwrap());
        let kept = folder.create().unwrap();
        kept.keep_as(&place.path().join("kept")).unwrap();
        assert_eq!(fs::read_dir(place.path().join("t")).unwrap().count(), 0);
        assert!(place.path().join("kept").exists());
    }
}
