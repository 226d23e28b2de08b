use std::panic::AssertUnwindSafe;
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::response::IntoResponse;
use futures_util::FutureExt;
use housekey_core::{Error, Result, Scope};
use http::header::ALLOW;
use http::{Method, StatusCode};

use super::incoming_request::IncomingRequest;
use super::{Inner, body, panics};
use crate::routing::{CsrfCheck, Lookup, Route};
use crate::validation::MemoryLimit;
use crate::{RequestContext, Response, csrf};

/// What only a write does is boxed: most requests only read, and each would carry the room for it.
impl Inner {
    /// The whole way, from the socket to the answer.
    pub(super) async fn answer(&self, incoming: &mut IncomingRequest) -> Response {
        if let Some(mut response) = self.static_files.serve(&incoming.request).await {
            if !is_error(&response) {
                self.add_headers(&mut response, &incoming.request_id, None, incoming.secure);
                return response;
            }
            // A miss below the build directory still deserves the app's error page.
            incoming.early = Some(response);
        } else if incoming.request.method() == Method::POST
            && let Err(error) = Box::pin(self.override_method(incoming)).await
        {
            incoming.early = Some(error.into_response());
        }
        let context = incoming.find_route(self);
        let scope = Scope::with(self.shared.services.clone(), context.clone());
        scope.enter(self.within_scope(&context, incoming)).await
    }

    async fn within_scope(&self, context: &RequestContext, incoming: &mut IncomingRequest) -> Response {
        let mut response = match incoming.early.take() {
            Some(response) => response,
            None => self.respond(context, incoming).await,
        };
        if is_failure(&response) {
            response = self.presentable(context, response).await;
        }
        if context.opened_session().is_some() {
            response = self.save_session(context, response).await;
        }
        self.finish(context, &mut response);
        response
    }

    /// The answer of the application, within its time, whatever its code does.
    pub(super) async fn respond(&self, context: &RequestContext, incoming: &mut IncomingRequest) -> Response {
        let body = incoming.body.clone();
        let response = {
            let work =
                async { self.route(context, incoming).await.unwrap_or_else(IntoResponse::into_response) };
            let work = pin!(AssertUnwindSafe(work).catch_unwind());
            match body.within(self.timeout(), work).await {
                Some(Ok(response)) => response,
                Some(Err(panic)) => panics::into_error(&*panic).into_response(),
                None => return body.timed_out(self.http.request_timeout).into_response(),
            }
        };
        // Refused before the route had it, it still is where it came in.
        drop(std::mem::take(incoming.request.body_mut()));
        body.discard_rest().await;
        response
    }

    async fn route(&self, context: &RequestContext, incoming: &mut IncomingRequest) -> Result<Response> {
        let IncomingRequest { request, peer, found, body, .. } = incoming;
        if let Some(cors) = &self.cors
            && let Some(response) = cors.preflight(request)
        {
            return Ok(response);
        }
        if !context.is_subrequest() {
            match self.maintenance.stop(context).await {
                Ok(None) => {}
                stopped => {
                    body::discard(request).await;
                    return stopped.map(Option::unwrap_or_default);
                }
            }
        }
        let route = match found {
            Lookup::Route(route) => route,
            Lookup::OtherMethods(allow) if request.method() == Method::OPTIONS => {
                return Ok((StatusCode::NO_CONTENT, [(ALLOW, allow.clone())]).into_response());
            }
            Lookup::OtherMethods(allow) => {
                return Err(Error::method_not_allowed().with_header(ALLOW, allow.clone()));
            }
            Lookup::Nothing => return Err(Error::not_found()),
            Lookup::Malformed => return Err(Error::bad_request("The address cannot be read.")),
        };
        if !body.is_empty()
            && let Err(error) = body.limit(request, self.body_limit(route), self.memory_limit())
        {
            body::discard(request).await;
            return Err(error);
        }
        if context.has_session_cookie() && context.session().wants_preload() {
            context.session().preload().await;
        }
        if route.matched.csrf == CsrfCheck::Token && !is_safe(request.method()) && !context.is_subrequest() {
            Box::pin(csrf::verify(context, request)).await?;
        }
        route.prepare(request, *peer);
        Ok(route.chain.start(std::mem::take(request)).await)
    }

    pub(super) fn timeout(&self) -> Duration {
        const FOREVER: u64 = 100 * 365 * 24 * 60 * 60;
        Duration::from_secs(if self.http.request_timeout == 0 { FOREVER } else { self.http.request_timeout })
    }

    pub(super) fn body_limit(&self, route: &Route) -> usize {
        route.body_limit.unwrap_or(self.http.body_limit)
    }

    pub(super) fn memory_limit(&self) -> MemoryLimit {
        MemoryLimit::new(self.http.body_limit)
    }
}

fn is_safe(method: &Method) -> bool {
    matches!(*method, Method::GET | Method::HEAD | Method::OPTIONS | Method::TRACE)
}

fn is_error(response: &Response) -> bool {
    response.extensions().get::<Arc<Error>>().is_some()
}

pub(super) fn is_failure(response: &Response) -> bool {
    response.status().is_client_error() || response.status().is_server_error() || is_error(response)
}
