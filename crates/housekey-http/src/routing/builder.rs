use std::fmt;
use std::sync::Arc;

use http::{HeaderName, HeaderValue, StatusCode};
use tower::Layer;

use super::definition::Definition;
use super::matched::CsrfCheck;
use super::operation::Operation;
use crate::guard::{FromLayer, Guard, IntoGuards, NextService, from_layer};

/// What can be said about one route, returned by [`Routes::get`](super::Routes::get) and its siblings.
pub struct RouteBuilder<'a> {
    definition: &'a mut Definition,
}

impl<'a> RouteBuilder<'a> {
    pub(crate) fn new(definition: &'a mut Definition) -> Self {
        Self { definition }
    }

    /// Names the route, behind the name of its group. Names are for [`route`](super::route()) and
    /// [`route_url`](super::route_url).
    pub fn name(self, name: &str) -> Self {
        self.definition.name = Some(format!("{}{name}", self.definition.attributes.name));
        self
    }

    /// Puts guards in front of the route, behind those of its group.
    pub fn middleware(self, guards: impl IntoGuards) -> Self {
        self.definition.attributes.guards.extend(guards.into_guards());
        self
    }

    /// Puts a tower layer around the route, where it stands among the guards: those written before it run before it.
    ///
    /// ```
    /// use axum::middleware::map_response;
    /// use housekey_http::{Response, Routes};
    ///
    /// async fn stamped(mut response: Response) -> Response {
    ///     response.headers_mut().insert("x-stamped", "yes".parse().unwrap());
    ///     response
    /// }
    ///
    /// fn web(route: &mut Routes) {
    ///     route.get("/", async || "hello").layer(map_response(stamped));
    /// }
    /// # web(&mut Routes::new());
    /// ```
    pub fn layer<L>(self, layer: L) -> Self
    where
        L: Layer<NextService>,
        FromLayer<L::Service>: Guard,
    {
        self.middleware(from_layer(layer))
    }

    /// Constrains a parameter to a regular expression that its whole text has to match. An address that does not
    /// match goes on to other routes. A constraint that takes a slash, such as `.*`, lets the last parameter take
    /// the whole rest of the path.
    pub fn where_(self, parameter: &str, expression: &str) -> Self {
        self.definition.attributes.constraints.push((parameter.to_owned(), expression.to_owned()));
        self
    }

    /// Takes the route out of CSRF protection. For callers that prove themselves otherwise: webhooks, bearer tokens.
    ///
    /// Any site can make a browser send a request here, cookies and all. So cookies do not say who is there: the session
    /// is empty and kept nowhere, and a user is known by the `authorization` header only.
    pub fn without_csrf(self) -> Self {
        self.definition.attributes.csrf = CsrfCheck::Nobody;
        self
    }

    /// Says in a sentence or more what the route is for. The description of the API shows it: the first sentence as its
    /// title, the others below it.
    pub fn about(self, about: &str) -> Self {
        self.definition.about = Some(about.to_owned());
        self
    }

    /// Says that the handler may refuse with this status, and why: its signature cannot tell.
    pub fn refuses(self, status: StatusCode, why: &str) -> Self {
        self.definition.refusals.push((status, why.to_owned()));
        self
    }

    /// Describes the route in the words of OpenAPI: for an engine behind a route, whose handler's signature tells nothing. It is
    /// asked when somebody wants to read it.
    pub fn operation(self, describe: impl Fn() -> Operation + Send + Sync + 'static) -> Self {
        self.definition.operation = Some(Arc::new(describe));
        self
    }

    /// Takes bodies up to this many bytes, instead of `http.body_limit`.
    pub fn body_limit(self, bytes: usize) -> Self {
        self.definition.body_limit = Some(bytes);
        self
    }

    /// Says that the path holds a secret, such as a reset token: logs show the pattern in its place. That holds for every
    /// path of this shape, whatever its method, its spelling and the answer.
    pub fn sensitive(self) -> Self {
        self.definition.sensitive = true;
        self
    }

    /// Answers with this status whenever the handler succeeds.
    pub fn status(self, status: StatusCode) -> Self {
        self.definition.status = Some(status);
        self
    }

    /// Adds a header to the answer, replacing one of the same name, the framework's own security headers included.
    /// Error answers do not carry it.
    pub fn header(self, name: &str, value: &str) -> Self {
        match (HeaderName::try_from(name), HeaderValue::try_from(value)) {
            (Ok(name), Ok(value)) => drop(self.definition.headers.insert(name, value)),
            _ => self.definition.mistakes.push(format!("{name:?}: {value:?} is no valid header")),
        }
        self
    }
}

impl fmt::Debug for RouteBuilder<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "RouteBuilder({})", self.definition.describe())
    }
}
