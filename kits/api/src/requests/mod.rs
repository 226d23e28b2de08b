//! What clients send, and the rules for it.

pub mod auth;
pub mod profile;
