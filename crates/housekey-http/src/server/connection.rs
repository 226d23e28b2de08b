use std::net::SocketAddr;
use std::sync::Arc;

use axum::body::{Body, HttpBody};
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use tokio::net::TcpStream;
use tokio::sync::watch;

use super::desk::Desk;
use super::pace::{Pace, Paced};
use crate::Kernel;
use crate::config::HttpConfig;

/// Serves one connection until it ends, or until `closes` says so and its last request is answered.
pub(super) async fn serve(
    stream: TcpStream,
    peer: SocketAddr,
    kernel: Kernel,
    config: Arc<HttpConfig>,
    pace: Arc<Pace>,
    mut closes: watch::Receiver<bool>,
) {
    // Answers are written whole; waiting to fill a packet only delays them.
    let _ = stream.set_nodelay(true);
    let stream = Paced::new(stream, pace.clone());
    let desk = Desk::new(move |request: http::Request<Incoming>| {
        let (kernel, busy) = (kernel.clone(), pace.work());
        async move {
            // A body that is known to be empty needs no box.
            let request =
                request.map(|body| if body.is_end_stream() { Body::empty() } else { Body::new(body) });
            busy.until_sent(kernel.handle(request, Some(peer)).await)
        }
    });
    let mut http = http1::Builder::new();
    // Not `pipeline_flush`: with it, garbage behind a good request keeps hyper from sending either answer.
    http.keep_alive(config.keep_alive).max_buf_size(MAX_HEAD).header_read_timeout(None);
    let connection = http.serve_connection(TokioIo::new(stream), desk).with_upgrades();
    tokio::pin!(connection);
    let told_to_close = async move { closes.wait_for(|closes| *closes).await.is_ok() };
    let result = tokio::select! {
        biased;
        result = &mut connection => result,
        _ = told_to_close => {
            connection.as_mut().graceful_shutdown();
            connection.await
        }
    };
    if let Err(error) = result {
        // Strangers send garbage and go away mid-sentence; that is theirs to know, not an error of ours.
        tracing::debug!(%peer, %error, "a connection ended early");
    }
}

/// The largest head of a request, in bytes. hyper answers more with 431.
const MAX_HEAD: usize = 64 * 1024;
