use std::error::Error as StdError;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::task::{Context, Poll};
use std::{fmt, iter};

use bytes::Bytes;
use futures_util::stream::Fuse;
use futures_util::{Stream, StreamExt};
use housekey_core::{Error, Result};
use http::StatusCode;
use http_body_util::LengthLimitError;

/// More fields than any form has.
const MOST_FIELDS: usize = 1000;

/// A boundary and a few headers stand between two fields, and mostly nothing in front of the first. The parser keeps all of
/// it until it has found the end, and looks through it from its beginning whenever more has come: a form whose end never
/// comes must not cost memory, nor time that grows with the square of its length.
const MOST_BETWEEN_FIELDS: usize = 256 * 1024;

/// So much is given to the parser before it looks at what it has.
const PIECE: usize = 64 * 1024;

/// The fields of a multipart form, read as they come. What stands between them, and how many there are, has limits; what is in
/// them is for the caller to count.
pub(super) struct MultipartReader {
    form: multer::Multipart<'static>,
    fields: usize,
    flow: Arc<FlowControl>,
}

/// A field whose content comes in pieces.
pub(super) struct MultipartField {
    field: multer::Field<'static>,
    flow: Arc<FlowControl>,
}

impl MultipartReader {
    pub(super) fn new<S, E>(body: S, boundary: String) -> Self
    where
        S: Stream<Item = Result<Bytes, E>> + Send + 'static,
        E: Into<BoxError> + 'static,
    {
        Self::up_to(usize::MAX, body, boundary)
    }

    /// The same for a form of which no more than so many bytes are wanted, whatever they are. More is 413.
    pub(super) fn up_to<S, E>(most: usize, body: S, boundary: String) -> Self
    where
        S: Stream<Item = Result<Bytes, E>> + Send + 'static,
        E: Into<BoxError> + 'static,
    {
        let flow = Arc::new(FlowControl::default());
        let pieces =
            Pieces { body: Box::pin(body.fuse()), rest: Bytes::new(), until_end: most, flow: flow.clone() };
        Self { form: multer::Multipart::new(pieces, boundary), fields: 0, flow }
    }

    /// The next field. The one before must have been read to its end: what is left of it would count as standing in between.
    pub(super) async fn next_field(&mut self) -> Result<Option<MultipartField>> {
        self.flow.pause();
        self.flow.until_field.store(MOST_BETWEEN_FIELDS, Ordering::Relaxed);
        let field = self.form.next_field().await.map_err(|error| unreadable(&error))?;
        // The parser hands on what is in a field as it comes.
        self.flow.until_field.store(usize::MAX, Ordering::Relaxed);
        let Some(field) = field else { return Ok(None) };
        self.fields += 1;
        if self.fields > MOST_FIELDS {
            return Err(Error::bad_request("There are more fields than we accept."));
        }
        Ok(Some(MultipartField { field, flow: self.flow.clone() }))
    }
}

impl MultipartField {
    pub(super) fn name(&self) -> Option<&str> {
        self.field.name()
    }

    /// The name of the file, if the field is one.
    pub(super) fn file_name(&self) -> Option<&str> {
        self.field.file_name()
    }

    pub(super) async fn chunk(&mut self) -> Result<Option<Bytes>> {
        self.flow.pause();
        self.field.chunk().await.map_err(|error| unreadable(&error))
    }

    /// Reads to the end, and keeps nothing of it.
    pub(super) async fn skip(&mut self) -> Result<()> {
        while self.chunk().await?.is_some() {}
        Ok(())
    }
}

/// How fast the parser gets its pieces. Whatever it is asked for, it first takes all that it can get, also if it has the answer
/// already: a form of many small fields would be in memory as a whole.
#[derive(Debug, Default)]
struct FlowControl {
    /// How much it got since it last looked at what it has.
    given: AtomicUsize,
    /// How much it may get until the next field begins.
    until_field: AtomicUsize,
}

impl FlowControl {
    /// Lets the parser look before it gets more.
    fn pause(&self) {
        self.given.store(PIECE, Ordering::Relaxed);
    }

    /// Tells the parser that there is nothing more just now, and to come again.
    fn look_first<T>(&self, cx: &Context<'_>) -> Poll<T> {
        self.given.store(0, Ordering::Relaxed);
        cx.waker().wake_by_ref();
        Poll::Pending
    }
}

type BoxError = Box<dyn StdError + Send + Sync>;

/// Why reading stopped: there is more than a form has in this place.
#[derive(Debug)]
pub(super) struct TooLong;

impl fmt::Display for TooLong {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("more came than a form has in this place")
    }
}

impl StdError for TooLong {}

/// A body in pieces, with pauses in which the parser looks at what it has.
struct Pieces<S> {
    body: Pin<Box<Fuse<S>>>,
    /// What is left of something large that arrived at once.
    rest: Bytes,
    until_end: usize,
    flow: Arc<FlowControl>,
}

impl<S, E> Stream for Pieces<S>
where
    S: Stream<Item = Result<Bytes, E>>,
    E: Into<BoxError>,
{
    type Item = Result<Bytes, BoxError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        let given = self.flow.given.load(Ordering::Relaxed);
        if given == PIECE {
            return self.flow.look_first(cx);
        }
        if self.rest.is_empty() {
            match self.body.poll_next_unpin(cx) {
                Poll::Ready(Some(Ok(arrived))) => self.rest = arrived,
                Poll::Ready(Some(Err(error))) => return Poll::Ready(Some(Err(error.into()))),
                // At the end the parser gives up its search for the first boundary, without a look at what came last.
                Poll::Ready(None) if given > 0 => return self.flow.look_first(cx),
                Poll::Ready(None) => return Poll::Ready(None),
                Poll::Pending => {
                    self.flow.given.store(0, Ordering::Relaxed);
                    return Poll::Pending;
                }
            }
        }
        let length = self.rest.len().min(PIECE - given);
        let until_field = self.flow.until_field.load(Ordering::Relaxed);
        if length > self.until_end.min(until_field) {
            return Poll::Ready(Some(Err(TooLong.into())));
        }
        self.until_end -= length;
        self.flow.until_field.store(until_field - length, Ordering::Relaxed);
        self.flow.given.store(given + length, Ordering::Relaxed);
        Poll::Ready(Some(Ok(self.rest.split_to(length))))
    }
}

/// What is wrong with a form that cannot be read on.
pub(super) fn unreadable(error: &multer::Error) -> Error {
    let causes = iter::successors(Some(error as &(dyn StdError + 'static)), |error| (*error).source());
    let mut causes = causes.skip(1);
    match error {
        _ if causes.any(|cause| cause.is::<LengthLimitError>() || cause.is::<TooLong>()) => {
            Error::payload_too_large()
        }
        multer::Error::StreamReadFailed(_) | multer::Error::IncompleteStream => {
            Error::bad_request("The request's body could not be read to its end.").context(error.to_string())
        }
        _ => Error::new(StatusCode::BAD_REQUEST, "The form is malformed.").context(error.to_string()),
    }
}
