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
/// use housekey_validation::uploads::TemporaryFolder;
///
/// # let place = tempfile::tempdir().unwrap();
/// let folder = TemporaryFolder::new(place.path().join("drafts"));
/// let draft = folder.create()?;
/// draft.keep_as(&place.path().join("report.txt"), &folder)?;
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
    ///
    /// What others left behind goes at this occasion: a process that died a moment ago left files that were too young to go
    /// when the next one started.
    pub fn create(&self) -> io::Result<TemporaryFile> {
        fs::create_dir_all(&self.0)?;
        self.sweep()?;
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

    pub fn file(&self) -> &File {
        &self.file
    }

    /// Gives it a name, in one step: whoever looks sees what was there before, or all of this. The folder must exist. It
    /// waits for the disk.
    ///
    /// A name cannot lead to another file system. Where it would, a copy is made first in `drafts`, a folder on that one:
    /// what a crash leaves there is swept.
    pub fn keep_as(self, path: &Path, drafts: &TemporaryFolder) -> io::Result<()> {
        self.file.sync_all()?;
        match fs::rename(self.path(), path) {
            Err(error) if error.kind() == io::ErrorKind::CrossesDevices => {
                let copy = drafts.create()?;
                io::copy(&mut File::open(self.path())?, &mut copy.file())?;
                copy.file.sync_all()?;
                fs::rename(copy.path(), path).map(|()| copy.has_a_name())
            }
            renamed => renamed.map(|()| self.has_a_name()),
        }
    }

    fn has_a_name(mut self) {
        self.path = None;
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
        let in_use = folder.create().unwrap();
        age(in_use.path(), Duration::from_secs(3600));
        let (old, young) = (place.path().join(".left-behind"), place.path().join(".just-made"));
        fs::write(&old, "x").unwrap();
        fs::write(&young, "x").unwrap();
        age(&old, Duration::from_secs(3600));
        assert_eq!(folder.sweep().unwrap(), 1);
        assert!(!old.exists() && young.exists() && in_use.path().exists());
    }

    // spec: DAT-4
    #[test]
    fn whoever_makes_a_file_takes_away_what_a_dead_process_left() {
        let place = tempfile::tempdir().unwrap();
        let left = place.path().join(".left-behind");
        fs::write(&left, "x").unwrap();
        age(&left, Duration::from_secs(120));
        let _made = TemporaryFolder::new(place.path()).create().unwrap();
        assert!(!left.exists());
    }

    // spec: DAT-4
    #[cfg(target_os = "linux")]
    #[test]
    fn on_its_way_to_another_file_system_a_file_is_among_the_drafts_there() {
        let (here, there) = (tempfile::tempdir().unwrap(), tempfile::tempdir_in("/dev/shm").unwrap());
        let drafts = TemporaryFolder::new(there.path().join("drafts"));
        let file = TemporaryFolder::new(here.path()).create().unwrap();
        io::Write::write_all(&mut file.file(), b"whole").unwrap();
        let place = there.path().join("kept");
        file.keep_as(&place, &drafts).unwrap();
        assert_eq!(fs::read(&place).unwrap(), b"whole");
        let names = |folder: &Path| fs::read_dir(folder).unwrap().count();
        assert_eq!(
            (names(here.path()), names(there.path())),
            (0, 2),
            "the file and the empty folder of drafts"
        );
        assert_eq!(names(&there.path().join("drafts")), 0);
    }

    #[test]
    fn a_file_goes_away_unless_it_is_kept() {
        let place = tempfile::tempdir().unwrap();
        let folder = TemporaryFolder::new(place.path().join("t"));
        drop(folder.create().unwrap());
        let kept = folder.create().unwrap();
        kept.keep_as(&place.path().join("kept"), &folder).unwrap();
        assert_eq!(fs::read_dir(place.path().join("t")).unwrap().count(), 0);
        assert!(place.path().join("kept").exists());
    }
}
