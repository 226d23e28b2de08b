//! Encryption of what lies in the tables: TOTP secrets and backup codes.
//!
//! Lower-case hex of nonce, ciphertext and tag (XChaCha20-Poly1305, key = SHA-256 of the secret). When secrets
//! rotate, `$ba$<version>$` stands in front and says which one.

use chacha20poly1305::aead::Aead;
use chacha20poly1305::{KeyInit, XChaCha20Poly1305, XNonce};
use data_encoding::{HEXLOWER, HEXLOWER_PERMISSIVE};

use super::Keys;
use crate::random;

impl Keys {
    /// Encrypts text for a column.
    pub(crate) fn encrypt(&self, plain: &str) -> Option<String> {
        let nonce = random::bytes::<24>();
        let cipher = XChaCha20Poly1305::new(&self.at_rest(self.version())?.into());
        let sealed = cipher.encrypt(&XNonce::from(nonce), plain.as_bytes()).ok()?;
        let hex = HEXLOWER.encode(&[nonce.as_slice(), &sealed].concat());
        Some(self.version().map_or_else(|| hex.clone(), |version| format!("$ba${version}${hex}")))
    }

    /// Opens text from a column.
    pub(crate) fn decrypt(&self, stored: &str) -> Option<String> {
        let Some(rest) = stored.strip_prefix("$ba$") else {
            return self.at_rest_any().find_map(|key| open(key, stored));
        };
        let (version, hex) = rest.split_once('$')?;
        open(self.at_rest(Some(version.parse().ok()?))?, hex)
    }
}

fn open(key: [u8; 32], hex: &str) -> Option<String> {
    let bytes = HEXLOWER_PERMISSIVE.decode(hex.as_bytes()).ok()?;
    let (nonce, sealed) = bytes.split_first_chunk::<24>()?;
    let plain = XChaCha20Poly1305::new(&key.into()).decrypt(&XNonce::from(*nonce), sealed).ok()?;
    String::from_utf8(plain).ok()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::SecretVersion;

    fn version(version: u32, value: &str) -> SecretVersion {
        SecretVersion { version, value: value.into() }
    }

    #[test]
    fn a_totp_secret_takes_144_characters_as_in_the_reference() {
        let keys = Keys::for_tests();
        let stored = keys.encrypt("abcdefghijklmnopqrstuvwxyz012345").unwrap();
        assert_eq!(stored.len(), 144);
        assert_eq!(keys.decrypt(&stored).unwrap(), "abcdefghijklmnopqrstuvwxyz012345");
    }

    #[test]
    fn rotated_secrets_are_named_and_old_data_opens() {
        let before = Keys::new(&"first".into(), &[]);
        let unversioned = before.encrypt("old").unwrap();
        let rotated = Keys::new(&"".into(), &[version(2, "second"), version(1, "first")]);
        let stored = rotated.encrypt("new").unwrap();
        assert!(stored.starts_with("$ba$2$"));
        assert_eq!(rotated.decrypt(&stored).unwrap(), "new");
        assert_eq!(rotated.decrypt(&unversioned).unwrap(), "old");
        assert!(before.decrypt(&stored).is_none());
    }

    proptest::proptest! {
        #[test]
        fn no_text_opens(text in "(\\$ba\\$[0-9]{0,3}\\$)?[0-9a-f]{0,200}") {
            proptest::prop_assert!(Keys::for_tests().decrypt(&text).is_none());
        }
    }
}
