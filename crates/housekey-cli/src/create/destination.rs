//! The folder the app goes into: it appears whole, or it does not appear.

use std::path::{Component, Path, PathBuf};
use std::{env, fs, io};

use data_encoding::HEXLOWER;

use crate::app::cannot_see;
use crate::failure::Failure;
use crate::name::AppName;

/// A place that was looked at and may be written to.
#[derive(Debug)]
pub(crate) struct Destination {
    shown: String,
    path: PathBuf,
    name: AppName,
}

impl Destination {
    /// Understands a name, a path that ends in a name, or `.` for the current folder.
    pub(crate) fn parse(text: &str) -> Result<Self, Failure> {
        let here = env::current_dir().map_err(|error| cannot_see("the current folder", &error))?;
        let path = absolute(&here, Path::new(text));
        let Some(last) = path.file_name().and_then(|name| name.to_str()) else {
            return Err(Failure::usage(format!("`{text}` does not end in a name")));
        };
        let destination =
            Self { shown: text.trim_end_matches('/').to_owned(), name: AppName::parse(last)?, path };
        destination.refuse_if_taken()?;
        Ok(destination)
    }

    /// As the person typed it.
    pub(crate) fn shown(&self) -> &str {
        &self.shown
    }

    pub(crate) fn path(&self) -> &Path {
        &self.path
    }

    pub(crate) fn name(&self) -> &AppName {
        &self.name
    }

    fn refuse_if_taken(&self) -> Result<(), Failure> {
        let entries = match fs::read_dir(&self.path) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(error)
                if error.kind() == io::ErrorKind::NotADirectory && self.path.symlink_metadata().is_ok() =>
            {
                return Err(Failure::failed(format!("`{}` exists and is not a folder", self.shown)));
            }
            // A file where a parent folder should be: `stage` says which.
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => return Ok(()),
            Err(error) => return Err(cannot_see(&format!("`{}`", self.shown), &error)),
        };
        for entry in entries {
            let entry = entry.map_err(|error| cannot_see(&format!("`{}`", self.shown), &error))?;
            let name = entry.file_name().to_string_lossy().into_owned();
            if !may_stay(&name) {
                return Err(Failure::failed(format!(
                    "the folder `{}` is not empty (it holds `{name}`): nothing was written",
                    self.shown
                ))
                .help(
                    "Choose another name, or empty the folder. A repository and a licence in it may stay.",
                ));
            }
        }
        Ok(())
    }

    /// A temporary folder beside the destination: on the same file system, so that renaming is one step.
    pub(crate) fn stage(&self) -> Result<Staging<'_>, Failure> {
        let parent = self.path.parent().unwrap_or(Path::new("/"));
        let refused =
            |why: String| Failure::failed(why).help("Nothing was written. Choose a folder you can write in.");
        if !parent.is_dir() {
            return Err(refused(format!("`{}` is not a folder", parent.display())));
        }
        let mut random = [0; 6];
        getrandom::fill(&mut random).map_err(|error| refused(format!("no random numbers: {error}")))?;
        let folder = parent.join(format!(".{}-{}", self.name.package(), HEXLOWER.encode(&random)));
        fs::create_dir(&folder)
            .map_err(|error| refused(format!("`{}` cannot be written to: {error}", parent.display())))?;
        Ok(Staging { destination: self, folder })
    }
}

/// The app's files before they are in place. Dropped without [`publish`](Self::publish), it takes them away again.
pub(crate) struct Staging<'a> {
    destination: &'a Destination,
    folder: PathBuf,
}

