use std::convert::Infallible;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use http::HeaderMap;
use http::header::{ACCEPT, UPGRADE};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::net::TcpStream;
use tokio::sync::{OwnedSemaphorePermit, watch};

use super::address_limit::AddressPermit;
use super::write_timeout::WriteTimeout;
use crate::Kernel;
use crate::config::HttpConfig;

/// An open connection, as the server counts it: held by who speaks HTTP on it, and by the websocket or the stream of events that
/// it may become.
#[derive(Clone)]
pub(crate) struct Connection {
    _places: Arc<(OwnedSemaphorePermit, AddressPermit)>,
    stopping: watch::Receiver<bool>,
}

impl Connection {
    pub(super) fn new(
        place: OwnedSemaphorePermit,
        of_address: AddressPermit,
        stopping: watch::Receiver<bool>,
    ) -> Self {
        Self { _places: Arc::new((place, of_address)), stopping }
    }

    /// Waits until the server is asked to stop.
    pub(crate) fn stopping(&self) -> impl Future<Output = ()> + Send + Sync + use<> {
        let mut stopping = self.stopping.clone();
        async move { drop(stopping.wait_for(|stopping| *stopping).await) }
    }

    /// Waits until the server has stopped, and with it the time of what was still going on.
    pub(crate) fn stopped(&self) -> impl Future<Output = ()> + Send + use<> {
        let mut stopping = self.stopping.clone();
        async move { while stopping.changed().await.is_ok() {} }
    }
}

/// Serves a connection until it ends, or until the server stops and its last request is answered.
pub(super) async fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    kernel: Kernel,
    config: Arc<HttpConfig>,
    connection: Connection,
) {
    // Answers are written whole; waiting to fill a packet only delays them.
    let _ = stream.set_nodelay(true);
    let stream = WriteTimeout::new(stream, seconds(config.write_timeout));
    let (stopping, stopped) = (connection.stopping(), connection.stopped());
    let service = service_fn(move |mut request: http::Request<Incoming>| {
        if lives_on(request.headers()) {
            request.extensions_mut().insert(connection.clone());
        }
        let kernel = kernel.clone();
        async move { Ok::<_, Infallible>(kernel.handle(request.map(Body::new), Some(peer)).await) }
    });
    let mut http = http1::Builder::new();
    // Not `pipeline_flush`: with it, garbage behind a good request keeps hyper from sending either answer.
    http.timer(TokioTimer::new())
        .header_read_timeout(seconds(config.header_timeout))
        .keep_alive(config.keep_alive)
        .max_buf_size(MAX_HEAD);
    let serving = http.serve_connection(TokioIo::new(stream), service).with_upgrades();
    tokio::pin!(serving, stopped);
    let result = tokio::select! {
        biased;
        result = &mut serving => result,
        () = stopping => {
            serving.as_mut().graceful_shutdown();
            tokio::select! {
                result = serving => result,
                () = stopped => Ok(()),
            }
        }
    };
    if let Err(error) = result {
        // Strangers send garbage and go away mid-sentence; that is theirs to know, not an error of ours.
        tracing::debug!(%peer, %error, "a connection ended early");
    }
}

/// Whether the answer to this may last: a websocket, or a stream of events. Who answers it wants to hear of a stop.
fn lives_on(headers: &HeaderMap) -> bool {
    let is_stream = |accept: &http::HeaderValue| accept.as_bytes().starts_with(b"text/event-stream");
    headers.get(ACCEPT).is_some_and(is_stream) || headers.contains_key(UPGRADE)
}

/// The largest head of a request, in bytes. hyper answers more with 431.
const MAX_HEAD: usize = 64 * 1024;

/// 0 in the configuration means no limit.
fn seconds(limit: u64) -> Option<Duration> {
    (limit > 0).then(|| Duration::from_secs(limit))
}
