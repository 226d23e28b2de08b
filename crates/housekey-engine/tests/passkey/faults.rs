//! The storage fails at every single call of a ceremony: nothing granted, nothing half written.

use housekey_engine::plugins::passkey::PasskeyOptions;
use housekey_engine::storage::FailingStorage;
use housekey_engine::{Clock, MemoryStorage};
use http::StatusCode;
use serde_json::{Value, json};

use crate::passkey::{CREATE, SIGN, challenge, device, register, with};
use crate::support::Browser;

/// Runs a request with the first, second, … call failing, until one run meets no failure.
async fn at_every_call(path: &str, prepare: impl AsyncFn(&mut Browser) -> Value) {
    for call in 1..100 {
        let rows = MemoryStorage::new();
        let storage = FailingStorage::new(rows.clone());
        let builder = with(PasskeyOptions::default()).clock(Clock::frozen_now());
        let engine = builder.build(storage.clone()).unwrap();
        let mut browser = Browser::new(engine);
        browser.sign_up("ada@example.com").await.assert(StatusCode::OK);
        let body = prepare(&mut browser).await;
        let before = (rows.rows("passkey").await, rows.rows("session").await);
        storage.fail_at(call);
        let answer = browser.post(path, body).await;
        if !storage.has_failed() {
            assert!(call > 1, "the flow uses the storage");
            answer.assert(StatusCode::OK);
            return;
        }
        assert_eq!(answer.status, StatusCode::INTERNAL_SERVER_ERROR, "call {call} of {path}");
        assert!(answer.body.is_empty(), "call {call} of {path} says nothing about why");
        let granted = answer.cookies.iter().any(|cookie| !cookie.is_cleared());
        assert!(!granted, "call {call} of {path} granted a session");
        let after = (rows.rows("passkey").await, rows.rows("session").await);
        assert_eq!(after, before, "call {call} of {path} left something behind");
    }
    panic!("the flow never ended");
}

#[tokio::test]
async fn a_registration_with_a_session_is_all_or_nothing() {
    at_every_call("/passkey/verify-registration", async |browser| {
        let asked = challenge(browser, CREATE).await;
        json!({ "response": device().create(&asked), "createSession": true })
    })
    .await;
}

#[tokio::test]
async fn a_sign_in_is_all_or_nothing() {
    at_every_call("/passkey/verify-authentication", async |browser| {
        let mut device = device();
        register(browser, &device).await.assert(StatusCode::OK);
        device.counter = 3;
        let asked = challenge(browser, SIGN).await;
        json!({ "response": device.sign(&asked) })
    })
    .await;
}
