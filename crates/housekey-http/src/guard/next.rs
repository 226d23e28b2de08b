use std::fmt;
use std::sync::Arc;

use axum::response::IntoResponse;

use crate::routing::Route;
use crate::{Request, Response};

/// The rest of the way: the guards still to come, then the handler.
#[must_use = "a guard that neither runs `next` nor answers leaves the request without an answer"]
pub struct Next {
    route: Arc<Route>,
    position: usize,
}

impl Next {
    pub(crate) fn new(route: Arc<Route>) -> Self {
        Self { route, position: 0 }
    }

    /// Goes on. The answer is always a response: an error further in has become one, so that headers added here
    /// reach error answers too. ([`housekey_core::Error`] travels in the response's extensions as an `Arc`.)
    pub async fn run(self, request: Request) -> Response {
        let Self { route, position } = self;
        match route.guards().get(position) {
            Some(guard) => {
                let next = Self { route: route.clone(), position: position + 1 };
                guard.handle(request, next).await.unwrap_or_else(IntoResponse::into_response)
            }
            None => Route::call(&route, request).await,
        }
    }
}

impl fmt::Debug for Next {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Next({} guards left)", self.route.guards().len() - self.position)
    }
}
