use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{Stream, StreamExt};
use housekey_core::{Error, Result, random};
use housekey_http::signed::signed_url;
use housekey_http::uploads::Upload;
use housekey_static_files::FilePath;
use percent_encoding::{AsciiSet, CONTROLS, utf8_percent_encode};

use crate::local::LocalDisk;
#[cfg(feature = "s3")]
use crate::s3::S3Disk;
use crate::{FileInfo, FileList, FileStream, place, shown};

/// A place for files, from [`Storage::disk`](crate::Storage::disk): a folder or a bucket, in the same words. Cheap to clone.
///
/// ```
/// use housekey_storage::Disk;
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> housekey_core::Result<()> {
/// # let folder = tempfile::tempdir().unwrap();
/// let disk = Disk::new("exports", folder.path(), None);
/// disk.put("2026/march.csv", "name,total\n").await?;
/// assert_eq!(disk.get("2026/march.csv").await?.as_deref(), Some(b"name,total\n".as_slice()));
/// disk.copy("2026/march.csv", "2026/april.csv").await?;
/// assert_eq!(disk.list("2026").await?.all().await?.len(), 2);
/// assert!(disk.delete("2026/march.csv").await?);
/// assert!(!disk.exists("2026/march.csv").await?);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Disk(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    name: String,
    url: Option<String>,
    driver: Driver,
}

#[derive(Debug)]
enum Driver {
    Local(LocalDisk),
    #[cfg(feature = "s3")]
    S3(S3Disk),
}

