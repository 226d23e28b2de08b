use std::pin::Pin;
use std::sync::{Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use async_trait::async_trait;
use bytes::Bytes;
use futures_util::{StreamExt, stream};
use http_body_util::{BodyExt, StreamBody};
use hyper::body::{Body, Frame, Incoming};
use hyper_rustls::{HttpsConnector, HttpsConnectorBuilder};
use hyper_util::client::legacy::Client;
use hyper_util::client::legacy::connect::HttpConnector as TcpConnector;
use hyper_util::rt::{TokioExecutor, TokioTimer};
use object_store::ClientOptions;
use object_store::client::{
    HttpClient, HttpConnector, HttpError, HttpErrorKind, HttpRequest, HttpRequestBody, HttpResponse,
    HttpResponseBody, HttpService,
};
use rustls::crypto::ring;
use tokio::time::timeout;

/// How long the other side may take to let us in, to answer a request, and to send the next piece of its answer.
const TO_CONNECT: Duration = Duration::from_secs(5);
const TO_ANSWER: Duration = Duration::from_secs(60);
const TO_GO_ON: Duration = Duration::from_secs(30);

/// HTTP by hyper and rustls with ring, as everywhere in the house: the client that `object_store` would bring needs aws-lc,
/// and that one cmake.
#[derive(Debug)]
pub(super) struct Connector;

impl HttpConnector for Connector {
    fn connect(&self, _: &ClientOptions) -> object_store::Result<HttpClient> {
        let mut tcp = TcpConnector::new();
        tcp.enforce_http(false);
        tcp.set_connect_timeout(Some(TO_CONNECT));
        tcp.set_nodelay(true);
        let tls = HttpsConnectorBuilder::new()
            .with_provider_and_webpki_roots(ring::default_provider())
            .map_err(|error| object_store::Error::Generic { store: "S3", source: Box::new(error) })?;
        let connector = tls.https_or_http().enable_http1().wrap_connector(tcp);
        let client = Client::builder(TokioExecutor::new())
            .pool_timer(TokioTimer::new())
            .pool_idle_timeout(Duration::from_secs(60))
            .build(connector);
        Ok(HttpClient::new(Service(client)))
    }
}

#[derive(Debug)]
struct Service(Client<HttpsConnector<TcpConnector>, HttpRequestBody>);

#[async_trait]
impl HttpService for Service {
    async fn call(&self, request: HttpRequest) -> Result<HttpResponse, HttpError> {
        let answer = timeout(TO_ANSWER, self.0.request(request)).await;
        let answer = answer.map_err(|error| HttpError::new(HttpErrorKind::Timeout, error))?;
        let (head, body) = answer
            .map_err(|error| {
                let kind = if error.is_connect() { HttpErrorKind::Connect } else { HttpErrorKind::Request };
                HttpError::new(kind, error)
            })?
            .into_parts();
        Ok(HttpResponse::from_parts(
            head,
            HttpResponseBody::new(Exclusive(Mutex::new(Box::pin(StreamBody::new(frames(body)))))),
        ))
    }
}

type Frames = Pin<Box<dyn Body<Data = Bytes, Error = HttpError> + Send>>;

/// A body that several threads may hold, because only the one that reads it gets at it.
struct Exclusive(Mutex<Frames>);

impl Body for Exclusive {
    type Data = Bytes;
    type Error = HttpError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        cx: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, HttpError>>> {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner).as_mut().poll_frame(cx)
    }
}

/// The body of an answer, which may not stand still.
fn frames(
    body: Incoming,
) -> impl futures_util::Stream<Item = Result<Frame<Bytes>, HttpError>> + Send + 'static {
    stream::unfold(Some(body), |body| async move {
        let mut body = body?;
        match timeout(TO_GO_ON, body.frame()).await {
            Ok(None) => None,
            Ok(Some(Ok(frame))) => Some((Ok(frame), Some(body))),
            Ok(Some(Err(error))) => Some((Err(HttpError::new(HttpErrorKind::Interrupted, error)), None)),
            Err(error) => Some((Err(HttpError::new(HttpErrorKind::Timeout, error)), None)),
        }
    })
    // A body may be asked once more after its end.
    .fuse()
}
