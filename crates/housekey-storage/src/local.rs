use std::fs;
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use bytes::Bytes;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt, TryStreamExt, stream};
use housekey_core::{Error, Result};
use housekey_http::uploads::{TemporaryFile, TemporaryFolder};
use housekey_static_files::FilePath;
use tokio::io::AsyncWriteExt;

use crate::place;
use crate::{FileInfo, FileStream};

/// A folder of this machine.
#[derive(Debug)]
pub(crate) struct LocalDisk {
    name: String,
    root: PathBuf,
}

const PIECE: usize = 64 * 1024;

impl LocalDisk {
    pub(crate) fn new(name: String, root: PathBuf) -> Self {
        Self { name, root }
    }

    pub(crate) fn root(&self) -> &Path {
        &self.root
    }

    /// Where files are until they are whole. Hidden, so that it is never served nor listed, and on the disk itself, so that
    /// a name is all that changes.
    pub(crate) fn drafts(&self) -> TemporaryFolder {
        TemporaryFolder::new(self.root.join(".drafts"))
    }

    pub(crate) async fn put(&self, path: &FilePath, content: Vec<u8>) -> Result<()> {
        let drafts = self.drafts();
        self.at(path, move |place| {
            let draft = drafts.create()?;
            draft.file().write_all(&content)?;
            keep(draft, place, &drafts)
        })
        .await
    }

    pub(crate) async fn put_stream(
        &self,
        path: &FilePath,
        mut content: BoxStream<'_, Result<Bytes>>,
    ) -> Result<u64> {
        let drafts = self.drafts();
        // Where a link leads out, nothing is written before that is known.
        let draft = self.at(path, move |_| drafts.create()).await?;
        let mut file = tokio::fs::File::from_std(draft.file().try_clone()?);
        let mut size = 0;
        while let Some(piece) = content.try_next().await? {
            size += piece.len() as u64;
            file.write_all(&piece).await?;
        }
        file.flush().await?;
        drop(file);
        self.keep(path, draft).await?;
        Ok(size)
    }

    /// Gives a finished file its name.
    pub(crate) async fn keep(&self, path: &FilePath, draft: TemporaryFile) -> Result<()> {
        let drafts = self.drafts();
        self.at(path, move |place| keep(draft, place, &drafts)).await
    }

    pub(crate) async fn read(
        &self,
        path: &FilePath,
        range: Option<Range<u64>>,
    ) -> Result<Option<FileStream>> {
        let own_path = path.as_str().to_owned();
        let opened = self
            .at(path, move |place| {
                let Some(mut file) = present(fs::File::open(place))? else { return Ok(None) };
                let about = file.metadata()?;
                if !about.is_file() {
                    return Ok(None);
                }
                let info = info(own_path, &about);
                let range = within(range, info.size);
                file.seek(SeekFrom::Start(range.start))?;
                Ok(Some((info, range, file)))
            })
            .await?;
        Ok(opened.map(|(info, range, file)| {
            let bytes = pieces(file, range.end - range.start);
            FileStream::new(info, range, bytes)
        }))
    }

    pub(crate) async fn info(&self, path: &FilePath) -> Result<Option<FileInfo>> {
        let own_path = path.as_str().to_owned();
        self.at(path, |place| {
            let about = present(fs::metadata(place))?.filter(fs::Metadata::is_file);
            Ok(about.map(|about| info(own_path, &about)))
        })
        .await
    }

    pub(crate) async fn delete(&self, path: &FilePath) -> Result<bool> {
        self.at(path, |place| Ok(present(fs::remove_file(place))?.is_some())).await
    }

    pub(crate) async fn copy(&self, from: &FilePath, to: &FilePath) -> Result<bool> {
        let source = self.at(from, |place| Ok(place.to_owned())).await?;
        let drafts = self.drafts();
        self.at(to, move |place| {
            let Some(mut source) = present(fs::File::open(source))? else { return Ok(false) };
            if !source.metadata()?.is_file() {
                return Ok(false);
            }
            let draft = drafts.create()?;
            io::copy(&mut source, &mut draft.file())?;
            keep(draft, place, &drafts)?;
            Ok(true)
        })
        .await
    }

