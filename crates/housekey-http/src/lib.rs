//! HTTP for Housekey: from the socket to a handler and back.
//!
//! A short tour, in the order of a request:
//!
//! - [`Server`] accepts connections, reads requests with time limits and finishes what is in flight before it stops.
//! - [`Kernel`] is the one fused service: request id, client address, static files, method override, routing,
//!   scope, CORS, CSRF, guards, handler, error pages, session, cookies, security headers, access log.
//! - [`Routes`] is where an app writes down its addresses; [`RouteTable`] is what became of them at boot.
//! - [`Guard`]s stand in front of handlers. They have names (`"throttle:6,1"`) and types.
//! - [`RequestContext`] is what the ambient helpers ([`request_id`], [`client_ip`], [`csp_nonce`], [`session()`], …)
//!   read. Outside a request they answer empty.
//! - [`validation`] reads forms and JSON into values that are checked, and gives refused ones back.
//! - [`uploads`] takes files: streamed, checked by their content, and gone unless they are kept.
//! - [`types`] tells the browser what typed routes take and answer.
//! - [`App`] collects all of it, and [`App::boot`] turns it into an [`Application`].

#[cfg(feature = "http-client")]
pub mod client;
pub mod config;
pub mod cookies;
pub mod cors;
pub mod csrf;
pub mod guard;
pub mod logging;
pub mod maintenance;
pub mod response;
pub mod routing;
pub mod security;
pub mod server;
pub mod session;
pub mod signed;
pub mod throttle;
pub mod types;
pub mod uploads;
pub mod validation;
pub mod websocket;

mod app;
#[cfg(feature = "database")]
mod bound;
mod client_ip;
mod context;
mod cookie_jar;
mod fast_random;
mod kernel;
mod nearest;
mod provider;
mod request_id;
mod translation;

pub use app::{App, Application};
#[cfg(feature = "database")]
pub use bound::{Bound, bound_parameter};
pub use client_ip::TrustedProxies;
pub use config::{AssetsConfig, HttpConfig};
pub use context::{RequestContext, client_ip, csp_nonce, request_id, wants_json};
pub use cookies::cookies;
pub use csrf::csrf_token;
pub use guard::{Guard, GuardFuture, IntoGuards, Next};
pub use kernel::{Kernel, route_table, run_subrequest};
pub use logging::LoggingConfig;
pub use provider::{Provider, Registrar};
pub use response::{ErrorContext, ErrorRenderer};
pub use routing::{
    RouteTable, Routes, absolute_url, path_to, path_to_with, route, route_url, url_with_query,
};
pub use server::Server;
pub use session::{Session, session};
pub use signed::{signed_path, signed_url};
pub use translation::TranslationProvider;
pub use validation::{Valid, ValidQuery, errors, old};

/// A request as handlers and guards see it.
pub type Request = axum::extract::Request;

/// A response as handlers and guards give it.
pub type Response = axum::response::Response;

/// The web framework underneath: every extractor and response type of it works in a handler.
pub use axum;
