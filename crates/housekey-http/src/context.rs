use std::borrow::Cow;
use std::fmt;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, OnceLock};

use housekey_base::cookies;
use housekey_core::{Clock, Scope, Services};
use housekey_session::{Session, SessionManager};
use http::header::ACCEPT;
use http::{HeaderMap, HeaderValue, Method, Uri};

use crate::cookie_jar::Cookies;
use crate::fast_random;
use crate::request_id::RequestId;
use crate::routing::{CsrfCheck, MatchedRoute, SecretPaths};

/// The request being answered, as code below the handler sees it.
///
/// It lives in the [`Scope`] of the request, so the ambient helpers find it without being handed anything.
/// Session, nonce and outgoing cookies come into being when they are first asked for.
pub struct RequestContext {
    shared: Arc<Shared>,
    peer: Option<SocketAddr>,
    method: Method,
    uri: Uri,
    headers: HeaderMap,
    request_id: RequestId,
    client_ip: Option<IpAddr>,
    secure: bool,
    route: Option<Arc<MatchedRoute>>,
    session: OnceLock<Session>,
    nonce: OnceLock<String>,
    cookies: OnceLock<Cookies>,
    is_subrequest: bool,
    believes_cookies: bool,
}

/// What every request context of an application holds on to.
pub(crate) struct Shared {
    pub(crate) services: Services,
    pub(crate) sessions: Arc<SessionManager>,
    pub(crate) clock: Clock,
    pub(crate) secret_paths: Arc<SecretPaths>,
}

/// What the kernel knows about a request before its context exists.
pub(crate) struct ContextParts {
    pub(crate) peer: Option<SocketAddr>,
    pub(crate) method: Method,
    pub(crate) uri: Uri,
    pub(crate) headers: HeaderMap,
    pub(crate) request_id: RequestId,
    pub(crate) client_ip: Option<IpAddr>,
    pub(crate) secure: bool,
    pub(crate) route: Option<Arc<MatchedRoute>>,
}

impl RequestContext {
    pub(crate) fn new(shared: Arc<Shared>, parts: ContextParts) -> Self {
        let ContextParts { peer, method, uri, headers, request_id, client_ip, secure, route } = parts;
        let believes_cookies = route.as_ref().is_none_or(|route| route.believes_cookies());
        Self {
            shared,
            peer,
            method,
            uri,
            headers,
            request_id,
            client_ip,
            secure,
            route,
            session: OnceLock::new(),
            nonce: OnceLock::new(),
            cookies: OnceLock::new(),
            is_subrequest: false,
            believes_cookies,
        }
    }

    /// The context of a subrequest of this one (`run_subrequest`): another address and body,
    /// the same visitor. What it does to session and cookies, it does to this one's.
    pub(crate) fn subrequest(&self, parts: ContextParts) -> Self {
        let mut context = Self::new(self.shared.clone(), parts);
        context.session = OnceLock::from(self.session().clone());
        context.nonce = OnceLock::from(self.nonce().to_owned());
        context.cookies = OnceLock::from(self.cookies().clone());
        context.is_subrequest = true;
        // This one was checked, or was not; the other is not checked again.
        context.believes_cookies = self.believes_cookies;
        context
    }

    /// Whether this request runs within another, which has been checked already.
    pub(crate) fn is_subrequest(&self) -> bool {
        self.is_subrequest
    }

    /// The other end of the socket.
    pub(crate) fn peer(&self) -> Option<SocketAddr> {
        self.peer
    }

    /// The context of the request this code runs in, or nothing outside one.
    pub fn current() -> Option<Arc<Self>> {
        Scope::read(Scope::get::<Self>).flatten()
    }

    /// The method, after a form's `_method` had its say.
    pub fn method(&self) -> &Method {
        &self.method
    }

    pub fn uri(&self) -> &Uri {
        &self.uri
    }

    /// The headers as they arrived.
    pub fn headers(&self) -> &HeaderMap {
        &self.headers
    }

    /// One header as text, if it is there and is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// The name of this request in logs and error answers.
    pub fn request_id(&self) -> &str {
        self.request_id.as_str()
    }

    pub(crate) fn id(&self) -> &RequestId {
        &self.request_id
    }

