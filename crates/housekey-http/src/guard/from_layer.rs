use std::any::type_name;
use std::convert::Infallible;
use std::fmt;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use axum::response::IntoResponse;
use housekey_core::Error;
use tower::{Layer, Service, ServiceExt};

use super::{Guard, GuardFuture, Next};
use crate::{Request, Response};

/// Makes a guard of a tower layer. [`GroupBuilder::layer`](crate::routing::GroupBuilder::layer) and
/// [`RouteBuilder::layer`](crate::routing::RouteBuilder::layer) do it for you.
///
/// The layer is put together once, so what its service shares between its copies (the places of a concurrency limit, say) is
/// shared by all requests.
///
/// ```
/// use housekey_http::guard::{Guard, from_layer};
/// use tower::util::MapResponseLayer;
///
/// let guard = from_layer(MapResponseLayer::new(|response: housekey_http::Response| response));
/// assert_eq!(guard.name(), "MapResponseLayer");
/// ```
pub fn from_layer<L: Layer<NextService>>(layer: L) -> FromLayer<L::Service> {
    let name = type_name::<L>();
    let name = name.split('<').next().and_then(|path| path.rsplit("::").next()).unwrap_or(name);
    FromLayer { name: name.to_owned(), service: layer.layer(NextService(())) }
}

pub struct FromLayer<S> {
    name: String,
    service: S,
}

impl<S> Guard for FromLayer<S>
where
    S: Service<Request> + Clone + Send + Sync + 'static,
    S::Response: IntoResponse,
    S::Error: Into<BoxError>,
    S::Future: Send,
{
    fn name(&self) -> String {
        self.name.clone()
    }

    fn handle(&self, mut request: Request, next: Next) -> GuardFuture<'_> {
        request.extensions_mut().insert(next);
        let answer = self.service.clone().oneshot(request);
        Box::pin(async move {
            match answer.await {
                Ok(response) => Ok(response.into_response()),
                Err(error) => {
                    let error: BoxError = error.into();
                    Err(Error::internal(format!("{} failed: {error}", self.name)))
                }
            }
        })
    }
}

impl<S> fmt::Debug for FromLayer<S> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FromLayer").field(&self.name).finish()
    }
}

/// The rest of the way as a service: what a layer wraps. Which way that is travels with each request, as a [`Next`] in its
/// extensions.
#[derive(Clone, Debug)]
pub struct NextService(());

impl<B> Service<http::Request<B>> for NextService
where
    B: HttpBody<Data = Bytes> + Send + 'static,
    B::Error: Into<BoxError>,
{
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut Context<'_>) -> Poll<Result<(), Infallible>> {
        Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: http::Request<B>) -> Self::Future {
        let mut request = request.map(Body::new);
        let next = request.extensions_mut().remove::<Next>();
        Box::pin(async move {
            Ok(match next {
                Some(next) => next.run(request).await,
                None => {
                    Error::internal("a layer handed on a request without the extensions of the one it got")
                        .into_response()
                }
            })
        })
    }
}
