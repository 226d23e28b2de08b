//! Keys for one purpose: a value that was encrypted for one cannot be passed off as another.

use data_encoding::HEXLOWER;
use hkdf::Hkdf;
use sha2::Sha256;

use super::Keys;
use crate::Secret;
use crate::options::SecretVersion;

const SALT: &[u8] = b"better-auth:oauth-encryption:v1";

impl Keys {
    /// The keys for a purpose. The reference derives a text from the secret and uses that as the secret.
    pub(crate) fn for_purpose(&self, purpose: &str) -> Self {
        let versions: Vec<_> = self
            .versions()
            .iter()
            .map(|entry| SecretVersion { version: entry.version, value: derive(&entry.value, purpose) })
            .collect();
        Self::new(&derive(self.current(), purpose), &versions)
    }
}

#[expect(clippy::expect_used, reason = "HKDF-SHA-256 gives up to 8,160 bytes")]
fn derive(secret: &Secret, purpose: &str) -> Secret {
    let mut bytes = [0; 32];
    let info = format!("better-auth:{purpose}:v1");
    let hkdf = Hkdf::<Sha256>::new(Some(SALT), secret.reveal().as_bytes());
    hkdf.expand(info.as_bytes(), &mut bytes).expect("32 bytes are within HKDF's range");
    HEXLOWER.encode(&bytes).into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_keys_are_those_of_the_reference() {
        let keys = Keys::for_tests();
        for (purpose, key) in [
            ("oauth-state-cookie", "7c10eb4e961bcc5a5dab0715c1e7b46d89a35fc2db7665d7e7c79b342970ee71"),
            ("oauth-link-session-token", "1ac597b3632bba62e70b37dc301edcd46241bdaaacd69bbce81fd188a3857157"),
        ] {
            assert_eq!(keys.for_purpose(purpose).current().reveal(), key);
        }
    }

    #[test]
    fn what_is_for_one_purpose_opens_for_no_other() {
        let keys = Keys::for_tests();
        let sealed = keys.for_purpose("oauth-state-cookie").encrypt("state").unwrap();
        assert_eq!(keys.for_purpose("oauth-state-cookie").decrypt(&sealed).as_deref(), Some("state"));
        assert!(keys.for_purpose("oauth-link-session-token").decrypt(&sealed).is_none());
        assert!(keys.decrypt(&sealed).is_none());
    }

    #[test]
    fn every_version_of_the_secret_has_its_own() {
        let version = |version, value: &str| SecretVersion { version, value: value.into() };
        let before = Keys::new(&"".into(), &[version(1, "first")]).for_purpose("p");
        let rotated = Keys::new(&"".into(), &[version(2, "second"), version(1, "first")]).for_purpose("p");
        let sealed = before.encrypt("x").unwrap();
        assert!(sealed.starts_with("$ba$1$"));
        assert_eq!(rotated.decrypt(&sealed).as_deref(), Some("x"));
    }
}
