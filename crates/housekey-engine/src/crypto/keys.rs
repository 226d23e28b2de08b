use std::fmt;

use data_encoding::BASE64URL_NOPAD;
use hkdf::Hkdf;
use sha2::Sha256;

use super::{MacKey, sha256};
use crate::Secret;
use crate::constant_time_eq;
use crate::options::SecretVersion;

/// The salt of the key that encrypts the cookie cache.
pub(crate) const SESSION_SALT: &str = "better-auth-session";

/// The salt of the key that encrypts the account in its cookie.
#[cfg(feature = "social")]
pub(crate) const ACCOUNT_SALT: &str = "better-auth-account";

const INFO: &[u8] = b"BetterAuth.js Generated Encryption Key";

/// Everything derived from the engine's secret and, for opening old data, from the secrets before it.
pub(crate) struct Keys {
    current: Secret,
    /// Version and secret, the current one first. Empty without rotation.
    versions: Vec<SecretVersion>,
    mac: MacKey,
    /// Of the secrets before, which still verify.
    former_macs: Vec<MacKey>,
}

/// A key for JWE and the name it goes by in the header.
pub(super) struct EncryptionKey {
    pub(super) bytes: [u8; 64],
    pub(super) id: String,
}

impl Keys {
    /// Keys from one secret, or from a list of which the first is current.
    pub(crate) fn new(secret: &Secret, versions: &[SecretVersion]) -> Self {
        let current = versions.first().map_or(secret, |newest| &newest.value).clone();
        let key = |secret: &Secret| MacKey::new(secret.reveal().as_bytes());
        let former_macs = versions.iter().skip(1).map(|older| key(&older.value)).collect();
        Self { mac: key(&current), former_macs, current, versions: versions.to_vec() }
    }

    #[cfg(feature = "social")]
    pub(super) fn current(&self) -> &Secret {
        &self.current
    }

    #[cfg(feature = "social")]
    pub(super) fn versions(&self) -> &[SecretVersion] {
        &self.versions
    }

    /// The current secret, then those before it, which still open and verify.
    fn secrets(&self) -> impl Iterator<Item = &Secret> {
        std::iter::once(&self.current).chain(self.versions.iter().skip(1).map(|older| &older.value))
    }

    /// HMAC-SHA-256 with the current secret.
    pub(crate) fn mac(&self, parts: &[&[u8]]) -> [u8; 32] {
        self.mac.mac(parts)
    }

    /// Whether this is the HMAC-SHA-256 of some parts with the current secret or a former one: what was signed before a
    /// rotation is ours still.
    // spec: SEC-10
    pub(crate) fn is_mac(&self, parts: &[&[u8]], given: &[u8]) -> bool {
        std::iter::once(&self.mac)
            .chain(&self.former_macs)
            .any(|key| constant_time_eq(given, &key.mac(parts)))
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
        self.secrets().map(|secret| sha256(secret.reveal().as_bytes()))
    }

    /// The JWE keys for a salt, the current one first.
    pub(super) fn encryption(&self, salt: &str) -> impl Iterator<Item = EncryptionKey> {
        self.secrets().map(move |secret| EncryptionKey::derive(secret, salt))
    }
}

impl EncryptionKey {
    #[expect(clippy::expect_used, reason = "HKDF-SHA-256 gives up to 8,160 bytes")]
    fn derive(secret: &Secret, salt: &str) -> Self {
        let mut bytes = [0; 64];
        let hkdf = Hkdf::<Sha256>::new(Some(salt.as_bytes()), secret.reveal().as_bytes());
        hkdf.expand(INFO, &mut bytes).expect("64 bytes are within HKDF's range");
        // RFC 7638: the members of the key in alphabetical order, without spaces.
        let thumbprint = format!(r#"{{"k":"{}","kty":"oct"}}"#, BASE64URL_NOPAD.encode(&bytes));
        let id = BASE64URL_NOPAD.encode(&sha256(thumbprint.as_bytes()));
        Self { bytes, id }
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
        assert_eq!(
            keys.encryption(SESSION_SALT).next().unwrap().id,
            "o5N38yDColZfEmA2A_vUwaa6ivNS8o0Mbw23FbJk26A"
        );
        #[cfg(feature = "social")]
        assert_eq!(
            keys.encryption(ACCOUNT_SALT).next().unwrap().id,
            "_4pwRQOzKuaLfhDbzLkSLQRDUifvjKtP3dyLxdT8LMQ"
        );
    }
}
