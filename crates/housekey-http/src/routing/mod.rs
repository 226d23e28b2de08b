//! Where an app writes down its addresses, and how a request finds its handler.
//!
//! Rules, in one place:
//!
//! - Exact text wins over a parameter, a constrained parameter over a free one, any of them over a wildcard; the
//!   search backtracks, so `/users/{id}` does not hide `/{page}/edit`.
//! - The method takes part in the search: `GET` on a path that only answers `POST` goes on to a `GET` wildcard. Only
//!   when nothing answers the method it is 405 with `Allow`. `HEAD` is answered by `GET` routes, `OPTIONS` by itself.
//! - Segments are percent-decoded before they are compared. A malformed escape, bytes that are no UTF-8, or a NUL
//!   is 400.
//! - A trailing slash makes no difference (`/users/` is `/users`), except inside a wildcard, which keeps it.
//! - A wildcard matches the empty rest only if its constraint does (`.*` does, `{*path}` alone does not).

mod builder;
mod definition;
mod endpoint;
#[cfg(feature = "types")]
mod for_clients;
mod group;
mod handler;
mod http_handler;
mod kind;
mod matched;
mod methods;
mod operation;
mod path;
mod pattern;
mod redirect;
mod resource;
mod route;
mod routes;
mod secret_paths;
mod table;
mod trie;
mod typed;
mod url;
mod url_with_query;

pub use builder::RouteBuilder;
pub use group::GroupBuilder;
pub use http_handler::HttpHandler;
pub use kind::{Typed, Untyped};
pub use methods::Methods;
pub use operation::{Operation, SecuritySchemes};
pub use resource::{Resource, ResourceBuilder};
#[doc(hidden)]
pub use resource::{resource_actions, singular};
pub use route::Route;
pub use routes::Routes;
pub use table::{RouteInfo, RouteTable};
pub use typed::TypedRoutes;
pub use url::{UrlGenerator, absolute_url, path_to, path_to_with, route, route_url};
pub use url_with_query::url_with_query;

pub(crate) use endpoint::ResponseFuture;
pub(crate) use matched::{CsrfCheck, MatchedRoute};
pub(crate) use path::{decode, encode_segment};
pub(crate) use secret_paths::SecretPaths;
pub(crate) use table::Lookup;
pub(crate) use table::{TableParts, urls};
