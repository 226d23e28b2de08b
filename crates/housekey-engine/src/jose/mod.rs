//! Tokens that others signed and the keys to check them with: JWS in compact form, JWK, and key sets behind addresses.
//!
//! Sign-in with others and the [verifier](crate::jwt::Verifier) of our own tokens both stand on it. What we sign with the
//! engine's secret is in `crypto`.

mod compact;
mod jwk;
mod key_sets;

#[cfg(feature = "social")]
pub(crate) use compact::Parts;
pub(crate) use compact::{Header, decode, parts};
pub(crate) use jwk::{ALGORITHMS, Jwk};
pub(crate) use key_sets::JwksCache;
