//! Sessions: what the app remembers of a visitor between two requests.
//!
//! - [`Session`] is the handle that a request opens; nothing is read before its contents are asked for.
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

pub use config::{SecureCookie, SessionConfig};
#[cfg(feature = "database")]
pub use database::{DatabaseSessions, create_sessions_table};
pub use drivers::SessionDrivers;
pub use file::FileSessions;
pub use handle::Session;
pub use housekey_base::SameSite;
pub use manager::SessionManager;
pub use memory::MemorySessions;
#[cfg(feature = "redis")]
pub use redis::RedisSessions;
pub use store::{SessionId, SessionRecord, SessionStore, StoreFuture};
