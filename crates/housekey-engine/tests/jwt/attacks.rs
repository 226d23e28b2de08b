//! Tokens that somebody made up or changed.

use std::sync::Arc;

use data_encoding::BASE64URL_NOPAD;
use housekey_engine::http_client::FakeHttpClient;
use housekey_engine::jwt::{Verifier, VerifyError};
use housekey_engine::plugins::JwtOptions;
use housekey_engine::plugins::jwt::{Algorithm, verify};
use ring::hmac;
use ring::signature::{Ed25519KeyPair, KeyPair};
use serde_json::{Value, json};

use crate::jwt::issuer::{Issuer, verifier};
use crate::jwt::{key_set, kid, read, test_engine, token, with};
use crate::support::{ORIGIN, TestEngine};

pub(crate) fn encoded(part: &Value) -> String {
    BASE64URL_NOPAD.encode(part.to_string().as_bytes())
}

/// The token with another header and the old signature.
pub(crate) fn swap_header(token: &str, header: &Value) -> String {
    let (_, rest) = token.split_once('.').unwrap();
    format!("{}.{rest}", encoded(header))
}

/// A key of a thief.
struct Thief(Ed25519KeyPair);

impl Thief {
    fn new() -> Self {
        Self(Ed25519KeyPair::from_seed_unchecked(&[7; 32]).unwrap())
    }

