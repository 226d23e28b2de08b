use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, OriginalUri};
use http::{Extensions, HeaderMap, Method, StatusCode, Uri};

use super::definition::CsrfCheck;
use super::endpoint::{Dispatch, ResponseFuture};
use super::pattern::Pattern;
use crate::guard::{Guard, Next};
use crate::types::Describe;
use crate::{Request, RequestContext, Response};

/// A route that is ready to answer.
pub struct Route {
    pub(crate) methods: Methods,
    pub(crate) pattern: Pattern,
    pub(crate) name: Option<String>,
    pub(crate) guards: Box<[Arc<dyn Guard>]>,
    pub(crate) csrf: CsrfCheck,
    pub(crate) body_limit: Option<usize>,
    pub(crate) status: Option<StatusCode>,
    pub(crate) headers: HeaderMap,
    pub(crate) shared: Extensions,
    /// Whether anything in front of or in the handler looks at the request.
    pub(crate) reads_request: bool,
    pub(crate) sensitive: bool,
    pub(crate) dispatch: Dispatch,
    /// Read by `housekey types` alone, so it costs a serving app nothing.
    #[cfg_attr(not(feature = "types"), expect(dead_code, reason = "nothing is written without the feature"))]
    pub(crate) types: Option<Describe>,
    pub(crate) is_fallback: bool,
    pub(crate) place: String,
}

impl Route {
    /// The methods it answers.
    pub fn methods(&self) -> &Methods {
        &self.methods
    }

    /// Its path, parameters in braces.
    pub fn path(&self) -> &str {
        self.pattern.as_str()
    }

    /// Its name.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The guards in front of it, in order.
    pub fn guards(&self) -> &[Arc<dyn Guard>] {
        &self.guards
    }

    /// `file:line` of the call that made it.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Whether it answers what no other route answers.
    pub fn is_fallback(&self) -> bool {
        self.is_fallback
    }

    /// Brings a matched request into the shape that guards and handler expect.
    pub(crate) fn prepare(&self, request: &mut Request, peer: Option<SocketAddr>) {
        if !self.reads_request {
            return;
        }
        if !self.shared.is_empty() {
            request.extensions_mut().extend(self.shared.clone());
        }
        if let Some(peer) = peer {
            request.extensions_mut().insert(ConnectInfo(peer));
        }
        if !self.is_fallback
            && let Some(path) = self.pattern.canonical(request.uri().path())
        {
            let original = request.uri().clone();
            let path = match original.query() {
                Some(query) => format!("{path}?{query}"),
                None => path,
            };
            let mut parts = original.clone().into_parts();
            parts.path_and_query = path.parse().ok();
            if let Ok(uri) = Uri::from_parts(parts) {
                request.extensions_mut().insert(OriginalUri(original));
                *request.uri_mut() = uri;
            }
        }
    }

    /// Starts on the answer: the guards, then the handler.
    pub(crate) fn start(route: &Arc<Self>, context: &RequestContext, request: Request) -> ResponseFuture {
        match Next::from_start(route, context) {
            None => Self::call(route, request),
            Some(next) => Box::pin(next.run(request)),
        }
    }

    /// Calls the handler, guards aside.
    pub(crate) fn call(route: &Arc<Self>, request: Request) -> ResponseFuture {
        let answer = route.dispatch.call(request);
        if route.status.is_none() && route.headers.is_empty() {
            return answer;
        }
        let route = route.clone();
        Box::pin(async move {
            let mut response = answer.await;
            route.decorate(&mut response);
            response
        })
    }

    /// The status and headers a `view` route was given. They replace what the view itself said.
    fn decorate(&self, response: &mut Response) {
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

impl fmt::Debug for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Route({} {})", self.methods, self.path())
    }
}

/// The methods a route answers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Methods {
    /// Every method.
    Any,
    /// These, in the order they were written.
    Only(Vec<Method>),
}

impl Methods {
    /// The names, as `route:list` shows them: `GET` is shown with the `HEAD` it brings.
    pub fn names(&self) -> Vec<String> {
        match self {
            Self::Any => vec!["ANY".to_owned()],
            Self::Only(methods) => {
                let mut names: Vec<String> = Vec::new();
                for method in methods {
                    names.push(method.to_string());
                    if method == Method::GET && !methods.contains(&Method::HEAD) {
                        names.push("HEAD".to_owned());
                    }
                }
                names
            }
        }
    }
}

impl From<Method> for Methods {
    fn from(method: Method) -> Self {
        Self::Only(vec![method])
    }
}

impl fmt::Display for Methods {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Any => f.write_str("ANY"),
            Self::Only(methods) => {
                f.write_str(&methods.iter().map(Method::as_str).collect::<Vec<_>>().join("|"))
            }
        }
    }
}
