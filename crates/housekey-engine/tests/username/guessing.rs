//! What somebody learns who tries names and passwords, and how long they may.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use housekey_engine::options::EngineOptions;
use housekey_engine::plugins::UsernameOptions;
use housekey_engine::storage::{Filter, Records as _};
use housekey_engine::{ApiError, Callback, PasswordCheck, Secret};
use http::StatusCode;
use serde_json::json;

use crate::support::{Browser, PASSWORD, TestEngine};
use crate::username::{built, email, options, person, sign_in};

/// How much was hashed.
#[derive(Clone, Default)]
struct Work(Arc<AtomicUsize>);

impl Work {
    fn take(&self) -> usize {
        self.0.swap(0, Ordering::Relaxed)
    }

    /// Options whose hashes cost nothing and are counted, with limits.
    fn counted(&self) -> EngineOptions {
        let mut options = options();
        options.rate_limit.enabled = Some(true);
        let (hashes, checks) = (self.clone(), self.clone());
        options.email_and_password.password.hash = Callback::new(move |password: Secret| {
            hashes.0.fetch_add(1, Ordering::Relaxed);
            async move { Ok::<_, ApiError>(password.reveal().to_owned()) }
        });
        options.email_and_password.password.verify = Callback::new(move |check: PasswordCheck| {
            checks.0.fetch_add(1, Ordering::Relaxed);
            async move { Ok::<_, ApiError>(check.password.reveal() == check.hash) }
        });
        options
    }
}

/// A browser at an address of its own.
fn from(test: &TestEngine, number: usize) -> Browser {
    let mut browser = test.browser();
    let address = format!("203.0.{}.{}", 1 + number / 200, 1 + number % 200);
    browser.headers.insert("x-forwarded-for", address.parse().unwrap());
    browser
}

fn test_engine() -> TestEngine {
    built(Work::default().counted(), UsernameOptions::default())
}

#[tokio::test]
// spec: SEC-5 KEY-2
async fn a_name_that_nobody_has_costs_the_same_work_as_a_wrong_password() {
    let work = Work::default();
    let test = built(work.counted(), UsernameOptions::default());
    person(&test, "ada").await;
    let mut passkey_only = from(&test, 1);
    passkey_only.sign_up(&email("bob")).await.assert(StatusCode::OK);
    passkey_only.post("/update-user", serde_json::json!({ "username": "bob" })).await.assert(StatusCode::OK);
    let accounts = test.engine.schema().table("account").unwrap();
    let bob = crate::username::row(&test, "bob").await.text("id").unwrap().to_owned();
    test.storage.delete(accounts, &Filter::by("userId", bob)).await.unwrap();
    work.take();
    let mut answers = Vec::new();
    for (number, name) in ["ada", "bob", "nobody"].into_iter().enumerate() {
        let answer = sign_in(&mut from(&test, 10 + number), name, "wrong password").await;
        answers.push((work.take(), answer.status, answer.body));
    }
    assert_eq!(answers[0].0, 1, "one hash");
    assert!(answers.iter().all(|answer| *answer == answers[0]), "{answers:?}");
}

#[tokio::test]
// spec: SEC-4 KEY-2
async fn the_lock_of_an_account_is_one_by_name_and_by_address() {
    let test = test_engine();
    person(&test, "ada").await;
    for number in 0..10 {
        let mut stranger = from(&test, number);
        let answer = match number % 2 {
            0 => sign_in(&mut stranger, "Ada", "wrong password").await,
            _ => stranger.sign_in(&email("ada"), "wrong password").await,
        };
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{number}");
    }
    sign_in(&mut from(&test, 20), "ada", PASSWORD).await.assert(StatusCode::TOO_MANY_REQUESTS);
    from(&test, 21).sign_in(&email("ada"), PASSWORD).await.assert(StatusCode::TOO_MANY_REQUESTS);
    test.advance(301);
    sign_in(&mut from(&test, 22), "ada", PASSWORD).await.assert(StatusCode::OK);
}

