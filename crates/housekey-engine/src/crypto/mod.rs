//! The formats that a JavaScript deployment can read and that we can read from it: signed cookie values, JWS, JWE,
//! encryption at rest.
//!
//! [`Keys`] derives everything from the secret.

mod at_rest;
mod jwe;
mod jws;
mod keys;
#[cfg(feature = "social")]
mod purpose;
mod signed;

#[cfg(feature = "social")]
pub(crate) use keys::ACCOUNT_SALT;
pub(crate) use keys::{Keys, SESSION_SALT};

use data_encoding::BASE64URL_NOPAD;
use hmac::{Hmac, KeyInit, Mac};
use sha2::{Digest, Sha256};

pub(crate) fn sha256(bytes: &[u8]) -> [u8; 32] {
    Sha256::digest(bytes).into()
}

/// A random secret as it may lie in a column: SHA-256, in base64url. Who reads the database can do nothing with it, and it can be
/// looked up. Only for what nobody could guess, as [`random`](crate::random) makes it: a password or a short code needs more
/// ([`Api::hash_codes`](crate::Api::hash_codes)).
///
/// ```
/// use housekey_engine::hash_token;
///
/// assert_eq!(hash_token("abc"), "ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0");
/// ```
pub fn hash_token(token: &str) -> String {
    BASE64URL_NOPAD.encode(&sha256(token.as_bytes()))
}

/// HMAC-SHA-256 over some parts, with a key that is used this once.
#[cfg(feature = "social")]
pub(crate) fn hmac_sha256(key: &[u8], parts: &[&[u8]]) -> [u8; 32] {
    MacKey::new(key).mac(parts)
}

/// A key of HMAC-SHA-256. To take a key in costs as much as to sign a short text with it.
pub(crate) struct MacKey(Hmac<Sha256>);

impl MacKey {
    #[expect(clippy::expect_used, reason = "HMAC accepts a key of any length")]
    pub(crate) fn new(key: &[u8]) -> Self {
        Self(Hmac::new_from_slice(key).expect("HMAC accepts any key"))
    }

    pub(crate) fn mac(&self, parts: &[&[u8]]) -> [u8; 32] {
        let mut mac = self.0.clone();
        for part in parts {
            mac.update(part);
        }
        mac.finalize().into_bytes().into()
    }
}
