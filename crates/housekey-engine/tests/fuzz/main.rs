//! Input that nobody meant, through the front door: changed cookies, tokens, codes, encodings, passkeys and bodies.
//!
//! How the inputs come about says `housekey_test_support::fuzz`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod codes;
mod cookies;
mod encodings;
mod json;
mod paths;
mod test_engine;
mod tokens;
#[cfg(feature = "passkeys")]
mod webauthn;
