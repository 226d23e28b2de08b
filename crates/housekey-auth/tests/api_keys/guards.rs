use std::time::Duration;

use housekey_auth::Auth;
use housekey_auth::engine::plugins::api_key::{KeyFor, NewApiKey};
use housekey_auth::engine::storage::{Filter, Records as _};
use housekey_engine_sql::SqlStorage;
use housekey_testing::TestApp;
use serde_json::Value;

use crate::api_keys::{HEADER, ada, app, key_of};

async fn uses(app: &TestApp) -> i64 {
    let auth = app.services().require::<Auth>().unwrap();
    let table = auth.engine().schema().table("apikey").unwrap();
    let storage = SqlStorage::new(auth.database().unwrap());
    let row = storage.find_one(table, &Filter::all()).await.unwrap().unwrap();
    row.get("requestCount").and_then(housekey_auth::engine::Value::as_integer).unwrap()
}

fn code(answer: &housekey_testing::TestResponse) -> String {
    answer.json::<Value>()["code"].as_str().unwrap_or_default().to_owned()
}

// spec: KEY-4, MID-1
#[tokio::test]
async fn a_key_opens_what_is_for_keys_and_nothing_else() {
    let app = app().await;
    let (_, key) = ada(&app).await;
    app.get("/keys").header(HEADER, &key).await.assert_ok().assert_see("ada@example.com, laptop, no session");
    app.get("/both").header(HEADER, &key).await.assert_ok().assert_see("ada@example.com, laptop, no session");
    app.get("/open").header(HEADER, &key).await.assert_ok().assert_see("nobody, no key, no session");
    app.get("/people").header(HEADER, &key).accept_json().await.assert_status(401);
    app.get("/required").header(HEADER, &key).accept_json().await.assert_status(401);
    app.get("/people").header(HEADER, &key).await.assert_redirect("/sign-in");
}

// spec: KEY-4
#[tokio::test]
async fn without_a_key_there_is_401_and_no_page_to_sign_in() {
    let app = app().await;
    let answer = app.get("/keys").await;
    answer.assert_status(401).assert_no_header("location");
    app.get("/read").await.assert_status(401).assert_no_header("location");
    app.get("/both").await.assert_redirect("/sign-in");
    for wrong in ["", "x", "' OR 1=1", &"x".repeat(64)] {
        let answer = app.get("/keys").header(HEADER, wrong).accept_json().await;
        answer.assert_status(401);
        assert_eq!(code(&answer), "INVALID_API_KEY", "{wrong}");
    }
}

// spec: KEY-4
#[tokio::test]
async fn a_key_is_taken_from_its_header_only() {
    let app = app().await;
    let (_, key) = ada(&app).await;
    for (header, value) in [
        ("authorization", format!("Bearer {key}")),
        ("authorization", key.clone()),
        ("cookie", format!("x-api-key={key}")),
        ("x-key", key.clone()),
    ] {
        app.get("/keys").header(header, &value).await.assert_status(401);
        app.get("/both").header(header, &value).accept_json().await.assert_status(401);
    }
    for query in [format!("api_key={key}"), format!("apiKey={key}"), format!("q={key}"), "x-api-key=x".into()]
    {
        let answer = app.get(&format!("/keys?{query}")).header(HEADER, &key).accept_json().await;
        answer.assert_status(400);
        let answer = app.get(&format!("/keys?{query}")).await;
        answer.assert_status(400);
        assert!(!answer.text().contains(&key), "it is not repeated");
    }
    app.get("/keys?page=2").header(HEADER, &key).await.assert_ok();
}

#[tokio::test]
async fn permissions_decide() {
    let app = app().await;
    let (ada, key) = ada(&app).await;
    app.get("/read").header(HEADER, &key).await.assert_ok().assert_see("laptop");
    let answer = app.get("/write").header(HEADER, &key).accept_json().await;
    answer.assert_status(403);
    assert_eq!(code(&answer), "API_KEY_PERMISSION_REQUIRED");
    let bare = key_of(&app, KeyFor::User(&ada.id), NewApiKey::default()).await;
    app.get("/read").header(HEADER, &bare).await.assert_status(403);
    app.get("/keys").header(HEADER, &bare).await.assert_ok();
}

// spec: KEY-4
#[tokio::test]
async fn a_request_is_one_use_however_many_guards_ask() {
    let app = app().await;
    let (_, key) = ada(&app).await;
    app.get("/keys").header(HEADER, &key).await.assert_ok();
    assert_eq!(uses(&app).await, 1);
    app.get("/write").header(HEADER, &key).await.assert_status(403);
    assert_eq!(uses(&app).await, 2);
    app.get("/open").header(HEADER, &key).await.assert_ok();
    assert_eq!(uses(&app).await, 2, "where no guard asks, a key means nothing");
}

// spec: KEY-4
#[tokio::test]
async fn whoever_shows_a_key_is_known_by_it_and_not_by_a_cookie() {
    let app = app().await;
    let (_, key) = ada(&app).await;
    let eve = app.user("eve@example.com").await;
    let eve = app.signed_in(&eve).await;
    eve.get("/both").await.assert_ok().assert_see("eve@example.com, no key, session");
    eve.get("/both").header(HEADER, &key).await.assert_ok().assert_see("ada@example.com, laptop, no session");
    eve.get("/both").header(HEADER, "wrong").accept_json().await.assert_status(401);
    eve.get("/keys").await.assert_status(401);
    eve.get("/people").header(HEADER, &key).await.assert_ok().assert_see("eve@example.com, no key, session");
}

#[tokio::test]
async fn a_key_that_is_spent_off_or_over_says_so() {
    let app = app().await;
    let (ada, _) = ada(&app).await;
    let make = async |wanted| key_of(&app, KeyFor::User(&ada.id), wanted).await;
    let once = make(NewApiKey { remaining: Some(1), ..NewApiKey::default() }).await;
    let day = time::Duration::days(1);
    let short = make(NewApiKey { expires_in: Some(day), ..NewApiKey::default() }).await;
    app.get("/keys").header(HEADER, &once).await.assert_ok();
    app.get("/keys").header(HEADER, &once).accept_json().await.assert_status(429);
    app.get("/keys").header(HEADER, &short).await.assert_ok();
    app.advance(Duration::from_secs(86_402));
    let over = app.get("/keys").header(HEADER, &short).accept_json().await;
    over.assert_status(401);
    assert_eq!(code(&over), "KEY_EXPIRED");
}
