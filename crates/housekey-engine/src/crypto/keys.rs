use std::collections::BTreeMap;
use std::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use data_encoding::BASE64URL_NOPAD;
use hkdf::Hkdf;
use hmac::{Hmac, KeyInit};
use sha2::{Sha256, Sha512};

use super::{finish, keyed, sha256};
use crate::Secret;
use crate::constant_time_eq;
use crate::options::SecretVersion;

/// The salt of the key that encrypts the cookie cache.
pub(crate) const SESSION_SALT: &str = "better-auth-session";

const INFO: &[u8] = b"BetterAuth.js Generated Encryption Key";

/// Everything derived from the engine's secret and, for opening old data, from the secrets before it.
pub(crate) struct Keys {
    current: Secret,
    signing: Hmac<Sha256>,
    /// Keys of the secrets before, which still verify.
    former: Vec<Hmac<Sha256>>,
    /// Version and secret, the current one first. Empty without rotation.
    versions: Vec<SecretVersion>,
    derived: Mutex<BTreeMap<String, Arc<Vec<EncryptionKey>>>>,
}

/// A key for JWE and the name it goes by in the header.
pub(super) struct EncryptionKey {
    pub(super) bytes: [u8; 64],
    pub(super) id: String,
    /// The header of what this key seals, encoded: what comes back with it need not be parsed.
    pub(super) header: String,
    /// Took the first half of the key and waits for the text.
    pub(super) mac: Hmac<Sha512>,
}

impl Keys {
    /// Keys from one secret, or from a list of which the first is current.
    pub(crate) fn new(secret: &Secret, versions: &[SecretVersion]) -> Self {
        let current = versions.first().map_or(secret, |newest| &newest.value).clone();
        let signing = keyed(current.reveal().as_bytes());
        let former = versions.iter().skip(1).map(|older| keyed(older.value.reveal().as_bytes())).collect();
        Self { current, signing, former, versions: versions.to_vec(), derived: Mutex::default() }
    }

    /// HMAC-SHA-256 with the current secret.
    pub(crate) fn mac(&self, parts: &[&[u8]]) -> [u8; 32] {
        finish(self.signing.clone(), parts)
    }

    /// Whether this is the HMAC-SHA-256 of some parts with the current secret or a former one: what was signed before a
    /// rotation is ours still.
    // spec: SEC-10
    pub(crate) fn is_mac(&self, parts: &[&[u8]], given: &[u8]) -> bool {
        let mut keys = std::iter::once(&self.signing).chain(&self.former);
        keys.any(|key| constant_time_eq(given, &finish(key.clone(), parts)))
    }

    /// The current version's number, if secrets rotate.
    pub(super) fn version(&self) -> Option<u32> {
        self.versions.first().map(|newest| newest.version)
    }

    /// The symmetric key for data at rest, of the current secret or of a past version.
    pub(super) fn at_rest(&self, version: Option<u32>) -> Option<[u8; 32]> {
        let secret = match version {
            None => &self.current,
            Some(version) => &self.versions.iter().find(|entry| entry.version == version)?.value,
        };
        Some(sha256(secret.reveal().as_bytes()))
    }

    /// At-rest keys for data without a version: written before rotation began, by any of the secrets.
    pub(super) fn at_rest_any(&self) -> impl Iterator<Item = [u8; 32]> {
        let older = self.versions.iter().skip(1).map(|entry| &entry.value);
        std::iter::once(&self.current).chain(older).map(|secret| sha256(secret.reveal().as_bytes()))
    }

    /// The JWE keys for a salt, the current one first. Derived on first use.
    pub(super) fn encryption(&self, salt: &str) -> Arc<Vec<EncryptionKey>> {
        let mut derived = self.derived.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(keys) = derived.get(salt) {
            return Arc::clone(keys);
        }
        let older = self.versions.iter().skip(1).map(|entry| &entry.value);
        let secrets = std::iter::once(&self.current).chain(older);
        let keys: Vec<_> = secrets.map(|secret| EncryptionKey::derive(secret, salt)).collect();
        let keys = Arc::new(keys);
        derived.insert(salt.to_owned(), Arc::clone(&keys));
        keys
    }
}

impl EncryptionKey {
    #[expect(
        clippy::expect_used,
        reason = "HKDF-SHA-256 gives up to 8,160 bytes, and HMAC takes a key of any length"
    )]
    fn derive(secret: &Secret, salt: &str) -> Self {
        let mut bytes = [0; 64];
        let hkdf = Hkdf::<Sha256>::new(Some(salt.as_bytes()), secret.reveal().as_bytes());
        hkdf.expand(INFO, &mut bytes).expect("64 bytes are within HKDF's range");
        // RFC 7638: the members of the key in alphabetical order, without spaces.
        let thumbprint = format!(r#"{{"k":"{}","kty":"oct"}}"#, BASE64URL_NOPAD.encode(&bytes));
        let id = BASE64URL_NOPAD.encode(&sha256(thumbprint.as_bytes()));
        let header = format!(r#"{{"alg":"dir","enc":"A256CBC-HS512","kid":"{id}"}}"#);
        let (mac_key, _) = bytes.split_at(32);
        let mac = Hmac::new_from_slice(mac_key).expect("HMAC accepts any key");
        Self { bytes, id, header: BASE64URL_NOPAD.encode(header.as_bytes()), mac }
    }
}

impl fmt::Debug for Keys {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Keys([secret])")
    }
}

#[cfg(test)]
pub(crate) const TEST_SECRET: &str = "a-very-long-secret-for-testing-0123456789-abcdef";

#[cfg(test)]
impl Keys {
    pub(crate) fn for_tests() -> Self {
        Self::new(&TEST_SECRET.into(), &[])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_key_id_is_that_of_the_reference() {
        let keys = Keys::for_tests();
        assert_eq!(keys.encryption(SESSION_SALT)[0].id, "o5N38yDColZfEmA2A_vUwaa6ivNS8o0Mbw23FbJk26A");
    }
}
