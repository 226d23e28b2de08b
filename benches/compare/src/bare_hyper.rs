//! hyper and nothing else: the ceiling.

use std::convert::Infallible;
use std::io;
use std::sync::Arc;

use bytes::Bytes;
use http_body_util::Full;
use hyper::body::Incoming;
use hyper::header::{CONTENT_TYPE, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::TokioIo;
use tokio::net::TcpListener;

use crate::Bodies;
use crate::page::Page;

pub(crate) async fn serve(listener: TcpListener, bodies: Bodies) -> io::Result<()> {
    serve_with(listener, Arc::new(move |request: &Request<Incoming>| answer(request, &bodies))).await
}

/// Serves pages as they were read: the same headers, the same body.
pub(crate) async fn serve_pages(listener: TcpListener, pages: Vec<Page>) -> io::Result<()> {
    let answer = move |request: &Request<Incoming>| {
        let page = pages.iter().find(|page| page.path == request.uri().path());
        let mut response = Response::new(Full::new(page.map(|page| page.body.clone()).unwrap_or_default()));
        match page {
            Some(page) => response.headers_mut().clone_from(&page.headers),
            None => *response.status_mut() = StatusCode::NOT_FOUND,
        }
        response
    };
    serve_with(listener, Arc::new(answer)).await
}

async fn serve_with<F>(listener: TcpListener, answer: Arc<F>) -> io::Result<()>
where
    F: Fn(&Request<Incoming>) -> Response<Full<Bytes>> + Send + Sync + 'static,
{
    loop {
        let (stream, _) = listener.accept().await?;
        stream.set_nodelay(true)?;
        let answer = Arc::clone(&answer);
        tokio::spawn(async move {
            let service = service_fn(move |request| {
                let answer = answer(&request);
                async move { Ok::<_, Infallible>(answer) }
            });
            // A client that goes away in the middle is not this server's trouble.
            let _ = http1::Builder::new().serve_connection(TokioIo::new(stream), service).await;
        });
    }
}

fn answer(request: &Request<Incoming>, bodies: &Bodies) -> Response<Full<Bytes>> {
    let (status, kind, body) = match request.uri().path() {
        "/health" => (StatusCode::OK, "application/json", bodies.health.clone()),
        "/" => (StatusCode::OK, "text/html; charset=utf-8", bodies.landing.clone()),
        _ => (StatusCode::NOT_FOUND, "text/plain", Bytes::new()),
    };
    let mut response = Response::new(Full::new(body));
    *response.status_mut() = status;
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static(kind));
    response
}