    fn jwk(&self) -> Value {
        let x = BASE64URL_NOPAD.encode(self.0.public_key().as_ref());
        json!({ "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "x": x })
    }

    fn sign(&self, header: &Value, claims: &Value) -> String {
        let signed = format!("{}.{}", encoded(header), encoded(claims));
        let signature = BASE64URL_NOPAD.encode(self.0.sign(signed.as_bytes()).as_ref());
        format!("{signed}.{signature}")
    }
}

/// Claims that would hold, of a user that the thief wants to be.
fn root(test: &TestEngine) -> Value {
    let now = test.clock.now().unix_timestamp();
    json!({ "sub": "root", "iss": ORIGIN, "aud": ORIGIN, "iat": now, "exp": now + 900 })
}

/// What the verifier of another service and the engine itself say to it.
async fn verdict(test: &TestEngine, token: &str) -> VerifyError {
    let elsewhere = verifier(test).verify::<Value>(token).await.expect_err(token);
    let here = verify::<Value>(&test.engine.api(), token).await.unwrap().expect_err(token);
    assert_eq!(elsewhere, here);
    elsewhere
}

#[tokio::test]
// spec: KEY-5
async fn a_token_without_a_signature_is_none() {
    let test = test_engine();
    let good = token(&mut test.ada().await).await;
    for alg in ["none", "None", "NONE", "nOnE", ""] {
        let signed =
            format!("{}.{}", encoded(&json!({ "alg": alg, "kid": kid(&good) })), encoded(&root(&test)));
        for forged in [
            format!("{signed}."),
            format!("{signed}.AAAA"),
            format!("{signed}.{}", good.rsplit_once('.').unwrap().1),
        ] {
            assert_eq!(verdict(&test, &forged).await, VerifyError::Algorithm, "{alg}");
        }
        assert!(matches!(verdict(&test, &signed).await, VerifyError::Malformed), "two parts");
    }
    let (signed, _) = good.rsplit_once('.').unwrap();
    assert_eq!(verdict(&test, &format!("{signed}.")).await, VerifyError::Signature);
}

#[tokio::test]
// spec: KEY-5
async fn a_public_key_is_no_shared_secret() {
    for algorithm in [Algorithm::EdDsa, Algorithm::Rs256] {
        let test = with(JwtOptions { algorithm, ..JwtOptions::default() });
        let good = token(&mut test.ada().await).await;
        let [key] = key_set(&test).await.try_into().unwrap();
        let number = key.get("x").or(key.get("n")).unwrap().as_str().unwrap();
        for secret in [
            number.as_bytes().to_vec(),
            BASE64URL_NOPAD.decode(number.as_bytes()).unwrap(),
            key.to_string().into_bytes(),
            Vec::new(),
        ] {
            let signed = format!(
                "{}.{}",
                encoded(&json!({ "alg": "HS256", "kid": kid(&good) })),
                encoded(&root(&test))
            );
            let mac = hmac::sign(&hmac::Key::new(hmac::HMAC_SHA256, &secret), signed.as_bytes());
            let forged = format!("{signed}.{}", BASE64URL_NOPAD.encode(mac.as_ref()));
            assert_eq!(verdict(&test, &forged).await, VerifyError::Algorithm);
        }
    }
}

#[tokio::test]
// spec: KEY-5
async fn the_key_says_the_algorithm_and_never_the_token() {
    for algorithm in [Algorithm::EdDsa, Algorithm::Es256, Algorithm::Rs256, Algorithm::Ps256] {
        let test = with(JwtOptions { algorithm, ..JwtOptions::default() });
        let good = token(&mut test.ada().await).await;
        let others = ["EdDSA", "ES256", "ES384", "RS256", "RS384", "RS512", "PS256", "PS384", "PS512"];
        for other in others.into_iter().filter(|other| *other != algorithm.name()) {
            let forged = swap_header(&good, &json!({ "alg": other, "kid": kid(&good) }));
            assert_eq!(verdict(&test, &forged).await, VerifyError::Algorithm, "{algorithm} as {other}");
        }
        for unknown in ["ES256K", "ES512", "EDDSA", "RSA-OAEP", "dir", "HS384"] {
            let forged = swap_header(&good, &json!({ "alg": unknown, "kid": kid(&good) }));
            assert_eq!(verdict(&test, &forged).await, VerifyError::Algorithm, "{unknown}");
        }
    }
}

#[tokio::test]
// spec: KEY-5
async fn a_key_that_a_token_brings_along_is_not_looked_at() {
    let test = test_engine();
    let good = token(&mut test.ada().await).await;
    let thief = Thief::new();
    let hers = json!({ "keys": [{ "kid": "thief", "kty": "OKP", "crv": "Ed25519", "alg": "EdDSA", "x": thief.jwk()["x"] }] });
    let web = FakeHttpClient::new()
        .json("https://thief.example/jwks", hers)
        .json(&format!("{ORIGIN}/api/auth/jwks"), json!({ "keys": key_set(&test).await }));
    let service = Verifier::new(ORIGIN).http_client(Arc::new(web.clone())).clock(test.clock.clone());
    service.verify::<Value>(&good).await.unwrap();
    for more in [
        json!({ "jwk": thief.jwk() }),
        json!({ "jku": "https://thief.example/jwks" }),
        json!({ "x5u": "https://thief.example/chain.pem" }),
        json!({ "x5c": ["MIIB"] }),
        json!({ "jku": "https://thief.example/jwks", "kid": "thief" }),
    ] {
        let mut header = json!({ "alg": "EdDSA", "kid": kid(&good) });
        header.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        let forged = thief.sign(&header, &root(&test));
        let refused = service.verify::<Value>(&forged).await.unwrap_err();
        assert!(matches!(refused, VerifyError::Signature | VerifyError::UnknownKey), "{header}: {refused}");
    }
    let asked: Vec<_> = web.requests().iter().map(|request| request.url.clone()).collect();
    assert!(asked.iter().all(|url| url.starts_with(ORIGIN)), "{asked:?}");
    // The same claims with the thief's key under the name of ours.
    let forged = thief.sign(&json!({ "alg": "EdDSA", "kid": kid(&good) }), &root(&test));
    assert_eq!(verdict(&test, &forged).await, VerifyError::Signature);
}

#[tokio::test]
// spec: KEY-5
async fn a_name_of_a_key_is_a_name_and_nothing_else() {
    let test = test_engine();
    let good = token(&mut test.ada().await).await;
    let thief = Thief::new();
    let own = kid(&good);
    for name in [
        "../../dev/null".to_owned(),
        "' OR '1'='1".to_owned(),
        "https://thief.example/jwks#1".to_owned(),
        String::new(),
        format!(" {own}"),
        own.to_uppercase(),
        format!("{own}\0"),
        "x".repeat(10_000),
    ] {
        let forged = thief.sign(&json!({ "alg": "EdDSA", "kid": name }), &root(&test));
        assert_eq!(verdict(&test, &forged).await, VerifyError::UnknownKey, "{name}");
    }
    for (kid, expected) in [
        (json!(null), VerifyError::UnknownKey),
        (json!(7), VerifyError::Malformed),
        (json!([own]), VerifyError::Malformed),
        (json!({ "$ne": "" }), VerifyError::Malformed),
    ] {
        let forged = thief.sign(&json!({ "alg": "EdDSA", "kid": kid }), &root(&test));
        assert_eq!(verdict(&test, &forged).await, expected, "{kid}");
    }
    let without = thief.sign(&json!({ "alg": "EdDSA" }), &root(&test));
    assert_eq!(verdict(&test, &without).await, VerifyError::UnknownKey);
}

#[tokio::test]
async fn what_must_be_understood_and_is_not_is_refused() {
    let test = test_engine();
    let good = token(&mut test.ada().await).await;
    for crit in [json!(["b64"]), json!([]), json!("exp"), json!(["http://example.com/unknown"])] {
        let forged =
            swap_header(&good, &json!({ "alg": "EdDSA", "kid": kid(&good), "crit": crit, "b64": false }));
        assert_eq!(verdict(&test, &forged).await, VerifyError::Critical, "{crit}");
    }
}

#[tokio::test]
// spec: KEY-5
async fn a_token_that_was_changed_anywhere_is_none() {
    let test = test_engine();
    let good = token(&mut test.ada().await).await;
    verifier(&test).verify::<Value>(&good).await.unwrap();
    let issuer = Issuer::of(&test).verifier(&test);
    for position in 0..good.len() {
        let mut bytes = good.clone().into_bytes();
        bytes[position] = if bytes[position] == b'A' { b'B' } else { b'A' };
        let changed = String::from_utf8(bytes).unwrap();
        assert!(issuer.verify::<Value>(&changed).await.is_err(), "{position}: {changed}");
        assert!(issuer.verify::<Value>(&good[..position]).await.is_err(), "cut at {position}");
    }
    for changed in [
        format!("{good}A"),
        format!("{good}="),
        format!("{good}."),
        format!(" {good}"),
        format!("{good}\n"),
        good.replace('.', ".."),
    ] {
        assert!(issuer.verify::<Value>(&changed).await.is_err(), "{changed}");
    }
    let (header, mut claims) = read(&good);
    claims["sub"] = json!("root");
    let signature = good.rsplit_once('.').unwrap().1;
    let forged = format!("{}.{}.{signature}", encoded(&header), encoded(&claims));
    assert_eq!(verdict(&test, &forged).await, VerifyError::Signature);
}

#[tokio::test]
async fn a_header_that_says_something_twice_is_none() {
    let test = test_engine();
    let good = token(&mut test.ada().await).await;
    let (_, rest) = good.split_once('.').unwrap();
    let twice = format!(r#"{{"alg":"EdDSA","kid":"{}","alg":"none"}}"#, kid(&good));
    let forged = format!("{}.{rest}", BASE64URL_NOPAD.encode(twice.as_bytes()));
    assert_eq!(verdict(&test, &forged).await, VerifyError::Malformed);
}

#[tokio::test]
async fn a_token_of_another_engine_with_the_same_origin_is_none() {
    let (ours, theirs) = (test_engine(), test_engine());
    token(&mut ours.ada().await).await;
    let foreign = token(&mut theirs.ada().await).await;
    assert_eq!(verdict(&ours, &foreign).await, VerifyError::UnknownKey);
}

#[tokio::test]
async fn a_session_token_and_a_verification_link_are_no_tokens_of_this_kind() {
    let test = test_engine();
    let ada = test.ada().await;
    let session = ada.cookies["better-auth.session_token"].clone();
    assert_eq!(verdict(&test, &session).await, VerifyError::Malformed);
    // What the engine signs with its own secret (HS256) has no place here either.
    let link = "eyJhbGciOiJIUzI1NiJ9.eyJlbWFpbCI6ImFkYUBleGFtcGxlLmNvbSJ9.AAAA";
    assert_eq!(verdict(&test, link).await, VerifyError::Algorithm);
}

#[tokio::test]
async fn an_rsa_key_that_does_not_say_its_padding_verifies_nothing() {
    let test = with(JwtOptions { algorithm: Algorithm::Rs256, ..JwtOptions::default() });
    let good = token(&mut test.ada().await).await;
    let mut keys = key_set(&test).await;
    keys[0].as_object_mut().unwrap().remove("alg");
    let service = Verifier::new(ORIGIN).keys(&json!({ "keys": keys })).clock(test.clock.clone());
    assert_eq!(service.verify::<Value>(&good).await.unwrap_err(), VerifyError::Algorithm);
    keys[0]["alg"] = json!("RS256");
    keys[0]["use"] = json!("enc");
    let service = Verifier::new(ORIGIN).keys(&json!({ "keys": keys })).clock(test.clock.clone());
    assert_eq!(
        service.verify::<Value>(&good).await.unwrap_err(),
        VerifyError::Signature,
        "it is for something else"
    );
}

#[tokio::test]
// spec: KEY-5
async fn a_token_that_does_not_say_its_end_issuer_or_audience_is_none() {
    let issuer = Thief::new();
    let mut key = issuer.jwk();
    key["kid"] = json!("own");
    let ours = Verifier::new(ORIGIN).keys(&json!({ "keys": [key] }));
    let header = json!({ "alg": "EdDSA", "kid": "own" });
    let whole = json!({ "iss": ORIGIN, "aud": ORIGIN, "exp": 9_999_999_999_i64 });
    let verdict = async |claims: &Value| ours.verify::<Value>(&issuer.sign(&header, claims)).await.err();
    assert_eq!(verdict(&whole).await, None);
    for (claim, refusal) in
        [("exp", VerifyError::Expired), ("iss", VerifyError::Issuer), ("aud", VerifyError::Audience)]
    {
        let mut claims = whole.clone();
        claims.as_object_mut().unwrap().remove(claim);
        assert_eq!(verdict(&claims).await, Some(refusal), "no {claim}");
    }
}
