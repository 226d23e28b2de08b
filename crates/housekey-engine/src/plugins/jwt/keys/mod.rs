//! Key pairs: made, written as JWK, read and used.

mod generate;
mod generate_rsa;
mod signing_key;

pub(super) use generate::generate;
pub(super) use signing_key::SigningKey;

use data_encoding::BASE64URL_NOPAD;
use serde_json::Value;

/// A key pair that was just made, as JWK.
pub(super) struct NewKey {
    pub(super) public: Value,
    pub(super) private: Value,
}

/// Bytes as a JWK writes them.
fn encode(bytes: &[u8]) -> String {
    BASE64URL_NOPAD.encode(bytes)
}
