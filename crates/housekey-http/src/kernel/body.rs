use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::DefaultBodyLimit;
use housekey_core::{Error, Result};
use http::StatusCode;
use http::header::EXPECT;
use http_body::{Frame, SizeHint};
use http_body_util::{BodyExt, Limited};

use crate::Request;

/// The body of a request on its way in: how large it may be, and whether it has arrived.
#[derive(Clone, Default)]
pub(super) struct Upload {
    /// `None` for a request without a body, which is most of them.
    arrived: Option<Arc<AtomicBool>>,
}

impl Upload {
    pub(super) fn of(request: &Request) -> Self {
        Self { arrived: (!request.body().is_end_stream()).then(Arc::default) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.arrived.is_none()
    }

    /// Refuses a body that says it is too large, and stops reading one that turns out to be.
    pub(super) fn limit(&self, request: &mut Request, limit: usize) -> Result<()> {
        let size = request.body().size_hint();
        if size.lower() > limit as u64 {
            return Err(Error::payload_too_large());
        }
        // Ours is the limit that counts; axum's own would stop at 2 MB whatever the configuration says.
        DefaultBodyLimit::disable().apply(request);
        let arrived = self.arrived.clone().unwrap_or_default();
        let body = std::mem::take(request.body_mut());
        *request.body_mut() = Body::new(Arriving { body: Limited::new(body, limit), arrived });
        Ok(())
    }

    /// 408 if the client was still sending, 503 if it was waiting for us.
    pub(super) fn timed_out(&self, seconds: u64) -> Error {
        let was_sending = self.arrived.as_ref().is_some_and(|arrived| !arrived.load(Ordering::Relaxed));
        if was_sending {
            return too_slow();
        }
        Error::unavailable(Duration::from_secs(5))
            .context(format!("the request was given up after {seconds} seconds (http.request_timeout)"))
    }
}

/// Takes what is still on its way, and throws it away. A browser reads no answer before it has sent its form, and is told
/// that the connection broke if we hang up meanwhile.
pub(crate) async fn discard(request: &mut Request) {
    // A client that asks first has not sent anything yet, and need not.
    if request.headers().contains_key(EXPECT) {
        return;
    }
    let mut body = std::mem::take(request.body_mut());
    let reading = async {
        let mut left = MOST_DISCARDED;
        while let Some(Ok(frame)) = body.frame().await {
            match left.checked_sub(frame.data_ref().map_or(0, |data| data.len())) {
                Some(rest) => left = rest,
                None => return,
            }
        }
    };
    // Who has not come to an end by then is not waited for.
    let _ = tokio::time::timeout(LONGEST_DISCARD, reading).await;
}

const MOST_DISCARDED: usize = 256 * 1024 * 1024;
const LONGEST_DISCARD: Duration = Duration::from_secs(10);

pub(super) fn too_slow() -> Error {
    Error::new(StatusCode::REQUEST_TIMEOUT, "The request took too long to arrive.")
}

struct Arriving {
    body: Limited<Body>,
    arrived: Arc<AtomicBool>,
}

impl HttpBody for Arriving {
    type Data = axum::body::Bytes;
    type Error = Box<dyn std::error::Error + Send + Sync>;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let frame = Pin::new(&mut self.body).poll_frame(cx);
        if matches!(frame, Poll::Ready(None)) || self.body.is_end_stream() {
            self.arrived.store(true, Ordering::Relaxed);
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
