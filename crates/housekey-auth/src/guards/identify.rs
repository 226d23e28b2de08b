use std::sync::Arc;

use housekey_http::guard::GuardFuture;
use housekey_http::{Guard, Next, Request, RequestContext, Response};

use crate::current::Current;
use crate::{Auth, organization};

/// Stands around every route: finds out who is there if the request brings anything to go by, and adds to the answer what
/// the engine has to say to the client.
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

    fn concerns(&self, context: &RequestContext) -> bool {
        self.auth.has_credentials(context) && !context.uri().path().starts_with(&self.engine)
    }

    async fn find_out(&self, context: &RequestContext) {
        Current::identify(Arc::clone(&self.auth), context).await;
        organization::find_out(&self.auth).await;
    }
}

impl Guard for Identify {
    /// Without a name: `route:list` says what an app put in front of a route, and this is in front of all.
    fn name(&self) -> String {
        String::new()
    }

    fn handle(&self, request: Request, next: Next) -> GuardFuture<'_> {
        Box::pin(async move {
            if let Some(context) = RequestContext::current().filter(|context| self.concerns(context)) {
                // Boxed: a guest's request would carry the room for it.
                Box::pin(self.find_out(&context)).await;
            }
            let mut response = next.run(request).await;
            if let Some(current) = Current::find() {
                Box::pin(conclude(&current, &mut response)).await;
            }
            Ok(response)
        })
    }
}

async fn conclude(current: &Current, response: &mut Response) {
    let failed = response.status().is_server_error();
    for (name, value) in &current.conclude(failed).await {
        response.headers_mut().append(name.clone(), value.clone());
    }
}
