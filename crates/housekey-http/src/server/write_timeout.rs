use std::io::{self, ErrorKind, IoSlice};
use std::pin::Pin;
use std::task::{Context, Poll};
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncWrite, ReadBuf};
use tokio::time::Sleep;

/// A stream that breaks off when the other end takes nothing of what is written for so long. hyper has no such limit, and a
/// client that does not read would keep its answer in memory and its connection open for ever.
pub(super) struct WriteTimeout<S> {
    stream: S,
    /// `None` for no limit.
    limit: Option<Duration>,
    /// Runs while a write waits.
    waiting: Option<Pin<Box<Sleep>>>,
}

impl<S> WriteTimeout<S> {
    pub(super) fn new(stream: S, limit: Option<Duration>) -> Self {
        Self { stream, limit, waiting: None }
    }

    fn check(&mut self, written: Poll<io::Result<usize>>, cx: &mut Context<'_>) -> Poll<io::Result<usize>> {
        let (Poll::Pending, Some(limit)) = (&written, self.limit) else {
            self.waiting = None;
            return written;
        };
        let waiting = self.waiting.get_or_insert_with(|| Box::pin(tokio::time::sleep(limit)));
        waiting.as_mut().poll(cx).map(|()| Err(ErrorKind::TimedOut.into()))
    }
}

impl<S: AsyncRead + Unpin> AsyncRead for WriteTimeout<S> {
    fn poll_read(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        buffer: &mut ReadBuf<'_>,
    ) -> Poll<io::Result<()>> {
        Pin::new(&mut self.stream).poll_read(cx, buffer)
    }
}

impl<S: AsyncWrite + Unpin> AsyncWrite for WriteTimeout<S> {
    fn poll_write(mut self: Pin<&mut Self>, cx: &mut Context<'_>, bytes: &[u8]) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write(cx, bytes);
        self.check(written, cx)
    }

    fn poll_write_vectored(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
        slices: &[IoSlice<'_>],
    ) -> Poll<io::Result<usize>> {
        let written = Pin::new(&mut self.stream).poll_write_vectored(cx, slices);
        self.check(written, cx)
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

#[cfg(test)]
mod tests {
    use tokio::io::{AsyncReadExt, AsyncWriteExt, duplex};

    use super::*;

    #[tokio::test(start_paused = true)]
    async fn a_reader_may_be_slow_but_not_stop() {
        let (ours, mut theirs) = duplex(8);
        let mut ours = WriteTimeout::new(ours, Some(Duration::from_secs(10)));
        let writing = tokio::spawn(async move { ours.write_all(&[0; 80]).await });
        for _ in 0..5 {
            tokio::time::sleep(Duration::from_secs(9)).await;
            theirs.read_exact(&mut [0; 8]).await.unwrap();
        }
        assert!(!writing.is_finished(), "45 seconds, and never 10 without a byte");
        assert_eq!(writing.await.unwrap().unwrap_err().kind(), ErrorKind::TimedOut);
    }
}
