//! Addresses that only we can have made: the link of an invitation, a download for an hour, "unsubscribe" in a mail.
//!
//! [`signed_url`] writes one, the guard `signed` lets only those pass. Nothing is stored: path and parameters are signed
//! with `APP_KEY`, and so is the time at which the address is over. Keys in `previous_keys` still count.
//!
//! ```
//! use std::time::Duration;
//!
//! use axum::extract::Path;
//! use housekey_core::Result;
//! use housekey_http::{Routes, signed_url};
//!
//! async fn invite(Path(id): Path<i64>) -> Result<String> {
//!     signed_url("invite", [("id", id)], Duration::from_secs(3 * 24 * 60 * 60))
//! }
//!
//! fn web(route: &mut Routes) {
//!     route.post("/teams/{id}/invite", invite);
//!     route.get("/join/{id}", async |Path(id): Path<i64>| format!("Welcome to team {id}"))
//!         .name("invite")
//!         .middleware("signed");
//! }
//! ```
//!
//! What is signed is the path and the query, in any order; not the host, so a proxy may have another name than we think.
//! What a mail program adds (`utm_source`) makes an address a changed one, unless the guard names it:
//! `signed:utm_source,utm_medium`. Such a parameter anybody can write: do not believe it.
//!
//! An address that was changed is answered with 403 (`code`: `signature_invalid`), one that is over with 410
//! (`signature_expired`). The signature stands in the query, which no log of ours shows. A parameter of the path is shown;
//! where it is a secret itself, the route says [`sensitive`](crate::routing::RouteBuilder::sensitive).
//!
//! A signed address is a key: whoever has it can use it, as often as they like until it is over. What may happen only once
//! has to be remembered by the app.

mod guard;
mod parameters;
mod signature;
mod url;

pub(crate) use guard::factory;
pub use parameters::UrlParameters;
pub use url::{signed_path, signed_url};
