use std::fmt;
use std::sync::Arc;

use data_encoding::BASE64URL_NOPAD;
use ring::rand::SystemRandom;
use ring::rsa::KeyPair as RsaKeyPair;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, KeyPair, RSA_PKCS1_SHA256, RsaPublicKeyComponents,
};
use serde_json::{Value, json};

/// A key that everybody has: only a [`FakeProviders`](super::FakeProviders) shows it, and only to tests. Making an RSA key is
/// slow, and ring makes none.
const RSA_KEY: &[u8] = include_bytes!("key.der");

/// A key that a fake provider signs id tokens with.
///
/// ```
/// use housekey_engine::social::FakeKey;
/// use serde_json::json;
///
/// let key = FakeKey::generate("key 1");
/// let token = key.sign(&json!({ "sub": "7" }));
/// assert_eq!(token.split('.').count(), 3);
/// assert_eq!(FakeKey::set(&[&key])["keys"][0]["kid"], "key 1");
/// ```
#[derive(Clone)]
pub struct FakeKey {
    kid: String,
    pair: Pair,
}

#[derive(Clone)]
enum Pair {
    Rsa(Arc<RsaKeyPair>),
    Ec(Arc<EcdsaKeyPair>),
}

#[expect(clippy::expect_used, reason = "a fake; its own keys are good and the system has random numbers")]
impl FakeKey {
    /// A key for `RS256`, always the same.
    pub fn rsa() -> Self {
        let pair = RsaKeyPair::from_pkcs8(RSA_KEY).expect("the key of the fake is one");
        Self { kid: "fake".into(), pair: Pair::Rsa(Arc::new(pair)) }
    }

    /// A new key for `ES256`, of this name.
    pub fn generate(kid: impl Into<String>) -> Self {
        let random = SystemRandom::new();
        let algorithm = &ECDSA_P256_SHA256_FIXED_SIGNING;
        let document = EcdsaKeyPair::generate_pkcs8(algorithm, &random).expect("a key");
        let pair =
            EcdsaKeyPair::from_pkcs8(algorithm, document.as_ref(), &random).expect("the key just made");
        Self { kid: kid.into(), pair: Pair::Ec(Arc::new(pair)) }
    }

    /// The same key under another name.
    #[must_use]
    pub fn named(self, kid: impl Into<String>) -> Self {
        Self { kid: kid.into(), ..self }
    }

    pub fn sign(&self, claims: &Value) -> String {
        let algorithm = if matches!(self.pair, Pair::Rsa(_)) { "RS256" } else { "ES256" };
        self.sign_with(&json!({ "alg": algorithm, "kid": self.kid }), claims)
    }

    /// A token with a header of one's own, which need not be true.
    pub fn sign_with(&self, header: &Value, claims: &Value) -> String {
        let encode = |value: &Value| BASE64URL_NOPAD.encode(value.to_string().as_bytes());
        let signed = format!("{}.{}", encode(header), encode(claims));
        let random = SystemRandom::new();
        let signature = match &self.pair {
            Pair::Rsa(pair) => {
                let mut signature = vec![0; pair.public().modulus_len()];
                pair.sign(&RSA_PKCS1_SHA256, &random, signed.as_bytes(), &mut signature)
                    .expect("a signature");
                signature
            }
            Pair::Ec(pair) => pair.sign(&random, signed.as_bytes()).expect("a signature").as_ref().to_vec(),
        };
        format!("{signed}.{}", BASE64URL_NOPAD.encode(&signature))
    }

    /// The public half, as it stands in a key set.
    pub fn public(&self) -> Value {
        let encode = |bytes: &[u8]| BASE64URL_NOPAD.encode(bytes);
        match &self.pair {
            Pair::Rsa(pair) => {
                let public = RsaPublicKeyComponents::<Vec<u8>>::from(pair.public());
                let (n, e) = (encode(&public.n), encode(&public.e));
                json!({ "kty": "RSA", "use": "sig", "alg": "RS256", "kid": self.kid, "n": n, "e": e })
            }
            Pair::Ec(pair) => {
                // An uncompressed point: 4, x, y.
                let (x, y) = pair
                    .public_key()
                    .as_ref()
                    .get(1..)
                    .and_then(|point| point.split_at_checked(32))
                    .expect("a point");
                let (x, y) = (encode(x), encode(y));
                json!({ "kty": "EC", "crv": "P-256", "use": "sig", "alg": "ES256", "kid": self.kid, "x": x, "y": y })
            }
        }
    }

    /// The keys as a JSON Web Key Set, as a provider publishes them.
    pub fn set(keys: &[&Self]) -> Value {
        json!({ "keys": keys.iter().map(|key| key.public()).collect::<Vec<_>>() })
    }
}

impl fmt::Debug for FakeKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("FakeKey").field(&self.kid).finish()
    }
}
