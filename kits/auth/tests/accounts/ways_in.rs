//! The ways into an account: accounts elsewhere are connected and disconnected, and a first password is set.

use housekey::prelude::*;
use housekey::serde_json::{Value, json};
use housekey::testing::TestApp;

use {{crate}}::models::User;

use crate::support::{
    ANOTHER, PASSWORD, confirm_password, rows_of, sign_in, signed_in_as, somebody, without_password,
};

/// The app with two providers, as their variables in `.env` turn them on.
fn with_providers(app: &TestApp) -> TestApp {
    let app = app.with_env("GOOGLE_CLIENT_ID", "an id").with_env("GOOGLE_CLIENT_SECRET", "a secret");
    app.with_env("GITHUB_CLIENT_ID", "another id").with_env("GITHUB_CLIENT_SECRET", "another secret")
}

/// An account of somebody at a provider, as a sign-in leaves it behind.
async fn connected(app: &TestApp, user: &User, provider: &str) -> String {
    let id = format!("{provider}-{}", user.id);
    let row = record! {
        "id" => id.as_str(),
        "accountId" => "4711",
        "providerId" => provider,
        "userId" => user.id.as_str(),
        "createdAt" => app.clock().now(),
        "updatedAt" => app.clock().now(),
    };
    app.within(async { db()?.table("account").insert(row).await }).await.unwrap();
    id
}

// spec: SOC-1
#[housekey::test]
async fn without_its_variables_a_provider_does_not_exist(app: TestApp) {
    app.post("/auth/social/google").json(&json!({})).await.assert_not_found();
    let visitor = app.signed_in(&somebody(&app).await).await;
    confirm_password(&visitor).await;
    visitor.post("/settings/accounts/google").json(&json!({})).await.assert_not_found();

    let app = with_providers(&app);
    app.post("/auth/social/openid").json(&json!({})).await.assert_not_found();
    app.post("/auth/social/google").json(&json!({})).await.assert_ok();
    let visitor = app.signed_in(&somebody(&app).await).await;
    confirm_password(&visitor).await;
    visitor.post("/settings/accounts/openid").json(&json!({})).await.assert_not_found();
    visitor.post("/settings/accounts/google").json(&json!({})).await.assert_ok();
}

// spec: SOC-3
#[housekey::test]
async fn a_button_leads_to_the_provider_by_a_page_of_ours(app: TestApp) {
    let app = with_providers(&app);
    let page = app.post("/auth/social/google").form(&[("sign_up", "1")]).await;
    page.assert_status(200).assert_header("cache-control", "no-store").assert_see("On to Google");
    let to = page.header("refresh").and_then(|refresh| refresh.strip_prefix("0; url=")).expect("where to");
    assert!(to.starts_with("https://accounts.google.com/o/oauth2/v2/auth?response_type=code&"), "{to}");
    assert!(to.contains("code_challenge_method=S256"), "{to}");

    let answer: Value = app.post("/auth/social/github").json(&json!({})).await.json();
    let to = answer["redirect"].as_str().expect("where to");
    assert!(to.starts_with("https://github.com/login/oauth/authorize?"), "{to}");
}

// spec: SOC-3
#[housekey::test]
async fn no_sign_in_ends_on_another_site(app: TestApp) {
    let app = with_providers(&app);
    for lure in ["https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)"] {
        let asked = app.post("/auth/social/google").json(&json!({ "return_to": lure })).await;
        assert_eq!(asked.status(), 403, "{lure}: {}", asked.text());
    }
    let asked = app.post("/auth/social/google").json(&json!({ "return_to": "/settings/account" })).await;
    asked.assert_ok();
}

// spec: MID-8
#[housekey::test]
async fn another_site_cannot_make_a_browser_begin(app: TestApp) {
    let app = with_providers(&app);
    app.post("/auth/social/google").form(&[("a", "b")]).without_csrf().await.assert_status(419);
}