#[tokio::test]
// spec: SEC-4
async fn guesses_that_come_at_once_are_counted_before_they_are_looked_at() {
    let work = Work::default();
    let test = built(work.counted(), UsernameOptions::default());
    person(&test, "ada").await;
    work.take();
    let tasks = (0..40).map(|number| {
        let mut stranger = from(&test, number);
        tokio::spawn(async move { sign_in(&mut stranger, "ada", "wrong password").await.status })
    });
    let mut judged = 0;
    for task in tasks.collect::<Vec<_>>() {
        judged += usize::from(task.await.unwrap() == StatusCode::UNAUTHORIZED);
    }
    assert_eq!((judged, work.take()), (10, 10));
}

#[tokio::test]
// spec: SEC-4
async fn a_name_that_nobody_has_is_locked_like_any_other() {
    let test = test_engine();
    person(&test, "ada").await;
    let mut answers = Vec::new();
    for (base, name) in [(0, "ada"), (100, "nobody")] {
        let mut given = Vec::new();
        for number in base..base + 13 {
            let answer = sign_in(&mut from(&test, number), name, "wrong password").await;
            given.push((answer.status, answer.body));
        }
        answers.push(given);
    }
    assert_eq!(answers[0], answers[1]);
    assert_eq!(answers[0][12].0, StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn the_owner_s_browser_does_not_wait_for_what_strangers_guess_by_name() {
    let test = test_engine();
    let mut own = from(&test, 900);
    crate::username::sign_up_with(&mut own, "ada", serde_json::json!({ "username": "ada" }))
        .await
        .assert(StatusCode::OK);
    for number in 0..12 {
        sign_in(&mut from(&test, number), "ada", "wrong password").await;
    }
    own.post("/sign-out", serde_json::json!({})).await.assert(StatusCode::OK);
    sign_in(&mut own, "ada", PASSWORD).await.assert(StatusCode::OK);
}

/// A change of one's own name tells whether another is taken; a request that is wrong in something else must not tell it at all, or
/// whoever goes through a list would never have to take one.
#[tokio::test]
// spec: KEY-2, SEC-4
async fn nobody_goes_through_a_list_of_names_by_changing_their_own() {
    let test = test_engine();
    person(&test, "ada").await;
    let mut eve = person(&test, "eve").await;
    for name in ["ada", "free"] {
        let body = json!({ "username": name, "displayUsername": "\u{200b}" });
        eve.post("/update-user", body).await.refused(400, "INVALID_DISPLAY_USERNAME");
    }
    let mut told = 0;
    for _ in 0..90 {
        let answer = eve.post("/update-user", json!({ "username": "ada" })).await;
        told += usize::from(answer.status == StatusCode::BAD_REQUEST);
    }
    assert_eq!(told, 20);
    eve.post("/update-user", json!({ "username": "EVE" })).await.assert(StatusCode::OK);
    test.advance(61);
    eve.post("/update-user", json!({ "username": "free" })).await.assert(StatusCode::OK);
}

#[tokio::test]
// spec: KEY-2, SEC-4
async fn many_accounts_in_one_place_learn_no_more_names_than_one() {
    let test = test_engine();
    person(&test, "ada").await;
    let mut eves = Vec::new();
    for number in 0..4 {
        // Sign-up has a limit of its own.
        test.advance(11);
        eves.push(person(&test, &format!("eve{number}")).await);
    }
    let mut told = 0;
    for mut browser in eves {
        browser.headers.insert("x-forwarded-for", "203.0.113.7".parse().unwrap());
        for _ in 0..10 {
            let answer = browser.post("/update-user", json!({ "username": "ada" })).await;
            told += usize::from(answer.status == StatusCode::BAD_REQUEST);
        }
    }
    assert_eq!(told, 20);
}
