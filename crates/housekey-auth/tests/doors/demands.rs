use housekey_auth::engine::{Endpoint, Plugin, Reply};
use housekey_auth::{Action, AuthConfig, Demand, Demands};
use serde_json::{Value, json};

use crate::doors::setup::{ADA, ask, confirm, everything, expect_locked, routes, signed_in_app, somebody};
use crate::support::{PASSWORD, app_with, config, test_app};

// spec: SEC-1, MID-3
#[tokio::test]
async fn an_address_that_is_not_proven_gets_no_further_way_in_at_either_door() {
    let app = test_app(everything, routes).await;
    somebody(&app, ADA, false).await;
    confirm(&app).await;
    app.post("/two-factor").json(&json!({})).await.assert_status(403);
    for (path, body) in [
        ("two-factor/enable", json!({ "password": PASSWORD })),
        ("passkey/generate-register-options", Value::Null),
        ("passkey/verify-registration", json!({ "response": {} })),
    ] {
        let refused = ask(&app, path, &body).await;
        refused.assert_status(403).assert_json_path("code", "EMAIL_NOT_VERIFIED");
    }
    // To a browser it is the page that says so.
    app.post("/two-factor").form(&[("a", "b")]).await.assert_status(302).assert_redirect("/verify-email");
}

// spec: SEC-1, MID-6
#[tokio::test]
async fn both_doors_count_together_by_person() {
    let app = signed_in_app().await;
    let wrong = json!({ "current": "not the password", "new": "a new password" });
    for _ in 0..3 {
        app.put("/password").json(&wrong).await.assert_status(422);
        let body = json!({ "currentPassword": "not the password", "newPassword": "a new password" });
        ask(&app.from("203.0.113.9"), "change-password", &body).await.assert_status(400);
    }
    let right = json!({ "currentPassword": PASSWORD, "newPassword": "a new password" });
    let refused = ask(&app, "change-password", &right).await;
    refused.assert_status(429).assert_header("retry-after", "60").assert_header("x-retry-after", "60");
    app.put("/password").json(&wrong).await.assert_status(429).assert_header("retry-after", "60");

    let eve = app.visitor();
    somebody(&eve, "eve@example.com", true).await;
    ask(&eve, "change-password", &right).await.assert_ok();
    app.advance(std::time::Duration::from_secs(60));
    ask(&app, "change-password", &right).await.assert_ok();
}

// spec: SEC-1
#[tokio::test]
async fn passwords_in_the_body_of_a_deletion_are_counted() {
    let app = signed_in_app().await;
    for _ in 0..6 {
        ask(&app, "delete-user", &json!({ "password": "not the password" })).await.assert_status(400);
    }
    ask(&app, "delete-user", &json!({ "password": PASSWORD })).await.assert_status(429);
}

// spec: SEC-1
#[tokio::test]
async fn an_app_changes_a_line_of_the_table_and_both_doors_follow() {
    let app = test_app(
        |auth: &mut AuthConfig| {
            everything(auth);
            auth.demands = Demands::default()
                .ask(Action::DeleteAccount, [])
                .ask(Action::RenamePasskey, [Demand::throttle(1, 1)]);
        },
        routes,
    )
    .await;
    somebody(&app, ADA, true).await;
    let rename = json!({ "id": "x", "name": "Phone" });
    ask(&app, "passkey/update-passkey", &rename).await.assert_status(404);
    app.post("/passkeys/name").json(&json!({})).await.assert_status(429);
    // What was not changed asks as before.
    expect_locked(&app, "passkey/delete-passkey", &json!({ "id": "x" })).await;
    ask(&app, "delete-user", &json!({})).await.assert_ok();
    somebody(&app, "eve@example.com", true).await;
    app.delete("/account").json(&json!({})).await.assert_ok();
}

fn with_rooms(auth: &mut AuthConfig) {
    everything(auth);
    let close =
        Endpoint::post("/rooms/close", |_| Box::pin(async { Reply::json(&json!({ "closed": true })) }));
    auth.plugins.push(Plugin::new("rooms").endpoint(close));
}

// spec: SEC-1
#[tokio::test]
async fn an_endpoint_of_somebody_elses_plugin_is_named_by_its_path() {
    let app = test_app(
        |auth: &mut AuthConfig| {
            with_rooms(auth);
            auth.demands = Demands::default().ask_at("/rooms/close", [Demand::PasswordConfirm]);
        },
        routes,
    )
    .await;
    somebody(&app, ADA, true).await;
    expect_locked(&app, "rooms/close", &json!({})).await;
    confirm(&app).await;
    ask(&app, "rooms/close", &json!({})).await.assert_ok();
}

#[test]
fn an_endpoint_or_an_action_that_is_not_there_stops_the_boot_and_is_named() {
    let boot = |demands: Demands, routes: fn(&mut housekey_http::Routes)| {
        let folder = tempfile::tempdir().unwrap();
        let auth = AuthConfig { demands, ..config() };
        let env = housekey_core::Env::empty().with("APP_ENV", "testing");
        let testing = |config: &mut housekey_core::Config| {
            config.update::<housekey_core::AppConfig>(|app| app.env = housekey_core::Environment::Testing);
        };
        app_with(auth, routes).root(folder.path()).env(env).configure(testing).boot().map(drop)
    };
    let misspelt = Demands::default().ask_at("/rooms/clsoe", [Demand::PasswordConfirm]);
    let error = boot(misspelt, |_| ()).unwrap_err().to_string();
    assert!(error.contains("/rooms/clsoe"), "{error}");
    let error = boot(Demands::default(), |route| {
        route.post("/account", async || "").middleware("action:delete-acount");
    });
    let error = format!("{:#}", error.unwrap_err());
    assert!(error.contains("delete-acount") && error.contains("delete-account"), "{error}");
}
