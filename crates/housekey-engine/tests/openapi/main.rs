//! What the engine says about itself: everything it serves, nothing else, and what is said is so.

#![expect(clippy::unwrap_used, reason = "in a test a panic is the report")]

mod everything;
mod refusals;
mod secrets;
mod send;
mod whole;
