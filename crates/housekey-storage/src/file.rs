use std::fmt;
use std::ops::Range;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::SystemTime;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{Stream, StreamExt, TryStreamExt};
use housekey_core::Result;

/// What a disk knows about a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileInfo {
    /// Its path on the disk.
    pub path: String,
    pub size: u64,
    pub modified: SystemTime,
}

/// A file that is being read, from [`Disk::read`](crate::Disk::read): a stream of its bytes. It can be the body of an answer.
pub struct FileStream {
    info: FileInfo,
    range: Range<u64>,
    bytes: BoxStream<'static, Result<Bytes>>,
}

impl FileStream {
    pub(crate) fn new(info: FileInfo, range: Range<u64>, bytes: BoxStream<'static, Result<Bytes>>) -> Self {
        Self { info, range, bytes }
    }

    pub fn info(&self) -> &FileInfo {
        &self.info
    }

    /// Which of its bytes come.
    pub fn range(&self) -> Range<u64> {
        self.range.clone()
    }

    /// The next piece; `None` at the end.
    pub async fn next_piece(&mut self) -> Result<Option<Bytes>> {
        self.bytes.try_next().await
    }

    /// All that is left, in memory.
    pub async fn bytes(mut self) -> Result<Vec<u8>> {
        let mut all = Vec::new();
        while let Some(piece) = self.next_piece().await? {
            all.extend_from_slice(&piece);
        }
        Ok(all)
    }
}

impl Stream for FileStream {
    type Item = Result<Bytes>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.bytes.poll_next_unpin(cx)
    }
}

impl fmt::Debug for FileStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("FileStream")
            .field("info", &self.info)
            .field("range", &self.range)
            .finish_non_exhaustive()
    }
}

/// The files below a folder, from [`Disk::list`](crate::Disk::list), in the order of their paths. A bucket is asked for more
/// as they are taken.
pub struct FileList(BoxStream<'static, Result<FileInfo>>);

impl FileList {
    pub(crate) fn new(files: BoxStream<'static, Result<FileInfo>>) -> Self {
        Self(files)
    }

    /// The next file; `None` after the last.
    pub async fn next_file(&mut self) -> Result<Option<FileInfo>> {
        self.0.try_next().await
    }

    /// All that are left.
    pub async fn all(self) -> Result<Vec<FileInfo>> {
        self.0.try_collect().await
    }
}

impl fmt::Debug for FileList {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("FileList")
    }
}
