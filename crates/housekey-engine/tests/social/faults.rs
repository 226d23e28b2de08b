//! The storage fails at every single call of a flow: nothing granted, nothing half written.

use std::sync::Arc;

use housekey_engine::options::Shared;
use housekey_engine::storage::FailingStorage;
use housekey_engine::{Clock, Engine, MemoryStorage, Record};
use http::StatusCode;
use serde_json::{Value, json};

use crate::social::imitation::{Imitation, Internet, Key, Person, Places};
use crate::social::{come_back, start, start_link};
use crate::support::{Answer, Browser, options};

struct Failing {
    rows: MemoryStorage,
    storage: FailingStorage<MemoryStorage>,
    acme: Imitation,
    browser: Browser,
}

impl Failing {
    fn new() -> Self {
        let acme = Imitation::new("acme", Places::openid("https://id.acme.test"), Key::p256("first"));
        let internet = Internet::of(&[&acme]);
        let clock = Clock::frozen_now();
        internet.runs_by(&clock);
        let mut options = options();
        let acme_settings = json!({
            "clientId": acme.client_id, "clientSecret": acme.client_secret, "discoveryUrl": acme.places.discovery,
        });
        options.social_providers = serde_json::from_value(json!({ "acme": acme_settings })).unwrap();
        options.social.http_client = Shared::new(Arc::new(internet));
        let rows = MemoryStorage::new();
        let storage = FailingStorage::new(rows.clone());
        let engine = Engine::builder(options).clock(clock).build(storage.clone()).unwrap();
        Self { rows, storage, acme, browser: Browser::new(engine) }
    }

    async fn snapshot(&self) -> Vec<Vec<Record>> {
        let mut found = Vec::new();
        for table in ["user", "account", "session"] {
            found.push(self.rows.rows(table).await);
        }
        found
    }
}

/// Runs the end of a flow with the first, second, … call failing, until one run meets no failure.
async fn at_every_call(
    prepare: impl AsyncFn(&mut Failing) -> String,
    finish: impl AsyncFn(&mut Failing, &str) -> Answer,
) {
    for call in 1..200 {
        let mut test = Failing::new();
        let prepared = prepare(&mut test).await;
        let before = test.snapshot().await;
        test.storage.fail_at(call);
        let answer = finish(&mut test, &prepared).await;
        if !test.storage.has_failed() {
            assert!(call > 1, "the flow uses the storage");
            assert!(answer.error_free(), "{answer:?}");
            return;
        }
        let granted = answer.cookie("session_token").is_some_and(|cookie| !cookie.is_cleared());
        assert!(!granted, "call {call} granted a session: {answer:?}");
        assert!(!answer.error_free(), "call {call} says that it worked: {answer:?}");
        let after = test.snapshot().await;
        assert_eq!(after, before, "call {call} left something behind");
    }
    panic!("the flow never ended");
}

impl Answer {
    fn error_free(&self) -> bool {
        match self.status {
            StatusCode::FOUND => !self.location().contains("error="),
            status => status.is_success(),
        }
    }
}

#[tokio::test]
async fn a_first_visit_is_all_or_nothing() {
    at_every_call(
        async |test| {
            let page = start(&mut test.browser, "acme").await;
            test.acme.agree(&page, &Person::ada())
        },
        async |test, query| come_back(&mut test.browser, &test.acme, query).await,
    )
    .await;
}

#[tokio::test]
async fn connecting_is_all_or_nothing() {
    at_every_call(
        async |test| {
            test.browser.sign_up("ada@example.com").await.assert(StatusCode::OK);
            let page = start_link(&mut test.browser, "acme").await;
            test.acme.agree(&page, &Person::ada())
        },
        async |test, query| come_back(&mut test.browser, &test.acme, query).await,
    )
    .await;
}

#[tokio::test]
async fn an_id_token_is_all_or_nothing() {
    at_every_call(
        async |test| test.acme.id_token(&Person::ada(), None),
        async |test, token| {
            let body: Value = json!({ "provider": "acme", "idToken": { "token": token } });
            test.browser.post("/sign-in/social", body).await
        },
    )
    .await;
}
