//! A device in software: makes keys and signs with them as a real one does, and lies where a test wants it to.

use ciborium::Value as Cbor;
use data_encoding::BASE64URL_NOPAD;
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom as _, SystemRandom};
use ring::rsa::PublicKeyComponents;
use ring::signature::{
    ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, Ed25519KeyPair, KeyPair as _, RSA_PKCS1_SHA256, RsaKeyPair,
};
use serde_json::{Value, json};

pub(crate) const USER_PRESENT: u8 = 1;
pub(crate) const USER_VERIFIED: u8 = 1 << 2;
pub(crate) const CAN_BE_COPIED: u8 = 1 << 3;
pub(crate) const IS_COPIED: u8 = 1 << 4;
const HAS_CREDENTIAL: u8 = 1 << 6;

/// A device with one key, on one page.
pub(crate) struct Device {
    pub(crate) id: Vec<u8>,
    pub(crate) origin: String,
    pub(crate) rp_id: String,
    pub(crate) flags: u8,
    /// What it says next time.
    pub(crate) counter: u32,
    pub(crate) cross_origin: bool,
    pub(crate) transports: Value,
    /// Format and statement of its attestation.
    pub(crate) attestation: (&'static str, Cbor),
    key: Key,
}

pub(crate) enum Key {
    Ed25519(Ed25519KeyPair),
    P256(EcdsaKeyPair),
    Rsa(Box<RsaKeyPair>),
}

impl Key {
    pub(crate) fn ed25519() -> Self {
        let made = Ed25519KeyPair::generate_pkcs8(&SystemRandom::new()).unwrap();
        Self::Ed25519(Ed25519KeyPair::from_pkcs8(made.as_ref()).unwrap())
    }

    pub(crate) fn p256() -> Self {
        let (algorithm, random) = (&ECDSA_P256_SHA256_ASN1_SIGNING, SystemRandom::new());
        let made = EcdsaKeyPair::generate_pkcs8(algorithm, &random).unwrap();
        Self::P256(EcdsaKeyPair::from_pkcs8(algorithm, made.as_ref(), &random).unwrap())
    }

    /// Always the same one: making such a key takes long.
    pub(crate) fn rsa() -> Self {
        Self::Rsa(Box::new(RsaKeyPair::from_pkcs8(include_bytes!("rsa-2048.pk8")).unwrap()))
    }

    fn cose(&self) -> Vec<u8> {
        let entries = match self {
            Self::Ed25519(key) => {
                let x = key.public_key().as_ref().to_vec();
                vec![(1, number(1)), (3, number(-8)), (-1, number(6)), (-2, Cbor::Bytes(x))]
            }
            Self::P256(key) => {
                let point = key.public_key().as_ref();
                let (x, y) = (point[1..33].to_vec(), point[33..].to_vec());
                let (x, y) = (Cbor::Bytes(x), Cbor::Bytes(y));
                vec![(1, number(2)), (3, number(-7)), (-1, number(1)), (-2, x), (-3, y)]
            }
            Self::Rsa(key) => {
                let PublicKeyComponents::<Vec<u8>> { n, e } = key.public().into();
                vec![(1, number(3)), (3, number(-257)), (-1, Cbor::Bytes(n)), (-2, Cbor::Bytes(e))]
            }
        };
        cbor(&Cbor::Map(entries.into_iter().map(|(label, value)| (number(label), value)).collect()))
    }

    fn sign(&self, message: &[u8]) -> Vec<u8> {
        match self {
            Self::Ed25519(key) => key.sign(message).as_ref().to_vec(),
            Self::P256(key) => key.sign(&SystemRandom::new(), message).unwrap().as_ref().to_vec(),
            Self::Rsa(key) => {
                let mut signature = vec![0; key.public().modulus_len()];
                key.sign(&RSA_PKCS1_SHA256, &SystemRandom::new(), message, &mut signature).unwrap();
                signature
            }
        }
    }
}

impl Device {
    pub(crate) fn new(origin: &str, rp_id: &str) -> Self {
        Self::with(Key::p256(), origin, rp_id)
    }

    pub(crate) fn with(key: Key, origin: &str, rp_id: &str) -> Self {
        let mut id = vec![0; 16];
        SystemRandom::new().fill(&mut id).unwrap();
        Self {
            id,
            origin: origin.into(),
            rp_id: rp_id.into(),
            flags: USER_PRESENT | USER_VERIFIED,
            counter: 0,
            cross_origin: false,
            transports: json!(["internal", "hybrid"]),
            attestation: ("none", Cbor::Map(vec![])),
            key,
        }
    }

    pub(crate) fn credential_id(&self) -> String {
        BASE64URL_NOPAD.encode(&self.id)
    }

    pub(crate) fn cose(&self) -> Vec<u8> {
        self.key.cose()
    }

    /// Answers a registration.
    pub(crate) fn create(&self, challenge: &str) -> Value {
        let mut data = self.data(HAS_CREDENTIAL);
        data.extend([0xad; 16]);
        data.extend(u16::try_from(self.id.len()).unwrap().to_be_bytes());
        data.extend(&self.id);
        data.extend(self.cose());
        let (format, statement) = &self.attestation;
        let object = cbor(&Cbor::Map(vec![
            (text("fmt"), text(format)),
            (text("attStmt"), statement.clone()),
            (text("authData"), Cbor::Bytes(data)),
        ]));
        self.credential(&json!({
            "clientDataJSON": BASE64URL_NOPAD.encode(&self.client_data("webauthn.create", challenge)),
            "attestationObject": BASE64URL_NOPAD.encode(&object),
            "transports": self.transports,
        }))
    }

    /// Answers a sign-in.
    pub(crate) fn sign(&self, challenge: &str) -> Value {
        let (client_data, data) = (self.client_data("webauthn.get", challenge), self.data(0));
        let message = [&data, digest(&SHA256, &client_data).as_ref()].concat();
        self.credential(&json!({
            "clientDataJSON": BASE64URL_NOPAD.encode(&client_data),
            "authenticatorData": BASE64URL_NOPAD.encode(&data),
            "signature": BASE64URL_NOPAD.encode(&self.key.sign(&message)),
        }))
    }

    fn credential(&self, response: &Value) -> Value {
        let id = self.credential_id();
        json!({ "id": id, "rawId": id, "type": "public-key", "response": response, "clientExtensionResults": {} })
    }

    fn client_data(&self, kind: &str, challenge: &str) -> Vec<u8> {
        let (origin, cross_origin) = (&self.origin, self.cross_origin);
        let data =
            json!({ "type": kind, "challenge": challenge, "origin": origin, "crossOrigin": cross_origin });
        data.to_string().into_bytes()
    }

    fn data(&self, more_flags: u8) -> Vec<u8> {
        let mut data = digest(&SHA256, self.rp_id.as_bytes()).as_ref().to_vec();
        data.push(self.flags | more_flags);
        data.extend(self.counter.to_be_bytes());
        data
    }
}

fn cbor(value: &Cbor) -> Vec<u8> {
    let mut bytes = Vec::new();
    ciborium::into_writer(value, &mut bytes).unwrap();
    bytes
}

fn number(number: i64) -> Cbor {
    Cbor::Integer(number.into())
}

fn text(text: &str) -> Cbor {
    Cbor::Text(text.into())
}
