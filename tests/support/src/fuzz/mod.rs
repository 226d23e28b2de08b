//! Inputs that nobody meant: a corpus, and changes of it that a seed decides.
//!
//! A plain run replays the corpus and some hundred changes of it, always the same ones. With `HOUSEKEY_FUZZ_SECONDS` set a
//! target goes on for that long, from a new seed each time: `cargo xtask fuzz` does that. An input that fails is printed with
//! its seed; put it into the corpus and it is tried for ever.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod mutate;
mod run;

pub use run::{fuzz, replace};
