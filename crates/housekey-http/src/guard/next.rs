use std::fmt;
use std::sync::Arc;

use axum::response::IntoResponse;

use super::Guard;
use crate::routing::ResponseFuture;
use crate::{Request, Response};

/// The guards of a route in their order, and the handler behind them.
pub(crate) struct GuardChain {
    guards: Box<[RouteGuard]>,
    handler: Box<dyn GuardedHandler>,
}

/// A guard and the words that the route used for it, which `route:list` shows.
pub(crate) struct RouteGuard {
    pub(crate) label: String,
    pub(crate) guard: Arc<dyn Guard>,
}

/// What stands behind the guards.
pub(crate) trait GuardedHandler: Send + Sync {
    fn call(&self, request: Request) -> ResponseFuture;
}

impl GuardChain {
    pub(crate) fn new(guards: Box<[RouteGuard]>, handler: impl GuardedHandler + 'static) -> Arc<Self> {
        Arc::new(Self { guards, handler: Box::new(handler) })
    }

    pub(crate) fn guards(&self) -> &[RouteGuard] {
        &self.guards
    }

    /// Starts on the answer: the guards, then the handler.
    pub(crate) async fn start(self: &Arc<Self>, request: Request) -> Response {
        Next { chain: self.clone(), position: 0 }.run(request).await
    }
}

/// The rest of the way: the guards still to come, then the handler.
#[derive(Clone)]
#[must_use = "a guard that neither runs `next` nor answers leaves the request without an answer"]
pub struct Next {
    chain: Arc<GuardChain>,
    position: usize,
}

impl Next {
    /// Goes on. The answer is always a response: an error further in has become one, so that headers added here
    /// reach error answers too. ([`housekey_core::Error`] travels in the response's extensions as an `Arc`.)
    pub async fn run(self, request: Request) -> Response {
        let Self { chain, position } = self;
        match chain.guards.get(position) {
            Some(RouteGuard { guard, .. }) => {
                let next = Self { chain: chain.clone(), position: position + 1 };
                guard.handle(request, next).await.unwrap_or_else(IntoResponse::into_response)
            }
            None => chain.handler.call(request).await,
        }
    }
}

impl fmt::Debug for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Next({} guards left)", self.chain.guards.len() - self.position)
    }
}
