//! From the form that makes a key to its end.

use housekey::auth::Auth;
use housekey::auth::engine::plugins::api_key::{KeyFor, NewApiKey, create_for, has_checksum};
use housekey::auth::engine::storage::{Filter, Find};
use housekey::serde_json::{Value, json};
use housekey::testing::TestApp;

use crate::support::{KEYS, PREFIX, ask_for, id_of, make, me, somebody, sure_of};

/// Every row of every table that accounts have, as one text.
async fn everything_stored(app: &TestApp) -> String {
    let auth = app.services().require::<Auth>().unwrap();
    let api = auth.engine().api();
    let mut all = String::new();
    for table in api.schema().tables() {
        let rows = api.storage().find(table, &Find::new(Filter::all())).await.unwrap();
        all.extend(rows.iter().map(|row| format!("{row:?}\n")));
    }
    all
}

// spec: KEY-4
#[housekey::test]
async fn a_key_is_in_the_answer_that_makes_it_and_stored_nowhere(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = sure_of(&app, &ada).await;
    let made: Value = ask_for(&visitor, "build server", "90").await.assert_ok().json();
    assert_eq!(made["redirect"], KEYS);
    let key = made["api_key"].as_str().unwrap();
    assert!(key.starts_with(PREFIX) && has_checksum(key), "{key}");

    let stored = everything_stored(&app).await;
    assert!(stored.contains("build server"), "the tables were read");
    assert!(!stored.contains(key) && !stored.contains(&key[PREFIX.len() + 5..]));
    assert!(stored.contains(&key[..PREFIX.len() + 4]), "the beginning is kept, to tell keys apart");
}

// spec: KEY-4
#[housekey::test]
async fn a_program_is_known_by_its_key_and_gets_no_cookie(app: TestApp) {
    let ada = somebody(&app).await;
    let (key, _) = make(&sure_of(&app, &ada).await, "build server").await;
    let answer = me(&app, &key).await;
    answer.assert_ok().assert_json(&json!({ "owner": ada.name, "key": "build server" }));
    assert!(answer.headers().get("set-cookie").is_none(), "{:?}", answer.headers());
}

// spec: KEY-4
#[housekey::test]
async fn a_key_is_no_session(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = sure_of(&app, &ada).await;
    let (key, id) = make(&visitor, "build server").await;
    let program = app.visitor().with_header("x-api-key", &key);
    assert_eq!(program.get("/api/auth/get-session").await.json::<Value>(), Value::Null);
    program.get("/dashboard").await.assert_redirect(&app.route("sign-in"));
    program.post(KEYS).json(&json!({ "name": "another", "lifetime": "90" })).await.assert_status(401);
    program.delete(&format!("{KEYS}/{id}")).json(&json!({})).await.assert_status(401);
    assert_eq!(id_of(&app, "another").await, None);
    // Nor is a session a key.
    visitor.get("/api/me").await.assert_status(401);
    me(&app, &key).await.assert_ok();
}

// spec: KEY-4
#[housekey::test]
async fn a_key_that_is_turned_off_opens_nothing_until_it_is_on_again(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = sure_of(&app, &ada).await;
    let (key, id) = make(&visitor, "build server").await;
    let path = format!("{KEYS}/{id}");
    visitor.patch(&path).json(&json!({ "enabled": false })).await.assert_ok();
    me(&app, &key).await.assert_status(401).assert_json_path("code", "KEY_DISABLED");
    visitor.patch(&path).json(&json!({ "enabled": true })).await.assert_ok();
    me(&app, &key).await.assert_ok();
    // What says neither is refused, and changes nothing.
    visitor.patch(&path).json(&json!({})).await.assert_status(422).assert_invalid("enabled");
    me(&app, &key).await.assert_ok();
}

// spec: KEY-4
#[housekey::test]
async fn a_key_that_was_revoked_opens_nothing(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = sure_of(&app, &ada).await;
    let ((key, id), (other, _)) = (make(&visitor, "one").await, make(&visitor, "two").await);
    visitor.delete(&format!("{KEYS}/{id}")).json(&json!({})).await.assert_ok();
    me(&app, &key).await.assert_status(401).assert_json_path("code", "INVALID_API_KEY");
    visitor.delete(&format!("{KEYS}/{id}")).json(&json!({})).await.assert_not_found();
    me(&app, &other).await.assert_ok();
}

// spec: KEY-4
#[housekey::test]
async fn a_key_is_refused_in_an_address(app: TestApp) {
    let ada = somebody(&app).await;
    let (key, _) = make(&sure_of(&app, &ada).await, "build server").await;
    app.visitor().get(&format!("/api/me?api_key={key}")).await.assert_status(400);
    for made_up in ["", "nonsense", &format!("{PREFIX}nonsense"), &key[..key.len() - 1]] {
        me(&app, made_up).await.assert_status(401);
    }
}

#[housekey::test]
async fn there_is_room_for_many_keys_and_not_for_any_number(app: TestApp) {
    let ada = somebody(&app).await;
    let auth = app.services().require::<Auth>().unwrap();
    for number in 0..50 {
        let wanted = NewApiKey { name: Some(format!("number {number}")), ..NewApiKey::default() };
        create_for(&auth.engine().api(), KeyFor::User(&ada.id), wanted).await.unwrap();
    }
    let visitor = sure_of(&app, &ada).await;
    let refused = ask_for(&visitor, "one more", "90").await;
    refused.assert_status(422).assert_invalid("name");
    let id = id_of(&app, "number 7").await.unwrap();
    visitor.delete(&format!("{KEYS}/{id}")).json(&json!({})).await.assert_ok();
    ask_for(&visitor, "one more", "90").await.assert_ok();
    // Others have room of their own.
    make(&sure_of(&app, &somebody(&app).await).await, "first").await;
}