/// Asks whichever kind of disk it is.
macro_rules! ask {
    ($disk:expr, $driver:ident => $answer:expr) => {
        match &$disk.0.driver {
            Driver::Local($driver) => $answer,
            #[cfg(feature = "s3")]
            Driver::S3($driver) => $answer,
        }
    };
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
        let name = name.into();
        let driver = Driver::Local(LocalDisk::new(name.clone(), root.into()));
        Self::with_driver(name, url, driver)
    }

    #[cfg(feature = "s3")]
    pub(crate) fn on_s3(name: &str, driver: S3Disk, url: Option<&str>) -> Self {
        Self::with_driver(name.to_owned(), url, Driver::S3(driver))
    }

    fn with_driver(name: String, url: Option<&str>, driver: Driver) -> Self {
        let url = url.map(|url| url.trim_end_matches('/').to_owned());
        Self(Arc::new(Inner { name, url, driver }))
    }

    /// Keeps a file, making folders on the way. One that is there is replaced, in one step: whoever reads meanwhile
    /// sees the old or the new one, never half of it.
    pub async fn put(&self, path: &str, content: impl Into<Vec<u8>>) -> Result<()> {
        let (path, content) = (place::parse(path)?, content.into());
        ask!(self, disk => disk.put(&path, content).await)
    }

    /// Keeps a file of any size as it comes, and says how many bytes that were. As with [`put`](Self::put), nobody sees it
    /// before it is whole; when the stream ends with an error, nothing is kept.
    ///
    /// ```
    /// use futures_util::stream;
    /// use housekey_core::Result;
    /// use housekey_storage::Disk;
    ///
    /// async fn keep(disk: &Disk) -> Result<u64> {
    ///     let lines = stream::iter((0..1000).map(|number| Ok::<_, std::io::Error>(format!("{number}\n"))));
    ///     disk.put_stream("numbers.txt", lines).await
    /// }
    /// ```
    pub async fn put_stream<S, B, E>(&self, path: &str, content: S) -> Result<u64>
    where
        S: Stream<Item = Result<B, E>> + Send,
        B: Into<Bytes>,
        E: Into<Error>,
    {
        let path = place::parse(path)?;
        let content: BoxStream<'_, Result<Bytes>> =
            content.map(|piece| piece.map(Into::into).map_err(Into::into)).boxed();
        ask!(self, disk => disk.put_stream(&path, content).await)
    }

    /// Keeps an uploaded file below a folder, under a name that nobody can guess, with the ending of its content. Gives its
    /// path: `covers/4mZ….png`.
    pub async fn store(&self, folder: &str, upload: Upload) -> Result<String> {
        let name = random::alphanumeric(32);
        let path = match upload.extension() {
            Some(extension) => format!("{folder}/{name}.{extension}"),
            None => format!("{folder}/{name}"),
        };
        self.store_as(&path, upload).await?;
        Ok(path)
    }

    /// Keeps an uploaded file at a path.
    pub async fn store_as(&self, path: &str, upload: Upload) -> Result<()> {
        let path = place::parse(path)?;
        match &self.0.driver {
            Driver::Local(disk) => disk.keep(&path, upload.into_file()).await,
            #[cfg(feature = "s3")]
            Driver::S3(disk) => {
                let content = upload.stream().await?.map(|piece| piece.map_err(Error::from)).boxed();
                disk.put_stream(&path, content).await.map(drop)
            }
        }
    }

    /// What a file holds; nothing if there is none.
    pub async fn get(&self, path: &str) -> Result<Option<Vec<u8>>> {
        match self.read(path).await? {
            Some(file) => Ok(Some(file.bytes().await?)),
            None => Ok(None),
        }
    }

    /// A file to be read piece by piece; nothing if there is none.
    pub async fn read(&self, path: &str) -> Result<Option<FileStream>> {
        let path = place::parse(path)?;
        ask!(self, disk => disk.read(&path, None).await)
    }

    /// Some of a file's bytes. What the range has beyond the file's end is left out.
    pub async fn read_range(&self, path: &str, range: Range<u64>) -> Result<Option<FileStream>> {
        let path = place::parse(path)?;
        ask!(self, disk => disk.read(&path, Some(range)).await)
    }

    /// What is known about a file; nothing if there is none.
    pub async fn info(&self, path: &str) -> Result<Option<FileInfo>> {
        let path = place::parse(path)?;
        ask!(self, disk => disk.info(&path).await)
    }

    /// How many bytes a file has; nothing if there is none.
    pub async fn size(&self, path: &str) -> Result<Option<u64>> {
        Ok(self.info(path).await?.map(|info| info.size))
    }

    pub async fn exists(&self, path: &str) -> Result<bool> {
        Ok(self.info(path).await?.is_some())
    }

    /// Every file below a folder and its folders; `""` is the whole disk.
    pub async fn list(&self, folder: &str) -> Result<FileList> {
        let folder: Option<FilePath> = (!folder.is_empty()).then(|| place::parse(folder)).transpose()?;
        let files = match &self.0.driver {
            Driver::Local(disk) => disk.list(folder.as_ref()).await?,
            #[cfg(feature = "s3")]
            Driver::S3(disk) => disk.list(folder.as_ref())?,
        };
        Ok(FileList::new(files))
    }

    /// Copies a file, replacing what is at the other path. 404 if there is none.
    pub async fn copy(&self, from: &str, to: &str) -> Result<()> {
        let (source, to) = (place::parse(from)?, place::parse(to)?);
        let was_there = ask!(self, disk => disk.copy(&source, &to).await)?;
        self.found(was_there, from)
    }

    /// Moves a file, replacing what is at the other path. 404 if there is none.
    #[doc(alias = "move")]
    pub async fn rename(&self, from: &str, to: &str) -> Result<()> {
        let (source, to) = (place::parse(from)?, place::parse(to)?);
        let was_there = ask!(self, disk => disk.rename(&source, &to).await)?;
        self.found(was_there, from)
    }

    /// Removes a file, and says whether there was one.
    pub async fn delete(&self, path: &str) -> Result<bool> {
        let path = place::parse(path)?;
        ask!(self, disk => disk.delete(&path).await)
    }

    /// Where anyone can fetch the file, which need not exist. The page that asks for it may show pictures, films and sounds
    /// from there.
    pub fn url(&self, path: &str) -> Result<String> {
        let path = place::parse(path)?;
        let Some(base) = &self.0.url else {
            return Err(Error::internal(format!(
                "the disk `{}` is private and its files have no address; give it a `url` in config/storage.rs, keep \
                 the file on the disk `public`, or ask for a `temporary_url`",
                self.0.name
            )));
        };
        if self.served_at().is_none() {
            shown::allow_from(base);
        }
        Ok(format!("{base}/{}", utf8_percent_encode(path.as_str(), ENCODED)))
    }

    /// Where whoever has this address can fetch the file, for some time: of a folder, an address of ours that is signed with
    /// `APP_KEY`; of a bucket, one that the service itself checks (at most seven days). It need not exist.
    ///
    /// The page that asks for it may show pictures, films and sounds of the bucket: they are added to its content security
    /// policy. Where a script shows them that got the address from elsewhere, `config/security.rs` has to name the bucket.
    ///
    /// ```
    /// use std::time::Duration;
    ///
    /// use housekey_core::Result;
    /// use housekey_storage::storage;
    ///
    /// async fn link(invoice: &str) -> Result<String> {
    ///     storage()?.disk("local")?.temporary_url(invoice, Duration::from_secs(600)).await
    /// }
    /// ```
    pub async fn temporary_url(&self, path: &str, good_for: Duration) -> Result<String> {
        let path = place::parse(path)?;
        match &self.0.driver {
            Driver::Local(_) => signed_url(&self.signed_route(), [("path", path.as_str())], good_for),
            #[cfg(feature = "s3")]
            Driver::S3(disk) => {
                let address = disk.temporary_url(&path, good_for).await?;
                shown::allow_from(&disk.base(&address));
                Ok(address)
            }
        }
    }

    /// Its name in the configuration.
    pub fn name(&self) -> &str {
        &self.0.name
    }

    /// The folder; a bucket has none.
    pub fn root(&self) -> Option<&Path> {
        self.local().map(LocalDisk::root)
    }

    pub(crate) fn local(&self) -> Option<&LocalDisk> {
        match &self.0.driver {
            Driver::Local(disk) => Some(disk),
            #[cfg(feature = "s3")]
            Driver::S3(_) => None,
        }
    }

    /// The path of our own address at which the app serves it, if it does.
    pub(crate) fn served_at(&self) -> Option<&str> {
        self.0.url.as_deref().filter(|url| url.starts_with('/') && !url.starts_with("//"))
    }

    /// The name of the route behind signed addresses.
    pub(crate) fn signed_route(&self) -> String {
        format!("storage.{}.signed", self.0.name)
    }

    fn found(&self, was_there: bool, path: &str) -> Result<()> {
        match was_there {
            true => Ok(()),
            false => Err(Error::not_found()
                .context(format!("there is no file `{path}` on the disk `{}`", self.0.name))),
        }
    }
}
