use std::fmt;
use std::marker::PhantomData;
use std::panic::Location;

use axum::handler::Handler;
use axum::response::IntoResponse;
use http::{Method, StatusCode};

use super::builder::RouteBuilder;
use super::definition::{Attributes, Definition};
use super::endpoint::HandlerEndpoint;
use super::http_handler::HttpHandler;
use super::kind::Untyped;
use super::methods::Methods;
use super::redirect;

/// The addresses of an app. A handler is any axum handler.
///
/// ```
/// use axum::extract::Path;
/// use housekey_http::Routes;
///
/// async fn show(Path(id): Path<u64>) -> String {
///     format!("user {id}")
/// }
///
/// fn web(route: &mut Routes) {
///     route.get("/health", async || "ok");
///     route.get("/users/{id}", show).name("users.show").where_("id", "[0-9]+");
///     route.redirect("/people/{id}", "/users/{id}");
///     route.view("/about", || "We make keys.").header("cache-control", "public, max-age=3600");
/// }
/// ```
///
/// `K` is the kind of the routes, and rarely written: see [`TypedRoutes`](super::TypedRoutes).
pub struct Routes<K = Untyped> {
    attributes: Attributes,
    definitions: Vec<Definition>,
    kind: PhantomData<K>,
}

impl Routes {
    pub fn new() -> Self {
        Self::with_attributes(Attributes::default())
    }

    /// Answers `GET`, and `HEAD` with it.
    #[track_caller]
    pub fn get<H: HttpHandler<T>, T: 'static>(&mut self, path: &str, handler: H) -> RouteBuilder<'_> {
        self.add(Method::GET.into(), path, handler)
    }

    #[track_caller]
    pub fn post<H: HttpHandler<T>, T: 'static>(&mut self, path: &str, handler: H) -> RouteBuilder<'_> {
        self.add(Method::POST.into(), path, handler)
    }

    #[track_caller]
    pub fn put<H: HttpHandler<T>, T: 'static>(&mut self, path: &str, handler: H) -> RouteBuilder<'_> {
        self.add(Method::PUT.into(), path, handler)
    }

    #[track_caller]
    pub fn patch<H: HttpHandler<T>, T: 'static>(&mut self, path: &str, handler: H) -> RouteBuilder<'_> {
        self.add(Method::PATCH.into(), path, handler)
    }

    #[track_caller]
    pub fn delete<H: HttpHandler<T>, T: 'static>(&mut self, path: &str, handler: H) -> RouteBuilder<'_> {
        self.add(Method::DELETE.into(), path, handler)
    }

    /// Answers `OPTIONS`, in place of the automatic answer.
    #[track_caller]
    pub fn options<H: HttpHandler<T>, T: 'static>(&mut self, path: &str, handler: H) -> RouteBuilder<'_> {
        self.add(Method::OPTIONS.into(), path, handler)
    }

    #[track_caller]
    pub fn any<H: HttpHandler<T>, T: 'static>(&mut self, path: &str, handler: H) -> RouteBuilder<'_> {
        self.add(Methods::Any, path, handler)
    }

    #[track_caller]
    pub fn methods<H: HttpHandler<T>, T: 'static>(
        &mut self,
        methods: impl IntoIterator<Item = Method>,
        path: &str,
        handler: H,
    ) -> RouteBuilder<'_> {
        self.add(Methods::Only(methods.into_iter().collect()), path, handler)
    }

    /// Answers `GET` with what `view` returns, a page most often. [`RouteBuilder::status`] and
    /// [`RouteBuilder::header`] say how.
    #[track_caller]
    pub fn view<V, R>(&mut self, path: &str, view: V) -> RouteBuilder<'_>
    where
        V: Fn() -> R + Clone + Send + Sync + 'static,
        R: IntoResponse + 'static,
    {
        self.get(path, async move || view().into_response())
    }

    /// Sends `GET` on `from` to `to` (302). Parameters of `from` may stand in `to`.
    #[track_caller]
    pub fn redirect(&mut self, from: &str, to: &str) -> RouteBuilder<'_> {
        self.redirect_with(StatusCode::FOUND, from, to)
    }

    /// Sends `GET` on `from` to `to` for good (301): browsers remember it.
    #[track_caller]
    pub fn redirect_permanently(&mut self, from: &str, to: &str) -> RouteBuilder<'_> {
        self.redirect_with(StatusCode::MOVED_PERMANENTLY, from, to)
    }

    #[track_caller]
    fn redirect_with(&mut self, status: StatusCode, from: &str, to: &str) -> RouteBuilder<'_> {
        self.get(from, redirect::to(status, to.to_owned()))
    }

    /// Answers what no route answers. Inside a group with a prefix it answers only below that prefix; the nearest
    /// fallback wins.
    #[track_caller]
    pub fn fallback<H: HttpHandler<T>, T: 'static>(&mut self, handler: H) -> RouteBuilder<'_> {
        let builder = self.last_added(Methods::Any, "", handler, Location::caller());
        builder.is_fallback = true;
        RouteBuilder::new(builder)
    }

    #[track_caller]
    fn add<H: Handler<T, ()>, T: 'static>(
        &mut self,
        methods: Methods,
        path: &str,
        handler: H,
    ) -> RouteBuilder<'_> {
        RouteBuilder::new(self.last_added(methods, path, handler, Location::caller()))
    }

    pub(crate) fn into_definitions(self) -> Vec<Definition> {
        self.definitions
    }

    pub(crate) fn definitions(&self) -> &[Definition] {
        &self.definitions
    }
}

impl<K> Routes<K> {
    pub(super) fn last_added<H: Handler<T, ()>, T: 'static>(
        &mut self,
        methods: Methods,
        path: &str,
        handler: H,
        place: &'static Location<'static>,
    ) -> &mut Definition {
        let endpoint = Box::new(HandlerEndpoint::new(handler));
        self.definitions.push_mut(Definition::new(methods, path, endpoint, self.attributes.clone(), place))
    }

    /// What a group in here begins with.
    pub(super) fn attributes(&self) -> &Attributes {
        &self.attributes
    }

    pub(crate) fn with_attributes(attributes: Attributes) -> Self {
        Self { attributes, definitions: Vec::new(), kind: PhantomData }
    }

    pub(crate) fn absorb<Inner>(&mut self, other: Routes<Inner>) {
        self.definitions.extend(other.definitions);
    }
}

impl Default for Routes {
    fn default() -> Self {
        Self::new()
    }
}

impl<K> fmt::Debug for Routes<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.definitions.iter().map(Definition::describe)).finish()
    }
}
