use std::sync::Arc;

use housekey_base::cookies;
use housekey_core::{Error, Result};
use housekey_session::Session;
use http::{HeaderMap, Method};

use super::Inner;
use super::body::{discard, too_slow};
use super::incoming_request::IncomingRequest;
use crate::routing::{CsrfCheck, Route};
use crate::validation::FormBody;

/// What a `POST` may be turned into. Never `GET`: that would get around CSRF protection.
const OTHERS: [Method; 3] = [Method::PUT, Method::PATCH, Method::DELETE];

impl Inner {
    /// Lets a form speak methods that browsers' forms do not know: a `POST` with the field `_method`, or with the header
    /// `x-http-method-override`, counts as the `PUT`, `PATCH` or `DELETE` it names.
    ///
    /// A form is read for that only where the address has such routes, and no further than they would.
    pub(super) async fn override_method(&self, incoming: &mut IncomingRequest) -> Result<()> {
        let request = &mut incoming.request;
        if let Some(header) = request.headers().get("x-http-method-override") {
            if let Some(method) = other(header.as_bytes()) {
                *request.method_mut() = method;
            }
            return Ok(());
        }
        if incoming.body.is_empty() || !FormBody::is_in(request.headers()) {
            return Ok(());
        }
        let routes = self.routes_of_form(request.uri().path());
        let Some(limit) = routes.iter().map(|route| self.body_limit(route)).max() else { return Ok(()) };
        let wants_token = routes.iter().all(|route| route.matched.csrf == CsrfCheck::Token);
        if wants_token && !self.may_have_token(request.headers()) {
            // Whichever route it were, a stranger's form is refused, so it is not held in memory.
            discard(request).await;
            return Err(Error::csrf_mismatch());
        }
        if let Err(error) = incoming.body.limit(request, limit, self.memory_limit()) {
            discard(request).await;
            return Err(error);
        }
        let reading = tokio::time::timeout(self.timeout(), FormBody::start(request)).await;
        let form = reading.unwrap_or_else(|_| Err(too_slow()))?;
        // One that cannot be parsed is a POST. Its route will say what is wrong with it.
        if let Some(Ok(form)) = form
            && let Some(method) = form.text("_method").and_then(|name| other(name.as_bytes()))
        {
            *request.method_mut() = method;
        }
        Ok(())
    }

    /// Those that a form sent to this path could reach; none if it has no choice. A fallback is for addresses that nobody
    /// knows, and takes what comes.
    fn routes_of_form(&self, path: &str) -> Vec<Arc<Route>> {
        let find =
            |method| self.routes.find(method, path).route().filter(|route| !route.is_fallback()).cloned();
        let mut routes: Vec<_> = OTHERS.iter().filter_map(find).collect();
        if !routes.is_empty() {
            routes.extend(find(&Method::POST));
        }
        routes
    }

    fn may_have_token(&self, headers: &HeaderMap) -> bool {
        let sessions = &self.shared.sessions;
        let cookie = cookies::first(headers, sessions.cookie_name());
        Session::open(cookie, sessions.clone(), self.shared.clock.clone()).may_accept_a_token()
    }
}

fn other(name: &[u8]) -> Option<Method> {
    OTHERS.into_iter().find(|method| method.as_str().as_bytes().eq_ignore_ascii_case(name.trim_ascii()))
}
