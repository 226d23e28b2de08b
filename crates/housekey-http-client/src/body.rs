//! What is sent and what comes back, in one piece or in many.

use std::fmt;
use std::io;
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use bytes::Bytes;
use futures_util::{Stream, StreamExt, TryStreamExt, stream};
use http::{HeaderMap, StatusCode};
use http_body::Frame;
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, LengthLimitError, Limited, StreamBody};
use hyper::body::Incoming;
use tokio::task::JoinHandle;

use crate::HttpError;

pub(crate) type Pieces<E> = Pin<Box<dyn Stream<Item = Result<Bytes, E>> + Send>>;

/// The body of a request.
pub(crate) enum RequestBody {
    Bytes(Bytes),
    /// It can be sent once.
    Stream(Pieces<io::Error>),
}

impl RequestBody {
    /// The same once more, where that is possible.
    pub(crate) fn again(&self) -> Option<Self> {
        match self {
            Self::Bytes(bytes) => Some(Self::Bytes(bytes.clone())),
            Self::Stream(_) => None,
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        matches!(self, Self::Bytes(bytes) if bytes.is_empty())
    }

    pub(crate) fn into_body(self) -> UnsyncBoxBody<Bytes, io::Error> {
        match self {
            Self::Bytes(bytes) => Full::new(bytes).map_err(|never| match never {}).boxed_unsync(),
            Self::Stream(pieces) => StreamBody::new(pieces.map_ok(Frame::data)).boxed_unsync(),
        }
    }

    /// All of it, for a fake.
    pub(crate) async fn collect(self) -> Result<Bytes, HttpError> {
        let collected = self.into_body().collect().await;
        collected.map(http_body_util::Collected::to_bytes).map_err(|error| unread(&error))
    }
}

/// The connection is driven by a task of its own, which ends with whoever reads from it.
pub(crate) struct Connection(JoinHandle<()>);

impl Connection {
    pub(crate) fn drive(connection: impl Future<Output = ()> + Send + 'static) -> Self {
        Self(tokio::spawn(connection))
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// The body of an answer, as it comes.
pub(crate) struct ResponseBody {
    pub(crate) incoming: Incoming,
    pub(crate) connection: Connection,
}

impl ResponseBody {
    /// All of it, if it is not larger than that.
    pub(crate) async fn collect(self, host: &str, largest: usize) -> Result<Bytes, HttpError> {
        match Limited::new(self.incoming, largest).collect().await {
            Ok(body) => Ok(body.to_bytes()),
            Err(error) if error.is::<LengthLimitError>() => Err(too_long(host, largest)),
            Err(error) => Err(HttpError::unreachable(format!("could not speak to {host}: {error}"))),
        }
    }

    /// Piece by piece. A host that says nothing for so long is left.
    pub(crate) fn pieces(self, host: String, time_limit: Duration) -> Pieces<HttpError> {
        let Self { incoming, connection } = self;
        let start = (incoming.into_data_stream(), connection, host);
        Box::pin(stream::try_unfold(start, move |(mut body, connection, host)| async move {
            match tokio::time::timeout(time_limit, body.next()).await {
                Ok(Some(Ok(piece))) => Ok(Some((piece, (body, connection, host)))),
                Ok(Some(Err(error))) => {
                    Err(HttpError::unreachable(format!("the answer of {host} broke off: {error}")))
                }
                Ok(None) => Ok(None),
                Err(_) => Err(HttpError::timeout(format!(
                    "{host} stopped answering for {} s",
                    time_limit.as_secs_f32()
                ))),
            }
        }))
    }
}

pub(crate) fn too_long(host: &str, largest: usize) -> HttpError {
    HttpError::answer(format!("the answer of {host} is longer than {largest} bytes"))
}

fn unread(error: &io::Error) -> HttpError {
    HttpError::unreachable(format!("what was to be sent could not be read: {error}"))
}

/// An answer that is read piece by piece, from [`HttpCall::stream`](crate::HttpCall::stream): for files that are larger than
/// the memory for them should be. It ends with an error when the host stops before the end.
pub struct HttpStream {
    pub status: StatusCode,
    pub headers: HeaderMap,
    pub(crate) pieces: Pieces<HttpError>,
}

impl Stream for HttpStream {
    type Item = Result<Bytes, HttpError>;

    fn poll_next(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        self.pieces.as_mut().poll_next(context)
    }
}

/// Its status, and nothing of what it holds.
impl fmt::Debug for HttpStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "HttpStream({})", self.status.as_u16())
    }
}
