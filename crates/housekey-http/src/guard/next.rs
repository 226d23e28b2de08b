use std::fmt;
use std::sync::Arc;

use axum::response::IntoResponse;

use crate::routing::Route;
use crate::{Request, RequestContext, Response};

/// The rest of the way: the guards still to come, then the handler.
#[must_use = "a guard that neither runs `next` nor answers leaves the request without an answer"]
pub struct Next {
    route: Arc<Route>,
    position: usize,
}

impl Next {
    /// From the first guard that has something to say; `None` if none has.
    pub(crate) fn from_start(route: &Arc<Route>, context: &RequestContext) -> Option<Self> {
        let position = route.guards().iter().position(|guard| !guard.passes(context))?;
        Some(Self { route: route.clone(), position })
    }

    /// Goes on. The answer is always a response: an error further in has become one, so that headers added here
    /// reach error answers too. ([`housekey_core::Error`] travels in the response's extensions as an `Arc`.)
    pub async fn run(self, request: Request) -> Response {
        let Self { route, mut position } = self;
        if let Some(context) = RequestContext::current() {
            let passing = route.guards()[position..].iter().take_while(|guard| guard.passes(&context));
            position += passing.count();
        }
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
