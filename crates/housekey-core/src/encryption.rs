//! Sealing and signing with `APP_KEY`.
//!
//! Every use names a *purpose* ("session", "replay"). A separate key is derived for each, so what was made for one
//! purpose is worthless for another. Old keys listed as previous keep opening and verifying; only the newest seals.

use std::fmt;

use chacha20poly1305::aead::{Aead, Payload};
use chacha20poly1305::{KeyInit, XChaCha20Poly1305, XNonce};
use data_encoding::{BASE64, BASE64URL_NOPAD};
use hmac::{Hmac, Mac};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use sha2::Sha256;

use crate::{Error, Result, Secret, constant_time_eq, random};

/// `config/encryption.rs`: the key that protects data at rest and in cookies.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct EncryptionConfig {
    /// `APP_KEY`: `base64:` and 32 random bytes. `key:generate` writes one.
    pub key: Secret,
    /// Keys of the past, newest first: they still open what they sealed.
    pub previous_keys: Vec<Secret>,
}

/// One 256-bit key.
#[derive(Clone)]
pub struct AppKey([u8; 32]);

impl AppKey {
    pub fn generate() -> Self {
        Self(random::bytes())
    }

    /// Reads `base64:…` as `APP_KEY` holds it.
    pub fn parse(text: &str) -> Result<Self> {
        let encoded = text.trim().strip_prefix("base64:");
        let bytes = encoded.and_then(|encoded| BASE64.decode(encoded.as_bytes()).ok());
        bytes.and_then(|bytes| bytes.try_into().ok()).map(Self).ok_or_else(|| {
            Error::internal(
                "APP_KEY is not a key: it must be `base64:` and 32 bytes; run `housekey key:generate`",
            )
        })
    }

    /// The form that `APP_KEY` holds.
    pub fn to_text(&self) -> Secret {
        format!("base64:{}", BASE64.encode(&self.0)).into()
    }

    fn derive(&self, usage: &str, purpose: &str) -> [u8; 32] {
        mac(keyed(&self.0), &[b"housekey\0", usage.as_bytes(), b"\0", purpose.as_bytes()])
    }
}

impl fmt::Debug for AppKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AppKey([secret])")
    }
}

/// Seals, opens, signs and verifies.
///
/// ```
/// use housekey_core::{AppKey, Encrypter};
///
/// let encrypter = Encrypter::new(AppKey::generate());
/// let sealed = encrypter.encrypt(b"42 Elm Street", "address");
/// assert_eq!(encrypter.decrypt(&sealed, "address").unwrap(), b"42 Elm Street");
/// assert!(encrypter.decrypt(&sealed, "phone").is_err());
/// ```
#[derive(Clone, Debug)]
pub struct Encrypter {
    /// The first seals; all open.
    keys: Vec<AppKey>,
}

impl Encrypter {
    pub fn new(key: AppKey) -> Self {
        Self { keys: vec![key] }
    }

    /// Lets an older key open what it sealed.
    pub fn with_previous(mut self, key: AppKey) -> Self {
        self.keys.push(key);
        self
    }

    /// The encrypter an app is configured with.
    pub fn from_config(config: &EncryptionConfig) -> Result<Self> {
        if config.key.is_empty() {
            return Err(Error::internal(
                "APP_KEY is not set: run `housekey key:generate` to write one into .env, or set it where the app runs",
            ));
        }
        let mut encrypter = Self::new(AppKey::parse(config.key.reveal())?);
        for key in config.previous_keys.iter().filter(|key| !key.is_empty()) {
            let key =
                AppKey::parse(key.reveal()).map_err(|error| error.context("reading APP_PREVIOUS_KEYS"))?;
            encrypter = encrypter.with_previous(key);
        }
        Ok(encrypter)
    }

    /// Seals bytes as URL-safe text. The same bytes give another text each time.
    #[expect(clippy::expect_used, reason = "XChaCha20-Poly1305 fails only beyond 256 GiB of input")]
    pub fn encrypt(&self, plain: &[u8], purpose: &str) -> String {
        let nonce = random::bytes::<24>();
        let payload = Payload { msg: plain, aad: purpose.as_bytes() };
        let sealed =
            cipher(self.newest(), purpose).encrypt(&XNonce::from(nonce), payload).expect("input fits");
        format!("v1.{}", BASE64URL_NOPAD.encode(&[nonce.as_slice(), &sealed].concat()))
    }

    /// Opens what [`Encrypter::encrypt`] sealed for the same purpose.
    pub fn decrypt(&self, sealed: &str, purpose: &str) -> Result<Vec<u8>> {
        let bytes = sealed.strip_prefix("v1.").and_then(|text| BASE64URL_NOPAD.decode(text.as_bytes()).ok());
        let opened =
            bytes.as_deref().and_then(|bytes| bytes.split_first_chunk::<24>()).and_then(|(nonce, sealed)| {
                let payload = || Payload { msg: sealed, aad: purpose.as_bytes() };
                self.keys
                    .iter()
                    .find_map(|key| cipher(key, purpose).decrypt(&XNonce::from(*nonce), payload()).ok())
            });
        opened.ok_or_else(|| Error::bad_request("This value cannot be read.").context("decryption failed"))
    }

