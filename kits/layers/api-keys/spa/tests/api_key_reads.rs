//! What the page of API keys asks for.

use housekey::database::Factory;
use housekey::serde_json::{Value, json};
use housekey::testing::TestApp;

use {{crate}}::factories::UserFactory;
use {{crate}}::models::User;

const PASSWORD: &str = UserFactory::PASSWORD;
const PREFIX: &str = "{{crate}}_";
const READ: &str = "/api/settings/api-keys";

async fn somebody(app: &TestApp) -> User {
    app.within(UserFactory::create()).await.unwrap()
}

/// Somebody signed in whose password is confirmed.
async fn sure_of(app: &TestApp, user: &User) -> TestApp {
    let visitor = app.signed_in(user).await;
    visitor.post("/confirm-password").json(&json!({ "password": PASSWORD })).await.assert_ok();
    visitor
}

async fn make(visitor: &TestApp, name: &str) -> String {
    let form = json!({ "name": name, "lifetime": "30" });
    let made: Value = visitor.post("/settings/api-keys").json(&form).await.assert_ok().json();
    made["api_key"].as_str().unwrap().to_owned()
}

// spec: KEY-4
#[housekey::test]
async fn a_key_is_told_once_and_by_no_page_after_it(app: TestApp) {
    let visitor = sure_of(&app, &somebody(&app).await).await;
    let key = make(&visitor, "build server").await;
    for path in
        [READ, "/settings/api-keys", "/api/session", "/api/settings/history", "/api/auth/api-key/list"]
    {
        visitor.get(path).await.assert_ok().assert_dont_see(&key[PREFIX.len() + 4..]);
    }
    let read: Value = visitor.get(READ).await.assert_header("cache-control", "no-store").json();
    let row = &read["keys"][0];
    assert_eq!(row["name"], "build server");
    assert_eq!(row["start"], key[..PREFIX.len() + 4]);
    assert_eq!((&row["state"], &row["lastUsed"]), (&json!("on"), &Value::Null));
    assert_eq!(read["lifetimes"], json!(["30", "90", "365", "never"]));
    assert_eq!((&read["usualLifetime"], &read["whyNotCreate"]), (&json!("90"), &Value::Null));
    let mut fields: Vec<_> = row.as_object().unwrap().keys().cloned().collect();
    fields.sort();
    assert_eq!(fields, ["created", "expires", "id", "lastUsed", "name", "start", "state"]);
}

// spec: KEY-4
#[housekey::test]
async fn people_see_their_own_keys_and_nobody_elses(app: TestApp) {
    let ada = sure_of(&app, &somebody(&app).await).await;
    make(&ada, "one").await;
    make(&ada, "two").await;
    let eve = app.signed_in(&somebody(&app).await).await;
    assert_eq!(eve.get(READ).await.assert_ok().json::<Value>()["keys"], json!([]));
    assert_eq!(ada.get(READ).await.json::<Value>()["keys"].as_array().unwrap().len(), 2);
    app.visitor().get(READ).await.assert_status(401);
}