impl Staging<'_> {
    pub(crate) fn write(&self, path: &str, content: &[u8]) -> Result<(), Failure> {
        let file = self.folder.join(path);
        let written =
            file.parent().map_or(Ok(()), fs::create_dir_all).and_then(|()| fs::write(&file, content));
        written.and_then(|()| keep_private(path, &file)).map_err(|error| {
            Failure::failed(format!("`{path}` could not be written: {error}"))
                .help("Nothing was left behind.")
        })
    }

    pub(crate) fn publish(self) -> Result<(), Failure> {
        let target = &self.destination.path;
        let published =
            if target.exists() { self.move_into(target) } else { fs::rename(&self.folder, target) };
        published.map_err(|error| {
            Failure::failed(format!("`{}` could not be put in place: {error}", self.destination.shown))
                .help("Nothing was left behind.")
        })
    }

    /// The folder exists with a repository or a licence in it: those stay untouched, and the app's entries are moved
    /// in beside them. If one cannot be moved, the ones before it are taken out again.
    fn move_into(&self, target: &Path) -> io::Result<()> {
        let mut moved: Vec<PathBuf> = Vec::new();
        let result = fs::read_dir(&self.folder).and_then(|entries| {
            for entry in entries {
                let entry = entry?;
                let place = target.join(entry.file_name());
                if place.symlink_metadata().is_ok() {
                    return Err(io::Error::new(
                        io::ErrorKind::AlreadyExists,
                        format!("`{}` is there already", place.display()),
                    ));
                }
                fs::rename(entry.path(), &place)?;
                moved.push(place);
            }
            Ok(())
        });
        if result.is_err() {
            for place in moved {
                let _ = if place.is_dir() { fs::remove_dir_all(place) } else { fs::remove_file(place) };
            }
        }
        result
    }
}

impl Drop for Staging<'_> {
    fn drop(&mut self) {
        // After a rename there is nothing left here; after moving entries or a failure there is.
        let _ = fs::remove_dir_all(&self.folder);
    }
}

/// What an otherwise empty folder may hold: a repository and a licence, as code hosts put them there.
fn may_stay(name: &str) -> bool {
    let lower = name.to_ascii_lowercase();
    [".git", ".gitattributes", ".hg", ".jj", ".svn"].contains(&lower.as_str())
        || ["license", "licence", "copying"].iter().any(|word| lower.starts_with(word))
}

/// `.env` holds secrets: only its owner reads it.
#[cfg(unix)]
fn keep_private(path: &str, file: &Path) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    if path == ".env" { fs::set_permissions(file, fs::Permissions::from_mode(0o600)) } else { Ok(()) }
}

#[cfg(not(unix))]
fn keep_private(_path: &str, _file: &Path) -> io::Result<()> {
    Ok(())
}

/// The path without `.` and `..`, so that its last part is the app's name.
fn absolute(here: &Path, path: &Path) -> PathBuf {
    let mut absolute = PathBuf::new();
    for component in here.join(path).components() {
        match component {
            Component::ParentDir => {
                absolute.pop();
            }
            Component::CurDir => {}
            other => absolute.push(other),
        }
    }
    absolute
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_are_made_absolute_without_dots() {
        let here = Path::new("/work/here");
        assert_eq!(absolute(here, Path::new("app")), Path::new("/work/here/app"));
        assert_eq!(absolute(here, Path::new("../app/.")), Path::new("/work/app"));
        assert_eq!(absolute(here, Path::new(".")), Path::new("/work/here"));
        assert_eq!(absolute(here, Path::new("/tmp/app")), Path::new("/tmp/app"));
    }

    #[test]
    fn a_repository_and_a_licence_may_stay_and_nothing_else() {
        for name in [".git", ".jj", "LICENSE", "LICENSE-MIT", "licence.txt", "COPYING"] {
            assert!(may_stay(name), "{name}");
        }
        for name in ["src", ".env", "README.md", ".gitignore", "git"] {
            assert!(!may_stay(name), "{name}");
        }
    }

    #[test]
    fn a_move_that_fails_half_way_leaves_the_folder_as_it_was() {
        let root = tempfile::tempdir().unwrap();
        let path = root.path().join("app");
        fs::create_dir_all(path.join(".git")).unwrap();
        let destination =
            Destination { shown: "app".into(), name: AppName::parse("app").unwrap(), path: path.clone() };
        let staging = destination.stage().unwrap();
        for file in ["Cargo.toml", "src/lib.rs", "zz"] {
            staging.write(file, b"x").unwrap();
        }
        // Someone else got there in the meantime.
        fs::write(path.join("zz"), "theirs").unwrap();

        assert!(staging.publish().is_err());

        let mut left: Vec<_> = fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        left.sort();
        assert_eq!(left, [".git", "zz"]);
        assert_eq!(fs::read_to_string(path.join("zz")).unwrap(), "theirs");
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1, "the temporary folder is gone");
    }
}
