use std::fs::{self, OpenOptions, Permissions};
use std::io::{self, Write};
use std::path::Path;

/// Writes a file so that it appears whole or not at all: beside it first, then under its name. Folders on the way are made.
///
/// Only the app's own user may read it, unless other permissions are given: what apps write for themselves holds keys, sessions and
/// letters.
pub fn replace_file(path: &Path, content: &[u8], permissions: Option<Permissions>) -> io::Result<()> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", crate::random::short_id()));
    let unfinished = path.with_file_name(name);
    let written = write_private(&unfinished, content)
        .and_then(|()| permissions.map_or(Ok(()), |wanted| fs::set_permissions(&unfinished, wanted)))
        .and_then(|()| fs::rename(&unfinished, path));
    if written.is_err() {
        let _ = fs::remove_file(&unfinished);
    }
    written
}

fn write_private(path: &Path, content: &[u8]) -> io::Result<()> {
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(path)?;
    file.write_all(content)?;
    file.sync_all()
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::PermissionsExt;

    use super::*;

    #[test]
    fn a_file_is_for_its_owner_alone_unless_it_keeps_the_permissions_it_had() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("made/.env");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        replace_file(&path, b"A=1", None).unwrap();
        assert_eq!(mode(&path), 0o600);

        replace_file(&path, b"A=2", Some(Permissions::from_mode(0o640))).unwrap();
        assert_eq!((mode(&path), fs::read(&path).unwrap()), (0o640, b"A=2".to_vec()));
        assert_eq!(fs::read_dir(folder.path().join("made")).unwrap().count(), 1, "nothing is left beside it");
    }

    #[test]
    fn what_cannot_get_its_name_leaves_nothing_behind() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("taken");
        fs::create_dir_all(path.join("by a folder")).unwrap();
        assert!(replace_file(&path, b"text", None).is_err());
        assert_eq!(fs::read_dir(folder.path()).unwrap().count(), 1);
    }
}
