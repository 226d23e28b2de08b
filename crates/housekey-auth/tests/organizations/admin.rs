use housekey_auth::{Auth, AuthConfig};
use housekey_database::record;
use housekey_testing::TestApp;
use serde_json::{Value, json};

use crate::organizations::{app, routes, somebody, with_plugins};
use crate::support::{engine_post, test_app};

async fn set_role(app: &TestApp, email: &str, role: &str) {
    let users = app.services().require::<Auth>().unwrap().database().unwrap();
    users.table("user").where_eq("email", email).update(record! { "role" => role }).await.unwrap();
}

// spec: ADM-1
#[tokio::test]
async fn only_an_admin_passes_and_nobody_is_sent_anywhere() {
    let app = app().await;
    app.get("/admin").await.assert_redirect("/sign-in");
    app.get("/admin").accept_json().await.assert_status(401);
    let (_, ada) = somebody(&app, "ada@example.com").await;
    ada.get("/admin").await.assert_status(403);
    ada.get("/admin").accept_json().await.assert_status(403).assert_json_path("code", "ADMIN_REQUIRED");
    ada.get("/is-admin").await.assert_see("false");
    app.get("/is-admin").await.assert_see("false");
    set_role(&app, "ada@example.com", "admin").await;
    ada.get("/admin").await.assert_ok();
    ada.get("/is-admin").await.assert_see("true");
}

// spec: ADM-1
#[tokio::test]
async fn a_role_that_was_taken_away_opens_nothing_though_the_cookie_has_it() {
    let app = test_app(
        |auth: &mut AuthConfig| {
            with_plugins(auth);
            auth.engine.session.cookie_cache.enabled = true;
        },
        routes,
    )
    .await;
    let user = app.user("ada@example.com").await;
    set_role(&app, "ada@example.com", "admin").await;
    let ada = app.signed_in(&user).await;
    ada.get("/admin").await.assert_ok();
    // Behind the engine's back: no epoch changes.
    set_role(&app, "ada@example.com", "user").await;
    ada.get("/is-admin").await.assert_see("true");
    ada.get("/admin").await.assert_status(403);
}

// spec: ADM-2
#[tokio::test]
async fn acting_as_somebody_is_shown_and_a_sign_out_ends_both_sessions() {
    let app = app().await;
    let (boss, admin) = somebody(&app, "boss@example.com").await;
    set_role(&app, "boss@example.com", "admin").await;
    let (ada, _) = somebody(&app, "ada@example.com").await;
    admin.get("/by").await.assert_see("nobody");
    engine_post(&admin, "admin/impersonate-user", &json!({ "userId": ada.id })).await.assert_ok();
    admin.get("/by").await.assert_see(&boss.id);
    admin.get("/admin").await.assert_status(403);
    admin.post("/sign-out").await.assert_ok();
    admin.get("/by").await.assert_see("nobody");
    let back = engine_post(&admin, "admin/stop-impersonating", &json!({})).await;
    assert_ne!(back.status(), 200);
    let session: Value = admin.get("/api/auth/get-session").await.json();
    assert!(session.is_null(), "{session}");
    let sessions = app.services().require::<Auth>().unwrap().database().unwrap().table("session");
    assert_eq!(sessions.where_eq("userId", &boss.id).count().await.unwrap(), 0);
}

/// Somebody who signs in with a provider alone has no password to confirm: their young session counts. An admin who acts as them
/// has a young session too.
// spec: ADM-2, SEC-1
#[tokio::test]
async fn acting_as_somebody_confirms_nothing_in_their_name() {
    let app = test_app(
        |auth: &mut AuthConfig| {
            with_plugins(auth);
            auth.engine.user.delete_user.enabled = true;
            auth.demands = housekey_auth::Demands::default().ask(housekey_auth::Action::ImpersonateUser, []);
        },
        routes,
    )
    .await;
    let (_, admin) = somebody(&app, "boss@example.com").await;
    set_role(&app, "boss@example.com", "admin").await;
    let (ada, browser) = somebody(&app, "ada@example.com").await;
    let database = app.services().require::<Auth>().unwrap().database().unwrap();
    let account = database.table("account").where_eq("userId", &ada.id);
    account.update(record! { "providerId" => "github", "password" => None::<String> }).await.unwrap();
    engine_post(&admin, "admin/impersonate-user", &json!({ "userId": ada.id })).await.assert_ok();
    engine_post(&admin, "delete-user", &json!({})).await.assert_status(423);
    engine_post(&browser, "delete-user", &json!({})).await.assert_ok();
}
