//! Many files, all or none.
//!
//! Every new content is first written beside its file; only when all of them are there do they take their places, each by
//! one rename. If one cannot, those before it go back to what they were.

use std::path::{Path, PathBuf};
use std::{fs, io};

use data_encoding::HEXLOWER;

use crate::failure::Failure;

/// One file's change.
#[derive(Debug)]
pub(super) struct Write {
    pub(super) path: String,
    /// What was read; nothing when there was no file.
    pub(super) before: Option<Vec<u8>>,
    /// What is to be there; nothing when the file goes.
    pub(super) after: Option<Vec<u8>>,
}

pub(super) fn all(app: &Path, writes: Vec<&Write>) -> Result<(), Failure> {
    let mut work = Work { app, writes, staged: Vec::new(), folders: Vec::new(), done: 0 };
    let failed = match work.stage().and_then(|()| work.put_in_place()) {
        Ok(()) => {
            work.remove_empty_folders();
            return Ok(());
        }
        Err(failed) => failed,
    };
    let left = work.go_back();
    let failure = Failure::failed(failed);
    Err(if left.is_empty() {
        failure.help("Nothing was changed.")
    } else {
        failure.help(format!(
            "These files could not be put back and have the new content: {}. Take them from version control.",
            left.join(", ")
        ))
    })
}

struct Work<'a> {
    app: &'a Path,
    writes: Vec<&'a Write>,
    /// The new content of each, where there is one.
    staged: Vec<Option<PathBuf>>,
    /// Folders that were made for it.
    folders: Vec<PathBuf>,
    /// How many are in place.
    done: usize,
}

