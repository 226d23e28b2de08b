//! What lies in the table, and what happens when the secret that opens it is another.

use housekey_engine::options::{EngineOptions, SecretVersion};
use housekey_engine::plugins::{JwtOptions, jwt};
use housekey_engine::storage::{Filter, Records as _};
use housekey_engine::{Engine, EngineBuilder, Record};
use http::StatusCode;
use serde_json::{Value, json};

use crate::jwt::issuer::verifier;
use crate::jwt::{builder, key_set, kid, kids, test_engine, token, with};
use crate::support::{PASSWORD, TestEngine, options};

fn with_secret(secret: &str) -> EngineBuilder {
    Engine::builder(EngineOptions { secret: secret.into(), ..options() })
        .plugins([jwt(JwtOptions::default())])
}

async fn signed_in(test: &TestEngine) -> crate::support::Browser {
    let mut ada = test.browser();
    ada.sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
    ada
}

#[tokio::test]
async fn a_private_key_is_encrypted_at_rest_in_the_form_of_the_reference() {
    let test = test_engine();
    token(&mut test.ada().await).await;
    let [row] = test.rows("jwks").await.try_into().unwrap();
    let stored: Value = serde_json::from_str(row.text("privateKey").unwrap()).unwrap();
    let hex = stored.as_str().expect("a text in JSON");
    assert!(hex.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte)), "{hex}");
    let private: Value = serde_json::from_str(&test.engine.api().decrypt(hex).unwrap()).unwrap();
    let public: Value = serde_json::from_str(row.text("publicKey").unwrap()).unwrap();
    assert_eq!(
        (&private["x"], &private["kty"], &private["crv"]),
        (&public["x"], &json!("OKP"), &json!("Ed25519"))
    );
    assert_eq!((row.text("alg"), row.text("crv")), (Some("EdDSA"), Some("Ed25519")));
    let mut names: Vec<_> = public.as_object().unwrap().keys().cloned().collect();
    names.sort();
    assert_eq!(names, ["crv", "kty", "x"]);
}

#[tokio::test]
async fn it_can_be_left_as_it_is_and_both_forms_are_read() {
    let plain = JwtOptions { disable_private_key_encryption: true, ..JwtOptions::default() };
    let test = with(plain.clone());
    let first = kid(&token(&mut test.ada().await).await);
    let [row] = test.rows("jwks").await.try_into().unwrap();
    let private: Value = serde_json::from_str(row.text("privateKey").unwrap()).unwrap();
    assert!(private["d"].is_string());
    let encrypting = test.under(builder(JwtOptions::default()));
    assert_eq!(kid(&token(&mut signed_in(&encrypting).await).await), first);
}

#[tokio::test]
// spec: KEY-5
async fn a_key_that_cannot_be_opened_is_replaced_and_its_tokens_hold() {
    let before = test_engine();
    let old = token(&mut before.ada().await).await;
    let test = before.under(with_secret("another-long-secret-for-testing-0123456789-abcdef"));
    test.advance(1);
    let mut ada = signed_in(&test).await;
    let answer = ada.get("/get-session").await.assert(StatusCode::OK);
    let new = token(&mut ada).await;
    assert_eq!(kid(answer.header("set-auth-jwt").unwrap()), kid(&new));
    assert_ne!(kid(&new), kid(&old));
    assert_eq!(kids(&test).await, [kid(&old), kid(&new)]);
    for token in [&old, &new] {
        verifier(&test).verify::<Value>(token).await.unwrap();
    }
    assert_eq!(kid(&token(&mut ada).await), kid(&new), "once, not for every token");

    // Whoever has the old secret and an old copy of the table has the old key: it does not stay for ever.
    test.advance(30 * 86_400);
    assert_eq!(kids(&test).await, [kid(&new)]);
}

#[tokio::test]
async fn processes_with_different_secrets_do_not_fight() {
    let old = test_engine();
    let mut at_old = old.ada().await;
    let of_old = kid(&token(&mut at_old).await);
    let new = old.under(with_secret("another-long-secret-for-testing-0123456789-abcdef"));
    let mut at_new = signed_in(&new).await;
    for _ in 0..5 {
        old.advance(61);
        let (one, other) = (token(&mut at_old).await, token(&mut at_new).await);
        assert_eq!(kid(&one), of_old);
        for token in [one, other] {
            verifier(&old).verify::<Value>(&token).await.unwrap();
            verifier(&new).verify::<Value>(&token).await.unwrap();
        }
    }
    assert_eq!(old.rows("jwks").await.len(), 2);
}

#[tokio::test]
async fn a_secret_that_is_rotated_opens_old_keys() {
    let before = test_engine();
    let first = kid(&token(&mut before.ada().await).await);
    let version = |version, value: &str| SecretVersion { version, value: value.into() };
    let secrets = vec![
        version(2, "another-long-secret-for-testing-0123456789-abcdef"),
        version(1, crate::support::SECRET),
    ];
    let rotated =
        Engine::builder(EngineOptions { secrets, ..options() }).plugins([jwt(JwtOptions::default())]);
    let test = before.under(rotated);
    assert_eq!(kid(&token(&mut signed_in(&test).await).await), first);
}

#[tokio::test]
async fn a_row_that_is_no_key_spoils_nothing() {
    let test = test_engine();
    let table = test.engine.schema().table("jwks").unwrap();
    let row = |id: &str, public: Value, private: &str| {
        Record::new()
            .with("id", id)
            .with("publicKey", public.to_string())
            .with("privateKey", private)
            .with("createdAt", test.clock.now())
    };
    let leaking = json!({ "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo", "d": "secret" });
    for row in [
        row("nonsense", json!("nonsense"), "nonsense"),
        row("shared", json!({ "kty": "oct", "k": "c2VjcmV0" }), "\"00\""),
        row("leaking", leaking, "{}"),
    ] {
        test.storage.create(table, &row).await.unwrap();
    }
    let mut ada = test.ada().await;
    let token = token(&mut ada).await;
    verifier(&test).verify::<Value>(&token).await.unwrap();
    let keys = key_set(&test).await;
    assert_eq!(keys.len(), 2, "{keys:?}");
    assert!(!format!("{keys:?}").contains("secret"), "a private number is never shown");
    // A key of old tables, which said nothing of the algorithm, has that of the options.
    assert!(keys.iter().all(|key| key["alg"] == "EdDSA"));
}

#[tokio::test]
async fn a_public_half_that_somebody_put_in_the_place_of_ours_is_not_signed_for() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let first = kid(&token(&mut ada).await);
    let other = test_engine();
    token(&mut other.ada().await).await;
    let foreign = other.rows("jwks").await[0].get("publicKey").unwrap().clone();
    let table = test.engine.schema().table("jwks").unwrap();
    test.storage
        .update(table, &Filter::by("id", &first), &Record::new().with("publicKey", foreign))
        .await
        .unwrap();
    test.advance(60);
    let fresh = token(&mut ada).await;
    assert_ne!(kid(&fresh), first);
    verifier(&test).verify::<Value>(&fresh).await.unwrap();
}
