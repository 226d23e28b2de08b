//! What visitors send, and the rules for it.

pub mod auth;
pub mod settings;
