use housekey_engine::encode_component;
use housekey_engine::options::CacheStrategy;
use http::HeaderValue;

use crate::fuzz::test_engine::{TestEngine, cookie, read};
use housekey_test_support::fuzz::{fuzz, replace};

#[test]
fn no_changed_copy_of_a_session_is_believed() {
    let strategies = [CacheStrategy::Compact, CacheStrategy::Jwt, CacheStrategy::Jwe];
    let engines = strategies.map(TestEngine::new);
    let copies: Vec<_> = engines.iter().map(|test| cookie(&test.ada, "session_data").to_owned()).collect();
    let fill = |input: &[u8]| {
        replace(input, &[("{compact}", &copies[0]), ("{jwt}", &copies[1]), ("{jwe}", &copies[2])])
    };
    let truth: Vec<_> = engines.iter().map(|test| session_of(test, b"")).collect();
    fuzz(env!("CARGO_MANIFEST_DIR"), "tokens", fill, |input| {
        for (test, truth) in engines.iter().zip(&truth) {
            let mut cookies = b"; better-auth.session_data=".to_vec();
            cookies.extend(input);
            if HeaderValue::from_bytes(&cookies).is_err() {
                continue;
            }
            // Whatever the copy says, what comes out is what is stored.
            assert_eq!(&session_of(test, &cookies), truth);
        }
    });
}

#[test]
fn no_changed_link_verifies_an_address() {
    let test = TestEngine::new(CacheStrategy::Jwt);
    let copy = cookie(&test.ada, "session_data").to_owned();
    let fill = |input: &[u8]| {
        replace(input, &[("{compact}", "e30"), ("{jwt}", &copy), ("{jwe}", "e30.e30.e30.e30.e30")])
    };
    fuzz(env!("CARGO_MANIFEST_DIR"), "tokens", fill, |input| {
        let token = encode_component(&String::from_utf8_lossy(input)).to_string();
        let answer = test.get(&format!("/verify-email?token={token}"), b"");
        // None of these was ever made to verify an address: a copy of a session is signed alike and still is none.
        assert_ne!(answer.status(), 200, "{answer:?}");
        read(&answer);
    });
}

/// The session and user that the engine finds, with some more cookies sent.
fn session_of(test: &TestEngine, more: &[u8]) -> serde_json::Value {
    let mut cookies =
        format!("better-auth.session_token={}", cookie(&test.ada, "session_token")).into_bytes();
    cookies.extend(more);
    let answer = test.get("/get-session", &cookies);
    assert_eq!(answer.status(), 200, "{answer:?}");
    read(&answer)
}
