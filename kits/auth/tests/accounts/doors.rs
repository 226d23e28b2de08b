//! What an action asks for at our own routes it asks for at the engine's endpoints, too.

use housekey::serde_json::{Value, json};
use housekey::testing::{TestApp, TestResponse};

use crate::support::{
    PASSWORD, confirm_password, sign_in, signed_in_as, somebody, somebody_careful, somebody_unverified,
    stored_with,
};

/// Every endpoint of the engine that can be reached, with what it asks of whoever is signed in. A new one belongs into
/// this list, and into `demands` of `config/auth.rs` if it changes how an account is protected.
const ENDPOINTS: &[&str] = &[
    "ANY /api/auth/{fallback}",
    "GET /api/auth/error",
    "GET /api/auth/get-session",
    "GET /api/auth/list-accounts",
    "GET /api/auth/list-sessions",
    "GET /api/auth/ok",
    "GET /api/auth/passkey/generate-authenticate-options",
    "GET /api/auth/passkey/generate-register-options: verified, password.confirm",
    "GET /api/auth/passkey/list-user-passkeys",
    "GET /api/auth/reset-password/{token}",
    "GET /api/auth/verify-email",
    "POST /api/auth/change-email: password.confirm, throttle:6,1",
    "POST /api/auth/change-password: throttle:6,1",
    "POST /api/auth/delete-user: password.confirm, throttle:6,1",
    "POST /api/auth/passkey/delete-passkey: password.confirm",
    "POST /api/auth/passkey/update-passkey: password.confirm",
    "POST /api/auth/passkey/verify-authentication",
    "POST /api/auth/passkey/verify-registration: verified, password.confirm",
    "POST /api/auth/request-password-reset",
    "POST /api/auth/reset-password",
    "POST /api/auth/revoke-other-sessions: password.confirm",
    "POST /api/auth/revoke-session: password.confirm",
    "POST /api/auth/revoke-sessions: password.confirm",
    "POST /api/auth/send-verification-email",
    "POST /api/auth/sign-in/email",
    "POST /api/auth/sign-out",
    "POST /api/auth/sign-up/email",
    "POST /api/auth/two-factor/disable: password.confirm, throttle:6,1",
    "POST /api/auth/two-factor/enable: verified, password.confirm, throttle:6,1",
    "POST /api/auth/two-factor/generate-backup-codes: password.confirm, throttle:6,1",
    "POST /api/auth/two-factor/get-totp-uri: password.confirm, throttle:6,1",
    "POST /api/auth/two-factor/verify-backup-code",
    "POST /api/auth/two-factor/verify-totp: throttle:6,1",
    "POST /api/auth/update-user",
];

async fn engine(visitor: &TestApp, path: &str, body: Value) -> TestResponse {
    let address = format!("/api/auth/{path}");
    match body {
        Value::Null => visitor.get(&address).accept_json().await,
        body => visitor.post(&address).header("origin", "http://localhost:3000").json(&body).await,
    }
}

// spec: SEC-1
#[housekey::test]
async fn every_endpoint_that_can_be_reached_is_known_with_what_it_asks_for(app: TestApp) {
    let mut listed = Vec::new();
    for route in app.application().routes().list() {
        if route.path.starts_with("/api/auth/") {
            let asked = route.middleware.join(", ");
            let asked = if asked.is_empty() { asked } else { format!(": {asked}") };
            listed.push(format!("{} {}{asked}", route.methods[0], route.path));
        }
    }
    listed.sort_unstable();
    assert_eq!(listed, ENDPOINTS);
}

// spec: SEC-1, MID-4
#[housekey::test]
async fn a_fresh_session_alone_changes_nothing_about_an_account(app: TestApp) {
    let (ada, _) = somebody_careful(&app).await;
    let visitor = app.signed_in(&ada).await;
    for (path, body) in [
        ("delete-user", json!({})),
        ("change-email", json!({ "newEmail": "eve@example.com" })),
        ("passkey/generate-register-options", Value::Null),
        ("passkey/verify-registration", json!({ "response": {} })),
        ("passkey/update-passkey", json!({ "id": "x", "name": "mine" })),
        ("passkey/delete-passkey", json!({ "id": "x" })),
        ("two-factor/enable", json!({})),
        ("two-factor/disable", json!({})),
        ("two-factor/get-totp-uri", json!({})),
        ("two-factor/generate-backup-codes", json!({})),
        ("revoke-session", json!({ "token": "x" })),
        ("revoke-sessions", json!({})),
        ("revoke-other-sessions", json!({})),
    ] {
        let refused = engine(&visitor, path, body).await;
        assert_eq!(refused.status(), 423, "{path}: {}", refused.text());
        refused.assert_json_path("code", "PASSWORD_CONFIRMATION_REQUIRED");
    }
    assert_eq!(signed_in_as(&visitor).await, Some(ada.email));
}

// spec: SEC-1, STA-8
#[housekey::test]
async fn after_the_password_was_confirmed_the_same_call_succeeds(app: TestApp) {
    let ada = somebody(&app).await;
    let (visitor, elsewhere) = (app.signed_in(&ada).await, app.signed_in(&ada).await);
    confirm_password(&visitor).await;
    engine(&visitor, "passkey/generate-register-options", Value::Null).await.assert_ok();
    engine(&visitor, "two-factor/enable", json!({})).await.assert_ok();
    engine(&visitor, "revoke-other-sessions", json!({})).await.assert_ok();
    assert_eq!(signed_in_as(&elsewhere).await, None);
    engine(&visitor, "delete-user", json!({})).await.assert_ok();
    assert!(stored_with(&app, &ada.email).await.is_none());
}

// spec: SEC-1
#[housekey::test]
async fn the_password_in_the_body_is_a_proof_for_that_call(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    engine(&visitor, "delete-user", json!({ "password": "not the password" })).await.assert_status(400);
    engine(&visitor, "two-factor/enable", json!({ "password": PASSWORD })).await.assert_ok();
    engine(&visitor, "revoke-sessions", json!({})).await.assert_status(423);
    engine(&visitor, "delete-user", json!({ "password": PASSWORD })).await.assert_ok();
    sign_in(&app.visitor(), &ada.email, PASSWORD).await.assert_status(422);
}

// spec: SEC-1, MID-3
#[housekey::test]
async fn who_has_not_confirmed_the_address_adds_no_way_in(app: TestApp) {
    let eve = somebody_unverified(&app).await;
    let visitor = app.signed_in(&eve).await;
    confirm_password(&visitor).await;
    visitor.post("/settings/two-factor").json(&json!({})).await.assert_status(403);
    for (path, body) in [("two-factor/enable", json!({})), ("passkey/generate-register-options", Value::Null)]
    {
        let refused = engine(&visitor, path, body).await;
        refused.assert_status(403).assert_json_path("code", "EMAIL_NOT_VERIFIED");
    }
}

// spec: SEC-1
#[housekey::test]
async fn another_address_is_asked_for_with_the_password_only(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    let change = json!({ "email": "countess@example.com" });
    visitor.post("/settings/profile/email").json(&change).await.assert_status(423);
    confirm_password(&visitor).await;
    visitor.post("/settings/profile/email").json(&change).await.assert_ok();
}
