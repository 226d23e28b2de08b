use data_encoding::BASE64URL_NOPAD;
use ring::rand::SystemRandom;
use ring::rsa::{KeyPair as RsaKeyPair, KeyPairComponents, PublicKeyComponents};
use ring::signature::{
    ECDSA_P256_SHA256_FIXED_SIGNING, EcdsaKeyPair, Ed25519KeyPair, RSA_PKCS1_SHA256, RSA_PSS_SHA256,
};
use serde::Deserialize;

use super::super::Algorithm;

/// A private key, ready to sign by its one algorithm.
pub(in super::super) struct SigningKey {
    algorithm: Algorithm,
    pair: Pair,
}

enum Pair {
    Ed25519(Ed25519KeyPair),
    P256(EcdsaKeyPair),
    Rsa(Box<RsaKeyPair>),
}

/// A key as it is written. Not printable.
#[derive(Default, Deserialize)]
#[serde(default)]
struct Jwk {
    kty: String,
    crv: String,
    d: String,
    x: String,
    y: String,
    n: String,
    e: String,
    p: String,
    q: String,
    dp: String,
    dq: String,
    qi: String,
}

impl SigningKey {
    /// Reads a private key. `None` where it is of another kind than the algorithm wants, where its numbers do not belong
    /// together, and where the public half is not the one that is published: nobody could check its tokens.
    pub(in super::super) fn read(algorithm: Algorithm, private: &str, public: &str) -> Option<Self> {
        let key: Jwk = serde_json::from_str(private).ok()?;
        let published: Jwk = serde_json::from_str(public).ok()?;
        let same = |of: fn(&Jwk) -> &String| of(&key) == of(&published);
        let belong_together =
            [|key: &Jwk| &key.kty, |key| &key.crv, |key| &key.x, |key| &key.y, |key| &key.n, |key| &key.e]
                as [fn(&Jwk) -> &String; 6];
        if !belong_together.into_iter().all(same) {
            return None;
        }
        let pair = match (algorithm, key.kty.as_str()) {
            (Algorithm::EdDsa, "OKP") if key.crv == "Ed25519" => Pair::Ed25519(key.ed25519()?),
            (Algorithm::Es256, "EC") if key.crv == "P-256" => Pair::P256(key.p256()?),
            (Algorithm::Rs256 | Algorithm::Ps256, "RSA") => Pair::Rsa(Box::new(key.rsa()?)),
            _ => return None,
        };
        Some(Self { algorithm, pair })
    }

    /// The signature of some bytes. `None` when the system has no randomness left.
    pub(in super::super) fn sign(&self, message: &[u8]) -> Option<Vec<u8>> {
        match &self.pair {
            Pair::Ed25519(pair) => Some(pair.sign(message).as_ref().to_vec()),
            Pair::P256(pair) => Some(pair.sign(&SystemRandom::new(), message).ok()?.as_ref().to_vec()),
            Pair::Rsa(pair) => {
                let mut signature = vec![0; pair.public().modulus_len()];
                let random = SystemRandom::new();
                match self.algorithm {
                    Algorithm::Ps256 => pair.sign(&RSA_PSS_SHA256, &random, message, &mut signature),
                    _ => pair.sign(&RSA_PKCS1_SHA256, &random, message, &mut signature),
                }
                .ok()?;
                Some(signature)
            }
        }
    }
}

impl Jwk {
    fn ed25519(&self) -> Option<Ed25519KeyPair> {
        Ed25519KeyPair::from_seed_and_public_key(&decode(&self.d)?, &decode(&self.x)?).ok()
    }

    fn p256(&self) -> Option<EcdsaKeyPair> {
        let point = [&[4], decode(&self.x)?.as_slice(), decode(&self.y)?.as_slice()].concat();
        let (algorithm, random) = (&ECDSA_P256_SHA256_FIXED_SIGNING, SystemRandom::new());
        EcdsaKeyPair::from_private_key_and_public_key(algorithm, &decode(&self.d)?, &point, &random).ok()
    }

    fn rsa(&self) -> Option<RsaKeyPair> {
        let components = KeyPairComponents {
            public_key: PublicKeyComponents { n: number(&self.n)?, e: number(&self.e)? },
            d: number(&self.d)?,
            p: number(&self.p)?,
            q: number(&self.q)?,
            dP: number(&self.dp)?,
            dQ: number(&self.dq)?,
            qInv: number(&self.qi)?,
        };
        RsaKeyPair::from_components(&components).ok()
    }
}

fn decode(text: &str) -> Option<Vec<u8>> {
    BASE64URL_NOPAD.decode(text.as_bytes()).ok()
}

/// A large number without the zeros that some write before it.
fn number(text: &str) -> Option<Vec<u8>> {
    Some(decode(text)?.into_iter().skip_while(|&byte| byte == 0).collect())
}

#[cfg(test)]
mod tests {
    use serde_json::Value;

    use super::super::generate;
    use super::*;

    #[tokio::test]
    async fn a_key_that_was_made_signs_by_its_own_algorithm_only() {
        let all = [Algorithm::EdDsa, Algorithm::Es256, Algorithm::Rs256];
        for algorithm in all {
            let made = generate(algorithm).await.unwrap();
            let (private, public) = (made.private.to_string(), made.public.to_string());
            assert!(SigningKey::read(algorithm, &private, &public).unwrap().sign(b"message").is_some());
            for other in all.into_iter().filter(|other| *other != algorithm) {
                assert!(SigningKey::read(other, &private, &public).is_none(), "{algorithm} as {other}");
            }
            let another = generate(algorithm).await.unwrap().public.to_string();
            assert!(
                SigningKey::read(algorithm, &private, &another).is_none(),
                "{algorithm}: another public half"
            );
        }
        assert!(generate(Algorithm::Es512).await.is_err());
    }

    #[tokio::test]
    async fn a_key_whose_numbers_do_not_belong_together_is_none() {
        for algorithm in [Algorithm::EdDsa, Algorithm::Es256, Algorithm::Ps256] {
            let made = generate(algorithm).await.unwrap();
            let other = generate(algorithm).await.unwrap();
            let mut mixed = made.private.clone();
            mixed["d"] = other.private["d"].clone();
            // Of an RSA key ring looks at the numbers that it signs with.
            if algorithm == Algorithm::Ps256 {
                for name in ["p", "q", "dp", "dq", "qi"] {
                    mixed[name] = other.private[name].clone();
                }
            }
            let public = made.public.to_string();
            assert!(SigningKey::read(algorithm, &mixed.to_string(), &public).is_none(), "{algorithm}");
            let mut broken = made.private.clone();
            broken["d"] = Value::String("no number".into());
            assert!(SigningKey::read(algorithm, &broken.to_string(), &public).is_none(), "{algorithm}");
        }
    }
}
