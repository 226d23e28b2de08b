use std::fmt;
use std::net::SocketAddr;
use std::sync::Arc;

use axum::extract::{ConnectInfo, OriginalUri};
use http::{Extensions, StatusCode, Uri};

use super::matched::MatchedRoute;
use super::methods::Methods;
use super::operation::{Operation, OperationSource};
use crate::Request;
use crate::guard::{Guard, GuardChain};
use crate::types::Describe;

/// A route that is ready to answer.
pub struct Route {
    pub(crate) matched: Arc<MatchedRoute>,
    pub(crate) chain: Arc<GuardChain>,
    pub(crate) body_limit: Option<usize>,
    pub(crate) shared: Extensions,
    /// Read by `housekey types` alone, so it costs a serving app nothing.
    #[cfg_attr(not(feature = "types"), expect(dead_code, reason = "nothing is written without the feature"))]
    pub(crate) types: Option<Describe>,
    pub(crate) about: Option<String>,
    pub(crate) heading: Option<String>,
    pub(crate) refusals: Vec<(StatusCode, String)>,
    pub(crate) operation: Option<OperationSource>,
    pub(crate) status: Option<StatusCode>,
    pub(crate) place: String,
}

impl Route {
    pub fn methods(&self) -> &Methods {
        &self.matched.methods
    }

    /// Its path, parameters in braces.
    pub fn path(&self) -> &str {
        self.matched.pattern.as_str()
    }

    pub fn name(&self) -> Option<&str> {
        self.matched.name.as_deref()
    }

    /// The guards in front of it, in order.
    pub fn guards(&self) -> impl Iterator<Item = &dyn Guard> {
        self.chain.guards().iter().map(|guarded| guarded.guard.as_ref())
    }

    /// The guards in the words that the route used for them: `throttle:6,1`.
    pub fn guard_labels(&self) -> impl Iterator<Item = &str> {
        self.chain.guards().iter().map(|guarded| guarded.label.as_str())
    }

    /// What it is for, if it says so.
    pub fn about(&self) -> Option<&str> {
        self.about.as_deref()
    }

    /// The heading of its group, if there is one.
    pub fn heading(&self) -> Option<&str> {
        self.heading.as_deref()
    }

    /// Whether cookies may say who sent a request to it: not [without CSRF protection](super::RouteBuilder::without_csrf).
    pub fn believes_cookies(&self) -> bool {
        self.matched.believes_cookies()
    }

    /// The status of its successes, if the route itself says it.
    pub fn status(&self) -> Option<StatusCode> {
        self.status
    }

    /// What it says that its handler refuses with, and why.
    pub fn refusals(&self) -> &[(StatusCode, String)] {
        &self.refusals
    }

    /// What something behind the route says about itself: see [`RouteBuilder::operation`](super::RouteBuilder::operation).
    pub fn operation(&self) -> Option<Operation> {
        self.operation.as_ref().map(|describe| describe())
    }

    /// `file:line` of the call that made it.
    pub fn place(&self) -> &str {
        &self.place
    }

    /// Whether it answers what no other route answers.
    pub fn is_fallback(&self) -> bool {
        self.matched.is_fallback
    }

    /// Brings a matched request into the shape that guards and handler expect.
    pub(crate) fn prepare(&self, request: &mut Request, peer: Option<SocketAddr>) {
        if !self.shared.is_empty() {
            request.extensions_mut().extend(self.shared.clone());
        }
        if let Some(peer) = peer {
            request.extensions_mut().insert(ConnectInfo(peer));
        }
        if !self.is_fallback()
            && let Some(path) = self.matched.pattern.canonical(request.uri().path())
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
}

impl fmt::Debug for Route {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Route({} {})", self.methods(), self.path())
    }
}
