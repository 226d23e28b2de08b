use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use housekey_core::{Error, Result, random};
use housekey_static_files::FilePath;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use crate::place;

/// A folder for files, from [`Storage::disk`](crate::Storage::disk). Cheap to clone.
///
/// ```
/// use housekey_storage::Disk;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> housekey_core::Result<()> {
/// # let folder = tempfile::tempdir().unwrap();
/// let disk = Disk::new("exports", folder.path(), None);
/// disk.put("2026/march.csv", "name,total\n").await?;
/// assert_eq!(disk.get("2026/march.csv").await?.as_deref(), Some(b"name,total\n".as_slice()));
/// assert!(disk.delete("2026/march.csv").await?);
/// assert!(!disk.exists("2026/march.csv").await?);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Disk(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    name: String,
    root: PathBuf,
    url: Option<String>,
}

/// What stands in an address only when it is encoded.
const ENCODED: &AsciiSet = &CONTROLS
    .add(b' ')
    .add(b'"')
    .add(b'#')
    .add(b'%')
    .add(b'<')
    .add(b'>')
    .add(b'?')
    .add(b'[')
    .add(b']')
    .add(b'^')
    .add(b'`')
    .add(b'{')
    .add(b'|')
    .add(b'}');

impl Disk {
    /// A disk over a folder, which need not exist yet. `url` is where its files are found, if anyone may fetch them.
    pub fn new(name: impl Into<String>, root: impl Into<PathBuf>, url: Option<&str>) -> Self {
        let url = url.map(|url| url.trim_end_matches('/').to_owned());
        Self(Arc::new(Inner { name: name.into(), root: root.into(), url }))
    }

    /// Keeps a file, making folders on the way. One that is there is replaced, in one step: whoever reads meanwhile
    /// sees the old or the new one, never half of it.
    pub async fn put(&self, path: &str, content: impl Into<Vec<u8>>) -> Result<()> {
        let content = content.into();
        self.at(path, move |place| {
            let folder = place.parent().unwrap_or(place);
            fs::create_dir_all(folder)?;
            // Hidden, so that it is never served, nor taken for a file of the disk.
            let draft = folder.join(format!(".{}", random::short_id()));
            let written = fs::File::create_new(&draft)
                .and_then(|mut file| file.write_all(&content).and_then(|()| file.sync_all()))
                .and_then(|()| fs::rename(&draft, place));
            written.inspect_err(|_| drop(fs::remove_file(&draft)))
        })
        .await
    }

    /// What a file holds; nothing if there is none.
    pub async fn get(&self, path: &str) -> Result<Option<Vec<u8>>> {
        self.at(path, |place| present(fs::read(place))).await
    }

    /// Whether there is such a file.
    pub async fn exists(&self, path: &str) -> Result<bool> {
        self.at(path, |place| Ok(present(fs::metadata(place))?.is_some_and(|found| found.is_file()))).await
    }

    /// Removes a file, and says whether there was one.
    pub async fn delete(&self, path: &str) -> Result<bool> {
        self.at(path, |place| Ok(present(fs::remove_file(place))?.is_some())).await
    }

    /// Where anyone can fetch the file, which need not exist.
    pub fn url(&self, path: &str) -> Result<String> {
        let path = place::parse(path)?;
        let Some(base) = &self.0.url else {
            return Err(Error::internal(format!(
                "the disk `{}` is private and its files have no address; give it a `url` in config/storage.rs, or keep \
                 the file on the disk `public`",
                self.0.name
            )));
        };
        Ok(format!("{base}/{}", utf8_percent_encode(path.as_str(), ENCODED)))
    }

    /// Its name in the configuration.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The folder.
    pub fn root(&self) -> &Path {
        &self.0.root
    }

    /// The path of our own address at which the app serves it, if it does.
    pub(crate) fn served_at(&self) -> Option<&str> {
        self.0.url.as_deref().filter(|url| url.starts_with('/') && !url.starts_with("//"))
    }

    async fn at<T: Send + 'static>(
        &self,
        path: &str,
        work: impl FnOnce(&Path) -> io::Result<T> + Send + 'static,
    ) -> Result<T> {
        let path: FilePath = place::parse(path)?;
        let inner = self.0.clone();
        let name = path.as_str().to_owned();
        let done = tokio::task::spawn_blocking(move || match place::inside(&inner.root, &path)? {
            Some(place) => work(&place),
            None => {
                Err(io::Error::new(io::ErrorKind::PermissionDenied, "a link there leads out of the disk"))
            }
        });
        done.await?.map_err(|error| {
            Error::from(error).context(format!(
                "the file `{name}` on the disk `{}` ({})",
                self.0.name,
                self.0.root.display()
            ))
        })
    }
}

/// What was found, or that nothing was. A path below a file, or a folder in a file's place, is nothing too.
fn present<T>(found: io::Result<T>) -> io::Result<Option<T>> {
    use io::ErrorKind::{IsADirectory, NotADirectory, NotFound};
    match found {
        Ok(found) => Ok(Some(found)),
        Err(error) if matches!(error.kind(), NotFound | NotADirectory | IsADirectory) => Ok(None),
        Err(error) => Err(error),
    }
}
