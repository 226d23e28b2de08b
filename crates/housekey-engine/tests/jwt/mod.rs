//! Tokens through the front door: what they say, the keys that sign them, and everything that is not one.

mod algorithms;
mod attacks;
mod claims;
mod header;
mod issuer;
mod keys;
mod no_reading;
mod options;
mod races;
mod secrets;
mod server_code;
mod tokens;
mod verifier;

use crate::support::{Browser, TestEngine};
use data_encoding::BASE64URL_NOPAD;
use housekey_engine::plugins::{JwtOptions, jwt};
use housekey_engine::{Engine, EngineBuilder};
use http::StatusCode;
use serde_json::Value;

fn builder(jwt_options: JwtOptions) -> EngineBuilder {
    Engine::builder(crate::support::options()).plugins([jwt(jwt_options)])
}

fn with(jwt_options: JwtOptions) -> TestEngine {
    TestEngine::new(builder(jwt_options))
}

fn test_engine() -> TestEngine {
    with(JwtOptions::default())
}

async fn token(browser: &mut Browser) -> String {
    let answer = browser.get("/token").await.assert(StatusCode::OK).json();
    answer["token"].as_str().unwrap().to_owned()
}

/// Header and claims, whoever signed them.
fn read(token: &str) -> (Value, Value) {
    let parts: Vec<_> = token.split('.').collect();
    let decode =
        |part: &str| serde_json::from_slice(&BASE64URL_NOPAD.decode(part.as_bytes()).unwrap()).unwrap();
    assert_eq!(parts.len(), 3, "{token}");
    (decode(parts[0]), decode(parts[1]))
}

fn kid(token: &str) -> String {
    read(token).0["kid"].as_str().unwrap().to_owned()
}

async fn key_set(test: &TestEngine) -> Vec<Value> {
    let set = test.browser().get("/jwks").await.assert(StatusCode::OK).json();
    set["keys"].as_array().unwrap().clone()
}

async fn kids(test: &TestEngine) -> Vec<String> {
    let kid = |key: &Value| key["kid"].as_str().unwrap().to_owned();
    key_set(test).await.iter().map(kid).collect()
}
