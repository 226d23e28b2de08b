use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};

use housekey_engine::options::{CacheStrategy, CacheVersion, CookieCache, EngineOptions};
use housekey_engine::storage::{Filter, Records};
use housekey_engine::{BoxError, Callback, Record, SignedIn};
use http::StatusCode;
use serde_json::json;

use crate::support::{PASSWORD, TestEngine, options};

const STRATEGIES: [CacheStrategy; 3] = [CacheStrategy::Compact, CacheStrategy::Jwt, CacheStrategy::Jwe];

fn cached(strategy: CacheStrategy) -> EngineOptions {
    let mut options = options();
    options.session.cookie_cache =
        CookieCache { enabled: true, strategy: Some(strategy), ..CookieCache::default() };
    options
}

async fn delete_sessions(test: &TestEngine) {
    let table = test.engine.schema().table("session").unwrap();
    test.storage.delete(table, &Filter::all()).await.unwrap();
}

#[tokio::test]
async fn a_copy_answers_without_the_storage_until_it_expires() {
    for strategy in STRATEGIES {
        let test = TestEngine::new(cached(strategy));
        let mut browser = test.ada().await;
        let stored = browser.get("/get-session?disableCookieCache=true").await.json();
        delete_sessions(&test).await;
        let hit = browser.get("/get-session").await;
        assert_eq!(hit.json(), stored, "{strategy:?}");
        assert!(hit.cookies.is_empty());
        test.advance(316);
        let ended = browser.get("/get-session").await;
        assert_eq!(ended.body, "null", "{strategy:?}");
        assert!(ended.cookie("session_data").unwrap().is_cleared());
    }
}

#[tokio::test]
async fn the_old_copy_of_a_session_that_is_not_remembered_goes_and_none_comes() {
    for strategy in STRATEGIES {
        let test = TestEngine::new(cached(strategy));
        test.ada().await;
        let mut browser = test.browser();
        let body = json!({ "email": "ada@example.com", "password": PASSWORD, "rememberMe": false });
        browser.post("/sign-in/email", body).await.assert(StatusCode::OK);
        test.advance(316);
        let answer = browser.get("/get-session").await;
        assert!(answer.json()["user"].is_object(), "{strategy:?}");
        assert!(answer.cookie("session_data").unwrap().is_cleared(), "{strategy:?}");
        assert!(browser.get("/get-session").await.cookies.is_empty(), "{strategy:?}");
    }
}

#[tokio::test]
async fn a_copy_that_was_tampered_with_or_is_another_s_is_replaced_from_the_storage() {
    for strategy in STRATEGIES {
        let test = TestEngine::new(cached(strategy));
        let mut ada = test.ada().await;
        let mut bob = test.browser();
        bob.sign_up("bob@example.com").await.assert(StatusCode::OK);
        let data = "better-auth.session_data".to_owned();
        let good = ada.cookies[&data].clone();
        // It was opened, and is known by now.
        assert!(ada.session().await["user"].is_object());
        for forged in [
            bob.cookies[&data].clone(),
            good[1..].to_owned(),
            format!("{good}A"),
            "x".into(),
            "..".into(),
            String::new(),
        ] {
            ada.cookies.insert(data.clone(), forged);
            let answer = ada.get("/get-session").await;
            assert_eq!(answer.json()["user"]["email"], "ada@example.com", "{strategy:?}");
        }
        // The copy alone is no session.
        ada.cookies.remove("better-auth.session_token");
        assert_eq!(ada.session().await, json!(null));
    }
}

#[tokio::test]
async fn an_encrypted_copy_shows_nothing() {
    let test = TestEngine::new(cached(CacheStrategy::Jwe));
    let ada = test.ada().await;
    let value = &ada.cookies["better-auth.session_data"];
    let payload = data_encoding(value.split('.').nth(3).unwrap());
    assert!(!String::from_utf8_lossy(&payload).contains("ada@example.com"));
}

fn data_encoding(text: &str) -> Vec<u8> {
    let alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
    let bits: Vec<u8> = text
        .chars()
        .flat_map(|c| {
            let v = alphabet.find(c).unwrap();
            (0..6).rev().map(move |bit| (v >> bit & 1) as u8)
        })
        .collect();
    bits.chunks_exact(8).map(|byte| byte.iter().fold(0, |sum, bit| sum << 1 | bit)).collect()
}

#[tokio::test]
// spec: STA-6, CFG-10
async fn a_new_version_makes_every_older_copy_worthless() {
    let epoch = Arc::new(AtomicU32::new(1));
    let current = Arc::clone(&epoch);
    let mut options = cached(CacheStrategy::Jwe);
    options.session.cookie_cache.version =
        Some(CacheVersion::Function(Callback::new(move |signed_in: Arc<SignedIn>| {
            let version = format!("{}:{}", signed_in.user.id, current.load(Ordering::SeqCst));
            async move { Ok::<_, BoxError>(version) }
        })));
    let test = TestEngine::new(options);
    let mut browser = test.ada().await;
    delete_sessions(&test).await;
    assert!(browser.session().await["user"].is_object());
    epoch.store(2, Ordering::SeqCst);
    assert_eq!(browser.session().await, json!(null));
}

