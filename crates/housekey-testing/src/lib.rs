//! Tests of an app go through its front door: a real request through the real pipeline, in this process.
//!
//! - [`TestApp`] boots the app for one test: memory stores, a folder of its own, a key of its own, a clock that
//!   stands still until it is moved. It keeps cookies as a browser does and knows the CSRF token.
//! - [`TestRequest`] is a request being put together; awaiting it sends it.
//! - [`TestResponse`] is the answer, with assertions that chain and that print the whole answer when they fail.
//! - [`TestServer`] is the app behind a real socket, for browsers and websockets.
//! - With the feature `database` every test has a database of its own, on a server too, migrated before its first request;
//!   with `auth`, `TestApp::acting_as` signs somebody in for a while.
//! - [`both`] sends two requests at the same time.
//! - [`run`] is what `#[housekey::test]` expands to.
//!
//! ```
//! # use housekey_core::ConfigFiles;
//! # use housekey_http::App;
//! use housekey_testing::TestApp;
//!
//! fn app() -> App {
//!     App::new(ConfigFiles::new()).routes(|route| {
//!         route.get("/health", async || "ok").name("health");
//!     })
//! }
//!
//! # fn main() {
//! housekey_testing::run(app, async |app: TestApp| {
//!     app.get("/health").await.assert_ok().assert_see("ok");
//!     app.get("/missing").await.assert_not_found();
//! });
//! # }
//! ```

mod app;
mod assertions;
#[cfg(feature = "auth")]
mod auth;
mod both;
#[cfg(feature = "database")]
mod database;
mod jar;
mod response;
mod run;
mod session;
mod settings;

pub use app::{TestApp, TestRequest, TestServer};
#[cfg(feature = "auth")]
pub use auth::PASSWORD;
pub use both::both;
pub use response::TestResponse;
pub use run::run;
