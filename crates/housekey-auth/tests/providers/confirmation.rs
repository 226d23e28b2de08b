//! What asks for the password, and people who have none.

use std::time::Duration;

use housekey_auth::config::Provider;
use housekey_auth::engine::{Commit, Record};
use housekey_auth::{Auth, AuthConfig, Demands};
use housekey_http::Routes;
use housekey_testing::TestApp;
use serde_json::json;

use crate::support::{engine_post, sign_up, test_app};

fn routes(route: &mut Routes) {
    route.group().middleware("auth").routes(|route| {
        route.post("/accounts", async || "begun").middleware("action:connect-account");
        route.delete("/accounts/{id}", async || "gone").middleware("action:disconnect-account");
        route.post("/password", async || "set").middleware("action:set-password");
    });
}

async fn app() -> TestApp {
    let app = test_app(
        |auth: &mut AuthConfig| {
            auth.demands = Demands::default();
            auth.engine.social_providers.push(Provider::github("id", "secret"));
        },
        routes,
    )
    .await;
    sign_up(&app, "ada@example.com").await;
    app
}

/// Leaves ada an account at GitHub, and her password if she is to keep it.
async fn connect(app: &TestApp, keeps_password: bool) {
    let auth = app.services().require::<Auth>().unwrap();
    let api = auth.engine().api();
    let ada = api.user_by_email("ada@example.com").await.unwrap().unwrap();
    if !keeps_password {
        auth.database().unwrap().table("account").delete().await.unwrap();
    }
    let row =
        Record::new().with("providerId", "github").with("accountId", "7").with("userId", ada.id.as_str());
    let mut changes = api.changes();
    changes.create("account", row).await.unwrap();
    assert_eq!(changes.commit().await.unwrap(), Commit::Done);
}

// spec: SEC-1, SOC-6
#[tokio::test]
async fn connecting_and_disconnecting_ask_for_the_password_at_both_doors() {
    let app = app().await;
    connect(&app, true).await;
    app.post("/accounts").json(&json!({})).await.assert_status(423);
    app.delete("/accounts/7").json(&json!({})).await.assert_status(423);
    for (path, body) in
        [("link-social", json!({ "provider": "github" })), ("unlink-account", json!({ "accountId": "7" }))]
    {
        let refused = engine_post(&app, path, &body).await;
        refused.assert_status(423).assert_json_path("code", "PASSWORD_CONFIRMATION_REQUIRED");
    }
    // A browser gets the page that asks for it.
    let page = app.post("/accounts").form(&[("a", "b")]).await;
    page.assert_status(423).assert_see("current-password");
}

// spec: SOC-6
#[tokio::test]
async fn who_has_no_password_confirms_by_having_just_signed_in() {
    let app = app().await;
    connect(&app, false).await;
    app.post("/password").json(&json!({})).await.assert_ok();
    engine_post(&app, "link-social", &json!({ "provider": "github" })).await.assert_ok();
    app.advance(Duration::from_secs(10 * 60));
    app.post("/password").json(&json!({})).await.assert_status(423);
    engine_post(&app, "link-social", &json!({ "provider": "github" })).await.assert_status(423);
    // There is no password to ask for.
    let page = app.post("/password").form(&[("a", "b")]).await;
    page.assert_status(423).assert_see("Sign in again").assert_dont_see("current-password");
}

// spec: SOC-6, SEC-1
#[tokio::test]
async fn who_has_a_password_enters_it_however_short_ago_they_signed_in() {
    let app = app().await;
    connect(&app, true).await;
    app.post("/password").json(&json!({})).await.assert_status(423);
}

// spec: SEC-1
#[tokio::test]
async fn both_doors_count_how_often_somebody_connects() {
    let app = app().await;
    connect(&app, false).await;
    for _ in 0..3 {
        app.post("/accounts").json(&json!({})).await.assert_ok();
        engine_post(&app, "link-social", &json!({ "provider": "github" })).await.assert_ok();
    }
    app.post("/accounts").json(&json!({})).await.assert_status(429);
    engine_post(&app, "link-social", &json!({ "provider": "github" })).await.assert_status(429);
}
