use data_encoding::BASE32_NOPAD;
use housekey_engine::options::CacheStrategy;
use http::{HeaderMap, HeaderValue};
use serde_json::{Value, json};

use crate::fuzz::test_engine::{PASSWORD, TestEngine, cookie, read};
use housekey_test_support::fuzz::{fuzz, replace};

#[test]
fn what_is_signed_or_sealed_opens_only_unchanged() {
    let test = TestEngine::new(CacheStrategy::Compact);
    let token = percent_decoded(cookie(&test.ada, "session_token"));
    let bare = token.split_once('.').unwrap().0.to_owned();
    let api = test.engine.api();
    let sealed = api.encrypt("a secret").unwrap();
    let fill =
        |input: &[u8]| replace(input, &[("{signed}", &token), ("{sealed}", &sealed), ("{token}", &bare)]);
    fuzz(env!("CARGO_MANIFEST_DIR"), "encodings", fill, |input| {
        let text = String::from_utf8_lossy(input);
        assert!(api.verify_signed(&text).is_none() || text == token, "a changed signature holds");
        assert!(api.decrypt(&text).is_err() || text == sealed, "a changed ciphertext opens");
        bearer(&test, &text, &bare);
        shown_to_an_app(&test, &text);
    });
}

/// A token in a header is the session's own, with its signature or bare.
fn bearer(test: &TestEngine, text: &str, bare: &str) {
    let Ok(header) = HeaderValue::try_from(format!("Bearer {text}")) else { return };
    let answer = test.with_headers(HeaderMap::from_iter([(http::header::AUTHORIZATION, header)]));
    assert_eq!(answer.status(), 200, "{answer:?}");
    if read(&answer) != Value::Null {
        assert!(text.contains(bare), "a session without its token");
    }
}

/// Any text may name the issuer; the address stays one that can be read, and the secret is base32.
fn shown_to_an_app(test: &TestEngine, issuer: &str) {
    let body = json!({ "password": PASSWORD, "issuer": issuer }).to_string();
    let answer = test.post("/two-factor/enable", &test.ada, body.as_bytes());
    let answer = read(&answer);
    let Some(uri) = answer["totpURI"].as_str() else {
        assert_eq!(answer["code"], "VALIDATION_ERROR", "{answer}");
        return;
    };
    let uri = url::Url::parse(uri).unwrap();
    let parameter = |name| uri.query_pairs().find(|(key, _)| key == name).unwrap().1.into_owned();
    assert_eq!(parameter("issuer"), issuer);
    assert_eq!(BASE32_NOPAD.decode(parameter("secret").as_bytes()).unwrap().len(), 32);
}

fn percent_decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8().unwrap().into_owned()
}
