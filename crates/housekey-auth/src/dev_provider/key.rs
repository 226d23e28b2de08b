use data_encoding::BASE64URL_NOPAD;
use housekey_core::{Error, Result};
use ring::digest::{SHA256, digest};
use ring::rand::SystemRandom;
use ring::signature::{ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};

/// The key that signs id tokens. It is made when the app starts and ends with it.
pub(super) struct Key {
    pair: EcdsaKeyPair,
    id: String,
}

impl Key {
    pub(super) fn generate() -> Result<Self> {
        let (algorithm, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
        let made = EcdsaKeyPair::generate_pkcs8(algorithm, &random)
            .map_err(|_| Error::internal("no key could be made for the development provider"))?;
        let pair = EcdsaKeyPair::from_pkcs8(algorithm, made.as_ref(), &random)
            .map_err(|_| Error::internal("the key of the development provider could not be read"))?;
        let print = digest(&SHA256, pair.public_key().as_ref());
        let id = BASE64URL_NOPAD.encode(print.as_ref().get(..12).unwrap_or_default());
        Ok(Self { pair, id })
    }

    /// The public half, as a set of keys.
    pub(super) fn set(&self) -> Value {
        // One byte that says "not compressed", then both coordinates.
        let point = self.pair.public_key().as_ref();
        let part = |range| BASE64URL_NOPAD.encode(point.get(range).unwrap_or_default());
        json!({ "keys": [{
            "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": self.id,
            "x": part(1..33), "y": part(33..65),
        }] })
    }

    /// A token with these claims.
    pub(super) fn sign(&self, claims: &Value) -> Result<String> {
        let header = json!({ "alg": "ES256", "typ": "JWT", "kid": self.id });
        let encode = |value: &Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
        let signed = format!("{}.{}", encode(&header), encode(claims));
        let signature = self
            .pair
            .sign(&SystemRandom::new(), signed.as_bytes())
            .map_err(|_| Error::internal("the development provider could not sign a token"))?;
        Ok(format!("{signed}.{}", BASE64URL_NOPAD.encode(signature.as_ref())))
    }
}
