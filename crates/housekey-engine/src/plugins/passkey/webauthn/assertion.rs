use data_encoding::BASE64;
use serde::Deserialize;
use serde_json::Value;
use sha2::{Digest, Sha256};

use super::authenticator_data::AuthenticatorData;
use super::credential::{CredentialJson, bytes};
use super::public_key::PublicKey;
use super::{Checked, Expected, Refusal, WRONG_SIGNATURE, client_data, require};

/// A key as it is stored.
pub(in super::super) struct KnownCredential<'a> {
    /// Base64url.
    pub(in super::super) id: &'a str,
    /// The COSE key in base64.
    pub(in super::super) public_key: &'a str,
    pub(in super::super) counter: i64,
}

#[derive(Deserialize)]
struct Assertion {
    #[serde(rename = "clientDataJSON")]
    client_data: String,
    #[serde(rename = "authenticatorData")]
    data: String,
    signature: String,
}

/// What a right answer says.
#[derive(Debug)]
pub(in super::super) struct Asserted {
    /// The device's new counter.
    pub(in super::super) counter: u32,
    /// Whether the device made sure who uses it.
    pub(in super::super) user_verified: bool,
}

/// Checks the answer to a sign-in.
pub(in super::super) fn verify_assertion(
    response: &Value,
    known: &KnownCredential<'_>,
    expected: &Expected<'_>,
) -> Checked<Asserted> {
    let credential = CredentialJson::<Assertion>::read(response)?;
    require(credential.id == known.id, "the credential is another one")?;
    let client_data = bytes(&credential.response.client_data)?;
    client_data::check(&client_data, "webauthn.get", expected)?;
    let mut signed = bytes(&credential.response.data)?;
    let data = AuthenticatorData::parse(&signed)?;
    data.check(expected)?;
    let asserted = Asserted { counter: data.counter, user_verified: data.is_user_verified() };
    let key =
        BASE64.decode(known.public_key.as_bytes()).map_err(|_| Refusal("the stored key is no base64"))?;
    let key = PublicKey::parse(&key)?;
    signed.extend_from_slice(&Sha256::digest(&client_data));
    check_counter(known.counter, asserted.counter)?;
    let right = key.verifies(&signed, &bytes(&credential.response.signature)?);
    if right { Ok(asserted) } else { Err(WRONG_SIGNATURE) }
}

/// A counter that does not rise tells of a copy of the key. Devices that do not count always say 0.
fn check_counter(before: i64, now: u32) -> Checked<()> {
    let counts = before > 0 || now > 0;
    require(!counts || i64::from(now) > before, "the counter did not rise")
}
