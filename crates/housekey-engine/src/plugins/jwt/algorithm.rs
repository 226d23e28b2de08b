use std::fmt;

use serde::{Deserialize, Serialize};

/// How tokens are signed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub enum Algorithm {
    /// Ed25519: small, fast, nothing to get wrong.
    #[default]
    #[serde(rename = "EdDSA")]
    EdDsa,
    /// ECDSA over P-256.
    #[serde(rename = "ES256")]
    Es256,
    /// RSA with PKCS#1 1.5 padding, for services that know nothing newer.
    #[serde(rename = "RS256")]
    Rs256,
    /// RSA with PSS padding.
    #[serde(rename = "PS256")]
    Ps256,
    /// ECDSA over P-521, which the reference has and this engine has not: an engine with it is not built.
    #[serde(rename = "ES512")]
    Es512,
}

impl Algorithm {
    /// Its name in the header of a token.
    ///
    /// ```
    /// use housekey_engine::plugins::jwt::Algorithm;
    ///
    /// assert_eq!(Algorithm::default().name(), "EdDSA");
    /// ```
    pub const fn name(self) -> &'static str {
        match self {
            Self::EdDsa => "EdDSA",
            Self::Es256 => "ES256",
            Self::Rs256 => "RS256",
            Self::Ps256 => "PS256",
            Self::Es512 => "ES512",
        }
    }

    /// The curve of its keys, if they are on one.
    pub(super) const fn curve(self) -> Option<&'static str> {
        match self {
            Self::EdDsa => Some("Ed25519"),
            Self::Es256 => Some("P-256"),
            Self::Es512 => Some("P-521"),
            Self::Rs256 | Self::Ps256 => None,
        }
    }
}

impl fmt::Display for Algorithm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
