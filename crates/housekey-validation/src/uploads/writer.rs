use std::io;

use tokio::io::AsyncWriteExt;

use super::content::{Content, HEAD};
use super::{Progress, TemporaryFile, TemporaryFolder, Upload};

/// A file on its way in: written piece by piece under a temporary name, and an [`Upload`] once it is whole.
///
/// ```
/// use housekey_validation::uploads::{Progress, TemporaryFolder, UploadWriter};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> std::io::Result<()> {
/// # let place = tempfile::tempdir()?;
/// let folder = TemporaryFolder::new(place.path());
/// let mut file = UploadWriter::create(folder, "note.txt".into(), 1024).await?;
/// file.write(b"Bring the keys.").await?;
/// let upload = file.finish(Progress::default()).await?;
/// assert_eq!((upload.size(), upload.content_type()), (15, Some("text/plain")));
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct UploadWriter {
    name: String,
    limit: u64,
    size: u64,
    /// By which its content is known.
    head: Vec<u8>,
    file: tokio::fs::File,
    temporary: TemporaryFile,
}

impl UploadWriter {
    /// Begins a file. `name` is what the client calls it, `limit` the most bytes that its field allows.
    pub async fn create(folder: TemporaryFolder, name: String, limit: u64) -> io::Result<Self> {
        let temporary = tokio::task::spawn_blocking(move || folder.create()).await??;
        let file = tokio::fs::File::from_std(temporary.file().try_clone()?);
        Ok(Self { name, limit, size: 0, head: Vec::new(), file, temporary })
    }

    /// Takes the next piece. What goes beyond the limit is counted, but not written.
    pub async fn write(&mut self, piece: &[u8]) -> io::Result<()> {
        self.size += piece.len() as u64;
        if self.size > self.limit {
            return Ok(());
        }
        self.head.extend_from_slice(&piece[..piece.len().min(HEAD - self.head.len())]);
        self.file.write_all(piece).await
    }

    /// Looks at what came. `progress` will be told when it is read again.
    pub async fn finish(self, progress: Progress) -> io::Result<Upload> {
        let Self { name, limit, size, head, mut file, temporary } = self;
        file.flush().await?;
        drop(file);
        let looking = tokio::task::spawn_blocking(move || (Content::of(&head, temporary.file()), temporary));
        let (content, temporary) = looking.await?;
        Ok(Upload::new(name, size, size > limit, content, temporary, progress))
    }
}
