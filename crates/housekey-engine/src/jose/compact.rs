//! The three parts of a token.

use data_encoding::BASE64URL_NOPAD;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// What a header says. Keys and addresses of keys that stand in it (`jwk`, `jku`, `x5u`, `x5c`) are not read: whoever made the
/// token up made them up as well.
#[derive(Deserialize)]
pub(crate) struct Header {
    pub(crate) alg: String,
    pub(crate) kid: Option<String>,
    /// What somebody who does not understand it must refuse. We understand nothing of the kind.
    pub(crate) crit: Option<Value>,
}

/// A token in its parts, still encoded.
pub(crate) struct Parts<'a> {
    pub(crate) header: &'a str,
    pub(crate) payload: &'a str,
    pub(crate) signature: &'a str,
    /// What was signed: header and payload.
    pub(crate) signed: &'a str,
}

/// The parts of a token, if there are three.
pub(crate) fn parts(token: &str) -> Option<Parts<'_>> {
    let (signed, signature) = token.rsplit_once('.')?;
    let (header, payload) = signed.split_once('.')?;
    (!payload.contains('.')).then_some(Parts { header, payload, signature, signed })
}

/// A header or a payload.
pub(crate) fn decode<T: DeserializeOwned>(part: &str) -> Option<T> {
    serde_json::from_slice(&BASE64URL_NOPAD.decode(part.as_bytes()).ok()?).ok()
}
