//! The verifier of another service: when it fetches keys, and what it looks at in the claims.

use housekey_engine::jwt::{Verifier, VerifyError};
use housekey_engine::plugins::JwtOptions;
use housekey_engine::plugins::jwt::sign;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::jwt::attacks::{encoded, swap_header};
use crate::jwt::issuer::{Issuer, verifier};
use crate::jwt::{test_engine, token, with};
use crate::support::{ORIGIN, TestEngine};

/// A token of the engine with these claims, over the usual ones.
async fn signed(test: &TestEngine, claims: Value) -> String {
    sign(&test.engine.api(), claims.as_object().unwrap().clone()).await.unwrap()
}

async fn verdict(verifier: &Verifier, token: &str) -> Option<VerifyError> {
    verifier.verify::<Value>(token).await.err()
}

#[tokio::test]
// spec: KEY-5
async fn keys_are_fetched_once_and_made_up_names_cost_the_issuer_nothing() {
    let test = test_engine();
    let token = token(&mut test.ada().await).await;
    let issuer = Issuer::of(&test);
    let service = issuer.verifier(&test);
    for _ in 0..20 {
        service.clone().verify::<Value>(&token).await.unwrap();
    }
    assert_eq!(issuer.asked(), 1);
    for number in 0..200 {
        let forged = swap_header(&token, &json!({ "alg": "EdDSA", "kid": format!("made-up-{number}") }));
        assert_eq!(verdict(&service, &forged).await, Some(VerifyError::UnknownKey));
    }
    assert_eq!(issuer.asked(), 2, "once is looked whether the first of them is a new key");
    test.advance(10);
    let forged = swap_header(&token, &json!({ "alg": "EdDSA", "kid": "once more" }));
    assert_eq!(verdict(&service, &forged).await, Some(VerifyError::UnknownKey));
    assert_eq!(issuer.asked(), 3);
    service.verify::<Value>(&token).await.unwrap();
}

#[tokio::test]
async fn what_cannot_hold_is_refused_before_anything_is_fetched() {
    let test = test_engine();
    let token = token(&mut test.ada().await).await;
    let issuer = Issuer::of(&test);
    let service = issuer.verifier(&test);
    let long = format!("{token}{}", "A".repeat(64 * 1024));
    let unsigned = swap_header(&token, &json!({ "alg": "none", "kid": "x" }));
    for bad in ["", ".", "..", "a.b.c", "no token", long.as_str(), unsigned.as_str()] {
        assert!(verdict(&service, bad).await.is_some(), "{bad}");
    }
    assert_eq!(issuer.asked(), 0);
}

#[tokio::test]
async fn an_issuer_that_is_down_is_told_apart_from_a_bad_token() {
    let test = test_engine();
    let token = token(&mut test.ada().await).await;
    let issuer = Issuer::of(&test);
    let service = issuer.verifier(&test);
    issuer.is_down(true);
    for _ in 0..20 {
        assert!(verdict(&service, &token).await.unwrap().is_unavailable());
    }
    assert_eq!(issuer.asked(), 1, "it is left alone for a moment");
    issuer.is_down(false);
    test.advance(2);
    service.verify::<Value>(&token).await.unwrap();

    issuer.is_down(true);
    test.advance(800);
    service.verify::<Value>(&token).await.unwrap();
    let unknown = swap_header(&token, &json!({ "alg": "EdDSA", "kid": "unknown" }));
    assert!(
        verdict(&service, &unknown).await.is_some(),
        "known keys go on meanwhile, unknown ones do not come about"
    );
}

#[tokio::test]
// spec: KEY-5
async fn issuer_and_audience_decide() {
    let test = test_engine();
    let own = signed(&test, json!({ "sub": "1" })).await;
    let ours = verifier(&test);
    assert_eq!(verdict(&ours, &own).await, None);
    let files = ours.clone().audience(["https://files.example"]);
    assert_eq!(verdict(&files, &own).await, Some(VerifyError::Audience));
    for (aud, expected) in [
        (json!("https://files.example"), None),
        (json!(["https://maps.example", "https://files.example"]), None),
        (json!(["https://maps.example"]), Some(VerifyError::Audience)),
        (json!("https://files.example.evil.example"), Some(VerifyError::Audience)),
        (json!([]), Some(VerifyError::Audience)),
        (json!([["https://files.example"]]), Some(VerifyError::Audience)),
        (json!({ "https://files.example": true }), Some(VerifyError::Audience)),
        (json!(7), Some(VerifyError::Audience)),
    ] {
        let token = signed(&test, json!({ "aud": aud })).await;
        assert_eq!(verdict(&files, &token).await, expected, "{aud}");
    }
    for iss in [json!("https://evil.example"), json!(format!("{ORIGIN}/")), json!([ORIGIN]), json!(true)] {
        let token = signed(&test, json!({ "iss": iss })).await;
        assert_eq!(verdict(&ours, &token).await, Some(VerifyError::Issuer), "{iss}");
    }
}

