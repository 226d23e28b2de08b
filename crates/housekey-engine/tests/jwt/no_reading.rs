//! What a token costs: no look into the table while nothing changed.

use housekey_engine::jwt::VerifyError;
use housekey_engine::plugins::jwt;
use housekey_engine::plugins::jwt::verify;
use housekey_engine::storage::FailingStorage;
use housekey_engine::{Clock, Engine, MemoryStorage};
use http::StatusCode;
use serde_json::{Value, json};

use crate::jwt::attacks::swap_header;
use crate::jwt::{kid, token};
use crate::support::{Browser, options};

/// An engine that keeps sessions in a cookie, so that a request need not read any row.
fn engine(storage: &FailingStorage<MemoryStorage>, clock: &Clock) -> Engine {
    let mut options = options();
    options.session.cookie_cache.enabled = true;
    options.session.cookie_cache.max_age = 3600;
    Engine::builder(options)
        .plugins([jwt(Default::default())])
        .clock(clock.clone())
        .build(storage.clone())
        .unwrap()
}

#[tokio::test]
async fn a_token_costs_no_look_into_the_storage_and_once_a_minute_one() {
    let (storage, clock) = (FailingStorage::new(MemoryStorage::new()), Clock::frozen_now());
    let mut ada = Browser::new(engine(&storage, &clock));
    ada.sign_up("ada@example.com").await.assert(StatusCode::OK);
    let first = kid(&token(&mut ada).await);

    storage.fail_at(1);
    for _ in 0..50 {
        assert_eq!(kid(&token(&mut ada).await), first);
    }
    clock.advance(std::time::Duration::from_secs(59));
    token(&mut ada).await;
    assert!(!storage.has_failed(), "nobody asked the storage for anything");

    clock.advance(std::time::Duration::from_secs(1));
    assert_eq!(kid(&token(&mut ada).await), first, "a storage that fails then does not matter");
    assert!(storage.has_failed(), "after a minute somebody looks");
    storage.fail_at(2);
    assert_eq!(kid(&token(&mut ada).await), first);
    assert!(!storage.has_failed(), "one look, not several");
    token(&mut ada).await;
    assert!(!storage.has_failed());
}

#[tokio::test]
async fn made_up_names_of_keys_cost_no_look_into_the_storage_either() {
    let (storage, clock) = (FailingStorage::new(MemoryStorage::new()), Clock::frozen_now());
    let engine = engine(&storage, &clock);
    let mut ada = Browser::new(engine.clone());
    ada.sign_up("ada@example.com").await.assert(StatusCode::OK);
    let own = token(&mut ada).await;

    storage.fail_at(1);
    for number in 0..50 {
        let forged = swap_header(&own, &json!({ "alg": "EdDSA", "kid": format!("made-up-{number}") }));
        let verdict = verify::<Value>(&engine.api(), &forged).await.unwrap();
        assert_eq!(verdict.unwrap_err(), VerifyError::UnknownKey);
    }
    assert!(!storage.has_failed(), "nobody asked the storage for anything");
}
