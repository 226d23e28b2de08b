use std::time::Duration;

use housekey_auth::engine::hooks::DatabaseHooks;
use housekey_auth::engine::options::{CacheStrategy, CacheVersion};
use housekey_auth::{Auth, user};
use housekey_http::Routes;
use housekey_testing::TestApp;
use serde_json::json;

use crate::support::{PASSWORD, engine_post, sign_in, sign_up, test_app};

fn routes(route: &mut Routes) {
    route.get("/me", async || user().map_or_else(|| "nobody".to_owned(), |user| user.name.clone()));
}

async fn cached() -> TestApp {
    test_app(|auth| auth.engine.session.cookie_cache.enabled = true, routes).await
}

/// Takes the rows away behind the engine's back: whoever is still known is known by the cookie alone.
async fn forget_rows(app: &TestApp) {
    let auth = app.services().require::<Auth>().unwrap();
    auth.database().unwrap().table("session").delete().await.unwrap();
}

// spec: CFG-10
#[tokio::test]
async fn a_copy_in_the_cookie_answers_without_the_database_and_is_encrypted() {
    let app = cached().await;
    sign_up(&app, "ada@example.com").await;
    forget_rows(&app).await;
    app.get("/me").await.assert_see("ada");
    let copy = app.cookie("better-auth.session_data").unwrap();
    assert_eq!(copy.split('.').count(), 5, "a JWE has five parts: {copy}");
    app.advance(Duration::from_secs(301));
    app.get("/me").await.assert_see("nobody");
}

// spec: STA-6, EPC-1
#[tokio::test]
async fn every_change_that_matters_makes_older_copies_worthless_at_once() {
    for change in ["revoke", "update", "password", "delete"] {
        let app = cached().await;
        sign_up(&app, "ada@example.com").await;
        let other = app.visitor();
        sign_in(&other, "ada@example.com", PASSWORD).await.assert_ok();
        other.get("/me").await.assert_see("ada");
        let answer = match change {
            "revoke" => engine_post(&app, "revoke-other-sessions", &json!({})).await,
            "update" => engine_post(&app, "update-user", &json!({ "name": "Countess" })).await,
            "password" => {
                let body = json!({ "currentPassword": PASSWORD, "newPassword": "another good one", "revokeOtherSessions": true });
                engine_post(&app, "change-password", &body).await
            }
            _ => {
                let auth = app.services().require::<Auth>().unwrap();
                let api = auth.engine().api();
                let ada = api.user_by_email("ada@example.com").await.unwrap().unwrap();
                api.end_sessions_of(&ada.id, None).await.unwrap();
                other.get("/me").await.assert_see("nobody");
                continue;
            }
        };
        answer.assert_ok();
        let expected = if change == "update" { "Countess" } else { "nobody" };
        other.get("/me").await.assert_see(expected);
    }
}

// spec: CFG-10, CFG-14
#[tokio::test]
async fn what_the_app_sets_itself_stays_and_its_hooks_are_called_beside_ours() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU32, Ordering};
    let called = Arc::new(AtomicU32::new(0));
    let counter = Arc::clone(&called);
    let app = test_app(
        move |auth| {
            let cache = &mut auth.engine.session.cookie_cache;
            cache.enabled = true;
            cache.strategy = Some(CacheStrategy::Compact);
            let counter = Arc::clone(&counter);
            auth.engine.database_hooks = DatabaseHooks::new().after_delete("session", move |_| {
                counter.fetch_add(1, Ordering::SeqCst);
                async { Ok::<_, housekey_auth::engine::ApiError>(()) }
            });
        },
        routes,
    )
    .await;
    sign_up(&app, "ada@example.com").await;
    assert!(!app.cookie("better-auth.session_data").unwrap().contains('.'), "compact, as the app wants it");
    let other = app.visitor();
    sign_in(&other, "ada@example.com", PASSWORD).await.assert_ok();
    engine_post(&app, "revoke-other-sessions", &json!({})).await.assert_ok();
    assert_eq!(called.load(Ordering::SeqCst), 1);
    other.get("/me").await.assert_see("nobody");

    let fixed = test_app(
        |auth| {
            auth.engine.session.cookie_cache.enabled = true;
            auth.engine.session.cookie_cache.version = Some(CacheVersion::Text("7".into()));
        },
        routes,
    )
    .await;
    sign_up(&fixed, "ada@example.com").await;
    let other = fixed.visitor();
    sign_in(&other, "ada@example.com", PASSWORD).await.assert_ok();
    engine_post(&fixed, "revoke-other-sessions", &json!({})).await.assert_ok();
    other.get("/me").await.assert_see("ada");
}

// spec: SEC-11, EPC-1
#[tokio::test]
async fn a_hook_of_the_app_that_fails_does_not_stop_a_revocation() {
    let app = test_app(
        |auth| {
            auth.engine.session.cookie_cache.enabled = true;
            auth.engine.database_hooks = DatabaseHooks::new()
                .after_delete("session", |_| async { Err(std::io::Error::other("the webhook is away")) });
        },
        routes,
    )
    .await;
    sign_up(&app, "ada@example.com").await;
    let (second, third) = (app.visitor(), app.visitor());
    for other in [&second, &third] {
        sign_in(other, "ada@example.com", PASSWORD).await.assert_ok();
        other.get("/me").await.assert_see("ada");
    }
    engine_post(&app, "revoke-other-sessions", &json!({})).await.assert_ok();
    second.get("/me").await.assert_see("nobody");
    third.get("/me").await.assert_see("nobody");
}

// spec: EPC-3
#[tokio::test]
async fn a_bearer_client_has_no_copy_and_is_always_looked_up() {
    let app = cached().await;
    let token = sign_up(&app, "ada@example.com").await.header("set-auth-token").unwrap().to_owned();
    let bearer = format!("Bearer {token}");
    let program = app.visitor();
    program.get("/me").header("authorization", &bearer).await.assert_see("ada");
    forget_rows(&app).await;
    app.visitor().get("/me").header("authorization", &bearer).await.assert_see("nobody");
}

// spec: EPC-3
#[tokio::test]
async fn a_bearer_client_gets_no_copy_at_the_engine_s_endpoint_and_cannot_bring_one() {
    let app = cached().await;
    let token = sign_up(&app, "ada@example.com").await.header("set-auth-token").unwrap().to_owned();
    let bearer = format!("Bearer {token}");
    let program = app.visitor();
    let read = program.get("/api/auth/get-session").header("authorization", &bearer).await;
    read.assert_json_path("user.email", "ada@example.com").assert_no_header("set-cookie");
    forget_rows(&app).await;
    // The browser that signed up has a good copy and is believed; with the token beside it the copy counts for nothing.
    app.get("/api/auth/get-session").await.assert_json_path("user.email", "ada@example.com");
    let both = app.get("/api/auth/get-session").header("authorization", &bearer).await;
    assert_eq!(both.text(), "null");
    app.get("/me").header("authorization", &bearer).await.assert_see("nobody");
}
