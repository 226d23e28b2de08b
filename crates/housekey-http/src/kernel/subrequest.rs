use std::sync::Arc;

use housekey_core::{Error, Result, Scope};

use super::access_log::AccessLog;
use super::incoming_request::IncomingRequest;
use super::walk::is_failure;
use super::{Inner, KernelHandle};
use crate::{Request, RequestContext, Response};

/// Runs another request within the present one, whose answer it becomes: for a step in between (a password asked for,
/// say) that was taken, and leads on to what the visitor wanted in the first place.
///
/// The other request is the same visitor's: it shares the session, the cookies that will be set, the client's address
/// and the name in the logs. It has its own method, address, headers and body, and goes through its route's guards to
/// its handler. It is not checked for a CSRF token, because the present request was: whoever calls this must know that
/// the visitor sent what is answered here.
///
/// Only a request that came from outside can have one; a subrequest cannot.
///
/// ```
/// use housekey_core::Result;
/// use housekey_http::axum::body::Body;
/// use housekey_http::{Response, Routes, run_subrequest};
/// use http::Request;
///
/// async fn agreed() -> Result<Response> {
///     run_subrequest(Request::post("/orders").body(Body::from("amount=3"))?).await
/// }
///
/// fn web(route: &mut Routes) {
///     route.post("/orders", async |body: String| format!("ordered: {body}"));
///     route.post("/terms/agree", agreed);
/// }
/// ```
pub async fn run_subrequest(request: Request) -> Result<Response> {
    let asked = RequestContext::current()
        .ok_or_else(|| Error::internal("there is no request here that another could be answered for"))?;
    if asked.is_subrequest() {
        return Err(Error::internal("a subrequest cannot lead on to a third request"));
    }
    let handle = asked.services().get::<KernelHandle>();
    let kernel = handle
        .and_then(|handle| handle.0.get()?.upgrade())
        .ok_or_else(|| Error::internal("the application is gone"))?;
    let mut incoming = IncomingRequest::subrequest_of(&asked, request);
    Ok(kernel.respond_to_subrequest(&asked, &mut incoming).await)
}

impl Inner {
    /// The part of the walk that depends on the address. Saving the session and the last headers are left to the
    /// request around it.
    async fn respond_to_subrequest(
        &self,
        asked: &RequestContext,
        incoming: &mut IncomingRequest,
    ) -> Response {
        let log = AccessLog::start(self.http.access_log);
        let context = Arc::new(asked.subrequest(incoming.context_parts(self)));
        incoming.context = Some(context.clone());
        let scope = Scope::with(self.shared.services.clone(), context.clone());
        let answer = async {
            let response = self.respond(&context, incoming).await;
            if is_failure(&response) { self.presentable(&context, response).await } else { response }
        };
        let mut response = scope.enter(answer).await;
        // It has become a page already, with this request's words; outside it would become another.
        response.extensions_mut().remove::<Arc<Error>>();
        log.write(incoming, &response);
        response
    }
}
