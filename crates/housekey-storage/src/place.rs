use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use housekey_core::{Error, Result};
use housekey_static_files::FilePath;

/// Reads a path that may come from a visitor.
pub(crate) fn parse(path: &str) -> Result<FilePath> {
    FilePath::plain(path).ok_or_else(|| {
        Error::bad_request("This file name is not allowed.").context(format!(
            "{path:?} is no path below a disk: it must look like `avatars/7.png`, without `..`, hidden parts, \
             backslashes, colons or a slash at either end"
        ))
    })
}

/// Where the file is, or would be; `None` if a link on the way leads out of the folder.
pub(crate) fn inside(root: &Path, path: &FilePath) -> io::Result<Option<PathBuf>> {
    fs::create_dir_all(root)?;
    let root = fs::canonicalize(root)?;
    let place = path.below(&root);
    // What does not exist yet leads nowhere: the first thing above it that does decides.
    for ancestor in place.ancestors() {
        match fs::canonicalize(ancestor) {
            Ok(real) => return Ok(real.starts_with(&root).then_some(place)),
            // A link to nothing is still a link.
            Err(error) if error.kind() == io::ErrorKind::NotFound && !ancestor.is_symlink() => {}
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            // A file stands where a folder would have to be.
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => {}
            Err(error) => return Err(error),
        }
    }
    Ok(None)
}
