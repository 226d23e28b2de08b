//! Passwords that others would guess are refused wherever one is set, at our own routes and at the engine's endpoints.

use housekey::serde_json::{Value, json};
use housekey::testing::{TestApp, TestResponse};

use crate::support::{ANOTHER, PASSWORD, mails, sign_in, somebody, stored_with, token_for};

const EMAIL: &str = "ada.lovelace@example.com";
const COMMON: &str = "Password1";

/// Ada Lovelace wants an account.
fn ada(password: &str) -> Value {
    json!({ "name": "Ada Lovelace", "email": EMAIL, "password": password })
}

async fn engine(visitor: &TestApp, path: &str, body: Value) -> TestResponse {
    visitor.post(&format!("/api/auth/{path}")).header("origin", "http://localhost:3000").json(&body).await
}

// spec: SEC-8
#[housekey::test]
async fn at_sign_up_the_field_of_the_password_says_why(app: TestApp) {
    let common = app.post("/sign-up").json(&ada(COMMON)).await;
    common.assert_status(422).assert_invalid("password").assert_see("Too many people use this password.");
    let personal = app.post("/sign-up").json(&ada("ada.lovelace1815")).await;
    personal.assert_status(422).assert_invalid("password").assert_see("too close to your name or address");

    for (password, code) in [
        (COMMON, "PASSWORD_TOO_COMMON"),
        ("LovelaceLovelace", "PASSWORD_TOO_PERSONAL"),
        (EMAIL, "PASSWORD_TOO_PERSONAL"),
    ] {
        let refused = engine(&app, "sign-up/email", ada(password)).await;
        refused.assert_status(400).assert_json_path("code", code);
    }
    assert!(stored_with(&app, EMAIL).await.is_none());
    app.post("/sign-up").json(&ada("lovelace-horse-battery-staple")).await.assert_ok();
}

// spec: SEC-8
#[housekey::test]
async fn at_sign_up_they_are_refused_alike_for_an_address_that_has_an_account(app: TestApp) {
    let taken = somebody(&app).await;
    let body = |email: &str| json!({ "name": "Ada Lovelace", "email": email, "password": COMMON });
    let known = app.post("/sign-up").json(&body(&taken.email)).await;
    let unknown = app.post("/sign-up").json(&body("nobody@example.com")).await;
    known.assert_status(422).assert_invalid("password");
    unknown.assert_status(422);
    assert_eq!(known.json::<Value>()["errors"], unknown.json::<Value>()["errors"]);
}

// spec: SEC-8
#[housekey::test]
async fn behind_a_reset_link_they_are_refused_and_the_link_still_works(app: TestApp) {
    app.visitor().post("/sign-up").json(&ada(PASSWORD)).await.assert_ok();
    let mails = mails(&app);
    app.post("/forgot-password").json(&json!({ "email": EMAIL })).await.assert_ok();
    let token = token_for(&mails, EMAIL);
    for (password, code) in [(COMMON, "PASSWORD_TOO_COMMON"), ("1815lovelace", "PASSWORD_TOO_PERSONAL")] {
        let form = json!({ "token": token, "password": password, "password_confirmation": password });
        app.post("/reset-password").json(&form).await.assert_status(422).assert_invalid("password");
        let body = json!({ "token": token, "newPassword": password });
        engine(&app, "reset-password", body).await.assert_status(400).assert_json_path("code", code);
    }
    sign_in(&app, EMAIL, PASSWORD).await.assert_ok();
    let form = json!({ "token": token, "password": ANOTHER, "password_confirmation": ANOTHER });
    app.visitor().post("/reset-password").json(&form).await.assert_ok();
}

// spec: SEC-8
#[housekey::test]
async fn in_the_settings_they_are_refused(app: TestApp) {
    let visitor = app.visitor();
    visitor.post("/sign-up").json(&ada(PASSWORD)).await.assert_ok();
    for (password, code) in [(COMMON, "PASSWORD_TOO_COMMON"), ("1815lovelace", "PASSWORD_TOO_PERSONAL")] {
        let form =
            json!({ "current_password": PASSWORD, "password": password, "password_confirmation": password });
        visitor.put("/settings/password").json(&form).await.assert_status(422).assert_invalid("password");
        let body = json!({ "currentPassword": PASSWORD, "newPassword": password });
        engine(&visitor, "change-password", body).await.assert_status(400).assert_json_path("code", code);
    }
    sign_in(&app.visitor(), EMAIL, PASSWORD).await.assert_ok();
}
