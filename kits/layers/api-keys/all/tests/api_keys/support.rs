//! Who visits, and what they make.

use housekey::database::Factory;
use housekey::prelude::*;
use housekey::serde_json::{Value, json};
use housekey::testing::{TestApp, TestResponse};

use {{crate}}::factories::UserFactory;
use {{crate}}::models::User;

pub const PASSWORD: &str = UserFactory::PASSWORD;
pub const KEYS: &str = "/settings/api-keys";
pub const PREFIX: &str = "{{crate}}_";

pub async fn somebody(app: &TestApp) -> User {
    app.within(UserFactory::create()).await.unwrap()
}

/// Somebody signed in whose password is confirmed.
pub async fn sure_of(app: &TestApp, user: &User) -> TestApp {
    let visitor = app.signed_in(user).await;
    visitor.post("/confirm-password").json(&json!({ "password": PASSWORD })).await.assert_ok();
    visitor
}

/// What the form answers.
pub async fn ask_for(visitor: &TestApp, name: &str, lifetime: &str) -> TestResponse {
    visitor.post(KEYS).json(&json!({ "name": name, "lifetime": lifetime })).await
}

/// A new key, with its id.
pub async fn make(visitor: &TestApp, name: &str) -> (String, String) {
    let made: Value = ask_for(visitor, name, "90").await.assert_ok().json();
    let key = made["api_key"].as_str().unwrap().to_owned();
    (key, id_of(visitor, name).await.unwrap())
}

/// The id of the key with a name, if there is one.
pub async fn id_of(app: &TestApp, name: &str) -> Option<String> {
    let named = async { db()?.table("apikey").where_eq("name", name).pluck("id").await };
    let ids: Vec<String> = app.within(named).await.unwrap();
    ids.into_iter().next()
}

/// What a program with a key is told. It has no cookie.
pub async fn me(app: &TestApp, key: &str) -> TestResponse {
    app.visitor().get("/api/me").header("x-api-key", key).await
}
