//! Requests and answers of an app, in one program: as many as there are files, each would be linked with all of the framework.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod ambient;
#[cfg(feature = "database")]
mod bound;
mod cookies;
mod cors;
mod csrf;
mod edge;
mod fuzz;
mod http;
mod logs;
mod maintenance;
mod query_schema;
mod security_headers;
mod session;
#[cfg(all(feature = "database", feature = "redis"))]
mod session_drivers;
mod signed;
mod static_files;
mod subrequests;
mod throttle;
mod throttled_forms;
mod translation;
mod validation;
#[cfg(feature = "database")]
mod validation_decimal;
mod validation_derive;
mod validation_types;
mod visitor;
