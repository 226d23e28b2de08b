//! JWE in compact form: `dir` with A256CBC-HS512, the format of the encrypted cookie cache. A256GCM is read too,
//! because older versions of the reference wrote it.

use aes::Aes256;
use aes::cipher::block_padding::Pkcs7;
use aes::cipher::{BlockModeDecrypt, BlockModeEncrypt, KeyIvInit};
use aes_gcm::aead::{Aead, Payload};
use aes_gcm::{Aes256Gcm, KeyInit, Nonce};
use data_encoding::BASE64URL_NOPAD;
use hmac::{Hmac, Mac};
use serde::Deserialize;
use sha2::Sha512;

use super::Keys;
use super::keys::EncryptionKey;
use crate::constant_time_eq;
use crate::random;

#[derive(Deserialize)]
struct Header {
    alg: String,
    enc: String,
    kid: Option<String>,
    crit: Option<serde_json::Value>,
    zip: Option<serde_json::Value>,
}

impl Keys {
    /// Encrypts with the current key for `salt`.
    pub(crate) fn encrypt_jwe(&self, salt: &str, plain: &[u8]) -> Option<String> {
        let key = self.encryption(salt).next()?;
        let header = format!(r#"{{"alg":"dir","enc":"A256CBC-HS512","kid":"{}"}}"#, key.id);
        let header = BASE64URL_NOPAD.encode(header.as_bytes());
        let iv = random::bytes::<16>();
        let (mac_key, cipher_key) = key.bytes.split_at(32);
        let cipher = cbc::Encryptor::<Aes256>::new_from_slices(cipher_key, &iv).ok()?;
        let ciphertext = cipher.encrypt_padded_vec::<Pkcs7>(plain);
        let tag = tag(mac_key, header.as_bytes(), &iv, &ciphertext)?;
        let encode = |bytes: &[u8]| BASE64URL_NOPAD.encode(bytes);
        Some(format!("{header}..{}.{}.{}", encode(&iv), encode(&ciphertext), encode(&tag)))
    }

    /// Opens what the current secret, or a former one, sealed for `salt`.
    pub(crate) fn decrypt_jwe(&self, salt: &str, token: &str) -> Option<Vec<u8>> {
        let mut parts = token.split('.');
        let (protected, key, iv, ciphertext, tag) =
            (parts.next()?, parts.next()?, parts.next()?, parts.next()?, parts.next()?);
        if !key.is_empty() || parts.next().is_some() {
            return None;
        }
        let decode = |part: &str| BASE64URL_NOPAD.decode(part.as_bytes()).ok();
        let header: Header = serde_json::from_slice(&decode(protected)?).ok()?;
        if header.alg != "dir" || header.crit.is_some() || header.zip.is_some() {
            return None;
        }
        let (iv, ciphertext, tag) = (decode(iv)?, decode(ciphertext)?, decode(tag)?);
        let mut candidates =
            self.encryption(salt).filter(|key| header.kid.as_ref().is_none_or(|id| *id == key.id));
        candidates.find_map(|key| match header.enc.as_str() {
            "A256CBC-HS512" => open_cbc(&key, protected.as_bytes(), &iv, &ciphertext, &tag),
            "A256GCM" => open_gcm(&key, protected.as_bytes(), &iv, &ciphertext, &tag),
            _ => None,
        })
    }
}

fn open_cbc(key: &EncryptionKey, aad: &[u8], iv: &[u8], ciphertext: &[u8], given: &[u8]) -> Option<Vec<u8>> {
    let (mac_key, cipher_key) = key.bytes.split_at(32);
    // The tag is checked before anything is decrypted, so that padding tells nothing.
    if !constant_time_eq(given, &tag(mac_key, aad, iv, ciphertext)?) {
        return None;
    }
    let cipher = cbc::Decryptor::<Aes256>::new_from_slices(cipher_key, iv).ok()?;
    cipher.decrypt_padded_vec::<Pkcs7>(ciphertext).ok()
}

fn open_gcm(key: &EncryptionKey, aad: &[u8], iv: &[u8], ciphertext: &[u8], tag: &[u8]) -> Option<Vec<u8>> {
    let cipher = Aes256Gcm::new_from_slice(key.bytes.first_chunk::<32>()?).ok()?;
    let nonce: [u8; 12] = iv.try_into().ok()?;
    let sealed = [ciphertext, tag].concat();
    cipher.decrypt(&Nonce::from(nonce), Payload { msg: &sealed, aad }).ok()
}

/// The first half of HMAC-SHA-512 over aad, iv, ciphertext and the length of aad in bits (RFC 7518, 5.2.2.1).
fn tag(mac_key: &[u8], aad: &[u8], iv: &[u8], ciphertext: &[u8]) -> Option<[u8; 32]> {
    let mut mac = <Hmac<Sha512> as hmac::KeyInit>::new_from_slice(mac_key).ok()?;
    let bits = u64::try_from(aad.len()).ok()?.checked_mul(8)?;
    for part in [aad, iv, ciphertext, &bits.to_be_bytes()] {
        mac.update(part);
    }
    mac.finalize().into_bytes().first_chunk().copied()
}

#[cfg(test)]
mod tests {
    use data_encoding::HEXLOWER_PERMISSIVE;

