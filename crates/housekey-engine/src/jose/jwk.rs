//! Public keys of others, as they are written in a key set.

use data_encoding::BASE64URL_NOPAD;
use ring::signature::{
    ECDSA_P256_SHA256_FIXED, ECDSA_P384_SHA384_FIXED, ED25519, RSA_PKCS1_2048_8192_SHA256,
    RSA_PKCS1_2048_8192_SHA384, RSA_PKCS1_2048_8192_SHA512, RSA_PSS_2048_8192_SHA256,
    RSA_PSS_2048_8192_SHA384, RSA_PSS_2048_8192_SHA512, RsaParameters, RsaPublicKeyComponents,
    UnparsedPublicKey,
};
use serde::Deserialize;

/// Algorithms whose signatures can be verified with a public key. `none` and those with a shared secret are not among them.
pub(crate) const ALGORITHMS: [&str; 9] =
    ["RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "EdDSA"];

/// A key of a set, as it is written.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub(crate) struct Jwk {
    kty: String,
    pub(crate) kid: Option<String>,
    alg: Option<String>,
    #[serde(rename = "use")]
    used_for: Option<String>,
    crv: Option<String>,
    n: Option<String>,
    e: Option<String>,
    x: Option<String>,
    y: Option<String>,
}

impl Jwk {
    /// Whether it says what it is; whatever else stands in a set is no key.
    pub(crate) fn is_key(&self) -> bool {
        !self.kty.is_empty()
    }

    /// The one algorithm that its signatures are checked by. A key says it, or is of a kind that has only one; of an RSA key that
    /// says nothing it is not known.
    #[cfg(feature = "jwt")]
    pub(crate) fn algorithm(&self) -> Option<&str> {
        match (self.alg.as_deref(), self.kty.as_str(), self.crv.as_deref()) {
            (Some(own), ..) => Some(own),
            (None, "OKP", Some("Ed25519")) => Some("EdDSA"),
            (None, "EC", Some("P-256")) => Some("ES256"),
            (None, "EC", Some("P-384")) => Some("ES384"),
            _ => None,
        }
    }

    /// Whether this key signed a message by an algorithm. A key of another kind than the algorithm needs did not.
    pub(crate) fn verifies(&self, algorithm: &str, message: &[u8], signature: &[u8]) -> bool {
        let is_meant = self.alg.as_deref().is_none_or(|own| own == algorithm)
            && self.used_for.as_deref().is_none_or(|used_for| used_for == "sig");
        is_meant && self.check(algorithm, message, signature).is_some()
    }

    fn check(&self, algorithm: &str, message: &[u8], signature: &[u8]) -> Option<()> {
        if let Some(parameters) = rsa(algorithm) {
            if self.kty != "RSA" {
                return None;
            }
            let (n, e) = (number(self.n.as_deref())?, number(self.e.as_deref())?);
            return RsaPublicKeyComponents { n, e }.verify(parameters, message, signature).ok();
        }
        let wanted = match algorithm {
            "ES256" => ("EC", "P-256"),
            "ES384" => ("EC", "P-384"),
            "EdDSA" => ("OKP", "Ed25519"),
            _ => return None,
        };
        if (self.kty.as_str(), self.crv.as_deref()?) != wanted {
            return None;
        }
        let x = decode(self.x.as_deref())?;
        match algorithm {
            "EdDSA" => UnparsedPublicKey::new(&ED25519, x).verify(message, signature).ok(),
            _ => {
                // An uncompressed point.
                let point = [&[4], x.as_slice(), decode(self.y.as_deref())?.as_slice()].concat();
                let curve =
                    if algorithm == "ES256" { &ECDSA_P256_SHA256_FIXED } else { &ECDSA_P384_SHA384_FIXED };
                UnparsedPublicKey::new(curve, point).verify(message, signature).ok()
            }
        }
    }
}

/// Keys shorter than 2048 bits verify nothing.
fn rsa(algorithm: &str) -> Option<&'static RsaParameters> {
    Some(match algorithm {
        "RS256" => &RSA_PKCS1_2048_8192_SHA256,
        "RS384" => &RSA_PKCS1_2048_8192_SHA384,
        "RS512" => &RSA_PKCS1_2048_8192_SHA512,
        "PS256" => &RSA_PSS_2048_8192_SHA256,
        "PS384" => &RSA_PSS_2048_8192_SHA384,
        "PS512" => &RSA_PSS_2048_8192_SHA512,
        _ => return None,
    })
}

fn decode(text: Option<&str>) -> Option<Vec<u8>> {
    BASE64URL_NOPAD.decode(text?.as_bytes()).ok()
}

/// A large number without the zeros that some write before it.
fn number(text: Option<&str>) -> Option<Vec<u8>> {
    Some(decode(text)?.into_iter().skip_while(|&byte| byte == 0).collect())
}
