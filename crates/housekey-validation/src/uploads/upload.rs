use std::fmt;
use std::io;

use bytes::Bytes;
use futures_util::{Stream, stream};
use housekey_core::Result;
use serde::de::{Deserialize, Deserializer, Error as _};
use tokio::io::AsyncReadExt;

use super::content::Content;
use super::{Progress, ReceivedFiles, TemporaryFile};

/// A file that came with a form, as a field of it.
///
/// It has a temporary name until somebody keeps it, with `Disk::store` of the storage, say. Dropped, it is gone.
pub struct Upload {
    name: String,
    size: u64,
    /// The size at which reading stopped, if the file was larger.
    is_cut: bool,
    content: Content,
    file: TemporaryFile,
    /// The request's that it came with.
    progress: Progress,
}

const PIECE: usize = 64 * 1024;

impl Upload {
    pub(super) fn new(
        name: String,
        size: u64,
        is_cut: bool,
        content: Content,
        file: TemporaryFile,
        progress: Progress,
    ) -> Self {
        Self { name, size, is_cut, content, file, progress }
    }

    /// The file's name as the client tells it, without folders: to be shown, not to be written to.
    pub fn name(&self) -> &str {
        self.name.rsplit(['/', '\\']).next().unwrap_or_default()
    }

    pub fn size(&self) -> u64 {
        self.size
    }

    /// What it is by its content: `image/png`. `None` if its first bytes tell nothing; text is `text/plain`.
    pub fn content_type(&self) -> Option<&'static str> {
        self.content.mime
    }

    /// The ending for a file of its content, without a dot: `png`.
    pub fn extension(&self) -> Option<&'static str> {
        self.content.extension
    }

    /// Width and height, if it is a picture that browsers show.
    pub fn dimensions(&self) -> Option<(usize, usize)> {
        self.content.dimensions
    }

    /// Whether it is a picture that browsers show: JPEG, PNG, GIF, WebP, AVIF or BMP.
    pub fn is_image(&self) -> bool {
        self.content.is_picture()
    }

    /// Whether there was more of it than its field allows, and the rest was thrown away.
    pub(crate) fn is_cut(&self) -> bool {
        self.is_cut
    }

    /// All of it, in memory.
    pub async fn bytes(&self) -> Result<Vec<u8>> {
        Ok(tokio::fs::read(self.file.path()).await?)
    }

    /// Its content, piece by piece.
    pub async fn stream(&self) -> Result<impl Stream<Item = io::Result<Bytes>> + Send + use<>> {
        let file = tokio::fs::File::open(self.file.path()).await?;
        Ok(stream::try_unfold((file, self.progress.clone()), |(mut file, progress)| async move {
            let mut piece = vec![0; PIECE];
            let read = file.read(&mut piece).await?;
            piece.truncate(read);
            progress.add(read);
            Ok((read > 0).then(|| (Bytes::from(piece), (file, progress))))
        }))
    }

    /// The file on this machine, for whoever keeps it.
    pub fn into_file(self) -> TemporaryFile {
        self.file
    }
}

/// From the form that is being read: nothing else holds a file.
impl<'de> Deserialize<'de> for Upload {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let handle = String::deserialize(deserializer)?;
        ReceivedFiles::take(&handle).ok_or_else(|| D::Error::custom("not a file"))
    }
}

impl fmt::Debug for Upload {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Upload")
            .field("name", &self.name())
            .field("size", &self.size)
            .field("content_type", &self.content_type())
            .finish_non_exhaustive()
    }
}

/// What a browser's form holds.
#[cfg(feature = "types")]
impl ts_rs::TS for Upload {
    type WithoutGenerics = Self;
    type OptionInnerType = Self;

    fn name(_: &ts_rs::Config) -> String {
        "File".into()
    }

    fn inline(config: &ts_rs::Config) -> String {
        <Self as ts_rs::TS>::name(config)
    }
}