    /// The path as logs may show it.
    pub(crate) fn loggable_path(&self) -> Cow<'_, str> {
        self.shared.secret_paths.loggable(self.route.as_deref(), self.uri.path())
    }

    /// Where the request came from: the socket, or what a trusted proxy said.
    pub fn client_ip(&self) -> Option<IpAddr> {
        self.client_ip
    }

    /// Whether the visitor's connection is encrypted, as a trusted proxy reported it.
    pub fn is_secure(&self) -> bool {
        self.secure
    }

    pub fn route_name(&self) -> Option<&str> {
        self.route.as_ref()?.name.as_deref()
    }

    /// The pattern of the matched route: `/users/{id}`.
    pub fn route_path(&self) -> Option<&str> {
        Some(self.route.as_ref()?.pattern.as_str())
    }

    /// What stands in the address in place of the matched route's parameters: `id` and `7` for `/users/{id}`.
    pub fn route_parameters(&self) -> Vec<(&str, Cow<'_, str>)> {
        self.route.as_ref().map(|route| route.pattern.parameters(self.uri.path())).unwrap_or_default()
    }

    /// What tells the matched route from every other: `GET /users/{id}`.
    pub(crate) fn route_identity(&self) -> String {
        let identity = |route: &Arc<MatchedRoute>| format!("{} {}", route.methods, route.pattern.as_str());
        self.route.as_ref().map(identity).unwrap_or_default()
    }

    /// Whether the client is to be answered in JSON: `accept` names `/json` or `+json`, the request says it was made by
    /// a script, or it is for something below `/api`, where no pages are.
    pub fn wants_json(&self) -> bool {
        wants_json_by(&self.headers) || self.is_api()
    }

    /// Whether the request is for something below `/api`.
    pub(crate) fn is_api(&self) -> bool {
        let is_below =
            |path: &str| path.starts_with("/api") && matches!(path.as_bytes().get(4), None | Some(b'/'));
        // The route's own path too: `/%61pi/users` reaches `/api/users`.
        is_below(self.uri.path()) || self.route_path().is_some_and(is_below)
    }

    /// Whether cookies may say who sent this request. In a route [without CSRF
    /// protection](crate::routing::RouteBuilder::without_csrf) they may not: any site could have made a browser send them.
    pub fn believes_cookies(&self) -> bool {
        self.believes_cookies
    }

    /// Whether we saw to it that a page of this site sent this request: it only reads, or its route asks for the session's
    /// [token](crate::csrf).
    pub fn is_csrf_protected(&self) -> bool {
        let has_token = |route: &Arc<MatchedRoute>| route.csrf == CsrfCheck::Token;
        self.method.is_safe() || self.route.as_ref().is_some_and(has_token)
    }

    /// The session. Nothing is read from the store until its contents are asked for. Where
    /// [cookies do not count](Self::believes_cookies) it is empty, and kept nowhere.
    pub fn session(&self) -> &Session {
        self.session.get_or_init(|| match self.believes_cookies {
            true => {
                Session::open(self.session_cookie(), self.shared.sessions.clone(), self.shared.clock.clone())
            }
            false => Session::detached(),
        })
    }

    pub(crate) fn has_session_cookie(&self) -> bool {
        self.believes_cookies && self.session_cookie().is_some()
    }

    pub(crate) fn opened_session(&self) -> Option<&Session> {
        self.session.get()
    }

    /// The nonce of this answer's content security policy, made on first use.
    pub fn nonce(&self) -> &str {
        self.nonce.get_or_init(fast_random::nonce)
    }

    pub(crate) fn used_nonce(&self) -> Option<&str> {
        self.nonce.get().map(String::as_str)
    }

    /// The cookies that came, and those that will leave with the answer.
    pub fn cookies(&self) -> &Cookies {
        self.cookies.get_or_init(|| {
            Cookies::open(&self.headers, self.shared.services.get(), self.shared.sessions.is_secure())
        })
    }

    pub(crate) fn queued_cookies(&self) -> Option<&Cookies> {
        self.cookies.get()
    }

    fn session_cookie(&self) -> Option<&str> {
        cookies::first(&self.headers, self.shared.sessions.cookie_name())
    }

    pub fn services(&self) -> &Services {
        &self.shared.services
    }

    pub fn clock(&self) -> &Clock {
        &self.shared.clock
    }
}

impl fmt::Debug for RequestContext {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Neither headers nor the query: both may hold secrets.
        f.debug_struct("RequestContext")
            .field("method", &self.method)
            .field("path", &self.loggable_path())
            .field("request_id", &self.request_id())
            .finish_non_exhaustive()
    }
}

/// The reading key of the specification: who counts as a JSON client.
pub(crate) fn wants_json_by(headers: &HeaderMap) -> bool {
    let names_json = |value: &HeaderValue| {
        let value = value.as_bytes();
        let has =
            |needle: &[u8]| value.windows(needle.len()).any(|window| window.eq_ignore_ascii_case(needle));
        has(b"/json") || has(b"+json")
    };
    headers.get_all(ACCEPT).iter().any(names_json)
        || headers.get("x-requested-with").is_some_and(|value| value.as_bytes() == b"XMLHttpRequest")
}

/// The name of the present request in logs and error answers; `None` outside a request.
pub fn request_id() -> Option<String> {
    RequestContext::current().map(|context| context.request_id().to_owned())
}

/// Where the present request came from; `None` outside a request.
pub fn client_ip() -> Option<IpAddr> {
    RequestContext::current().and_then(|context| context.client_ip())
}

/// The nonce that inline scripts and styles of the present answer must carry; `None` outside a request.
pub fn csp_nonce() -> Option<String> {
    RequestContext::current().map(|context| context.nonce().to_owned())
}

/// Whether the present request is to be answered in JSON; `false` outside a request.
pub fn wants_json() -> bool {
    RequestContext::current().is_some_and(|context| context.wants_json())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn accept(value: &'static str) -> bool {
        let mut headers = HeaderMap::new();
        headers.insert(ACCEPT, HeaderValue::from_static(value));
        wants_json_by(&headers)
    }

    #[test]
    fn a_json_client_names_json_in_accept_or_says_it_is_a_script() {
        assert!(accept("application/json"));
        assert!(accept("text/html, application/problem+json;q=0.9"));
        assert!(accept("Application/JSON"));
        assert!(!accept("text/html,application/xhtml+xml,*/*;q=0.8"));

        let mut headers = HeaderMap::new();
        headers.insert("x-requested-with", HeaderValue::from_static("XMLHttpRequest"));
        assert!(wants_json_by(&headers));
    }

    #[test]
    fn outside_a_request_every_helper_answers_empty() {
        assert_eq!((request_id(), client_ip(), csp_nonce(), wants_json()), (None, None, None, false));
    }
}