#[tokio::test]
// spec: KEY-5
async fn time_decides_and_clocks_may_differ_a_little() {
    let test = test_engine();
    let now = test.clock.now().unix_timestamp();
    let ours = verifier(&test);
    let strict = ours.clone().clock_skew(0);
    let patient = ours.clone().clock_skew(300);
    use VerifyError::{Expired, NotYetValid};
    for (claims, usual, exact, long) in [
        (json!({ "exp": now + 1 }), None, None, None),
        (json!({ "exp": now }), None, Some(Expired), None),
        (json!({ "exp": now - 29 }), None, Some(Expired), None),
        (json!({ "exp": now - 30 }), Some(Expired), Some(Expired), None),
        (json!({ "exp": now - 300 }), Some(Expired), Some(Expired), Some(Expired)),
        (json!({ "exp": "9999999999" }), Some(Expired), Some(Expired), Some(Expired)),
        (json!({ "exp": -1 }), Some(Expired), Some(Expired), Some(Expired)),
        (json!({ "nbf": now }), None, None, None),
        (json!({ "nbf": now + 30 }), None, Some(NotYetValid), None),
        (json!({ "nbf": now + 31 }), Some(NotYetValid), Some(NotYetValid), None),
        (json!({ "nbf": "soon" }), Some(NotYetValid), Some(NotYetValid), Some(NotYetValid)),
        (json!({ "iat": now + 31, "exp": now + 900 }), Some(NotYetValid), Some(NotYetValid), None),
        (json!({ "iat": "yesterday" }), Some(NotYetValid), Some(NotYetValid), Some(NotYetValid)),
    ] {
        let token = signed(&test, claims.clone()).await;
        assert_eq!(verdict(&ours, &token).await, usual, "{claims}");
        assert_eq!(verdict(&strict, &token).await, exact, "{claims}, no skew");
        assert_eq!(verdict(&patient, &token).await, long, "{claims}, five minutes");
    }
    let token = token(&mut test.ada().await).await;
    test.advance(900 + 29);
    assert_eq!(verdict(&ours, &token).await, None);
    test.advance(1);
    assert!(verdict(&ours, &token).await.unwrap().is_expired());
}

#[tokio::test]
async fn claims_of_another_shape_are_said() {
    #[derive(Debug, Deserialize)]
    #[expect(dead_code, reason = "it is only read into")]
    struct Claims {
        role: String,
    }
    let test = test_engine();
    let token = token(&mut test.ada().await).await;
    let error = verifier(&test).verify::<Claims>(&token).await.unwrap_err();
    assert!(matches!(&error, VerifyError::Claims(reason) if reason.contains("role")), "{error}");
    assert!(!error.to_string().contains("ada@example.com"), "nothing of the token is in an error: {error}");
}

#[tokio::test]
async fn keys_that_are_given_are_the_only_ones() {
    let test = test_engine();
    let token = token(&mut test.ada().await).await;
    let issuer = Issuer::of(&test);
    let set = json!({ "keys": crate::jwt::key_set(&test).await });
    let knowing = issuer.verifier(&test).keys(&set);
    knowing.verify::<Value>(&token).await.unwrap();
    for set in [
        json!({ "keys": [] }),
        json!({}),
        json!([]),
        json!({ "keys": [7, {}, { "kty": "oct", "k": "AA", "kid": "x" }] }),
    ] {
        assert_eq!(verdict(&issuer.verifier(&test).keys(&set), &token).await, Some(VerifyError::UnknownKey));
    }
    assert_eq!(issuer.asked(), 0);
}

#[tokio::test]
async fn private_addresses_are_asked_only_when_that_is_allowed() {
    let test = with(JwtOptions::default());
    let token = token(&mut test.ada().await).await;
    let service = Verifier::new(ORIGIN).keys_at("http://127.0.0.1:1/jwks").clock(test.clock.clone());
    let VerifyError::Unavailable(refused) = verdict(&service, &token).await.unwrap() else {
        panic!("it was asked")
    };
    assert!(refused.is_refused(), "{refused}");
    let VerifyError::Unavailable(gone) = verdict(&service.allow_private_addresses(), &token).await.unwrap()
    else {
        panic!("there is nobody")
    };
    assert!(gone.is_unreachable(), "{gone}");
}

#[tokio::test]
async fn a_verifier_shows_no_keys_when_printed() {
    let printed = format!("{:?}", Verifier::new(ORIGIN));
    assert!(printed.contains(ORIGIN), "{printed}");
    assert_eq!(encoded(&json!({})), "e30");
}
