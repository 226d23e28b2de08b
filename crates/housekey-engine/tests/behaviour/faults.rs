//! The storage fails at every single call of a flow: an error that clients understand, nothing granted, nothing half
//! written.

use housekey_engine::options::EngineOptions;
use housekey_engine::storage::FailingStorage;
use housekey_engine::{Clock, Engine, MemoryStorage};
use http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Answer, Browser, Mailbox, PASSWORD, options};

struct Broken {
    browser: Browser,
    rows: MemoryStorage,
    storage: FailingStorage<MemoryStorage>,
    mailbox: Mailbox,
}

fn broken(configure: impl Fn(&Mailbox) -> EngineOptions) -> Broken {
    let (rows, mailbox) = (MemoryStorage::new(), Mailbox::default());
    let storage = FailingStorage::new(rows.clone());
    let engine = Engine::build_with_clock(configure(&mailbox), storage.clone(), Clock::frozen()).unwrap();
    Broken { browser: Browser::new(engine), rows, storage, mailbox }
}

const TABLES: [&str; 4] = ["user", "account", "session", "verification"];

async fn snapshot(rows: &MemoryStorage) -> Vec<Vec<housekey_engine::Record>> {
    let mut tables = Vec::new();
    for table in TABLES {
        tables.push(rows.rows(table).await);
    }
    tables
}

/// Runs a request with the first, second, … call failing, until one run meets no failure; gives that run's answer.
async fn at_every_call(
    configure: impl Fn(&Mailbox) -> EngineOptions,
    prepare: impl AsyncFn(&mut Broken) -> Value,
    path: &str,
) -> Answer {
    for call in 1..100 {
        let mut house = broken(&configure);
        let body = prepare(&mut house).await;
        let before = snapshot(&house.rows).await;
        house.storage.fail_at(call);
        let answer = house.browser.post(path, body).await;
        if !house.storage.has_failed() {
            assert!(call > 1, "the flow uses the storage");
            return answer;
        }
        assert_eq!(answer.status, StatusCode::INTERNAL_SERVER_ERROR, "call {call} of {path}");
        assert!(answer.body.is_empty(), "call {call} of {path} says nothing about why");
        let granted = answer.cookies.iter().any(|cookie| !cookie.is_cleared());
        assert!(!granted, "call {call} of {path} granted a session");
        assert_eq!(snapshot(&house.rows).await, before, "call {call} of {path} left something behind");
    }
    panic!("the flow never ended");
}

#[tokio::test]
async fn signing_up_is_all_or_nothing() {
    let prepare =
        async |_: &mut Broken| json!({ "name": "Ada", "email": "ada@example.com", "password": PASSWORD });
    at_every_call(|_| options(), prepare, "/sign-up/email").await.assert(StatusCode::OK);
}

#[tokio::test]
async fn signing_in_is_all_or_nothing() {
    let prepare = async |house: &mut Broken| {
        house.browser.sign_up("ada@example.com").await.assert(StatusCode::OK);
        house.browser.cookies.clear();
        json!({ "email": "ada@example.com", "password": PASSWORD })
    };
    at_every_call(|_| options(), prepare, "/sign-in/email").await.assert(StatusCode::OK);
}

#[tokio::test]
async fn changing_a_password_is_all_or_nothing() {
    let prepare = async |house: &mut Broken| {
        house.browser.sign_up("ada@example.com").await.assert(StatusCode::OK);
        json!({ "currentPassword": PASSWORD, "newPassword": "a new password", "revokeOtherSessions": true })
    };
    at_every_call(|_| options(), prepare, "/change-password").await.assert(StatusCode::OK);
}

#[tokio::test]
async fn resetting_a_password_is_all_or_nothing() {
    let configure = |mailbox: &Mailbox| {
        let mut options = options();
        options.email_and_password.send_reset_password = mailbox.link("reset");
        options
    };
    let prepare = async |house: &mut Broken| {
        house.browser.sign_up("ada@example.com").await.assert(StatusCode::OK);
        house
            .browser
            .post("/request-password-reset", json!({ "email": "ada@example.com" }))
            .await
            .assert(StatusCode::OK);
        json!({ "newPassword": "a new password", "token": house.mailbox.take().token })
    };
    at_every_call(configure, prepare, "/reset-password").await.assert(StatusCode::OK);
}

#[tokio::test]
async fn deleting_an_account_is_all_or_nothing() {
    let configure = |_: &Mailbox| {
        let mut options = options();
        options.user.delete_user.enabled = true;
        options
    };
    let prepare = async |house: &mut Broken| {
        house.browser.sign_up("ada@example.com").await.assert(StatusCode::OK);
        json!({})
    };
    at_every_call(configure, prepare, "/delete-user").await.assert(StatusCode::OK);
}
