use std::panic::Location;

use http::Method;

use super::Routes;
use super::builder::RouteBuilder;
use super::kind::Typed;
use crate::types::TypedHandler;

/// Routes that the app's own client calls, made by [`GroupBuilder::typed`](super::GroupBuilder::typed).
///
/// What a route takes and answers is read from its handler's signature, by [`Input`](crate::types::Input) and
/// [`Answer`](crate::types::Answer). A part that neither describes does not compile, with a word about what to do. In an
/// app without the cargo feature `types` these are routes like any other.
pub type TypedRoutes = Routes<Typed>;

impl Routes<Typed> {
    /// Answers `GET`, and `HEAD` with it.
    #[track_caller]
    pub fn get<H: TypedHandler<T>, T: 'static>(&mut self, path: &str, handler: H) -> RouteBuilder<'_> {
        self.add(Method::GET, path, handler)
    }

    #[track_caller]
    pub fn post<H: TypedHandler<T>, T: 'static>(&mut self, path: &str, handler: H) -> RouteBuilder<'_> {
        self.add(Method::POST, path, handler)
    }

    #[track_caller]
    pub fn put<H: TypedHandler<T>, T: 'static>(&mut self, path: &str, handler: H) -> RouteBuilder<'_> {
        self.add(Method::PUT, path, handler)
    }

    #[track_caller]
    pub fn patch<H: TypedHandler<T>, T: 'static>(&mut self, path: &str, handler: H) -> RouteBuilder<'_> {
        self.add(Method::PATCH, path, handler)
    }

    #[track_caller]
    pub fn delete<H: TypedHandler<T>, T: 'static>(&mut self, path: &str, handler: H) -> RouteBuilder<'_> {
        self.add(Method::DELETE, path, handler)
    }

    #[track_caller]
    fn add<H: TypedHandler<T>, T: 'static>(
        &mut self,
        method: Method,
        path: &str,
        handler: H,
    ) -> RouteBuilder<'_> {
        let definition = self.last_added(method.into(), path, handler, Location::caller());
        definition.types = H::DESCRIBE;
        RouteBuilder::new(definition)
    }
}