// spec: SOC-6, SEC-1
#[housekey::test]
async fn an_account_elsewhere_is_disconnected_with_the_password_and_by_its_owner_only(app: TestApp) {
    let app = with_providers(&app);
    let (ada, eve) = (somebody(&app).await, somebody(&app).await);
    let id = connected(&app, &ada, "google").await;
    let path = format!("/settings/accounts/{id}");
    let visitor = app.signed_in(&ada).await;
    visitor.delete(&path).json(&json!({})).await.assert_status(423);
    let stranger = app.signed_in(&eve).await;
    confirm_password(&stranger).await;
    stranger.delete(&path).json(&json!({})).await.assert_not_found();
    assert_eq!(rows_of(&app, "account", &ada).await, 2);

    confirm_password(&visitor).await;
    visitor.post(&path).form(&[("_method", "DELETE")]).await.assert_status(303);
    assert_eq!(rows_of(&app, "account", &ada).await, 1);
    sign_in(&app.visitor(), &ada.email, PASSWORD).await.assert_ok();
}

// spec: SOC-6
#[housekey::test]
async fn the_last_way_in_stays(app: TestApp) {
    let app = with_providers(&app);
    let ada = somebody(&app).await;
    without_password(&app, &ada).await;
    let google = connected(&app, &ada, "google").await;
    let visitor = app.signed_in(&ada).await;
    let disconnect =
        async |id: &str| visitor.delete(&format!("/settings/accounts/{id}")).json(&json!({})).await;
    disconnect(&google).await.assert_status(422).assert_invalid("account");

    // Nobody can sign in with a provider that is not configured any more.
    let gone = connected(&app, &ada, "gitlab").await;
    disconnect(&google).await.assert_status(422).assert_invalid("account");
    disconnect(&gone).await.assert_ok();

    let github = connected(&app, &ada, "github").await;
    disconnect(&google).await.assert_ok();
    disconnect(&github).await.assert_status(422).assert_invalid("account");
    assert_eq!(rows_of(&app, "account", &ada).await, 1);
}

// spec: SOC-6
#[housekey::test]
async fn who_has_no_password_sets_one(app: TestApp) {
    let app = with_providers(&app);
    let ada = somebody(&app).await;
    without_password(&app, &ada).await;
    connected(&app, &ada, "google").await;
    let visitor = app.signed_in(&ada).await;
    let set = async |password: &str, again: &str| {
        let body = json!({ "password": password, "password_confirmation": again });
        visitor.post("/settings/password").json(&body).await
    };
    for (password, again) in [("", ""), ("short", "short"), ("Password1", "Password1"), (ANOTHER, PASSWORD)] {
        let refused = set(password, again).await;
        assert_eq!(refused.status(), 422, "{password}: {}", refused.text());
    }
    set(ANOTHER, ANOTHER).await.assert_ok();
    sign_in(&app.visitor(), &ada.email, ANOTHER).await.assert_ok();

    // One that is there is changed, and that takes the old one.
    visitor.post("/confirm-password").json(&json!({ "password": ANOTHER })).await.assert_ok();
    set(PASSWORD, PASSWORD).await.assert_status(422).assert_invalid("password");
    sign_in(&app.visitor(), &ada.email, ANOTHER).await.assert_ok();
}

// spec: SOC-6, STA-8
#[housekey::test]
async fn a_session_that_was_left_open_sets_no_password(app: TestApp) {
    let app = with_providers(&app);
    let ada = somebody(&app).await;
    without_password(&app, &ada).await;
    connected(&app, &ada, "google").await;
    let visitor = app.signed_in(&ada).await;
    app.advance(std::time::Duration::from_mins(11));
    let body = json!({ "password": ANOTHER, "password_confirmation": ANOTHER });
    visitor.post("/settings/password").json(&body).await.assert_status(423);
    assert_eq!(signed_in_as(&visitor).await, Some(ada.email.clone()));
    sign_in(&app.visitor(), &ada.email, ANOTHER).await.assert_status(422);
}