    use super::super::SESSION_SALT;
    use super::*;
    use crate::options::SecretVersion;

    #[test]
    fn what_is_sealed_opens_again_and_only_for_its_purpose() {
        let keys = Keys::for_tests();
        let token = keys.encrypt_jwe(SESSION_SALT, b"{\"a\":1}").unwrap();
        assert_eq!(keys.decrypt_jwe(SESSION_SALT, &token).unwrap(), b"{\"a\":1}");
        assert!(keys.decrypt_jwe("better-auth-account", &token).is_none());
        assert!(token.starts_with(
            &BASE64URL_NOPAD.encode(br#"{"alg":"dir","enc":"A256CBC-HS512","kid":"o5N3"#)[..40]
        ));
    }

    #[test]
    fn a_change_anywhere_is_noticed() {
        let keys = Keys::for_tests();
        let token = keys.encrypt_jwe(SESSION_SALT, b"some text that fills more than one block").unwrap();
        for position in 0..token.len() {
            let mut bytes = token.clone().into_bytes();
            bytes[position] = if bytes[position] == b'A' { b'B' } else { b'A' };
            let forged = String::from_utf8(bytes).unwrap();
            assert!(keys.decrypt_jwe(SESSION_SALT, &forged).is_none(), "position {position}");
        }
    }

    #[test]
    fn a_former_secret_still_opens() {
        let old = Keys::new(&"the first secret, which was used for years".into(), &[]);
        let token = old.encrypt_jwe(SESSION_SALT, b"old").unwrap();
        let version = |version, value: &str| SecretVersion { version, value: value.into() };
        let rotated = Keys::new(
            &"".into(),
            &[
                version(2, "the second secret, in use since today"),
                version(1, "the first secret, which was used for years"),
            ],
        );
        assert_eq!(rotated.decrypt_jwe(SESSION_SALT, &token).unwrap(), b"old");
        assert!(old.decrypt_jwe(SESSION_SALT, &rotated.encrypt_jwe(SESSION_SALT, b"new").unwrap()).is_none());
    }

    #[test]
    fn the_tag_is_that_of_rfc_7518_appendix_b_3() {
        let hex = |text: &str| HEXLOWER_PERMISSIVE.decode(text.replace(' ', "").as_bytes()).unwrap();
        let mac_key: Vec<u8> = (0..32).collect();
        let cipher_key: Vec<u8> = (32..64).collect();
        let plain = b"A cipher system must not be required to be secret, and it must be able to fall into the hands of the enemy without inconvenience";
        let iv = hex("1a f3 8c 2d c2 b9 6f fd d8 66 94 09 23 41 bc 04");
        let aad = b"The second principle of Auguste Kerckhoffs";
        let cipher = cbc::Encryptor::<Aes256>::new_from_slices(&cipher_key, &iv).unwrap();
        let ciphertext = cipher.encrypt_padded_vec::<Pkcs7>(plain);
        assert_eq!(ciphertext[..16], hex("4a ff aa ad b7 8c 31 c5 da 4b 1b 59 0d 10 ff bd")[..]);
        let expected = hex(
            "4d d3 b4 c0 88 a7 f4 5c 21 68 39 64 5b 20 12 bf 2e 62 69 a8 c5 6a 81 6d bc 1b 26 77 61 95 5b c5",
        );
        assert_eq!(tag(&mac_key, aad, &iv, &ciphertext).unwrap()[..], expected[..]);
    }

    #[test]
    fn galois_counter_mode_of_older_versions_is_read() {
        let keys = Keys::for_tests();
        let key = keys.encryption(SESSION_SALT).next().unwrap();
        let header = BASE64URL_NOPAD.encode(br#"{"alg":"dir","enc":"A256GCM"}"#);
        let cipher = Aes256Gcm::new_from_slice(&key.bytes[..32]).unwrap();
        let payload = Payload { msg: b"plain", aad: header.as_bytes() };
        let sealed = cipher.encrypt(&Nonce::from([7; 12]), payload).unwrap();
        let (ciphertext, tag) = sealed.split_at(sealed.len() - 16);
        let encode = |bytes: &[u8]| BASE64URL_NOPAD.encode(bytes);
        let token = format!("{header}..{}.{}.{}", encode(&[7; 12]), encode(ciphertext), encode(tag));
        assert_eq!(keys.decrypt_jwe(SESSION_SALT, &token).unwrap(), b"plain");
    }

    proptest::proptest! {
        #[test]
        fn no_text_opens_and_none_stops_the_engine(text in "[a-zA-Z0-9_.-]{0,300}") {
            proptest::prop_assert!(Keys::for_tests().decrypt_jwe(SESSION_SALT, &text).is_none());
        }
    }
}
