//! The formats that a JavaScript deployment can read and that we can read from it: signed cookie values, JWS, JWE,
//! encryption at rest.
//!
//! [`Keys`] holds everything derived from the secret, computed once.

mod at_rest;
mod jwe;
mod jws;
mod keys;
mod signed;

pub(crate) use keys::{Keys, SESSION_SALT};

use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

/// SHA-256 of some bytes.
pub(crate) fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// An HMAC that took its key and waits for the text. Cloning it saves hashing the key again.
#[expect(clippy::expect_used, reason = "HMAC accepts a key of any length")]
fn keyed(key: &[u8]) -> Hmac<Sha256> {
    Hmac::<Sha256>::new_from_slice(key).expect("HMAC accepts any key")
}

fn finish(mut mac: Hmac<Sha256>, parts: &[&[u8]]) -> [u8; 32] {
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}