    pub(crate) async fn rename(&self, from: &FilePath, to: &FilePath) -> Result<bool> {
        let source = self.at(from, |place| Ok(place.to_owned())).await?;
        self.at(to, move |place| {
            if !present(fs::metadata(&source))?.is_some_and(|about| about.is_file()) {
                return Ok(false);
            }
            make_folder(place)?;
            Ok(present(fs::rename(&source, place))?.is_some())
        })
        .await
    }

    pub(crate) async fn list(
        &self,
        folder: Option<&FilePath>,
    ) -> Result<BoxStream<'static, Result<FileInfo>>> {
        let found = match folder {
            Some(folder) => {
                let prefix = format!("{}/", folder.as_str());
                self.at(folder, move |place| files_in(place, &prefix)).await?
            }
            None => {
                let root = self.root.clone();
                let done = tokio::task::spawn_blocking(move || files_in(&root, "")).await?;
                done.map_err(|error| self.explain(error, ""))?
            }
        };
        Ok(stream::iter(found.into_iter().map(Ok)).boxed())
    }

    async fn at<T: Send + 'static>(
        &self,
        path: &FilePath,
        work: impl FnOnce(&Path) -> io::Result<T> + Send + 'static,
    ) -> Result<T> {
        let (root, below) = (self.root.clone(), path.clone());
        let done = tokio::task::spawn_blocking(move || match place::inside(&root, &below)? {
            Some(place) => work(&place),
            None => {
                Err(io::Error::new(io::ErrorKind::PermissionDenied, "a link there leads out of the disk"))
            }
        });
        done.await?.map_err(|error| self.explain(error, path.as_str()))
    }

    fn explain(&self, error: io::Error, path: &str) -> Error {
        let root = self.root.display();
        Error::from(error).context(format!("the file `{path}` on the disk `{}` ({root})", self.name))
    }
}

fn keep(file: TemporaryFile, place: &Path, drafts: &TemporaryFolder) -> io::Result<()> {
    make_folder(place)?;
    file.keep_as(place, drafts)
}

fn make_folder(place: &Path) -> io::Result<()> {
    fs::create_dir_all(place.parent().unwrap_or(place))
}

/// The files below a folder, by path.
fn files_in(folder: &Path, prefix: &str) -> io::Result<Vec<FileInfo>> {
    let mut found = Vec::new();
    walk(folder, prefix, &mut found)?;
    found.sort_by(|one, other| one.path.cmp(&other.path));
    Ok(found)
}

/// The files below a folder. Neither hidden ones nor links: what cannot be asked for is not listed.
fn walk(folder: &Path, prefix: &str, found: &mut Vec<FileInfo>) -> io::Result<()> {
    let Some(entries) = present(fs::read_dir(folder))? else { return Ok(()) };
    for entry in entries {
        let entry = entry?;
        let Ok(name) = entry.file_name().into_string() else { continue };
        if FilePath::plain(&name).is_none() {
            continue;
        }
        // It may have gone meanwhile.
        let Some(about) = present(entry.metadata())? else { continue };
        let path = format!("{prefix}{name}");
        if about.is_dir() {
            walk(&entry.path(), &format!("{path}/"), found)?;
        } else if about.is_file() {
            found.push(info(path, &about));
        }
    }
    Ok(())
}

fn info(path: String, about: &fs::Metadata) -> FileInfo {
    let modified = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
    FileInfo { path, size: about.len(), modified }
}

/// The part of a range that a file of this size has.
pub(crate) fn within(range: Option<Range<u64>>, size: u64) -> Range<u64> {
    let range = range.unwrap_or(0..size);
    let end = range.end.min(size);
    range.start.min(end)..end
}

/// Exactly so many bytes, or an error: a file that shrinks meanwhile must not look complete.
fn pieces(file: fs::File, length: u64) -> BoxStream<'static, Result<Bytes>> {
    let next = |(mut file, left): (fs::File, u64)| async move {
        if left == 0 {
            return Ok::<_, Error>(None);
        }
        let read = tokio::task::spawn_blocking(move || {
            let mut piece = vec![0; PIECE.min(usize::try_from(left).unwrap_or(PIECE))];
            let read = file.read(&mut piece)?;
            if read == 0 {
                return Err(io::Error::from(io::ErrorKind::UnexpectedEof));
            }
            piece.truncate(read);
            Ok((Bytes::from(piece), file))
        });
        let (piece, file) = read.await??;
        let left = left - piece.len() as u64;
        Ok(Some((piece, (file, left))))
    };
    stream::try_unfold((file, length), next).boxed()
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
