use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::content_type::ContentType;
use crate::encoding::Encoding;
use crate::etag::ETags;
use crate::path::FilePath;

/// The folder files are served from.
#[derive(Debug)]
pub(crate) struct Folder {
    root: PathBuf,
    etags: ETags,
}

/// An opened file that may be served.
#[derive(Debug)]
pub(crate) struct OpenedFile {
    pub(crate) file: File,
    pub(crate) length: u64,
    /// In whole seconds, as HTTP writes it.
    pub(crate) modified: Option<SystemTime>,
    pub(crate) etag: String,
    pub(crate) encoding: Option<Encoding>,
}

impl Folder {
    pub(crate) fn new(root: PathBuf) -> Self {
        Self { root, etags: ETags::default() }
    }

    /// The file at this path, in the best of the encodings that exists beside it. The plain file must exist too: a
    /// compressed one without it is a leftover.
    pub(crate) fn find(&self, path: &FilePath, encodings: &[Encoding]) -> Option<OpenedFile> {
        let root = fs::canonicalize(&self.root).ok()?;
        let plain = servable(&root, &path.below(&root))?;
        let sibling =
            encodings.iter().filter(|_| ContentType::of(path.name()).compressible).find_map(|encoding| {
                let mut name = plain.clone().into_os_string();
                name.push(encoding.extension());
                Some((servable(&root, Path::new(&name))?, Some(*encoding)))
            });
        let (place, encoding) = sibling.unwrap_or((plain, None));
        self.open(&place, encoding)
    }

    fn open(&self, place: &Path, encoding: Option<Encoding>) -> Option<OpenedFile> {
        let opened = File::open(place).and_then(|mut file| {
            let metadata = file.metadata()?;
            let (length, modified) = (metadata.len(), metadata.modified().ok());
            let etag = self.etags.of(place, &mut file, length, modified)?;
            Ok(OpenedFile { file, length, modified: modified.and_then(http_date), etag, encoding })
        });
        opened
            .inspect_err(
                |error| tracing::warn!(%error, file = %place.display(), "a public file cannot be read"),
            )
            .ok()
    }
}

/// The real place of a file, if that is a regular file inside the folder and nothing hidden. A link may point to
/// another file of the folder, never out of it or to a hidden file. Only regular files are opened: opening a pipe
/// would wait for ever.
fn servable(root: &Path, place: &Path) -> Option<PathBuf> {
    let real = fs::canonicalize(place).ok()?;
    let inside = real.strip_prefix(root).is_ok_and(FilePath::is_servable);
    (inside && fs::metadata(&real).ok()?.is_file()).then_some(real)
}

/// The moment as an HTTP date can express it: whole seconds from 1970 to the end of 9999.
fn http_date(time: SystemTime) -> Option<SystemTime> {
    const YEAR_10000: u64 = 253_402_300_800;
    let seconds = time.duration_since(UNIX_EPOCH).ok()?.as_secs();
    (seconds < YEAR_10000).then(|| UNIX_EPOCH + Duration::from_secs(seconds))
}
