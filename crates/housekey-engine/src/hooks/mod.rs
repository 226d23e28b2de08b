//! Functions called around what the engine does: around every write ([`DatabaseHooks`]), around every request
//! ([`RequestHooks`]).

mod database;
mod request;

pub use database::{BeforeWrite, DatabaseHooks, WriteEvent};
pub use request::{AfterHook, BeforeHook, RequestHooks};
