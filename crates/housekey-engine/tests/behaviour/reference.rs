//! What Better Auth 1.7.7 itself wrote (with our test secret; `fixtures/better-auth-1.7.7.json`) is accepted: rows,
//! password hashes, session cookies, cookie caches, links and encrypted secrets.

use housekey_engine::options::{CacheStrategy, CookieCache, EngineOptions};
use housekey_engine::plugins::two_factor::{TwoFactorOptions, totp_code, two_factor};
use housekey_engine::schema::{ColumnKind, Table};
use housekey_engine::storage::Records;
use housekey_engine::{Clock, Engine, MemoryStorage, Record, Value as Field};
use http::StatusCode;
use serde_json::{Map, Value, json};
use time::OffsetDateTime;
use time::format_description::well_known::Rfc3339;

use crate::support::{Browser, PASSWORD, options};

fn fixture() -> Value {
    serde_json::from_str(include_str!("../fixtures/better-auth-1.7.7.json")).unwrap()
}

/// An engine at the moment at which the fixture was written, on the rows that were written.
async fn engine(
    fixture: &Value,
    configure: impl FnOnce(&mut EngineOptions),
) -> (Browser, MemoryStorage, Engine) {
    let mut options = options();
    options.email_verification.send_verification_email =
        housekey_engine::Callback::new(|_| async { Ok::<_, housekey_engine::ApiError>(()) });
    configure(&mut options);
    let now = OffsetDateTime::from_unix_timestamp(fixture["now"].as_i64().unwrap() / 1000).unwrap();
    let storage = MemoryStorage::new();
    let builder = Engine::builder(options).plugins([two_factor(TwoFactorOptions::default())]);
    let engine = builder.clock(Clock::frozen(now)).build(storage.clone()).unwrap();
    for (table, rows) in fixture["db"].as_object().unwrap() {
        let table = engine.schema().table(table).unwrap();
        for row in rows.as_array().unwrap() {
            storage.create(table, &record(table, row.as_object().unwrap())).await.unwrap();
        }
    }
    (Browser::new(engine.clone()), storage, engine)
}

fn record(table: &Table, row: &Map<String, Value>) -> Record {
    let fields = row.iter().map(|(field, value)| {
        let value = match (table.column(field).unwrap().kind, value) {
            (ColumnKind::Date, Value::String(text)) => {
                Field::from(OffsetDateTime::parse(text, &Rfc3339).unwrap())
            }
            (_, Value::String(text)) => Field::from(text),
            (_, Value::Bool(value)) => Field::from(*value),
            (_, value) => panic!("{value} was not expected"),
        };
        (field.clone().into(), value)
    });
    fields.collect()
}

fn carry(browser: &mut Browser, cookies: &Value) {
    for pair in cookies.as_str().unwrap().split("; ") {
        let (name, value) = pair.split_once('=').unwrap();
        browser.cookies.insert(name.into(), value.into());
    }
}

#[tokio::test]
async fn a_cookie_cache_of_the_reference_is_believed_in_all_three_formats() {
    let fixture = fixture();
    for (name, strategy) in
        [("compact", CacheStrategy::Compact), ("jwt", CacheStrategy::Jwt), ("jwe", CacheStrategy::Jwe)]
    {
        let cache = CookieCache { enabled: true, strategy: Some(strategy), ..CookieCache::default() };
        let (mut browser, storage, engine) =
            engine(&fixture, |options| options.session.cookie_cache = cache).await;
        let sessions = engine.schema().table("session").unwrap();
        storage.delete(sessions, &housekey_engine::storage::Filter::all()).await.unwrap();
        carry(&mut browser, &fixture["cookies"][name]);
        let answer = browser.get("/get-session").await.assert(StatusCode::OK);
        assert_eq!(answer.json()["user"]["name"], fixture["db"]["user"][0]["name"], "{name}");
        assert!(answer.cookies.is_empty(), "{name}");
    }
}

#[tokio::test]
async fn a_session_cookie_and_a_password_of_the_reference_work() {
    let fixture = fixture();
    let (mut browser, storage, _) = engine(&fixture, |_| ()).await;
    carry(&mut browser, &fixture["cookies"]["compact"]);
    assert_eq!(browser.session().await["user"]["email"], "zoe@example.com");
    browser.cookies.clear();
    browser.sign_in("zoe@example.com", "wrong password").await.refused(401, "INVALID_EMAIL_OR_PASSWORD");
    browser.sign_in("zoe@example.com", PASSWORD).await.assert(StatusCode::OK);
    assert!(storage.rows("account").await[0].text("password").unwrap().starts_with("$argon2id$"));
}

#[tokio::test]
async fn a_link_of_the_reference_proves_the_address() {
    let fixture = fixture();
    let (mut browser, storage, _) = engine(&fixture, |_| ()).await;
    let token = fixture["emailToken"].as_str().unwrap();
    browser.get(&format!("/verify-email?token={token}")).await.assert(StatusCode::OK);
    assert_eq!(storage.rows("user").await[0].get("emailVerified"), Some(&Field::Bool(true)));
}

#[tokio::test]
async fn a_secret_that_the_reference_encrypted_gives_the_right_code() {
    let fixture = fixture();
    let (_, storage, engine) = engine(&fixture, |_| ()).await;
    let user = &fixture["db"]["user"][0]["id"];
    let row =
        json!({ "id": "t1", "secret": fixture["atRest"], "backupCodes": fixture["atRest"], "userId": user });
    let table = engine.schema().table("twoFactor").unwrap();
    storage.create(table, &record(table, row.as_object().unwrap())).await.unwrap();
    let api = engine.api();
    let user = api.user_by_email("zoe@example.com").await.unwrap().unwrap();
    assert_eq!(totp_code(&api, &user).await.unwrap(), fixture["totp"]);
}
