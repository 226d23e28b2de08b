use tower::Layer;

use super::Routes;
use super::definition::{Attributes, join};
use super::kind::Untyped;
use super::matched::CsrfCheck;
use super::typed::TypedRoutes;
use crate::guard::{FromLayer, Guard, IntoGuards, NextService, from_layer};

impl<K> Routes<K> {
    pub fn group(&mut self) -> GroupBuilder<'_, K> {
        let attributes = self.attributes().clone();
        GroupBuilder { routes: self, attributes }
    }
}

/// Routes that have something in common.
///
/// ```
/// use housekey_http::Routes;
///
/// fn web(route: &mut Routes) {
///     route.group().prefix("/admin").name("admin.").middleware(["auth", "can:manage"]).routes(|route| {
///         route.get("/users", async || "users").name("users"); // GET /admin/users, named admin.users
///     });
/// }
/// ```
///
/// `K` is the kind of its routes: see [`TypedRoutes`](super::TypedRoutes).
#[derive(Debug)]
#[must_use = "a group does nothing until `.routes(…)` gives it routes"]
pub struct GroupBuilder<'a, K = Untyped> {
    routes: &'a mut Routes<K>,
    attributes: Attributes,
}

impl<K> GroupBuilder<'_, K> {
    /// Puts a path in front of every route.
    pub fn prefix(mut self, prefix: &str) -> Self {
        self.attributes.prefix = join(&self.attributes.prefix, prefix);
        self
    }

    /// Puts text in front of every name. The separator is yours: `"admin."`.
    pub fn name(mut self, prefix: &str) -> Self {
        self.attributes.name.push_str(prefix);
        self
    }

    /// The heading under which the description of the API shows the routes.
    pub fn heading(mut self, heading: &str) -> Self {
        self.attributes.heading = Some(heading.to_owned());
        self
    }

    /// Puts guards in front of every route, the outer group's first.
    pub fn middleware(mut self, guards: impl IntoGuards) -> Self {
        self.attributes.guards.extend(guards.into_guards());
        self
    }

    /// Puts a tower layer around every route, where it stands among the guards: those written before it run before it.
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
    ///     route.group().layer(map_response(stamped)).routes(|route| {
    ///         route.get("/", async || "hello");
    ///     });
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

    /// Constrains a parameter in every route that has it.
    pub fn where_(mut self, parameter: &str, expression: &str) -> Self {
        self.attributes.constraints.push((parameter.to_owned(), expression.to_owned()));
        self
    }

    /// Takes every route out of CSRF protection. See [`RouteBuilder::without_csrf`](super::RouteBuilder::without_csrf):
    /// cookies do not count there.
    pub fn without_csrf(mut self) -> Self {
        self.attributes.csrf = CsrfCheck::Nobody;
        self
    }

    /// Leaves CSRF protection to the handlers, which know by the request's `Origin`, say, that no other site sent it.
    /// Cookies count here: a handler that does not check lets every site act for its visitors.
    pub fn own_csrf_check(mut self) -> Self {
        self.attributes.csrf = CsrfCheck::Handler;
        self
    }

    /// Writes down the routes of the group.
    pub fn routes(self, write: impl FnOnce(&mut Routes<K>)) {
        let mut inner = Routes::with_attributes(self.attributes);
        write(&mut inner);
        self.routes.absorb(inner);
    }
}

impl GroupBuilder<'_> {
    /// Writes down routes that the app's own client calls: `housekey types` writes TypeScript for them. What they take
    /// and answer is read from the signatures of their handlers, so each part of those must have a TypeScript form.
    ///
    /// ```
    /// # use housekey_http::{Routes, response::{Redirect, redirect}};
    /// # async fn destroy() -> Redirect { redirect("/") }
    /// # fn settings(route: &mut Routes) {
    /// route.group().prefix("/settings").typed(|route| {
    ///     route.delete("/account", destroy).name("account.destroy");
    /// });
    /// # }
    /// # settings(&mut Routes::new());
    /// ```
    pub fn typed(self, write: impl FnOnce(&mut TypedRoutes)) {
        let mut inner = Routes::with_attributes(self.attributes);
        write(&mut inner);
        self.routes.absorb(inner);
    }
}
