//! Sessions: what the app remembers of a visitor between two requests.
//!
//! - [`session()`] gives the [`Session`] of the present request; nothing is read before its contents are asked for.
//! - [`SessionStore`] is the contract of a driver; [`FileSessions`] and [`MemorySessions`] are two of them, and the
//!   features `database` and `redis` bring one each.
//! - [`SessionManager`] is the app's one place that opens, saves and sweeps sessions.
//! - [`SessionConfig`] is `config/session.rs`.
//!
//! How it keeps its promises:
//!
//! - The cookie is a signed name (`ticket.rs`). A forged or cut one is no cookie.
//! - A request's changes are a list (`data.rs`) that is applied to the newest record when it is saved
//!   (`save.rs`, as `plan.rs` decides), under compare-and-swap: concurrent requests lose nothing of each other.
//! - An ended session leaves a tombstone for as long as its cookie could come back: nothing revives it.

mod config;
mod data;
#[cfg(feature = "database")]
mod database;
mod drivers;
mod file;
mod handle;
mod manager;
mod memory;
mod plan;
#[cfg(feature = "redis")]
mod redis;
mod save;
mod state;
mod store;
mod ticket;

pub use config::{SameSite, SecureCookie, SessionConfig};
#[cfg(feature = "database")]
pub use database::{DatabaseSessions, create_sessions_table};
pub use drivers::SessionDrivers;
pub use file::FileSessions;
pub use handle::Session;
pub use manager::SessionManager;
pub use memory::MemorySessions;
#[cfg(feature = "redis")]
pub use redis::RedisSessions;
pub use store::{SessionId, SessionRecord, SessionStore, StoreFuture};

use crate::RequestContext;

/// The session of the present request. Outside a request it is an empty one that is kept nowhere.
///
/// ```
/// use housekey_core::Result;
/// use housekey_http::session::session;
///
/// async fn visit() -> Result<String> {
///     let visits = session().increment("visits", 1).await?;
///     session().flash("status", "Welcome back.")?;
///     Ok(format!("Visit number {visits}"))
/// }
/// ```
pub fn session() -> Session {
    RequestContext::current().map_or_else(Session::detached, |context| context.session().clone())
}

/// A value that was flashed to this request, read without waiting: for views. It is `None` outside a request.
///
/// ```
/// use housekey_http::session::flashed;
///
/// let notice: Option<String> = flashed("status");
/// assert_eq!(notice, None);
/// ```
pub fn flashed<T: serde::de::DeserializeOwned>(key: &str) -> Option<T> {
    let value = RequestContext::look(|context| context.session().flashed_value(key)).flatten()?;
    serde_json::from_value(value).ok()
}
