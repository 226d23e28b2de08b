//! Key pairs: made, written as JWK, read and used.

mod generate;
mod generate_rsa;
mod signing_key;

pub(super) use generate::generate;
pub(super) use signing_key::SigningKey;

use serde_json::Value;

/// A key pair that was just made, as JWK.
pub(super) struct NewKey {
    pub(super) public: Value,
    pub(super) private: Value,
}
