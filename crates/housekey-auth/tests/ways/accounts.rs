use housekey_auth::AuthConfig;
use housekey_testing::TestApp;
use serde_json::{Value, json};

use crate::support::{PASSWORD, engine_post, sign_in, test_app};
use crate::ways::{ADA, BOB, app, routes, who};

async fn rows(visitor: &TestApp) -> Vec<(String, String, bool)> {
    let rows: Vec<Value> = visitor.get("/accounts").await.json();
    let text = |row: &Value, name: &str| row[name].as_str().unwrap().to_owned();
    rows.iter().map(|row| (text(row, "id"), text(row, "email"), row["current"].as_bool().unwrap())).collect()
}

async fn emails(visitor: &TestApp) -> Vec<String> {
    rows(visitor).await.into_iter().map(|(_, email, _)| email).collect()
}

/// The app, and a browser that is signed in as ada and then as bob.
async fn two_accounts() -> TestApp {
    let app = app().await;
    for email in [ADA, BOB] {
        crate::support::sign_up(&app.visitor(), email).await;
    }
    sign_in(&app, ADA, PASSWORD).await.assert_ok();
    sign_in(&app, BOB, PASSWORD).await.assert_ok();
    app
}

// spec: KEY-1
#[tokio::test]
async fn a_browser_has_several_accounts_and_goes_from_one_to_the_other() {
    let app = two_accounts().await;
    assert_eq!(emails(&app).await, [BOB, ADA], "the present one first");
    let (ada, _, current) = rows(&app).await.pop().unwrap();
    assert!(!current);
    app.post(&format!("/accounts/{ada}/switch")).await.assert_ok();
    assert_eq!(who(&app).await.as_deref(), Some(ADA));
    assert_eq!(emails(&app).await, [ADA, BOB]);
    app.get("/dashboard").await.assert_ok();
}

// spec: KEY-1
#[tokio::test]
async fn nobody_gets_at_an_account_of_another_browser() {
    let app = two_accounts().await;
    let ids: Vec<_> = rows(&app).await.into_iter().map(|(id, ..)| id).collect();
    let eve = app.visitor();
    crate::support::sign_up(&eve, "eve@example.com").await;
    for id in ids.iter().map(String::as_str).chain(["x", "%20"]) {
        eve.post(&format!("/accounts/{id}/switch")).await.assert_status(404);
        eve.delete(&format!("/accounts/{id}")).await.assert_status(404);
    }
    assert_eq!(who(&eve).await.as_deref(), Some("eve@example.com"));
    assert_eq!(emails(&app).await, [BOB, ADA]);
}

// spec: KEY-1
#[tokio::test]
async fn signing_out_of_one_stays_in_the_other_and_signing_out_ends_all() {
    let app = two_accounts().await;
    let (bob, ..) = rows(&app).await.remove(0);
    app.delete(&format!("/accounts/{bob}")).await.assert_ok();
    assert_eq!(who(&app).await.as_deref(), Some(ADA), "the next one is the present one");
    assert_eq!(emails(&app).await, [ADA]);

    sign_in(&app, BOB, PASSWORD).await.assert_ok();
    let (ada, ..) = rows(&app).await.pop().unwrap();
    app.delete(&format!("/accounts/{ada}")).await.assert_ok();
    assert_eq!(emails(&app).await, [BOB]);

    sign_in(&app, ADA, PASSWORD).await.assert_ok();
    engine_post(&app, "sign-out", &json!({})).await.assert_ok();
    assert_eq!(who(&app).await, None);
    assert!(emails(&app).await.is_empty());
}

// spec: MID-2
#[tokio::test]
async fn the_page_to_sign_in_opens_to_members_only_while_they_add_an_account() {
    let app = two_accounts().await;
    app.get("/sign-in").await.assert_redirect("/dashboard");
    app.post("/accounts/add").await.assert_ok();
    app.get("/sign-in").await.assert_ok().assert_see("the form");
    app.advance(std::time::Duration::from_secs(31 * 60));
    app.get("/sign-in").await.assert_redirect("/dashboard");

    app.post("/accounts/add").await.assert_ok();
    let (ada, ..) = rows(&app).await.pop().unwrap();
    app.post(&format!("/accounts/{ada}/switch")).await.assert_ok();
    app.get("/sign-in").await.assert_redirect("/dashboard");
}

// spec: MID-8
#[tokio::test]
async fn nothing_in_the_session_of_one_person_reaches_the_next_at_either_door() {
    let app = two_accounts().await;
    let (ada, ..) = rows(&app).await.pop().unwrap();
    app.post("/cart").body("text/plain", "a surprise for ada".to_owned()).await.assert_ok();
    app.post(&format!("/accounts/{ada}/switch")).await.assert_ok();
    app.get("/cart").await.assert_see("empty");

    app.post("/cart").body("text/plain", "a surprise for bob".to_owned()).await.assert_ok();
    let listed: Vec<Value> = app.get("/api/auth/multi-session/list-device-sessions").await.json();
    let bob = listed.iter().find(|one| one["user"]["email"] == BOB).unwrap();
    let body = json!({ "sessionToken": bob["session"]["token"] });
    engine_post(&app, "multi-session/set-active", &body).await.assert_ok();
    assert_eq!(who(&app).await.as_deref(), Some(BOB));
    app.get("/cart").await.assert_see("empty");

    // A third account, at the engine's endpoint; and the same person again, who keeps what is theirs.
    app.post("/cart").body("text/plain", "a surprise for ada".to_owned()).await.assert_ok();
    sign_in(&app, ADA, PASSWORD).await.assert_ok();
    app.get("/cart").await.assert_see("empty");
    app.post("/cart").body("text/plain", "ada's own".to_owned()).await.assert_ok();
    sign_in(&app, ADA, PASSWORD).await.assert_ok();
    app.get("/cart").await.assert_see("ada's own");
}

// spec: CFG-6
#[tokio::test]
async fn without_the_plugin_there_is_one_account_and_no_other() {
    fn plain(_: &mut AuthConfig) {}
    let app = test_app(plain, routes).await;
    crate::support::sign_up(&app, ADA).await;
    assert!(rows(&app).await.is_empty());
    for path in ["/accounts/add", "/accounts/x/switch"] {
        app.post(path).await.assert_status(404);
    }
    app.delete("/accounts/x").await.assert_status(404);
    app.get("/sign-in").await.assert_redirect("/dashboard");
}
