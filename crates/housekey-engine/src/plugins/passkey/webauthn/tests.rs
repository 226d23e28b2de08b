//! No input makes any of this panic, and no changed answer is believed.

#[path = "../../../../tests/passkey/authenticator.rs"]
#[expect(dead_code, reason = "it serves other tests too")]
mod authenticator;

use authenticator::{Device, Key};
use data_encoding::{BASE64, BASE64URL_NOPAD};
use proptest::prelude::*;
use serde_json::{Value, json};

use super::authenticator_data::AuthenticatorData;
use super::public_key::PublicKey;
use super::{Expected, KnownCredential, cbor, client_data, verify_assertion, verify_attestation};

const CHALLENGE: &str = "Y2hhbGxlbmdl";
const ORIGIN: &str = "https://example.com";
const RP_ID: &str = "example.com";

fn expecting<T>(check: impl FnOnce(&Expected<'_>) -> T) -> T {
    let origins = [ORIGIN.to_owned()];
    check(&Expected { challenge: CHALLENGE, origins: &origins, rp_id: RP_ID, user_verified: false })
}

fn device(kind: u8) -> Device {
    let key = match kind {
        0 => Key::ed25519(),
        1 => Key::p256(),
        _ => Key::rsa(),
    };
    Device::with(key, ORIGIN, RP_ID)
}

fn believed(device: &Device, response: &Value) -> bool {
    let (id, public_key) = (device.credential_id(), BASE64.encode(&device.cose()));
    let known = KnownCredential { id: &id, public_key: &public_key, counter: 0 };
    expecting(|expected| verify_assertion(response, &known, expected)).is_ok()
}

/// Changes one byte of a field, or cuts the field there.
fn change(response: &mut Value, field: &str, at: prop::sample::Index, flip: u8) {
    let slot = &mut response["response"][field];
    let mut bytes = BASE64URL_NOPAD.decode(slot.as_str().unwrap().as_bytes()).unwrap();
    let at = at.index(bytes.len());
    if flip == 0 {
        bytes.truncate(at);
    } else {
        bytes[at] ^= flip;
    }
    *slot = json!(BASE64URL_NOPAD.encode(&bytes));
}

#[test]
fn a_true_answer_is_believed_whatever_the_kind_of_key() {
    for kind in 0..3 {
        let device = device(kind);
        let made = expecting(|expected| verify_attestation(&device.create(CHALLENGE), expected)).unwrap();
        assert_eq!((made.id, made.public_key), (device.credential_id(), BASE64.encode(&device.cose())));
        assert!(believed(&device, &device.sign(CHALLENGE)));
    }
}

#[test]
fn what_the_reference_accepts_is_accepted_and_stored_alike() {
    // Signed with Node's crypto, accepted by the library that the reference verifies with; `stored` is what it keeps.
    let vectors = include_str!("../../../../tests/passkey/vectors.json");
    let vectors: Vec<Value> = serde_json::from_str(vectors).unwrap();
    assert_eq!(vectors.len(), 3);
    for vector in vectors {
        let (origins, stored) = ([ORIGIN.to_owned()], &vector["stored"]);
        let challenge = vector["challenge"].as_str().unwrap();
        let expected = Expected { challenge, origins: &origins, rp_id: RP_ID, user_verified: true };
        let made = verify_attestation(&vector["registration"], &expected).unwrap();
        assert_eq!(json!(made.id), stored["credentialID"]);
        assert_eq!(json!(made.public_key), stored["publicKey"]);
        assert_eq!(json!(made.counter), stored["counter"]);
        assert_eq!(json!(made.aaguid), stored["aaguid"]);
        assert_eq!(made.can_be_copied, stored["deviceType"] == "multiDevice");
        assert_eq!(json!(made.is_copied), stored["backedUp"]);
        assert_eq!(made.transports, "usb,nfc");
        let known = KnownCredential { id: &made.id, public_key: &made.public_key, counter: 1 };
        let counter = verify_assertion(&vector["assertion"], &known, &expected).unwrap().counter;
        assert_eq!(json!(counter), vector["newCounter"]);
    }
}

#[test]
fn what_follows_the_key_stays_outside_it() {
    let mut bytes: &[u8] = &[0xa1, 0x01, 0x02, 0xff, 0xff];
    cbor::take(&mut bytes).unwrap();
    assert_eq!(bytes, [0xff, 0xff]);
}

#[test]
fn a_key_that_says_something_twice_or_nests_without_end_is_refused() {
    assert!(PublicKey::parse(&[0xa2, 0x01, 0x02, 0x01, 0x02]).is_err());
    assert!(cbor::map(&[0x81; 100_000]).is_err());
    assert!(cbor::map(&[0xbf; 100_000]).is_err());
    let huge = [0x5b, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0];
    assert!(cbor::take(&mut huge.as_slice()).is_err(), "a length is no reason to reserve memory");
}

#[test]
fn client_data_that_says_something_twice_is_refused() {
    let twice = format!(
        r#"{{"type":"webauthn.get","challenge":"{CHALLENGE}","origin":"https://evil.example","origin":"{ORIGIN}"}}"#
    );
    assert!(expecting(|expected| client_data::check(twice.as_bytes(), "webauthn.get", expected)).is_err());
}

/// JSON of any shape, with the names that are looked for.
fn any_json() -> impl Strategy<Value = Value> {
    let names = prop::sample::select(vec![
        "id",
        "rawId",
        "type",
        "response",
        "clientDataJSON",
        "attestationObject",
        "authenticatorData",
        "signature",
        "transports",
    ]);
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<String>().prop_map(Value::from),
        Just(json!("public-key")),
        prop::collection::vec(any::<u8>(), 0..80).prop_map(|bytes| json!(BASE64URL_NOPAD.encode(&bytes))),
    ];
    leaf.prop_recursive(4, 64, 10, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..6).prop_map(Value::Array),
            prop::collection::vec((names.clone(), inner), 0..9).prop_map(|fields| Value::Object(
                fields.into_iter().map(|(name, value)| (name.into(), value)).collect()
            )),
        ]
    })
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        let _ = cbor::map(&bytes);
        let _ = AuthenticatorData::parse(&bytes).map(|data| expecting(|expected| data.check(expected)));
        let _ = PublicKey::parse(&bytes).map(|key| key.verifies(&bytes, &bytes));
        prop_assert!(expecting(|expected| client_data::check(&bytes, "webauthn.get", expected)).is_err());
        let object = BASE64URL_NOPAD.encode(&bytes);
        let mut response = device(1).create(CHALLENGE);
        response["response"]["attestationObject"] = json!(object);
        prop_assert!(expecting(|expected| verify_attestation(&response, expected)).is_err());
    }

    #[test]
    fn bytes_behind_a_sound_beginning_are_read_or_refused(
        flags in any::<u8>(),
        rest in prop::collection::vec(any::<u8>(), 0..200),
    ) {
        let mut bytes = vec![0; 32];
        bytes.push(flags);
        bytes.extend(rest);
        let _ = AuthenticatorData::parse(&bytes);
    }

    #[test]
    fn any_json_is_read_or_refused(response in any_json()) {
        prop_assert!(!believed(&device(1), &response));
        prop_assert!(expecting(|expected| verify_attestation(&response, expected)).is_err());
    }

    #[test]
    fn a_changed_assertion_is_never_believed(
        kind in 0_u8..3,
        field in prop::sample::select(vec!["clientDataJSON", "authenticatorData", "signature"]),
        at in any::<prop::sample::Index>(),
        flip in any::<u8>(),
    ) {
        let device = device(kind);
        let mut response = device.sign(CHALLENGE);
        change(&mut response, field, at, flip);
        prop_assert!(!believed(&device, &response));
    }

    #[test]
    fn a_changed_registration_is_refused_or_makes_a_key_of_the_same_name(
        kind in 0_u8..3,
        field in prop::sample::select(vec!["clientDataJSON", "attestationObject"]),
        at in any::<prop::sample::Index>(),
        flip in any::<u8>(),
    ) {
        let device = device(kind);
        let mut response = device.create(CHALLENGE);
        change(&mut response, field, at, flip);
        if let Ok(made) = expecting(|expected| verify_attestation(&response, expected)) {
            prop_assert_eq!(made.id, device.credential_id());
        }
    }
}
