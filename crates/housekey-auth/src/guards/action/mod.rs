//! What an action on an account asks for, asked for at both of its doors. spec: SEC-1
//!
//! The table is [`Demands`](crate::Demands). Two places go by it: the guard `action:<name>` in front of a route of the app,
//! and a hook in front of the engine's endpoints below `/api/auth`. So there is no way around a question by knocking at
//! the other door.

mod check;
mod endpoints;
mod guard;

pub(crate) use endpoints::{check_paths, plugin};
pub(crate) use guard::action;