#[tokio::test]
// spec: EPC-2
async fn when_the_version_cannot_be_known_the_storage_is_read_and_no_copy_made() {
    let broken = Arc::new(AtomicBool::new(false));
    let state = Arc::clone(&broken);
    let mut options = cached(CacheStrategy::Compact);
    options.session.cookie_cache.version =
        Some(CacheVersion::Function(Callback::new(move |_: Arc<SignedIn>| {
            let broken = state.load(Ordering::SeqCst);
            async move { if broken { Err(BoxError::from("the cache is down")) } else { Ok("1".to_owned()) } }
        })));
    let test = TestEngine::new(options);
    let mut browser = test.ada().await;
    broken.store(true, Ordering::SeqCst);
    let answer = browser.get("/get-session").await;
    assert!(answer.json()["user"].is_object());
    assert!(answer.cookie("session_data").unwrap().is_cleared());
    delete_sessions(&test).await;
    assert_eq!(browser.session().await, json!(null));
}

#[tokio::test]
async fn an_ended_session_cannot_renew_its_own_copy() {
    let test = TestEngine::new(cached(CacheStrategy::Compact));
    let mut laptop = test.ada().await;
    let mut phone = test.browser();
    phone.sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
    laptop.post("/revoke-other-sessions", json!({})).await.assert(StatusCode::OK);
    let answer = phone.post("/update-user", json!({ "name": "Mallory" })).await.refused(401, "UNAUTHORIZED");
    assert!(answer.cookie("session_data").unwrap().is_cleared());
    assert_eq!(phone.session().await, json!(null));
}

#[tokio::test]
async fn a_change_by_oneself_is_seen_at_once() {
    let test = TestEngine::new(cached(CacheStrategy::Jwt));
    let mut browser = test.ada().await;
    browser.post("/update-user", json!({ "name": "Countess" })).await.assert(StatusCode::OK);
    let answer = browser.get("/get-session").await;
    assert!(answer.cookies.is_empty(), "the copy was up to date");
    assert_eq!(answer.json()["user"]["name"], "Countess");
}

#[tokio::test]
async fn a_long_copy_is_spread_over_several_cookies_and_cleared_with_them() {
    let test = TestEngine::new(cached(CacheStrategy::Compact));
    let mut browser = test.ada().await;
    let image = "x".repeat(9000);
    let answer = browser.post("/update-user", json!({ "image": image })).await.assert(StatusCode::OK);
    let names: Vec<_> = answer
        .cookies
        .iter()
        .filter(|cookie| !cookie.is_cleared())
        .map(|cookie| cookie.name.as_str())
        .collect();
    assert!(
        names.contains(&"better-auth.session_data.0") && names.contains(&"better-auth.session_data.3"),
        "{names:?}"
    );
    let hit = browser.get("/get-session").await;
    assert!(hit.cookies.is_empty());
    assert_eq!(hit.json()["user"]["image"], image);
    browser.post("/sign-out", json!({})).await.assert(StatusCode::OK);
    assert!(browser.cookies.is_empty(), "{:?}", browser.cookies.keys());
}

#[tokio::test]
async fn with_the_cache_off_a_copy_is_taken_away_and_not_believed() {
    let on = TestEngine::new(cached(CacheStrategy::Compact));
    let with_copy = on.ada().await;
    let off = TestEngine::new(options());
    let mut browser = off.ada().await;
    browser
        .cookies
        .insert("better-auth.session_data".into(), with_copy.cookies["better-auth.session_data"].clone());
    let answer = browser.get("/get-session").await;
    assert!(answer.cookie("session_data").unwrap().is_cleared());
    assert!(answer.json()["user"].is_object());
}

#[tokio::test]
async fn hidden_columns_are_not_in_the_copy() {
    let mut options = cached(CacheStrategy::Compact);
    let hidden = housekey_engine::options::AdditionalField { returned: false, ..Default::default() };
    options.user.additional_fields.insert("note".into(), hidden);
    let test = TestEngine::new(options);
    let mut browser = test.ada().await;
    let table = test.engine.schema().table("user").unwrap();
    test.storage.update(table, &Filter::all(), &Record::new().with("note", "top secret")).await.unwrap();
    browser.get("/get-session?disableCookieCache=true").await.assert(StatusCode::OK);
    let payload = data_encoding(&browser.cookies["better-auth.session_data"]);
    assert!(!String::from_utf8_lossy(&payload).contains("top secret"));
}
