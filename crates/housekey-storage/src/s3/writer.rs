use std::sync::Arc;

use bytes::Bytes;
use futures_util::TryStreamExt;
use futures_util::stream::BoxStream;
use housekey_core::{Error, Result};
use object_store::aws::AmazonS3;
use object_store::path::Path;
use object_store::{Attributes, ObjectStore, PutMultipartOptions, PutOptions, PutPayload, WriteMultipart};
use tokio::sync::mpsc;

/// Files are cut into parts of this size. S3 takes ten thousand of them: 80 GB.
const PART: usize = 8 * 1024 * 1024;

/// One part is on its way while the next one is gathered; memory holds these two.
const IN_MEMORY: usize = 2;

/// Writes a stream to a bucket, and says how many bytes that were. Nothing is seen under the key before all of it is there.
pub(super) async fn write(
    store: Arc<AmazonS3>,
    key: Path,
    attributes: Attributes,
    mut content: BoxStream<'_, Result<Bytes>>,
) -> Result<u64> {
    let (mut start, mut size) = (Vec::new(), 0);
    while size < PART {
        match content.try_next().await? {
            Some(piece) => {
                size += piece.len();
                start.push(piece);
            }
            // All of it fits into one request.
            None => {
                let options = PutOptions { attributes, ..PutOptions::default() };
                store.put_opts(&key, PutPayload::from_iter(start), options).await?;
                return Ok(size as u64);
            }
        }
    }
    let options = PutMultipartOptions { attributes, ..PutMultipartOptions::default() };
    let upload = store.put_multipart_opts(&key, options).await?;
    // In a task of its own, which lives on when the caller's request is given up: the parts have to be thrown away then.
    let (pieces, received) = mpsc::channel(1);
    let parts = WriteMultipart::new_with_chunk_size(upload, PART);
    let writing = tokio::spawn(write_parts(parts, received));
    let fed = feed(&pieces, start, content).await;
    let total = match &fed {
        Ok(total) => pieces.send(Step::Finish).await.map(|()| *total),
        // Dropped without a last word, it throws the parts away.
        Err(_) => Ok(0),
    };
    drop(pieces);
    // Its error tells more than that it has stopped listening.
    writing.await??;
    fed?;
    total.map_err(|_| Error::internal("the upload was broken off"))
}

enum Step {
    Write(Bytes),
    Finish,
}

async fn feed(
    pieces: &mpsc::Sender<Step>,
    start: Vec<Bytes>,
    mut content: BoxStream<'_, Result<Bytes>>,
) -> Result<u64> {
    let mut total = 0;
    let mut start = start.into_iter();
    loop {
        let piece = match start.next() {
            Some(piece) => piece,
            None => match content.try_next().await? {
                Some(piece) => piece,
                None => return Ok(total),
            },
        };
        total += piece.len() as u64;
        if pieces.send(Step::Write(piece)).await.is_err() {
            // Its error is asked for by the caller.
            return Ok(total);
        }
    }
}

async fn write_parts(mut parts: WriteMultipart, mut received: mpsc::Receiver<Step>) -> Result<()> {
    loop {
        match received.recv().await {
            Some(Step::Write(piece)) => {
                if let Err(error) = parts.wait_for_capacity(IN_MEMORY).await {
                    throw_away(parts).await;
                    return Err(error.into());
                }
                parts.put(piece);
            }
            Some(Step::Finish) => {
                parts.finish().await?;
                return Ok(());
            }
            None => {
                throw_away(parts).await;
                return Ok(());
            }
        }
    }
}

async fn throw_away(parts: WriteMultipart) {
    if let Err(error) = parts.abort().await {
        tracing::warn!(%error, "the parts of a file that was broken off stay in the bucket, and are paid for");
    }
}
