use ciborium::Value;
use ring::signature::{
    ECDSA_P256_SHA256_ASN1, ED25519, RSA_PKCS1_2048_8192_SHA256, RsaPublicKeyComponents, UnparsedPublicKey,
};

use super::{Checked, Refusal, cbor, require};

const EDDSA: i32 = -8;
const ES256: i32 = -7;
const RS256: i32 = -257;

/// The kinds of keys that devices are asked for, the best first, by their COSE numbers.
pub(crate) const ALGORITHMS: [i32; 3] = [EDDSA, ES256, RS256];

/// A COSE key of a kind that was asked for.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum PublicKey {
    EdDsa([u8; 32]),
    /// An uncompressed point.
    Es256([u8; 65]),
    Rs256 {
        modulus: Vec<u8>,
        exponent: Vec<u8>,
    },
}

impl PublicKey {
    pub(super) fn parse(cose: &[u8]) -> Checked<Self> {
        let key = Parameters(cbor::map(cose)?);
        match (key.number(1), key.number(3)) {
            (Some(1), Some(EDDSA)) => {
                require(key.number(-1) == Some(6), "the key is on another curve")?;
                Ok(Self::EdDsa(key.array(-2)?))
            }
            (Some(2), Some(ES256)) => {
                require(key.number(-1) == Some(1), "the key is on another curve")?;
                let mut point = [4; 65];
                let coordinates = [key.array::<32>(-2)?, key.array(-3)?];
                for (to, from) in point.iter_mut().skip(1).zip(coordinates.as_flattened()) {
                    *to = *from;
                }
                Ok(Self::Es256(point))
            }
            (Some(3), Some(RS256)) => {
                let (modulus, exponent) = (key.integer(-1)?, key.integer(-2)?);
                require((256..=1024).contains(&modulus.len()), "the key is too short or too long")?;
                Ok(Self::Rs256 { modulus, exponent })
            }
            _ => Err(Refusal("the key is of a kind that was not asked for")),
        }
    }

    /// Whether the holder of the private key signed the message.
    pub(super) fn verifies(&self, message: &[u8], signature: &[u8]) -> bool {
        match self {
            Self::EdDsa(key) => UnparsedPublicKey::new(&ED25519, key).verify(message, signature),
            Self::Es256(point) => {
                UnparsedPublicKey::new(&ECDSA_P256_SHA256_ASN1, point).verify(message, signature)
            }
            Self::Rs256 { modulus, exponent } => RsaPublicKeyComponents { n: modulus, e: exponent }.verify(
                &RSA_PKCS1_2048_8192_SHA256,
                message,
                signature,
            ),
        }
        .is_ok()
    }
}

/// The numbered parts of a COSE key.
struct Parameters(Vec<(Value, Value)>);

impl Parameters {
    fn get(&self, label: i32) -> Option<&Value> {
        cbor::only(&self.0, &Value::Integer(label.into()))
    }

    fn number(&self, label: i32) -> Option<i32> {
        self.get(label)?.as_integer()?.try_into().ok()
    }

    fn bytes(&self, label: i32) -> Checked<&Vec<u8>> {
        self.get(label).and_then(Value::as_bytes).ok_or(Refusal("a part of the key is missing"))
    }

    fn array<const N: usize>(&self, label: i32) -> Checked<[u8; N]> {
        let array = self.bytes(label)?.as_slice().try_into();
        array.map_err(|_| Refusal("a part of the key has another length"))
    }

    /// A large number without the zeros that some write before it.
    fn integer(&self, label: i32) -> Checked<Vec<u8>> {
        Ok(self.bytes(label)?.iter().copied().skip_while(|&byte| byte == 0).collect())
    }
}
