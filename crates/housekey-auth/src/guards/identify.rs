use std::sync::Arc;

use housekey_http::guard::GuardFuture;
use housekey_http::{Guard, Next, Request, RequestContext};

use crate::Auth;
use crate::current::Current;

/// Stands in front of every route: finds out who is there if the request brings anything to go by.
pub(crate) struct Identify {
    auth: Arc<Auth>,
    /// The engine's own endpoints find out for themselves.
    engine: String,
}

impl Identify {
    pub(crate) fn new(auth: Arc<Auth>) -> Self {
        let engine = format!("{}/", auth.engine().options().base_path.trim_end_matches('/'));
        Self { auth, engine }
    }
}

impl Guard for Identify {
    /// Without a name: `route:list` says what an app put in front of a route, and this is in front of all.
    fn name(&self) -> String {
        String::new()
    }

    fn reads_request(&self) -> bool {
        false
    }

    fn passes(&self, context: &RequestContext) -> bool {
        !self.auth.has_credentials(context) || context.uri().path().starts_with(&self.engine)
    }

    fn handle(&self, request: Request, next: Next) -> GuardFuture<'_> {
        Box::pin(async move {
            if let Some(context) = RequestContext::current().filter(|context| !self.passes(context)) {
                Current::identify(Arc::clone(&self.auth), &context).await;
            }
            Ok(next.run(request).await)
        })
    }
}
