use housekey_engine::Engine;
use housekey_engine::plugins::{AdminOptions, admin, jwt, two_factor};
use http::StatusCode;
use serde::Deserialize;
use serde_json::{Value, json};

use crate::jwt::issuer::verifier;
use crate::jwt::{key_set, read, test_engine, token};
use crate::support::{ORIGIN, PASSWORD, TestEngine, options};

#[tokio::test]
// spec: KEY-1
async fn whoever_is_signed_in_gets_a_token_that_says_who_they_are() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let user = ada.session().await["user"].clone();
    let (header, claims) = read(&token(&mut ada).await);

    let [key] = key_set(&test).await.try_into().unwrap();
    assert_eq!(header, json!({ "alg": "EdDSA", "kid": key["kid"] }));
    assert_eq!((&key["kty"], &key["crv"], &key["alg"]), (&json!("OKP"), &json!("Ed25519"), &json!("EdDSA")));
    let now = test.clock.now().unix_timestamp();
    let mut expected = user.clone();
    for (name, value) in [
        ("sub", user["id"].clone()),
        ("iat", now.into()),
        ("exp", (now + 900).into()),
        ("iss", ORIGIN.into()),
        ("aud", ORIGIN.into()),
    ] {
        expected[name] = value;
    }
    assert_eq!(claims, expected);
}

#[tokio::test]
// spec: KEY-5
async fn a_service_reads_the_claims_in_its_own_type() {
    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "camelCase")]
    struct Claims {
        sub: String,
        email: String,
        email_verified: bool,
    }
    let test = test_engine();
    let mut ada = test.ada().await;
    let sub = ada.session().await["user"]["id"].as_str().unwrap().to_owned();
    let claims: Claims = verifier(&test).verify(&token(&mut ada).await).await.unwrap();
    assert_eq!(claims, Claims { sub, email: "ada@example.com".into(), email_verified: false });
}

#[tokio::test]
async fn nobody_gets_no_token() {
    let test = test_engine();
    test.browser().get("/token").await.refused(401, "UNAUTHORIZED");
    let mut ada = test.ada().await;
    let mut thief = ada.clone();
    ada.post("/sign-out", json!({})).await.assert(StatusCode::OK);
    thief.get("/token").await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn whoever_has_only_the_password_gets_no_token() {
    let test = TestEngine::new(
        Engine::builder(options()).plugins([two_factor(Default::default()), jwt(Default::default())]),
    );
    let mut ada = test.ada().await;
    ada.post("/two-factor/enable", json!({ "password": PASSWORD })).await.assert(StatusCode::OK);
    let user = test.engine.api().user_by_email("ada@example.com").await.unwrap().unwrap();
    let code = housekey_engine::plugins::two_factor::totp_code(&test.engine.api(), &user).await.unwrap();
    ada.post("/two-factor/verify-totp", json!({ "code": code })).await.assert(StatusCode::OK);

    let mut thief = test.browser();
    let challenged = thief.sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
    assert_eq!(challenged.json()["twoFactorRedirect"], true);
    thief.get("/token").await.refused(401, "UNAUTHORIZED");
    assert_eq!(thief.get("/get-session").await.header("set-auth-jwt"), None);
}

#[tokio::test]
async fn whoever_is_shut_out_gets_no_token() {
    let test = TestEngine::new(
        Engine::builder(options()).plugins([admin(AdminOptions::default()), jwt(Default::default())]),
    );
    let mut ada = test.ada().await;
    token(&mut ada).await;
    let user = test.engine.api().user_by_email("ada@example.com").await.unwrap().unwrap();
    let ban = housekey_engine::Record::new().with("banned", true);
    let mut changes = test.engine.api().changes();
    changes.update("user", housekey_engine::storage::Filter::by("id", user.id), ban).await.unwrap();
    let _ = changes.commit().await.unwrap();
    ada.get("/token").await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn two_engines_of_one_plugin_share_no_keys() {
    let plugins = [jwt(Default::default())];
    let build = || TestEngine::new(Engine::builder(options()).plugins(plugins.clone()));
    let (one, other) = (build(), build());
    let (token_of_one, token_of_other) =
        (token(&mut one.ada().await).await, token(&mut other.ada().await).await);
    assert_ne!(crate::jwt::kid(&token_of_one), crate::jwt::kid(&token_of_other));
    assert!(verifier(&one).verify::<Value>(&token_of_other).await.is_err());
}
