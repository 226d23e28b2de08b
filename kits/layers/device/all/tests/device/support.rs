//! What the tests of devices share.

use std::time::Duration;

use housekey::database::Factory;
use housekey::prelude::*;
use housekey::serde_json::{Value, json};
use housekey::testing::{TestApp, TestResponse};

use {{crate}}::factories::UserFactory;
use {{crate}}::models::User;

/// A device that waits: the code that it shows and the one that it keeps.
pub struct Waiting {
    pub user_code: String,
    device_code: String,
}

/// A device asks for codes, from an address of its own.
pub async fn ask(app: &TestApp) -> Waiting {
    let wanted = json!({ "client_id": "shop-cli", "scope": "orders:read" });
    let device = app.visitor().from("203.0.113.7");
    let codes = device.post("/api/auth/device/code").json(&wanted).without_csrf().await;
    let codes: Value = codes.assert_ok().json();
    let text = |name: &str| codes[name].as_str().unwrap_or_else(|| panic!("{name}: {codes}")).to_owned();
    Waiting { user_code: text("user_code"), device_code: text("device_code") }
}

/// The device asks whether it was let in, as slowly as it was told.
pub async fn poll(app: &TestApp, waiting: &Waiting) -> TestResponse {
    app.advance(Duration::from_secs(5));
    let body = json!({
        "grant_type": "urn:ietf:params:oauth:grant-type:device_code",
        "client_id": "shop-cli",
        "device_code": waiting.device_code,
    });
    app.visitor().from("203.0.113.7").post("/api/auth/device/token").json(&body).without_csrf().await
}

/// Somebody with an account.
pub async fn somebody(app: &TestApp) -> User {
    app.within(UserFactory::create()).await.unwrap()
}

/// A visitor who is somebody and has just entered the password again.
pub async fn sure_of(app: &TestApp, user: &User) -> TestApp {
    let visitor = app.signed_in(user).await;
    let password = json!({ "password": UserFactory::PASSWORD });
    visitor.post("/confirm-password").json(&password).await.assert_ok();
    visitor
}

/// Somebody new, who is sure of themselves.
pub async fn sure(app: &TestApp) -> TestApp {
    sure_of(app, &somebody(app).await).await
}

/// Sends a code to one of the actions: `""` enters it.
pub async fn send(visitor: &TestApp, action: &str, code: &str) -> TestResponse {
    visitor.post(&format!("/device{action}")).json(&json!({ "user_code": code })).await
}

pub async fn enter(visitor: &TestApp, code: &str) -> TestResponse {
    send(visitor, "", code).await
}

/// What is said about the code that was sent.
pub fn said(refused: &TestResponse) -> String {
    let body: Value = refused.assert_status(422).json();
    body["errors"]["user_code"][0].as_str().unwrap_or_else(|| panic!("{body}")).to_owned()
}

/// How the only request stands, and whose it is.
pub async fn stored(app: &TestApp) -> (String, Option<String>) {
    let row = async {
        let status = db()?.table("deviceCode").value::<String>("status").await?;
        let owner: Vec<Option<String>> = db()?.table("deviceCode").pluck("userId").await?;
        Ok::<_, Error>((status.unwrap_or_default(), owner.into_iter().next().flatten()))
    };
    app.within(row).await.unwrap()
}
