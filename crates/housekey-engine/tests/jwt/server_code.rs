use housekey_engine::Engine;
use housekey_engine::jwt::VerifyError;
use housekey_engine::plugins::JwtOptions;
use housekey_engine::plugins::jwt::{key_set, rotate, sign, token, verify};
use serde_json::{Value, json};

use crate::jwt::{builder, kids, test_engine};
use crate::support::options;

#[tokio::test]
async fn server_code_makes_and_checks_tokens() {
    let test = test_engine();
    let ada = test.ada().await;
    let mut api = test.engine.api_for(&ada.cookie_header());
    let own = token(&mut api).await.unwrap();
    let claims: Value = verify(&api, &own).await.unwrap().unwrap();
    assert_eq!(claims["email"], "ada@example.com");
    assert_eq!(token(&mut test.engine.api()).await.unwrap_err().status(), 401);

    let report = json!({ "sub": "report-7" }).as_object().unwrap().clone();
    let token = sign(&api, report).await.unwrap();
    let claims: Value = verify(&api, &token).await.unwrap().unwrap();
    assert_eq!(claims["sub"], "report-7");
    assert_eq!(claims["exp"].as_i64(), Some(test.clock.now().unix_timestamp() + 900));
    assert_eq!(key_set(&api).await.unwrap()["keys"].as_array().unwrap().len(), kids(&test).await.len());
}

#[tokio::test]
async fn what_another_process_signed_holds_here() {
    let here = test_engine();
    let there = here.under(builder(JwtOptions::default()));
    let empty = serde_json::Map::new;
    let first = sign(&here.engine.api(), empty()).await.unwrap();
    verify::<Value>(&there.engine.api(), &first).await.unwrap().unwrap();
    here.advance(10);
    rotate(&here.engine.api()).await.unwrap();
    let second = sign(&here.engine.api(), empty()).await.unwrap();
    verify::<Value>(&there.engine.api(), &second).await.unwrap().unwrap();
    for name in 0..50 {
        let forged =
            crate::jwt::attacks::swap_header(&second, &json!({ "alg": "EdDSA", "kid": name.to_string() }));
        let refused = verify::<Value>(&there.engine.api(), &forged).await.unwrap().unwrap_err();
        assert_eq!(refused, VerifyError::UnknownKey);
    }
}

#[tokio::test]
async fn an_engine_without_the_plugin_says_so() {
    let test = crate::support::TestEngine::new(Engine::builder(options()));
    let error = sign(&test.engine.api(), serde_json::Map::new()).await.unwrap_err();
    assert!(error.is_internal() && error.to_string().contains("jwt plugin"), "{error}");
}
