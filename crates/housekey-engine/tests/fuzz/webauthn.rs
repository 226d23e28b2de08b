use crate::passkey::authenticator::{Device, Key};
use bytes::Bytes;
use data_encoding::BASE64URL_NOPAD;
use housekey_engine::options::CacheStrategy;
use http::Response;
use serde_json::{Value, json};

use crate::fuzz::test_engine::{ORIGIN, TestEngine, cookies, read};
use housekey_test_support::fuzz::fuzz;

#[test]
fn no_changed_answer_of_a_device_signs_anybody_in() {
    let test = TestEngine::new(CacheStrategy::Compact);
    let devices = [Key::p256(), Key::ed25519(), Key::rsa()].map(|key| Device::with(key, ORIGIN, "localhost"));
    for device in &devices {
        let (challenge, browser) = begin(&test, "/passkey/generate-register-options");
        let registered = finish(&test, "/passkey/verify-registration", &browser, &device.create(&challenge));
        assert_eq!(registered.status(), 200, "{registered:?}");
    }
    fuzz(env!("CARGO_MANIFEST_DIR"), "webauthn", <[u8]>::to_vec, |input| {
        let Some((&choice, rest)) = input.split_first() else { return };
        let device = &devices[usize::from(choice) % devices.len()];
        register(&test, choice, rest);
        let (challenge, browser) = begin(&test, "/passkey/generate-authenticate-options");
        let honest = device.sign(&challenge);
        let field = ["clientDataJSON", "authenticatorData", "signature"][usize::from(choice >> 2) % 3];
        let changed = change(&honest, field, choice, rest);
        let answer = finish(&test, "/passkey/verify-authentication", &browser, &changed);
        let body = read(&answer);
        assert_eq!(answer.status() == 200, changed == honest, "{body}");
    });
}

/// A registration proves nothing by itself, so some changed ones are taken: then with a key that can be read.
fn register(test: &TestEngine, choice: u8, rest: &[u8]) {
    let device = Device::new(ORIGIN, "localhost");
    let (challenge, browser) = begin(test, "/passkey/generate-register-options");
    let honest = device.create(&challenge);
    let field = if choice & 0x80 == 0 { "attestationObject" } else { "clientDataJSON" };
    let answer =
        finish(test, "/passkey/verify-registration", &browser, &change(&honest, field, choice, rest));
    let body = read(&answer);
    if answer.status() == 200 {
        assert_eq!(body["credentialID"], honest["id"], "{body}");
        let delete = json!({ "id": body["id"] }).to_string();
        assert_eq!(test.post("/passkey/delete-passkey", &test.ada, delete.as_bytes()).status(), 200);
    }
}

/// Puts bytes in the place of a field, or over a part of what is there.
fn change(honest: &Value, field: &str, choice: u8, rest: &[u8]) -> Value {
    let mut response = honest.clone();
    let slot = &mut response["response"][field];
    let mut bytes = BASE64URL_NOPAD.decode(slot.as_str().unwrap().as_bytes()).unwrap();
    match (choice >> 4) & 3 {
        0 => bytes = rest.to_vec(),
        1 => bytes.extend(rest),
        _ => {
            let at = rest.first().map_or(0, |&at| usize::from(at)) % (bytes.len() + 1);
            let end = (at + rest.len()).min(bytes.len());
            bytes.splice(at..end, rest.iter().skip(1).copied());
        }
    }
    *slot = json!(BASE64URL_NOPAD.encode(&bytes));
    response
}

/// Asks for a challenge; gives it, and the cookies with which it is answered.
fn begin(test: &TestEngine, path: &str) -> (String, String) {
    let answer = test.get(path, test.ada.as_bytes());
    assert_eq!(answer.status(), 200, "{answer:?}");
    let challenge = read(&answer)["challenge"].as_str().unwrap().to_owned();
    (challenge, format!("{}; {}", test.ada, cookies(&answer)))
}

fn finish(test: &TestEngine, path: &str, browser: &str, response: &Value) -> Response<Bytes> {
    test.post(path, browser, json!({ "response": response }).to_string().as_bytes())
}
