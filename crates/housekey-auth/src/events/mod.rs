//! What happened to accounts: sign-ins, refusals, locks, changes of factors, passwords and addresses, the end of sessions.
//!
//! Each is a line of the log with the target `housekey::security`, whichever door led there. With
//! [`Events::kept`] in `config/auth.rs` it is a row in a table, too: people see their own ([`recent`]), `housekey auth:events`
//! shows everybody's, and `housekey auth:prune` ([`prune`](crate::prune)) removes those that are past their days.
//!
//! The engine says what happened ([`SecurityEventKind`](housekey_engine::SecurityEventKind)), once and after it is written.
//! Nothing that opens an account is in it: no token, no code, no password, no link, and of an address that is nobody's only a
//! hash.

mod config;
mod kept;
mod sink;
mod table;

pub use config::Events;
pub use kept::{EventFilter, KeptEvent, find, recent};
pub(crate) use sink::{listen, plugin};
pub(crate) use table::TABLE;
