use ciborium::Value as Cbor;
use data_encoding::{BASE64, BASE64URL_NOPAD};
use serde::Deserialize;
use serde_json::Value;

use super::authenticator_data::AuthenticatorData;
use super::credential::{CredentialJson, bytes};
use super::public_key::PublicKey;
use super::{Checked, Expected, Refusal, cbor, client_data, require};

/// How many ways to reach a device are remembered, and how long the name of one may be.
const TRANSPORTS: usize = 8;
const TRANSPORT_LENGTH: usize = 32;

/// A new key, in the form of the columns.
#[derive(Debug)]
pub(crate) struct NewCredential {
    /// Base64url.
    pub(crate) id: String,
    /// The COSE key in base64.
    pub(crate) public_key: String,
    pub(crate) counter: u32,
    pub(crate) aaguid: String,
    pub(crate) can_be_copied: bool,
    pub(crate) is_copied: bool,
    /// Separated by commas.
    pub(crate) transports: String,
}

#[derive(Deserialize)]
struct Attestation {
    #[serde(rename = "clientDataJSON")]
    client_data: String,
    #[serde(rename = "attestationObject")]
    object: String,
    #[serde(default)]
    transports: Option<Vec<String>>,
}

/// Checks the answer to a registration.
pub(crate) fn verify_attestation(response: &Value, expected: &Expected<'_>) -> Checked<NewCredential> {
    let credential = CredentialJson::<Attestation>::read(response)?;
    client_data::check(&bytes(&credential.response.client_data)?, "webauthn.create", expected)?;
    let data = authenticator_data(&bytes(&credential.response.object)?)?;
    let data = AuthenticatorData::parse(&data)?;
    data.check(expected)?;
    let made = data.credential.as_ref().ok_or(Refusal("the device made no key"))?;
    let id = BASE64URL_NOPAD.encode(made.id);
    require(!id.is_empty() && id == credential.id, "the device calls the credential something else")?;
    // Read once now: a key that could never verify anything must not be kept.
    PublicKey::parse(made.public_key)?;
    Ok(NewCredential {
        id,
        public_key: BASE64.encode(made.public_key),
        counter: data.counter,
        aaguid: uuid(made.aaguid),
        can_be_copied: data.can_be_copied(),
        is_copied: data.is_copied(),
        transports: transports(credential.response.transports.unwrap_or_default()),
    })
}

/// What the device says, taken out of what it is wrapped in.
fn authenticator_data(object: &[u8]) -> Checked<Vec<u8>> {
    let entries = cbor::map(object)?;
    let entry = |key: &str| cbor::only(&entries, &Cbor::Text(key.into()));
    let format = entry("fmt").and_then(Cbor::as_text).ok_or(Refusal("the attestation has no format"))?;
    let statement =
        entry("attStmt").and_then(Cbor::as_map).ok_or(Refusal("the attestation has no statement"))?;
    require(format != "none" || statement.is_empty(), "an empty attestation says something")?;
    let data = entry("authData").and_then(Cbor::as_bytes);
    data.cloned().ok_or(Refusal("the attestation has no authenticator data"))
}

/// The names of transports; others are the client's invention and are left out.
fn transports(names: Vec<String>) -> String {
    let sound = |name: &String| {
        (1..=TRANSPORT_LENGTH).contains(&name.len())
            && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'-')
    };
    names.into_iter().filter(sound).take(TRANSPORTS).collect::<Vec<_>>().join(",")
}

fn uuid(bytes: &[u8; 16]) -> String {
    let bits = u128::from_be_bytes(*bytes);
    format!(
        "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
        bits >> 96,
        (bits >> 80) & 0xffff,
        (bits >> 64) & 0xffff,
        (bits >> 48) & 0xffff,
        bits & 0xffff_ffff_ffff
    )
}
