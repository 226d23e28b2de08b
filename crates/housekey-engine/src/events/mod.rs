//! What happened to accounts, for whoever has to look into it later: one event per thing that happened, told when it is
//! written.
//!
//! [`EngineOptions::on_security_event`](crate::options::EngineOptions::on_security_event) is where they go. Nothing that opens
//! an account is ever in one: no token, no code, no password, no link.

mod event;
mod kind;

pub use event::SecurityEvent;
pub use kind::SecurityEventKind;
