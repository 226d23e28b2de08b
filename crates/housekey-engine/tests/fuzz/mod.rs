//! Input that nobody meant, through the front door: changed cookies, tokens, codes, encodings, passkeys and bodies.
//!
//! How the inputs come about says `housekey_test_support::fuzz`.

mod codes;
mod cookies;
mod encodings;
mod json;
mod paths;
mod test_engine;
mod tokens;
#[cfg(feature = "passkeys")]
mod webauthn;
