use housekey_engine::Engine;
use housekey_engine::plugins::{JwtOptions, bearer, jwt};
use http::StatusCode;
use serde_json::{Value, json};

use crate::jwt::issuer::verifier;
use crate::jwt::{test_engine, with};
use crate::support::{TestEngine, options};

#[tokio::test]
// spec: KEY-1
async fn who_reads_their_session_gets_a_token_with_it() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let answer = ada.get("/get-session").await.assert(StatusCode::OK);
    assert_eq!(answer.header("access-control-expose-headers"), Some("set-auth-jwt"));
    let token = answer.header("set-auth-jwt").unwrap();
    let claims: Value = verifier(&test).verify(token).await.unwrap();
    assert_eq!(claims["email"], "ada@example.com");
}

#[tokio::test]
async fn nothing_else_carries_a_token() {
    let test = test_engine();
    let mut browser = test.browser();
    let answer = browser.get("/get-session").await.assert(StatusCode::OK);
    assert_eq!(answer.header("set-auth-jwt"), None, "nobody is there");
    assert_eq!(browser.sign_up("ada@example.com").await.assert(StatusCode::OK).header("set-auth-jwt"), None);
    let update = browser.post("/update-user", json!({ "name": "Countess" })).await.assert(StatusCode::OK);
    assert_eq!(update.header("set-auth-jwt"), None);
    assert_eq!(browser.get("/list-sessions").await.assert(StatusCode::OK).header("set-auth-jwt"), None);
}

#[tokio::test]
async fn a_page_of_the_app_carries_no_token() {
    let test = test_engine();
    let ada = test.ada().await;
    let (mut api, begun) = test.engine.begin_request(ada.cookie_header(), None).await;
    begun.unwrap();
    assert!(api.session().await.unwrap().is_some());
    let headers = test.engine.finish_request(api, false).await.unwrap();
    assert!(!headers.contains_key("set-auth-jwt"), "{headers:?}");
}

#[tokio::test]
async fn the_header_can_be_turned_off() {
    let test = with(JwtOptions { disable_setting_jwt_header: true, ..JwtOptions::default() });
    let answer = test.ada().await.get("/get-session").await.assert(StatusCode::OK);
    assert_eq!(answer.header("set-auth-jwt"), None);
}

#[tokio::test]
async fn it_stands_beside_what_others_expose() {
    let plugins = [bearer(Default::default()), jwt(Default::default())];
    let test = TestEngine::new(Engine::builder(options()).plugins(plugins));
    let mut ada = test.ada().await;
    test.advance(86_401);
    let answer = ada.get("/get-session").await.assert(StatusCode::OK);
    assert_eq!(answer.header("access-control-expose-headers"), Some("set-auth-token, set-auth-jwt"));
    assert!(answer.header("set-auth-token").is_some() && answer.header("set-auth-jwt").is_some());
}

#[tokio::test]
async fn a_token_that_no_header_can_carry_is_left_out_and_the_session_comes() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let image = format!("data:image/png;base64,{}", "A".repeat(8 * 1024));
    ada.post("/update-user", json!({ "image": image })).await.assert(StatusCode::OK);
    let answer = ada.get("/get-session").await.assert(StatusCode::OK);
    assert_eq!((answer.header("set-auth-jwt"), &answer.json()["user"]["image"]), (None, &json!(image)));
    let claims: Value = verifier(&test).verify(&crate::jwt::token(&mut ada).await).await.unwrap();
    assert_eq!(claims["image"], json!(image));
}