impl Work<'_> {
    fn stage(&mut self) -> Result<(), String> {
        let mut random = [0; 6];
        getrandom::fill(&mut random).map_err(|error| format!("no random numbers: {error}"))?;
        let mark = HEXLOWER.encode(&random);
        for write in self.writes.clone() {
            let staged = match &write.after {
                None => None,
                Some(content) => Some(
                    self.stage_one(write, content, &mark)
                        .map_err(|error| format!("`{}` cannot be written: {error}", write.path))?,
                ),
            };
            self.staged.push(staged);
        }
        Ok(())
    }

    fn stage_one(&mut self, write: &Write, content: &[u8], mark: &str) -> io::Result<PathBuf> {
        let file = self.app.join(&write.path);
        let folder = file.parent().unwrap_or(self.app);
        self.make_folder(folder)?;
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        let staged = folder.join(format!(".{name}.{mark}"));
        // It must be ours alone: whatever is there under that name was put there by somebody else.
        let mut target = fs::OpenOptions::new().write(true).create_new(true).open(&staged)?;
        let written = io::Write::write_all(&mut target, content).and_then(|()| {
            // A script that can be run stays one.
            if write.before.is_some() {
                target.set_permissions(fs::metadata(&file)?.permissions())
            } else {
                Ok(())
            }
        });
        if let Err(error) = written {
            let _ = fs::remove_file(&staged);
            return Err(error);
        }
        Ok(staged)
    }

    /// Makes what is missing on the way to a folder, and goes through no link.
    fn make_folder(&mut self, folder: &Path) -> io::Result<()> {
        if folder == self.app {
            return Ok(());
        }
        if let Some(parent) = folder.parent() {
            self.make_folder(parent)?;
        }
        match fs::symlink_metadata(folder) {
            Ok(found) if found.is_dir() => Ok(()),
            Ok(_) => Err(io::Error::other(format!("{} is no folder", folder.display()))),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {
                fs::create_dir(folder)?;
                self.folders.push(folder.to_owned());
                Ok(())
            }
            Err(error) => Err(error),
        }
    }

    fn put_in_place(&mut self) -> Result<(), String> {
        // An editor may have saved a file while the merge was made.
        for write in &self.writes {
            if self.read(write).as_deref() != write.before.as_deref() {
                return Err(format!("`{}` was changed by somebody else just now", write.path));
            }
        }
        for (write, staged) in self.writes.iter().zip(&mut self.staged) {
            let file = self.app.join(&write.path);
            let moved = match staged {
                Some(staged) => fs::rename(staged, &file),
                None => fs::remove_file(&file),
            };
            moved.map_err(|error| format!("`{}` cannot be written: {error}", write.path))?;
            *staged = None;
            self.done += 1;
        }
        Ok(())
    }

    fn read(&self, write: &Write) -> Option<Vec<u8>> {
        let file = self.app.join(&write.path);
        fs::symlink_metadata(&file).is_ok_and(|found| found.is_file()).then(|| fs::read(&file).ok())?
    }

    /// Puts everything back, and gives back the paths where that did not succeed.
    fn go_back(&mut self) -> Vec<&str> {
        let mut left = Vec::new();
        for write in &self.writes[..self.done] {
            let file = self.app.join(&write.path);
            let back = match &write.before {
                Some(content) => fs::write(&file, content),
                None => fs::remove_file(&file),
            };
            if back.is_err() {
                left.push(write.path.as_str());
            }
        }
        for staged in self.staged.iter().flatten() {
            let _ = fs::remove_file(staged);
        }
        for folder in self.folders.iter().rev() {
            let _ = fs::remove_dir(folder);
        }
        left
    }

    /// A folder whose last file went goes too, as in git.
    fn remove_empty_folders(&self) {
        for write in self.writes.iter().filter(|write| write.after.is_none()) {
            let file = self.app.join(&write.path);
            for folder in file.ancestors().skip(1).take_while(|folder| *folder != self.app) {
                if fs::remove_dir(folder).is_err() {
                    break;
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(path: &str, before: Option<&str>, after: Option<&str>) -> Write {
        let bytes = |text: &str| text.as_bytes().to_vec();
        Write { path: path.to_owned(), before: before.map(bytes), after: after.map(bytes) }
    }

    fn names(folder: &Path) -> Vec<String> {
        let mut names: Vec<String> = fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn files_are_written_replaced_and_removed() {
        let app = tempfile::tempdir().unwrap();
        fs::create_dir(app.path().join("old")).unwrap();
        fs::write(app.path().join("old/gone"), "x").unwrap();
        fs::write(app.path().join("edited"), "1").unwrap();
        let writes = [
            write("a/b/new", None, Some("n")),
            write("edited", Some("1"), Some("2")),
            write("old/gone", Some("x"), None),
        ];
        all(app.path(), writes.iter().collect()).unwrap();
        assert_eq!(names(app.path()), ["a", "edited"]);
        assert_eq!(fs::read_to_string(app.path().join("edited")).unwrap(), "2");
        assert_eq!(names(&app.path().join("a/b")), ["new"]);
    }

    #[test]
    fn when_one_cannot_be_written_none_is() {
        let app = tempfile::tempdir().unwrap();
        fs::write(app.path().join("edited"), "1").unwrap();
        fs::write(app.path().join("file"), "").unwrap();
        let writes = [
            write("new/deep/file", None, Some("n")),
            write("edited", Some("1"), Some("2")),
            write("file/below", None, Some("x")),
        ];
        let failure = all(app.path(), writes.iter().collect()).unwrap_err().to_string();
        assert!(failure.contains("`file/below`") && failure.contains("Nothing was changed"), "{failure}");
        assert_eq!(names(app.path()), ["edited", "file"]);
        assert_eq!(fs::read_to_string(app.path().join("edited")).unwrap(), "1");
    }

    #[test]
    fn what_took_its_place_already_goes_back_when_a_later_one_fails() {
        let app = tempfile::tempdir().unwrap();
        fs::write(app.path().join("a"), "1").unwrap();
        fs::write(app.path().join("b"), "1").unwrap();
        let writes = [
            write("a", Some("1"), Some("2")),
            write("new/c", None, Some("n")),
            write("b", Some("1"), Some("2")),
        ];
        let mut work = Work {
            app: app.path(),
            writes: writes.iter().collect(),
            staged: Vec::new(),
            folders: Vec::new(),
            done: 0,
        };
        work.stage().unwrap();
        // The last one's new content disappears before its turn.
        fs::remove_file(work.staged[2].as_ref().unwrap()).unwrap();
        assert!(work.put_in_place().unwrap_err().contains("`b`"));
        assert!(work.go_back().is_empty());
        assert_eq!(names(app.path()), ["a", "b"]);
        assert_eq!(fs::read_to_string(app.path().join("a")).unwrap(), "1");
    }

    #[test]
    fn a_file_that_somebody_saved_meanwhile_is_not_overwritten() {
        let app = tempfile::tempdir().unwrap();
        fs::write(app.path().join("a"), "saved just now").unwrap();
        let failure = all(app.path(), vec![&write("a", Some("1"), Some("2"))]).unwrap_err().to_string();
        assert!(failure.contains("by somebody else"), "{failure}");
        assert!(all(app.path(), vec![&write("a", None, Some("2"))]).is_err());
        assert_eq!(fs::read_to_string(app.path().join("a")).unwrap(), "saved just now");
        assert_eq!(names(app.path()), ["a"]);
    }

    #[cfg(unix)]
    #[test]
    fn a_script_stays_one_and_a_link_is_not_gone_through() {
        use std::os::unix::fs::{PermissionsExt as _, symlink};
        let (app, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let script = app.path().join("script");
        fs::write(&script, "1").unwrap();
        fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
        all(app.path(), vec![&write("script", Some("1"), Some("2"))]).unwrap();
        assert_eq!(fs::metadata(&script).unwrap().permissions().mode() & 0o777, 0o755);

        symlink(outside.path(), app.path().join("linked")).unwrap();
        assert!(all(app.path(), vec![&write("linked/x", None, Some("2"))]).is_err());
        assert!(names(outside.path()).is_empty());
    }
}