    pub fn encrypt_value<T: Serialize>(&self, value: &T, purpose: &str) -> Result<String> {
        Ok(self.encrypt(&serde_json::to_vec(value)?, purpose))
    }

    pub fn decrypt_value<T: DeserializeOwned>(&self, sealed: &str, purpose: &str) -> Result<T> {
        Ok(serde_json::from_slice(&self.decrypt(sealed, purpose)?)?)
    }

    /// What signs for this purpose. Who signs with every request keeps it: the keys of the purpose are derived here.
    pub fn signer(&self, purpose: &str) -> Signer {
        Signer { keys: self.keys.iter().map(|key| keyed(&key.derive("sign", purpose))).collect() }
    }

    /// A signature over `data` (HMAC-SHA-256), good for this purpose only.
    pub fn sign(&self, data: &[u8], purpose: &str) -> [u8; 32] {
        self.signer(purpose).sign(data)
    }

    /// Whether the signature was made by one of our keys for this purpose.
    pub fn verify(&self, data: &[u8], signature: &[u8], purpose: &str) -> bool {
        self.signer(purpose).verify(data, signature)
    }

    fn newest(&self) -> &AppKey {
        // `new` puts one in and nothing takes it out.
        &self.keys[0]
    }
}

fn cipher(key: &AppKey, purpose: &str) -> XChaCha20Poly1305 {
    XChaCha20Poly1305::new(&key.derive("seal", purpose).into())
}

/// Signs for one purpose, with keys that were derived beforehand ([`Encrypter::signer`]).
///
/// ```
/// use housekey_core::{AppKey, Encrypter};
///
/// let tickets = Encrypter::new(AppKey::generate()).signer("tickets");
/// assert!(tickets.verify(b"row 7", &tickets.sign(b"row 7")));
/// assert!(!tickets.verify(b"row 8", &tickets.sign(b"row 7")));
/// ```
#[derive(Clone)]
pub struct Signer {
    /// The first signs; all verify.
    keys: Vec<Hmac<Sha256>>,
}

impl Signer {
    /// A signature over `data` (HMAC-SHA-256).
    pub fn sign(&self, data: &[u8]) -> [u8; 32] {
        // An encrypter has a key, and nothing takes it out.
        mac(self.keys[0].clone(), &[data])
    }

    /// Whether the signature was made by one of our keys.
    pub fn verify(&self, data: &[u8], signature: &[u8]) -> bool {
        self.keys.iter().any(|key| constant_time_eq(&mac(key.clone(), &[data]), signature))
    }
}

impl fmt::Debug for Signer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Signer([secret])")
    }
}

#[expect(clippy::expect_used, reason = "HMAC takes keys of any length")]
fn keyed(key: &[u8; 32]) -> Hmac<Sha256> {
    <Hmac<Sha256> as KeyInit>::new_from_slice(key).expect("any length")
}

fn mac(mut mac: Hmac<Sha256>, parts: &[&[u8]]) -> [u8; 32] {
    for part in parts {
        mac.update(part);
    }
    mac.finalize().into_bytes().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_changed_truncated_or_foreign_text_does_not_open() {
        let encrypter = Encrypter::new(AppKey::generate());
        let sealed = encrypter.encrypt(b"hello", "test");
        for at in 0..sealed.len() {
            let mut changed = sealed.clone().into_bytes();
            changed[at] ^= 1;
            let changed = String::from_utf8_lossy(&changed).into_owned();
            assert!(encrypter.decrypt(&changed, "test").is_err(), "byte {at}");
            assert!(encrypter.decrypt(&sealed[..at], "test").is_err(), "cut at {at}");
        }
        assert!(Encrypter::new(AppKey::generate()).decrypt(&sealed, "test").is_err());
    }

    #[test]
    fn a_listed_old_key_opens_and_verifies_but_never_seals() {
        let (old, new) = (AppKey::generate(), AppKey::generate());
        let before = Encrypter::new(old.clone());
        let after = Encrypter::new(new.clone()).with_previous(old);
        let sealed = before.encrypt(b"kept", "test");
        assert_eq!(after.decrypt(&sealed, "test").unwrap(), b"kept");
        assert!(after.verify(b"data", &before.sign(b"data", "test"), "test"));
        assert!(before.decrypt(&after.encrypt(b"x", "test"), "test").is_err());
        assert!(Encrypter::new(new).decrypt(&sealed, "test").is_err());
    }

    #[test]
    fn a_signature_is_good_for_its_purpose_only() {
        let encrypter = Encrypter::new(AppKey::generate());
        let signature = encrypter.sign(b"data", "session");
        assert!(encrypter.verify(b"data", &signature, "session"));
        assert!(!encrypter.verify(b"data", &signature, "cookie"));
        assert!(!encrypter.verify(b"date", &signature, "session"));
        assert!(!encrypter.verify(b"data", &signature[..31], "session"));
    }

    #[test]
    fn a_missing_or_malformed_key_says_what_to_do() {
        for key in ["", "base64:short", "hello"] {
            let config = EncryptionConfig { key: key.into(), ..Default::default() };
            assert!(
                Encrypter::from_config(&config).unwrap_err().to_string().contains("key:generate"),
                "{key}"
            );
        }
        let key = AppKey::generate().to_text();
        assert!(Encrypter::from_config(&EncryptionConfig { key, ..Default::default() }).is_ok());
    }
}
