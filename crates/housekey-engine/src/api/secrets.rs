use super::Api;
use crate::{ApiError, HashedCodes, Result};

/// What a plugin may do with the engine's secret.
impl Api {
    /// Encrypts text for a column.
    pub fn encrypt(&self, plain: &str) -> Result<String> {
        let sealed = self.core.keys.encrypt(plain);
        sealed.ok_or_else(|| ApiError::internal("a value could not be encrypted", "the cipher refused it"))
    }

    /// Opens what [`encrypt`](Self::encrypt) made, with this secret or a former one.
    pub fn decrypt(&self, stored: &str) -> Result<String> {
        let plain = self.core.keys.decrypt(stored);
        plain.ok_or_else(|| {
            ApiError::internal(
                "a stored value could not be decrypted",
                "it was encrypted with another secret",
            )
        })
    }

    /// Hashes codes of which each opens something once, for a column. A database that is read gives none of them away, not
    /// even with the engine's secret. The work happens where passwords are hashed.
    pub async fn hash_codes(&self, codes: &[String]) -> Result<HashedCodes> {
        self.core.passwords.hash_codes(codes).await
    }

    /// Which of some codes this is: one hash, whatever their number.
    pub async fn find_code(&self, code: &str, among: &HashedCodes) -> Result<Option<usize>> {
        self.core.passwords.find_code(code, among).await
    }

    /// HMAC-SHA-256 of a text.
    pub fn mac(&self, text: &str) -> [u8; 32] {
        self.core.keys.mac(&[text.as_bytes()])
    }

    /// Whether this is [`mac`](Self::mac) of a text, made with this secret or a former one.
    pub fn is_mac(&self, text: &str, given: &[u8]) -> bool {
        self.core.keys.is_mac(&[text.as_bytes()], given)
    }

    /// A text with our signature, as signed cookies carry it; [`verify_signed`](Self::verify_signed) opens it.
    pub fn sign(&self, value: &str) -> String {
        self.core.keys.sign(value)
    }

    /// The value of a text that carries our signature, as signed cookies do.
    pub fn verify_signed<'a>(&self, signed: &'a str) -> Option<&'a str> {
        self.core.keys.verify(signed)
    }
}
