use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair};
use serde_json::json;

use super::super::Algorithm;
use super::generate_rsa::rsa;
use super::{NewKey, encode};
use crate::{ApiError, Result, random};

/// Makes a key pair. RSA takes its time: it happens where waiting hurts nobody.
pub(in super::super) async fn generate(algorithm: Algorithm) -> Result<NewKey> {
    let made = match algorithm {
        Algorithm::EdDsa => ed25519(),
        Algorithm::Es256 => p256(),
        Algorithm::Rs256 | Algorithm::Ps256 => tokio::task::spawn_blocking(rsa)
            .await
            .map_err(|error| ApiError::internal("a key could not be made", error))?,
        Algorithm::Es512 => None,
    };
    made.ok_or_else(|| ApiError::internal("a key could not be made", algorithm.name()))
}

fn ed25519() -> Option<NewKey> {
    let seed = random::bytes::<32>();
    let pair = Ed25519KeyPair::from_seed_unchecked(&seed).ok()?;
    let (d, x) = (encode(&seed), encode(pair.public_key().as_ref()));
    Some(NewKey {
        public: json!({ "crv": "Ed25519", "x": x, "kty": "OKP" }),
        private: json!({ "crv": "Ed25519", "d": d, "x": x, "kty": "OKP" }),
    })
}

fn p256() -> Option<NewKey> {
    let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
    let random = SystemRandom::new();
    let document = EcdsaKeyPair::generate_pkcs8(algorithm, &random).ok()?;
    let pair = EcdsaKeyPair::from_pkcs8(algorithm, document.as_ref(), &random).ok()?;
    let [4, point @ ..] = pair.public_key().as_ref() else { return None };
    let (x, y) = point.split_at_checked(32)?;
    let (d, x, y) = (encode(private_number(document.as_ref())?), encode(x), encode(y));
    Some(NewKey {
        public: json!({ "kty": "EC", "crv": "P-256", "x": x, "y": y }),
        private: json!({ "kty": "EC", "crv": "P-256", "x": x, "y": y, "d": d }),
    })
}

/// The private number inside of a PKCS#8 document: ring writes it nowhere else. It is the octet string after the version of the
/// `ECPrivateKey` (RFC 5915). Whoever uses the key compares it with the public half, so that a wrong one goes nowhere.
fn private_number(document: &[u8]) -> Option<&[u8]> {
    const BEFORE: [u8; 5] = [0x02, 0x01, 0x01, 0x04, 32];
    let position = document.windows(BEFORE.len()).position(|window| window == BEFORE)?;
    document.get(position + BEFORE.len()..)?.get(..32)
}
