use housekey_auth::AuthConfig;
use serde_json::{Value, json};

use crate::doors::setup::{
    ADA, ask, confirm, everything, expect_locked, is_there, routes, signed_in_app, somebody,
};
use crate::support::{PASSWORD, sign_in, test_app};

/// Every call that changes how an account is protected, without a password in it.
fn calls() -> Vec<(&'static str, Value)> {
    vec![
        ("delete-user", json!({})),
        ("delete-user", json!({ "password": "" })),
        ("delete-user", json!({ "token": "made up" })),
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
        ("unlink-account", json!({ "accountId": "x" })),
        ("link-social", json!({ "provider": "github" })),
    ]
}

// spec: SEC-1, MID-4
#[tokio::test]
async fn an_endpoint_of_the_engine_asks_for_the_password_as_the_route_of_the_app_does() {
    let app = signed_in_app().await;
    app.delete("/account").json(&json!({})).await.assert_status(423);
    for (path, body) in calls() {
        expect_locked(&app, path, &body).await;
    }
    let head = app.head("/api/auth/passkey/generate-register-options").await;
    head.assert_status(423);
    assert!(is_there(&app).await, "nothing happened");
    sign_in(&app.visitor(), ADA, PASSWORD).await.assert_ok();
}

// spec: SEC-1, STA-8
#[tokio::test]
async fn after_the_password_was_confirmed_the_same_call_does_what_it_says() {
    let app = signed_in_app().await;
    confirm(&app).await;
    let elsewhere = app.visitor();
    sign_in(&elsewhere, ADA, PASSWORD).await.assert_ok();

    ask(&app, "change-email", &json!({ "newEmail": "countess@example.com" })).await.assert_ok();
    ask(&app, "passkey/generate-register-options", &Value::Null).await.assert_ok();
    let begun = ask(&app, "two-factor/enable", &json!({})).await;
    begun.assert_ok().assert_json_path("method", "totp");
    ask(&app, "two-factor/get-totp-uri", &json!({})).await.assert_ok();
    // Whatever it says now, it is the endpoint that speaks.
    ask(&app, "passkey/delete-passkey", &json!({ "id": "x" }))
        .await
        .assert_json_path("code", "PASSKEY_NOT_FOUND");
    ask(&app, "revoke-other-sessions", &json!({})).await.assert_ok();
    assert!(!is_there(&elsewhere).await);
    ask(&app, "delete-user", &json!({})).await.assert_ok().assert_json_path("success", true);
    assert!(!is_there(&app).await);
}

// spec: SEC-1
#[tokio::test]
async fn the_right_password_in_the_body_is_as_good_and_a_wrong_one_is_refused() {
    let app = signed_in_app().await;
    let wrong = json!({ "password": "not the password" });
    for path in ["delete-user", "two-factor/enable"] {
        let refused = ask(&app, path, &wrong).await;
        refused.assert_status(400).assert_json_path("code", "INVALID_PASSWORD");
    }
    assert!(is_there(&app).await);
    ask(&app, "two-factor/enable", &json!({ "password": PASSWORD })).await.assert_ok();
    // It was a proof for that call alone.
    expect_locked(&app, "revoke-other-sessions", &json!({})).await;
    ask(&app, "delete-user", &json!({ "password": PASSWORD })).await.assert_ok();
    assert!(!is_there(&app).await);
}

// spec: SEC-1
#[tokio::test]
async fn a_wrong_password_in_the_body_is_refused_in_an_open_window_too() {
    let app = signed_in_app().await;
    confirm(&app).await;
    let refused = ask(&app, "two-factor/enable", &json!({ "password": "not the password" })).await;
    refused.assert_status(400).assert_json_path("code", "INVALID_PASSWORD");
    let refused = ask(&app, "delete-user", &json!({ "password": "not the password" })).await;
    refused.assert_status(400).assert_json_path("code", "INVALID_PASSWORD");
    assert!(is_there(&app).await);
}

// spec: SEC-1
#[tokio::test]
async fn whoever_has_no_password_proves_nothing_by_sending_one() {
    let app = signed_in_app().await;
    app.within(async { housekey_auth::Auth::current()?.database()?.table("account").delete().await })
        .await
        .unwrap();
    // For some minutes the sign-in itself counts, where people without a password come by mail.
    app.advance(std::time::Duration::from_secs(10 * 60));
    for path in ["two-factor/enable", "two-factor/disable", "two-factor/get-totp-uri", "delete-user"] {
        expect_locked(&app, path, &json!({ "password": "anything" })).await;
    }
}

// spec: SEC-1
#[tokio::test]
async fn what_signs_in_or_out_and_what_reads_asks_for_nothing() {
    let app = signed_in_app().await;
    for path in ["get-session", "list-sessions", "list-accounts", "passkey/list-user-passkeys"] {
        ask(&app, path, &Value::Null).await.assert_ok();
    }
    ask(&app, "passkey/generate-authenticate-options", &Value::Null).await.assert_ok();
    ask(&app, "update-user", &json!({ "name": "Countess" })).await.assert_ok();
    ask(&app, "sign-out", &json!({})).await.assert_ok();
    // Nobody is signed in, so there is nobody to ask.
    for (path, body) in calls() {
        let refused = ask(&app, path, &body).await;
        assert!(matches!(refused.status().as_u16(), 400 | 401), "{path}: {}", refused.status());
    }
}

// spec: SEC-1
#[tokio::test]
async fn a_confirmation_holds_for_the_session_that_gave_it() {
    let app = signed_in_app().await;
    confirm(&app).await;
    let elsewhere = app.visitor();
    sign_in(&elsewhere, ADA, PASSWORD).await.assert_ok();
    expect_locked(&elsewhere, "delete-user", &json!({})).await;
    app.advance(std::time::Duration::from_secs(3 * 60 * 60));
    expect_locked(&app, "delete-user", &json!({})).await;
}

// spec: SEC-1, EPC-3
#[tokio::test]
async fn a_program_with_a_bearer_token_confirms_at_the_api_and_acts_at_the_endpoint() {
    for identity in [housekey_auth::Identity::Cookie, housekey_auth::Identity::Bearer] {
        let app = test_app(
            move |auth: &mut AuthConfig| {
                everything(auth);
                auth.identity = identity;
            },
            routes,
        )
        .await;
        somebody(&app, ADA, true).await;
        let visitor = app.visitor();
        let token = sign_in(&visitor, ADA, PASSWORD).await.header("set-auth-token").unwrap().to_owned();
        let program = app.visitor().with_header("authorization", &format!("Bearer {token}"));
        expect_locked(&program, "revoke-other-sessions", &json!({})).await;
        program
            .post("/api/confirm-password")
            .without_csrf()
            .json(&json!({ "password": PASSWORD }))
            .await
            .assert_ok();
        ask(&program, "revoke-other-sessions", &json!({})).await.assert_ok();
        // A wrong password closes it again, wherever it was kept.
        program.post("/api/confirm-password").without_csrf().json(&json!({ "password": "wrong" })).await;
        expect_locked(&program, "revoke-other-sessions", &json!({})).await;
    }
}

// spec: SEC-1
#[tokio::test]
async fn another_site_learns_nothing_and_counts_nothing() {
    let app = signed_in_app().await;
    let forged = app.post("/api/auth/delete-user").header("origin", "https://evil.example");
    forged.json(&json!({})).await.assert_status(403).assert_json_path("code", "INVALID_ORIGIN");
}
