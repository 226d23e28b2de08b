use std::pin::Pin;
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};

use axum::body::{Body, BodyDataStream};
use bytes::Bytes;
use futures_util::{Stream, StreamExt, stream};
use housekey_core::Result;
use housekey_validation::uploads::TemporaryFile;
use tokio::io::{AsyncReadExt, AsyncSeekExt, AsyncWriteExt};

use super::multipart_reader::{MultipartField, MultipartReader, unreadable};
use super::receive::{boundary, folder, read_text};
use crate::Request;

/// The texts in front of a file, in bytes: a token, and what else is asked for before anybody is trusted with a disk.
const MOST_LEADING_TEXT: usize = 64 * 1024;

/// All that is kept in memory of a form's beginning: the texts, what stands between them, and as much of the first file as came
/// along with them.
const MOST_START: usize = MOST_LEADING_TEXT + 256 * 1024;

/// The texts of a multipart form that stand in front of its first file. The request keeps the body as it was sent: what was
/// read is put back in front of what is still to come.
///
/// So the token of a large form is checked before a byte of its files is written anywhere.
pub(crate) async fn read_start(request: &mut Request) -> Result<Vec<(String, String)>> {
    let boundary = boundary(request.headers())?;
    let body = std::mem::take(request.body_mut()).into_data_stream();
    let recording = Arc::new(Mutex::new(Recording { body, read: Vec::new(), is_over: false }));
    let texts = texts(MultipartReader::up_to(MOST_START, Recorder(recording.clone()), boundary)).await?;
    // The form was dropped with its hold on the body.
    if let Some(recording) = Arc::into_inner(recording) {
        *request.body_mut() = recording.into_inner().unwrap_or_else(PoisonError::into_inner).into_body();
    }
    Ok(texts)
}

/// All texts of a multipart form, also those behind files. Its body waits on the disk meanwhile: memory is for many.
pub(crate) async fn read_texts(request: &mut Request) -> Result<Vec<(String, String)>> {
    let boundary = boundary(request.headers())?;
    let mut body = std::mem::take(request.body_mut()).into_data_stream();
    let folder = folder()?;
    let kept = tokio::task::spawn_blocking(move || folder.create()).await??;
    let mut file = tokio::fs::File::from_std(kept.file().try_clone()?);
    while let Some(piece) = body.next().await {
        file.write_all(&piece.map_err(|error| unreadable(&multer::Error::StreamReadFailed(error.into())))?)
            .await?;
    }
    file.flush().await?;
    let mut form = MultipartReader::new(pieces(file, None).await?, boundary);
    let (mut texts, mut room) = (Vec::new(), MOST_LEADING_TEXT);
    while let Some(mut field) = form.next_field().await? {
        let name = field.name().filter(|_| field.file_name().is_none()).map(str::to_owned);
        let Some(name) = name else {
            field.skip().await?;
            continue;
        };
        let Some(text) = read_named(&name, &mut field, &mut room).await? else { break };
        texts.push((name, text));
    }
    drop(form);
    let file = tokio::fs::File::from_std(kept.file().try_clone()?);
    *request.body_mut() = Body::from_stream(pieces(file, Some(kept)).await?);
    Ok(texts)
}

/// A file from its beginning. `kept` goes away with the stream.
async fn pieces(
    mut file: tokio::fs::File,
    kept: Option<TemporaryFile>,
) -> Result<impl Stream<Item = std::io::Result<Bytes>> + Send + use<>> {
    file.rewind().await?;
    Ok(stream::try_unfold((file, kept), |(mut file, kept)| async move {
        let mut piece = vec![0; 64 * 1024];
        let read = file.read(&mut piece).await?;
        piece.truncate(read);
        Ok((read > 0).then(|| (Bytes::from(piece), (file, kept))))
    }))
}

async fn texts(mut form: MultipartReader) -> Result<Vec<(String, String)>> {
    let (mut texts, mut room) = (Vec::new(), MOST_LEADING_TEXT);
    while let Some(mut field) = form.next_field().await? {
        if field.file_name().is_some() {
            break;
        }
        let Some(name) = field.name().map(str::to_owned) else {
            field.skip().await?;
            continue;
        };
        // Too long for what is looked for here; whoever reads the whole form has limits of their own.
        let Some(text) = read_named(&name, &mut field, &mut room).await? else { break };
        texts.push((name, text));
    }
    Ok(texts)
}

/// The text of a field, if there is room for it and its name.
async fn read_named(name: &str, field: &mut MultipartField, room: &mut usize) -> Result<Option<String>> {
    let Some(left) = room.checked_sub(name.len()) else { return Ok(None) };
    *room = left;
    read_text(field, room).await
}

struct Recording {
    body: BodyDataStream,
    read: Vec<Bytes>,
    is_over: bool,
}

impl Recording {
    fn into_body(self) -> Body {
        let read = stream::iter(self.read.into_iter().map(Ok));
        match self.is_over {
            true => Body::from_stream(read),
            false => Body::from_stream(read.chain(self.body)),
        }
    }
}

struct Recorder(Arc<Mutex<Recording>>);

impl Stream for Recorder {
    type Item = Result<Bytes, axum::Error>;

    fn poll_next(self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let mut recording = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let next = recording.body.poll_next_unpin(cx);
        match &next {
            Poll::Ready(Some(Ok(piece))) => recording.read.push(piece.clone()),
            Poll::Ready(None) => recording.is_over = true,
            _ => {}
        }
        next
    }
}
