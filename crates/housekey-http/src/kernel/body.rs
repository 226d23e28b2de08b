use std::pin::Pin;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use axum::body::{Body, HttpBody};
use axum::extract::DefaultBodyLimit;
use housekey_core::{Error, Result};
use housekey_validation::uploads::Progress;
use http::StatusCode;
use http::header::EXPECT;
use http_body::{Frame, SizeHint};
use http_body_util::{BodyExt, Limited};
use tokio::time::timeout;

use crate::Request;
use crate::validation::{FormBody, MemoryLimit};

/// The body of a request on its way in: how large it may be, and whether it has arrived.
#[derive(Clone, Default)]
pub(super) struct IncomingBody {
    /// `None` for a request without a body, which is most of them.
    state: Option<Arc<BodyState>>,
}

#[derive(Default)]
struct BodyState {
    is_complete: AtomicBool,
    bytes: AtomicU64,
    /// What went on from here to where it is kept.
    kept: Progress,
    is_form: bool,
    /// Whether the client waits for our word before it sends anything.
    asks_first: bool,
    /// What is still to come, once there is a limit to it.
    rest: Mutex<Option<SharedBody>>,
}

type SharedBody = Arc<Mutex<Limited<Body>>>;

/// A large body may take longer than a request may, if so many bytes of it come each second, or go on to a disk.
const LEAST_PER_SECOND: u64 = 16 * 1024;

impl IncomingBody {
    pub(super) fn of(request: &Request) -> Self {
        if request.body().is_end_stream() {
            return Self::default();
        }
        let is_form = FormBody::is_in(request.headers());
        let asks_first = request.headers().contains_key(EXPECT);
        Self { state: Some(Arc::new(BodyState { is_form, asks_first, ..BodyState::default() })) }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.state.is_none()
    }

    /// Does some work within a time, which begins anew as long as the body keeps arriving or its files
    /// are being kept. `None` if it was not enough.
    pub(super) async fn within<T>(
        &self,
        time: Duration,
        mut work: Pin<&mut impl Future<Output = T>>,
    ) -> Option<T> {
        let least = time.as_secs().saturating_mul(LEAST_PER_SECOND).max(LEAST_PER_SECOND);
        loop {
            let before = self.bytes() + self.kept();
            if let Ok(done) = timeout(time, work.as_mut()).await {
                return Some(done);
            }
            if self.bytes() + self.kept() - before < least {
                return None;
            }
        }
    }

    /// Takes what is still on its way of a form that got its answer early, unless somebody still reads it. See [`discard`].
    pub(super) async fn discard_rest(&self) {
        let Some(state) = self.state.as_ref().filter(|state| state.is_form) else { return };
        let is_unasked = state.asks_first && self.bytes() == 0;
        if is_unasked || state.is_complete.load(Ordering::Relaxed) {
            return;
        }
        let rest = lock(&state.rest).take();
        if let Some(rest) = rest.and_then(Arc::into_inner) {
            discard_body(Body::new(rest.into_inner().unwrap_or_else(PoisonError::into_inner))).await;
        }
    }

    fn bytes(&self) -> u64 {
        self.state.as_ref().map_or(0, |state| state.bytes.load(Ordering::Relaxed))
    }

    fn kept(&self) -> u64 {
        self.state.as_ref().map_or(0, |state| state.kept.bytes())
    }

    /// Refuses a body that says it is too large, and stops reading one that turns out to be.
    pub(super) fn limit(&self, request: &mut Request, limit: usize, in_memory: MemoryLimit) -> Result<()> {
        let size = request.body().size_hint();
        if size.lower() > limit as u64 {
            return Err(Error::payload_too_large());
        }
        // Ours is the limit that counts; axum's own would stop at 2 MB whatever the configuration says.
        DefaultBodyLimit::disable().apply(request);
        let state = self.state.clone().unwrap_or_default();
        let body = Arc::new(Mutex::new(Limited::new(std::mem::take(request.body_mut()), limit)));
        request.extensions_mut().insert(state.kept.clone());
        request.extensions_mut().insert(in_memory);
        *lock(&state.rest) = Some(body.clone());
        *request.body_mut() = Body::new(CountedBody { body, state });
        Ok(())
    }

    /// 408 if the client was still sending, 503 if it was waiting for us.
    pub(super) fn timed_out(&self, seconds: u64) -> Error {
        let was_sending = self.state.as_ref().is_some_and(|state| !state.is_complete.load(Ordering::Relaxed));
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
    discard_body(std::mem::take(request.body_mut())).await;
}

async fn discard_body(mut body: Body) {
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

struct CountedBody {
    body: SharedBody,
    state: Arc<BodyState>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl HttpBody for CountedBody {
    type Data = axum::body::Bytes;
    type Error = Box<dyn std::error::Error + Send + Sync>;

    fn poll_frame(
        self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Self::Data>, Self::Error>>> {
        let mut body = lock(&self.body);
        let frame = Pin::new(&mut *body).poll_frame(cx);
        if let Poll::Ready(Some(Ok(frame))) = &frame {
            let length = frame.data_ref().map_or(0, |data| data.len() as u64);
            self.state.bytes.fetch_add(length, Ordering::Relaxed);
        }
        if matches!(frame, Poll::Ready(None)) || body.is_end_stream() {
            self.state.is_complete.store(true, Ordering::Relaxed);
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        lock(&self.body).is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        lock(&self.body).size_hint()
    }
}
