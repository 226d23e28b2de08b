use std::marker::PhantomData;
use std::pin::Pin;

use axum::Router;
use axum::handler::Handler;
use futures_util::FutureExt;
use tower_service::Service;

use super::pattern::Pattern;
use crate::{Request, Response};

pub(crate) type ResponseFuture = Pin<Box<dyn Future<Output = Response> + Send>>;

/// A handler whose type has been forgotten.
pub(crate) trait Endpoint: Send + Sync + 'static {
    fn call(&self, request: Request) -> ResponseFuture;

    /// The handler behind a router with this one route, which is how it gets at the path's parameters.
    fn router(&self, pattern: &Pattern) -> Router;
}

/// An axum handler.
pub(crate) struct HandlerEndpoint<H, T> {
    handler: H,
    arguments: PhantomData<fn() -> T>,
}

impl<H, T> HandlerEndpoint<H, T> {
    pub(crate) fn new(handler: H) -> Self {
        Self { handler, arguments: PhantomData }
    }
}

impl<H, T> Endpoint for HandlerEndpoint<H, T>
where
    H: Handler<T, ()>,
    T: 'static,
{
    fn call(&self, request: Request) -> ResponseFuture {
        Box::pin(self.handler.clone().call(request, ()))
    }

    fn router(&self, pattern: &Pattern) -> Router {
        let service = || self.handler.clone().with_state(());
        let router = Router::new().route_service(&pattern.to_axum(), service());
        if pattern.ends_open() {
            return router.route_service(&pattern.to_axum_without_wildcard(), service());
        }
        router
    }
}

/// How a request gets from a matched route to its handler.
pub(crate) enum Dispatch {
    /// A fallback has no path of its own, so there are no parameters to hand over.
    Direct(Box<dyn Endpoint>),
    /// Only axum's own router can hand a path's parameters to axum's extractors.
    Routed(Router),
}

impl Dispatch {
    pub(crate) fn call(&self, request: Request) -> ResponseFuture {
        match self {
            Self::Direct(endpoint) => endpoint.call(request),
            Self::Routed(router) => {
                let answer = router.clone().call(request);
                Box::pin(answer.map(|answer| match answer {
                    Ok(response) => response,
                    Err(never) => match never {},
                }))
            }
        }
    }
}
