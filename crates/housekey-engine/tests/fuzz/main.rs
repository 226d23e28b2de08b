//! Input that nobody meant, through the front door: changed cookies, tokens, codes, encodings, passkeys and bodies.
//!
//! Every target replays its corpus and then some hundred changes of it, the same ones in every run. With
//! `HOUSEKEY_FUZZ_SECONDS` set it goes on for that long, from a new seed each time: `cargo xtask fuzz` does that. An input that
//! fails is printed with its seed; put it into `corpus/` and it is tried for ever.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod codes;
mod cookies;
mod encodings;
mod house;
mod json;
mod mutate;
mod run;
mod tokens;
#[cfg(feature = "passkeys")]
mod webauthn;
