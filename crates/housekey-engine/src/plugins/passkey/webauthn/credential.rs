use data_encoding::BASE64URL_NOPAD;
use serde::Deserialize;
use serde_json::Value;

use super::{Checked, Refusal, require};

/// A credential as browsers write it in JSON. `R` is what the device answered.
#[derive(Deserialize)]
pub(super) struct CredentialJson<R> {
    pub(super) id: String,
    #[serde(rename = "rawId")]
    raw_id: String,
    #[serde(rename = "type")]
    kind: String,
    pub(super) response: R,
}

impl<R: for<'de> Deserialize<'de>> CredentialJson<R> {
    pub(super) fn read(json: &Value) -> Checked<Self> {
        let read = Self::deserialize(json).map_err(|_| Refusal("the answer has another form"))?;
        require(read.id == read.raw_id, "the credential has two ids")?;
        require(read.kind == "public-key", "the credential is not a public key")?;
        Ok(read)
    }
}

/// The bytes of a field.
pub(super) fn bytes(text: &str) -> Checked<Vec<u8>> {
    BASE64URL_NOPAD.decode(text.as_bytes()).map_err(|_| Refusal("a field is not base64url"))
}
