//! What the engine says about itself: everything it serves, nothing else, and what is said is so.

mod everything;
mod refusals;
mod secrets;
mod send;
mod whole;
