//! Sessions in a secondary storage: the same behaviour, in the reference's form.

use std::sync::Arc;

use housekey_engine::options::Shared;
use housekey_engine::plugins::{TwoFactorOptions, two_factor};
use housekey_engine::storage::{MemorySecondaryStorage, SecondaryStorage};
use housekey_engine::{Clock, Engine, EngineBuilder, MemoryStorage};
use http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Mailbox, PASSWORD, TestEngine, options};

struct Setup {
    engine: TestEngine,
    store: Arc<MemorySecondaryStorage>,
}

fn set_up(configure: impl FnOnce(EngineBuilder) -> EngineBuilder) -> Setup {
    let (storage, clock, mailbox) = (MemoryStorage::new(), Clock::frozen_now(), Mailbox::default());
    let store = Arc::new(MemorySecondaryStorage::new(clock.clone()));
    let mut options = options();
    options.secondary_storage = Shared::new(store.clone());
    options.user.delete_user.enabled = true;
    options.email_and_password.send_reset_password = mailbox.link("reset");
    let engine = configure(Engine::builder(options).clock(clock.clone())).build(storage.clone()).unwrap();
    Setup { engine: TestEngine { engine, storage, clock, mailbox }, store }
}

impl Setup {
    async fn kept(&self, key: &str) -> Value {
        let kept = self.store.get(key).await.unwrap();
        kept.map_or(Value::Null, |kept| serde_json::from_str(&kept).unwrap())
    }
}

#[tokio::test]
async fn sessions_are_kept_in_the_form_of_the_reference_and_not_in_the_database() {
    let test = set_up(|builder| builder);
    let mut ada = test.engine.ada().await;
    let session = ada.session().await;
    assert!(test.engine.rows("session").await.is_empty());
    let token = session["session"]["token"].as_str().unwrap();
    let kept = test.kept(token).await;
    assert_eq!(kept["session"], session["session"]);
    assert_eq!(kept["user"]["email"], "ada@example.com");
    let user = session["user"]["id"].as_str().unwrap();
    let list = test.kept(&format!("active-sessions-{user}")).await;
    assert_eq!(list[0]["token"], token);
    assert!(list[0]["expiresAt"].is_i64());
    test.engine.advance(7 * 86_400);
    assert_eq!(ada.session().await, Value::Null);
    assert!(test.store.keys().is_empty(), "what is over is gone by itself");
}

#[tokio::test]
async fn sessions_are_renewed_listed_and_ended_there() {
    let test = set_up(|builder| builder);
    let mut ada = test.engine.ada().await;
    let (mut phone, mut tablet) = (test.engine.browser(), test.engine.browser());
    for browser in [&mut phone, &mut tablet] {
        browser.sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
    }
    let list = ada.get("/list-sessions").await.assert(StatusCode::OK).json();
    assert_eq!(list.as_array().unwrap().len(), 3);
    let token = phone.session().await["session"]["token"].clone();
    ada.post("/revoke-session", json!({ "token": token })).await.assert(StatusCode::OK);
    assert_eq!(phone.session().await, Value::Null);
    ada.post("/revoke-other-sessions", json!({})).await.assert(StatusCode::OK);
    assert_eq!(tablet.session().await, Value::Null);

    test.engine.advance(2 * 86_400);
    assert!(ada.get("/get-session").await.cookie("session_token").is_some(), "renewed");
    test.engine.advance(6 * 86_400);
    assert!(ada.session().await["user"].is_object());
    ada.post("/update-user", json!({ "name": "Countess" })).await.assert(StatusCode::OK);
    assert_eq!(ada.session().await["user"]["name"], "Countess", "the user is read from the database");
    let mut stolen = ada.clone();
    ada.post("/sign-out", json!({})).await.assert(StatusCode::OK);
    assert_eq!(stolen.session().await, Value::Null);
}

#[tokio::test]
async fn a_reset_ends_even_a_session_that_the_list_has_lost() {
    let test = set_up(|builder| builder);
    let mut ada = test.engine.ada().await;
    let user = ada.session().await["user"]["id"].as_str().unwrap().to_owned();
    test.store.delete(&format!("active-sessions-{user}")).await.unwrap();
    test.engine.advance(1);
    let ask = json!({ "email": "ada@example.com" });
    ada.post("/request-password-reset", ask).await.assert(StatusCode::OK);
    let new = json!({ "newPassword": "a new password", "token": test.engine.mailbox.take().token });
    test.engine.browser().post("/reset-password", new).await.assert(StatusCode::OK);
    assert_eq!(ada.session().await, Value::Null);
    let mut again = test.engine.browser();
    again.sign_in("ada@example.com", "a new password").await.assert(StatusCode::OK);
    assert!(again.session().await["user"].is_object());
}

#[tokio::test]
async fn a_session_is_replaced_and_an_account_deleted_with_all_that_is_kept() {
    let test = set_up(|builder| builder.plugins([two_factor(TwoFactorOptions::default())]));
    let mut ada = test.engine.ada().await;
    let mut old = ada.clone();
    let change =
        json!({ "currentPassword": PASSWORD, "newPassword": "a new password", "revokeOtherSessions": true });
    ada.post("/change-password", change).await.assert(StatusCode::OK);
    assert_eq!(old.session().await, Value::Null);
    assert!(ada.session().await["user"].is_object());
    ada.post("/delete-user", json!({})).await.assert(StatusCode::OK);
    assert!(!test.store.keys().iter().any(|key| key.starts_with("active-sessions-")));
    assert!(test.engine.rows("user").await.is_empty());
}

#[tokio::test]
async fn of_two_who_end_one_session_one_did() {
    let test = set_up(|builder| builder.plugins([two_factor(TwoFactorOptions::default())]));
    let mut ada = test.engine.ada().await;
    let off = json!({ "password": PASSWORD });
    let mut other = ada.clone();
    let (a, b) = tokio::join!(
        ada.post("/two-factor/disable", off.clone()),
        other.post("/two-factor/disable", off.clone())
    );
    let mut statuses = [a.status.as_u16(), b.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 401], "a session is replaced once");
}

#[tokio::test]
async fn what_lies_under_a_key_is_not_taken_for_a_session() {
    let test = set_up(|builder| builder);
    let mut ada = test.engine.ada().await;
    let token = ada.session().await["session"]["token"].as_str().unwrap().to_owned();
    let other = json!({ "session": { "token": "another" }, "user": {} }).to_string();
    for nonsense in ["", "x", "[]", "{}", r#"{"session":5}"#, &other] {
        test.store.set(&token, nonsense, None).await.unwrap();
        assert_eq!(ada.clone().session().await, Value::Null, "{nonsense}");
    }
    assert_eq!(ada.session().await, Value::Null);
}

#[tokio::test]
async fn sessions_stay_in_the_database_when_told_to() {
    let test = set_up(|mut builder| {
        builder.options.session.store_session_in_database = true;
        builder
    });
    test.engine.ada().await;
    assert_eq!(test.engine.rows("session").await.len(), 1);
    assert!(test.store.keys().is_empty());
}
