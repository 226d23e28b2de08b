use std::sync::Arc;

use http::{HeaderMap, StatusCode};

use super::endpoint::{Dispatch, ResponseFuture};
use crate::guard::GuardedHandler;
use crate::{Request, Response};

/// The handler of a route, with what the route itself adds to its answers.
pub(super) struct RouteHandler {
    dispatch: Dispatch,
    decoration: Option<Arc<Decoration>>,
}

/// The status and headers a `view` route was given. They replace what the view itself said.
struct Decoration {
    status: Option<StatusCode>,
    headers: HeaderMap,
}

impl RouteHandler {
    pub(super) fn new(dispatch: Dispatch, status: Option<StatusCode>, headers: HeaderMap) -> Self {
        let is_plain = status.is_none() && headers.is_empty();
        Self { dispatch, decoration: (!is_plain).then(|| Arc::new(Decoration { status, headers })) }
    }
}

impl GuardedHandler for RouteHandler {
    fn call(&self, request: Request) -> ResponseFuture {
        let answer = self.dispatch.call(request);
        let Some(decoration) = self.decoration.clone() else { return answer };
        Box::pin(async move {
            let mut response = answer.await;
            decoration.apply(&mut response);
            response
        })
    }
}

impl Decoration {
    fn apply(&self, response: &mut Response) {
        let has_failed = response.extensions().get::<Arc<housekey_core::Error>>().is_some();
        if has_failed || response.status().is_server_error() {
            return;
        }
        if let Some(status) = self.status {
            *response.status_mut() = status;
        }
        for (name, value) in &self.headers {
            response.headers_mut().insert(name, value.clone());
        }
    }
}
