//! Signing in with others, as an app has it: which providers there are, what is asked for first, and the development account.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod confirmation;
#[cfg(debug_assertions)]
mod development;
mod flow;
mod offered;
#[cfg(not(debug_assertions))]
mod release;
#[allow(dead_code, reason = "each test file uses its part")]
#[path = "../support.rs"]
mod support;
