//! The description of an app's API, made from its code: OpenAPI 3.1, and a page to read it.
//!
//! - A [typed route](housekey_http::routing::GroupBuilder::typed) is described by the signature of its handler. Types come
//!   from `#[typescript]`, as for `housekey types`; the rules of `#[derive(Validated)]` become keywords of JSON Schema.
//! - Something behind a route that knows itself better, as the auth engine does, says so with
//!   [`RouteBuilder::operation`](housekey_http::routing::RouteBuilder::operation).
//! - [`OpenApiProvider`] serves the document at `/api/openapi.json` and a page at `/api/docs`. Production has neither, unless
//!   [`OpenApiConfig`] turns them on.
//! - [`Document`] is the document itself: what `housekey openapi` prints.
//!
//! What is typed is described. A page for people, a webhook, a health check is written with `.routes(…)` and is not in here.

mod config;
mod document;
mod example;
mod operation;
mod page;
mod provider;
mod schemas;
mod typescript;

pub use config::OpenApiConfig;
pub use document::Document;
pub use provider::{OpenApiProvider, docs_path};
