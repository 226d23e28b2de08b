use std::io;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, AtomicU64, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, Bytes, HttpBody};
use http_body::{Frame, SizeHint};
use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::task::AbortHandle;
use tokio::time::{Interval, MissedTickBehavior};

use crate::Response;

/// Whether a connection gets on: requests that begin and end, and bytes that leave. Bytes that arrive do not count,
/// or a client could hold a connection by sending its headers one letter at a time.
///
/// Why not hyper's own `header_read_timeout`: it sets up a timer for every request, which costs as much as finding
/// its route; here one sweep looks after all connections.
#[derive(Debug, Default)]
pub(super) struct Pace {
    progress: AtomicU64,
    /// Requests being answered, and bodies being streamed.
    busy: AtomicU32,
}

impl Pace {
    fn step(&self) {
        self.progress.fetch_add(1, Ordering::Relaxed);
    }

    /// Marks the connection as busy for as long as the answer lives.
    pub(super) fn work(self: &Arc<Self>) -> Busy {
        self.busy.fetch_add(1, Ordering::Relaxed);
        self.step();
        Busy(self.clone())
    }
}

/// See [`Pace::work`].
pub(super) struct Busy(Arc<Pace>);

impl Busy {
    /// Stays busy until the body has been sent, if that is a stream which may pause. One that is there already only
    /// has to be taken by the client.
    pub(super) fn until_sent(self, response: Response) -> Response {
        if response.body().size_hint().exact().is_some() {
            return response;
        }
        response.map(|body| Body::new(Streaming { body, _busy: self }))
    }
}

impl Drop for Busy {
    fn drop(&mut self) {
        self.0.step();
        self.0.busy.fetch_sub(1, Ordering::Relaxed);
    }
}

struct Streaming {
    body: Body,
    _busy: Busy,
}

impl HttpBody for Streaming {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// Ends connections that do not get on.
#[derive(Default)]
pub(super) struct Sweep(Vec<Watched>);

struct Watched {
    pace: Arc<Pace>,
    connection: AbortHandle,
    seen: u64,
    sweeps: u32,
}

/// How many sweeps in a row may find a connection standing still.
const PATIENCE: u32 = 2;

impl Sweep {
    /// When to sweep, so that a connection may stand still for so many seconds, and half as many more at most.
    pub(super) fn ticks(seconds: u64) -> Interval {
        const NEVER: Duration = Duration::from_secs(365 * 24 * 60 * 60);
        let patience = if seconds == 0 { NEVER } else { Duration::from_secs(seconds) };
        let mut ticks = tokio::time::interval(patience / PATIENCE);
        ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
        ticks
    }

    pub(super) fn watch(&mut self, pace: Arc<Pace>, connection: AbortHandle) {
        self.0.push(Watched { pace, connection, seen: 0, sweeps: 0 });
    }

    /// Looks at every connection once.
    pub(super) fn run(&mut self) {
        self.0.retain_mut(|watched| {
            let progress = watched.pace.progress.load(Ordering::Relaxed);
            let stands_still = progress == watched.seen && watched.pace.busy.load(Ordering::Relaxed) == 0;
            watched.seen = progress;
            watched.sweeps = if stands_still { watched.sweeps + 1 } else { 0 };
            if watched.sweeps > PATIENCE {
                tracing::debug!("a connection stood still and was closed");
                watched.connection.abort();
            }
            !watched.connection.is_finished() && watched.sweeps <= PATIENCE
        });
    }
}

/// A stream whose outgoing bytes count as progress.
pub(super) struct Paced<S> {
    stream: S,
    pace: Arc<Pace>,
}

impl<S> Paced<S> {
    pub(super) fn new(stream: S, pace: Arc<Pace>) -> Self {
        Self { stream, pace }
    }

    fn note(&self, written: &Poll<io::Result<usize>>) {
        if matches!(written, Poll::Ready(Ok(1..))) {
            self.pace.step();
        }
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for Paced<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for Paced<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.note(&written);
        written
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[io::IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.note(&written);
        written
    }

    fn is_write_vectored(&self) -> bool {
        self.stream.is_write_vectored()
    }

    fn poll_flush(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_flush(cx)
    }

    fn poll_shutdown(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_shutdown(cx)
    }
}
