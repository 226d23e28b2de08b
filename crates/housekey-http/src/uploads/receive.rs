use bytes::Bytes;
use housekey_core::{Error, Paths, Result, service};
use housekey_validation::uploads::{Progress, ReceivedFiles, TemporaryFolder, Upload, UploadWriter};
use http::header::CONTENT_TYPE;

use super::multipart_reader::{MultipartField, MultipartReader};
use crate::Request;

/// More text than is typed into a form, with the names of its fields and files.
pub(crate) const MOST_TEXT: usize = 2 * 1024 * 1024;

/// The fields of a form in their order: texts, and files by their handles.
type Pairs = Vec<(String, String)>;

/// Reads a multipart form to its end. `limit` says how large the file of a field may be, or that no file is wanted there:
/// then its name stands for it, and its content is not kept anywhere.
pub(crate) async fn receive(
    request: Request,
    limit: impl Fn(&str) -> Option<u64> + Send,
) -> Result<(Pairs, ReceivedFiles)> {
    let progress = request.extensions().get::<Progress>().cloned().unwrap_or_default();
    let mut form = open(request)?;
    let (mut pairs, mut files, mut room) = (Pairs::new(), ReceivedFiles::default(), MOST_TEXT);
    while let Some(mut field) = form.next_field().await? {
        let Some(name) = field.name().map(str::to_owned) else {
            field.skip().await?;
            continue;
        };
        let file_name = field.file_name().map(str::to_owned);
        let names = name.len() + file_name.as_ref().map_or(0, String::len);
        room = room.checked_sub(names).ok_or_else(Error::payload_too_large)?;
        let Some(file_name) = file_name else {
            let text = read_text(&mut field, &mut room).await?.ok_or_else(Error::payload_too_large)?;
            pairs.push((name, text));
            continue;
        };
        let value = match limit(&name) {
            // A file field that was left empty.
            Some(_) if file_name.is_empty() => {
                field.skip().await?;
                continue;
            }
            Some(limit) => {
                files.expect_another()?;
                let content = Source::Field(&mut field);
                files.add(&name, keep(file_name, limit, content, progress.clone()).await?)
            }
            None => {
                field.skip().await?;
                if file_name.is_empty() {
                    continue;
                }
                file_name.rsplit(['/', '\\']).next().unwrap_or_default().to_owned()
            }
        };
        pairs.push((name, value));
    }
    Ok((pairs, files))
}

/// Makes an upload of a file that is in memory already.
pub(crate) async fn from_memory(name: String, content: Bytes, limit: u64) -> Result<Upload> {
    keep(name, limit, Source::Memory(Some(content)), Progress::default()).await
}

/// A form whose body comes as it is read.
fn open(request: Request) -> Result<MultipartReader> {
    let boundary = boundary(request.headers())?;
    Ok(MultipartReader::new(request.into_body().into_data_stream(), boundary))
}

pub(super) fn boundary(headers: &http::HeaderMap) -> Result<String> {
    let header = headers.get(CONTENT_TYPE).and_then(|header| header.to_str().ok());
    let boundary = header.and_then(|header| multer::parse_boundary(header).ok());
    boundary.ok_or_else(|| Error::bad_request("The form has no boundary between its fields."))
}

/// The text of a field; `None` if there is no room for it.
pub(super) async fn read_text(field: &mut MultipartField, room: &mut usize) -> Result<Option<String>> {
    let mut text = Vec::new();
    while let Some(piece) = field.chunk().await? {
        let Some(left) = room.checked_sub(piece.len()) else { return Ok(None) };
        *room = left;
        text.extend_from_slice(&piece);
    }
    String::from_utf8(text).map(Some).map_err(|_| Error::bad_request("The fields are not valid UTF-8 text."))
}

enum Source<'a> {
    Field(&'a mut MultipartField),
    Memory(Option<Bytes>),
}

impl Source<'_> {
    async fn next(&mut self) -> Result<Option<Bytes>> {
        match self {
            Self::Field(field) => field.chunk().await,
            Self::Memory(bytes) => Ok(bytes.take()),
        }
    }
}

/// Writes a file under a temporary name. Of one that is too large the rest is read, so that the form gets its answer, but
/// not written.
async fn keep(name: String, limit: u64, mut source: Source<'_>, progress: Progress) -> Result<Upload> {
    let mut file = UploadWriter::create(folder()?, name, limit).await.map_err(unwritable)?;
    while let Some(piece) = source.next().await? {
        file.write(&piece).await.map_err(unwritable)?;
    }
    file.finish(progress).await.map_err(unwritable)
}

/// Where uploads have their temporary names.
pub(crate) fn folder_of(paths: &Paths) -> TemporaryFolder {
    TemporaryFolder::new(paths.framework().join("uploads"))
}

pub(super) fn folder() -> Result<TemporaryFolder> {
    let paths = service::<Paths>();
    paths.map(|paths| folder_of(&paths)).ok_or_else(|| {
        Error::internal(
            "an upload was received outside of an application's scope: nobody knows where to put it",
        )
    })
}

fn unwritable(error: std::io::Error) -> Error {
    Error::from(error).context("an upload could not be written to storage/framework/uploads")
}
