//! What makes a key for a program, or lets a device in, asks for the password at both doors.

use housekey_auth::config::{Plugins, api_key, device_authorization, email_otp, secure};
use housekey_auth::{AuthConfig, Demands};
use housekey_http::Routes;
use housekey_testing::TestApp;
use serde_json::json;

use crate::doors::setup::{ADA, ask, confirm, expect_locked, somebody};
use crate::support::test_app;

fn plugins(auth: &mut AuthConfig) {
    auth.demands = Demands::default();
    auth.plugins = Plugins::from([api_key(secure()), device_authorization(secure()), email_otp(secure())]);
}

fn routes(route: &mut Routes) {
    crate::doors::setup::routes(route);
    route.group().middleware("auth").routes(|route| {
        route.post("/keys", async || "made").middleware("action:create-api-key");
        route.patch("/keys", async || "changed").middleware("action:change-api-key");
        route.delete("/keys", async || "gone").middleware("action:delete-api-key");
        route.post("/devices", async || "in").middleware("action:approve-device");
    });
}

async fn signed_in() -> TestApp {
    let app = test_app(plugins, routes).await;
    somebody(&app, ADA, true).await;
    app
}

// spec: SEC-1, KEY-2
#[tokio::test]
async fn a_session_alone_makes_no_key_lets_no_device_in_and_moves_no_address() {
    let app = signed_in().await;
    for (path, body) in [
        ("api-key/create", json!({ "name": "script" })),
        ("api-key/update", json!({ "keyId": "x", "enabled": true })),
        ("api-key/delete", json!({ "keyId": "x" })),
        ("device/approve", json!({ "userCode": "ABCDEFGH" })),
        ("email-otp/request-email-change", json!({ "newEmail": "new@example.com" })),
        ("email-otp/change-email", json!({ "newEmail": "new@example.com", "otp": "123456" })),
    ] {
        expect_locked(&app, path, &body).await;
    }
    app.post("/keys").json(&json!({})).await.assert_status(423);
    app.patch("/keys").json(&json!({})).await.assert_status(423);
    app.delete("/keys").json(&json!({})).await.assert_status(423);
    app.post("/devices").json(&json!({})).await.assert_status(423);
}

// spec: SEC-1
#[tokio::test]
async fn after_the_password_both_doors_open_and_count_together() {
    let app = signed_in().await;
    confirm(&app).await;
    for number in 0..3 {
        app.post("/keys").json(&json!({})).await.assert_ok();
        let body = json!({ "name": format!("script {number}") });
        ask(&app, "api-key/create", &body).await.assert_ok();
    }
    app.post("/keys").json(&json!({})).await.assert_status(429);
    ask(&app, "api-key/create", &json!({ "name": "one too many" })).await.assert_status(429);
    app.post("/devices").json(&json!({})).await.assert_ok();
}
