use std::sync::Arc;

use data_encoding::BASE64URL_NOPAD;
use ring::rand::SystemRandom;
use ring::rsa::PublicKeyComponents;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair as _, RSA_PKCS1_SHA256, RsaKeyPair,
};
use serde_json::{Value, json};

/// A key that signs id tokens, and its name.
#[derive(Clone)]
pub(crate) struct Key {
    pub(crate) id: String,
    pair: Pair,
}

#[derive(Clone)]
enum Pair {
    P256(Arc<EcdsaKeyPair>),
    Rsa(Arc<RsaKeyPair>),
}

impl Key {
    /// A new one each time.
    pub(crate) fn p256(id: &str) -> Self {
        let (algorithm, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
        let made = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
        let pair = EcdsaKeyPair::from_pkcs8(algorithm, made.as_ref(), &random).unwrap();
        Self { id: id.into(), pair: Pair::P256(Arc::new(pair)) }
    }

    /// Always the same one: making such a key takes long.
    pub(crate) fn rsa(id: &str) -> Self {
        Self::from_pkcs8(id, include_bytes!("../../passkey/rsa-2048.pk8"))
    }

    /// Another one.
    pub(crate) fn other_rsa(id: &str) -> Self {
        Self::from_pkcs8(id, include_bytes!("rsa-other.pk8"))
    }

    fn from_pkcs8(id: &str, der: &[u8]) -> Self {
        Self { id: id.into(), pair: Pair::Rsa(Arc::new(RsaKeyPair::from_pkcs8(der).unwrap())) }
    }

    pub(crate) fn algorithm(&self) -> &'static str {
        match self.pair {
            Pair::P256(_) => "ES256",
            Pair::Rsa(_) => "RS256",
        }
    }

    /// What the provider publishes.
    pub(crate) fn jwk(&self) -> Value {
        let encode = |bytes: &[u8]| BASE64URL_NOPAD.encode(bytes);
        let mut jwk = match &self.pair {
            Pair::P256(pair) => {
                let point = pair.public_key().as_ref();
                json!({ "kty": "EC", "crv": "P-256", "x": encode(&point[1..33]), "y": encode(&point[33..]) })
            }
            Pair::Rsa(pair) => {
                let PublicKeyComponents::<Vec<u8>> { n, e } = pair.public().into();
                json!({ "kty": "RSA", "n": encode(&n), "e": encode(&e) })
            }
        };
        jwk["kid"] = json!(self.id);
        jwk["alg"] = json!(self.algorithm());
        jwk["use"] = json!("sig");
        jwk
    }

    fn sign(&self, message: &[u8]) -> Vec<u8> {
        match &self.pair {
            Pair::P256(pair) => pair.sign(&SystemRandom::new(), message).unwrap().as_ref().to_vec(),
            Pair::Rsa(pair) => {
                let mut signature = vec![0; pair.public().modulus_len()];
                pair.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message, &mut signature).unwrap();
                signature
            }
        }
    }

    /// A token with this header and these claims, whatever they say.
    pub(crate) fn token(&self, header: &Value, claims: &Value) -> String {
        let part = |value: &Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
        let message = format!("{}.{}", part(header), part(claims));
        let signature = BASE64URL_NOPAD.encode(&self.sign(message.as_bytes()));
        format!("{message}.{signature}")
    }
}
