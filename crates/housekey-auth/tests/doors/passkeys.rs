use std::time::Duration;

use housekey_testing::{TestApp, TestResponse};
use serde_json::{Value, json};

use crate::doors::authenticator::Device;
use crate::doors::setup::{ADA, ask, confirm, expect_locked, signed_in_app};
use crate::support::{PASSWORD, sign_in};

const ORIGIN: &str = "http://localhost:3000";

/// Registers a device's key with whoever is signed in.
async fn register(app: &TestApp, device: &Device) {
    let options: Value = ask(app, "passkey/generate-register-options", &Value::Null).await.json();
    let response = device.create(options["challenge"].as_str().unwrap());
    let registered = ask(app, "passkey/verify-registration", &json!({ "response": response })).await;
    registered.assert_ok();
}

async fn signed(app: &TestApp, device: &Device) -> Value {
    let options: Value = ask(app, "passkey/generate-authenticate-options", &Value::Null).await.json();
    device.sign(options["challenge"].as_str().unwrap())
}

async fn confirm_with(app: &TestApp, device: &Device) -> TestResponse {
    let response = signed(app, device).await;
    app.post("/confirm-password/passkey").header("origin", ORIGIN).json(&response).await
}

// spec: SEC-3
#[tokio::test]
async fn a_passkey_added_since_the_sign_in_confirms_nothing_and_an_older_one_does() {
    let app = signed_in_app().await;
    let device = Device::new(ORIGIN, "localhost");
    app.advance(Duration::from_secs(60));
    confirm(&app).await;
    register(&app, &device).await;
    // The window that let it in is over; the key alone must not open the next one.
    app.advance(Duration::from_secs(3 * 60 * 60));
    let refused = confirm_with(&app, &device).await;
    refused.assert_status(403).assert_json_path("code", "PASSKEY_TOO_NEW");
    expect_locked(&app, "two-factor/disable", &json!({})).await;
    app.delete("/account").json(&json!({})).await.assert_status(423);

    // After the next sign-in it is one of the keys that were there before.
    let later = app.visitor();
    sign_in(&later, ADA, PASSWORD).await.assert_ok();
    expect_locked(&later, "revoke-other-sessions", &json!({})).await;
    confirm_with(&later, &device).await.assert_ok();
    ask(&later, "revoke-other-sessions", &json!({})).await.assert_ok();
}

// spec: SEC-3
#[tokio::test]
async fn a_session_that_a_passkey_began_is_confirmed_by_it() {
    let app = signed_in_app().await;
    let device = Device::new(ORIGIN, "localhost");
    confirm(&app).await;
    register(&app, &device).await;
    app.advance(Duration::from_secs(1));
    let visitor = app.visitor();
    let response = signed(&visitor, &device).await;
    ask(&visitor, "passkey/verify-authentication", &json!({ "response": response })).await.assert_ok();
    expect_locked(&visitor, "delete-user", &json!({})).await;
    confirm_with(&visitor, &device).await.assert_ok();
    ask(&visitor, "delete-user", &json!({})).await.assert_ok();
}
