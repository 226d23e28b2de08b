use std::any::{Any, TypeId};
use std::marker::PhantomData;
use std::pin::Pin;

use axum::Router;
use axum::extract::OriginalUri;
use axum::handler::Handler;
use futures_util::FutureExt;
use http::Extensions;
use tower::ServiceExt;
use tower_service::Service;

use super::pattern::Pattern;
use crate::{Request, Response};

pub(crate) type ResponseFuture = Pin<Box<dyn Future<Output = Response> + Send>>;

/// A handler whose type has been forgotten.
pub(crate) trait Endpoint: Send + Sync + 'static {
    fn call(&self, request: Request) -> ResponseFuture;

    /// Whether the handler looks at the request at all.
    fn reads_request(&self) -> bool;

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
        boxed_once(self.handler.clone().call(request, ()))
    }

    fn reads_request(&self) -> bool {
        // The marker type of a function without arguments.
        TypeId::of::<T>() != TypeId::of::<((),)>()
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

/// Boxes a future unless it is that box already, as the futures of functions are.
fn boxed_once<F: Future<Output = Response> + Send + 'static>(future: F) -> ResponseFuture {
    let mut slot = Some(future);
    if let Some(boxed) = (&mut slot as &mut dyn Any).downcast_mut::<Option<ResponseFuture>>()
        && let Some(boxed) = boxed.take()
    {
        return boxed;
    }
    Box::pin(async move {
        match slot {
            Some(future) => future.await,
            None => Response::default(),
        }
    })
}

/// How a request gets from a matched route to its handler.
pub(crate) enum Dispatch {
    /// The path has no parameters, or the handler does not ask for them: it is called without a router in between. What
    /// a router would have put into the request (`MatchedPath`, an empty set of parameters) was recorded at boot.
    Direct { endpoint: Box<dyn Endpoint>, recorded: Option<Extensions> },
    /// The path has parameters, and only axum's own router can hand them to axum's extractors.
    Routed(Router),
}

impl Dispatch {
    pub(crate) fn new(endpoint: Box<dyn Endpoint>, pattern: &Pattern) -> Self {
        match (endpoint.reads_request(), pattern.has_parameters()) {
            (true, true) => Self::Routed(endpoint.router(pattern)),
            (true, false) => Self::Direct { endpoint, recorded: Some(record(pattern)) },
            (false, _) => Self::Direct { endpoint, recorded: None },
        }
    }

    /// Without a path of its own: there are no parameters to hand over.
    pub(crate) fn fallback(endpoint: Box<dyn Endpoint>) -> Self {
        Self::Direct { endpoint, recorded: None }
    }

    pub(crate) fn call(&self, mut request: Request) -> ResponseFuture {
        match self {
            Self::Direct { endpoint, recorded } => {
                if let Some(recorded) = recorded {
                    request.extensions_mut().extend(recorded.clone());
                }
                endpoint.call(request)
            }
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

/// What axum's router adds to a request on its way to this path.
fn record(pattern: &Pattern) -> Extensions {
    let path = pattern.to_axum();
    let router = Router::new().route(
        &path,
        axum::routing::any(|request: Request| async move {
            let mut response = Response::default();
            *response.extensions_mut() = request.into_parts().0.extensions;
            response
        }),
    );
    let mut request = Request::default();
    if let Ok(uri) = path.parse() {
        *request.uri_mut() = uri;
    }
    let answer = router.oneshot(request).now_or_never();
    let mut extensions =
        answer.and_then(Result::ok).map(|response| response.into_parts().0.extensions).unwrap_or_default();
    extensions.remove::<OriginalUri>();
    extensions
}
