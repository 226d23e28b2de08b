//! How often a code may be tried: by one, by many at the same time, over many codes.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use housekey_engine::ApiError;
use housekey_engine::hooks::{BeforeWrite, DatabaseHooks};
use housekey_engine::options::EngineOptions;
use housekey_engine::plugins::email_otp::EmailOtpOptions;
use housekey_test_support::in_time;
use http::StatusCode;
use serde_json::json;
use tokio::sync::Notify;

use crate::elsewhere;
use crate::email_otp::{ADA, ask, built, code, enter, prove, test_engine, wrong};
use crate::support::{Browser, TestEngine, options};

fn limited() -> EngineOptions {
    let mut options = options();
    options.rate_limit.enabled = Some(true);
    // Mails are not the question here.
    options.rate_limit.per_account.mails.max = 1000;
    options.rate_limit.per_account.short_lived_mails.clear();
    options
}

/// A browser at an address of its own.
fn from(test: &TestEngine, number: usize) -> Browser {
    let mut browser = test.browser();
    let address = format!("203.0.{}.{}", 1 + number / 200, 1 + number % 200);
    browser.headers.insert("x-forwarded-for", address.parse().unwrap());
    browser
}

#[tokio::test]
// spec: KEY-1
async fn a_code_has_three_tries() {
    let test = test_engine();
    let otp = code(&test, ADA, "sign-in").await;
    for tries in 1..=3 {
        enter(&mut test.browser(), ADA, &wrong(&otp)).await.refused(400, "INVALID_OTP");
        let row = test.rows("verification").await.remove(0);
        assert!(row.text("value").unwrap().ends_with(&format!(":{tries}")));
    }
    enter(&mut test.browser(), ADA, &otp).await.refused(403, "TOO_MANY_ATTEMPTS");
    enter(&mut test.browser(), ADA, &otp).await.refused(400, "INVALID_OTP");
    let otp = code(&test, ADA, "sign-in").await;
    enter(&mut test.browser(), ADA, &otp).await.assert(StatusCode::OK);
}

#[tokio::test]
// spec: KEY-2, SEC-4
async fn guesses_at_the_same_time_get_no_more_than_three_tries() {
    let test = elsewhere::test_engine(|mailbox| built(mailbox, options(), EmailOtpOptions::default()));
    let otp = code(&test, ADA, "sign-in").await;
    for wave in 1..=4 {
        let sent: Vec<_> = (0..50)
            .map(|_| {
                let (mut browser, guess) = (test.browser(), wrong(&otp));
                tokio::spawn(async move { enter(&mut browser, ADA, &guess).await })
            })
            .collect();
        for answer in sent {
            assert_ne!(answer.await.unwrap().status, StatusCode::OK);
        }
        // Each wave costs one try at least: all that were not counted lost to one that was, and were not compared.
        let rows = test.rows("verification").await;
        let tries = rows.first().and_then(|row| row.text("value")?.rsplit_once(':')?.1.parse().ok());
        assert!(tries.is_none_or(|tries: u32| (wave..=3).contains(&tries)), "{tries:?} after {wave}");
    }
    enter(&mut test.browser(), ADA, &otp).await.refused(400, "INVALID_OTP");
    assert!(test.rows("user").await.is_empty());
}

#[tokio::test]
// spec: KEY-2
async fn of_two_who_spend_a_code_at_the_same_time_one_is_in() {
    for known in [false, true] {
        let test = elsewhere::test_engine(|mailbox| built(mailbox, options(), EmailOtpOptions::default()));
        if known {
            test.ada().await;
        }
        let otp = code(&test, ADA, "sign-in").await;
        let sent = [(); 2].map(|()| {
            let (mut browser, otp) = (test.browser(), otp.clone());
            tokio::spawn(async move { enter(&mut browser, ADA, &otp).await })
        });
        let mut welcomed = 0;
        for answer in sent {
            let answer = answer.await.unwrap();
            match answer.status {
                StatusCode::OK => welcomed += 1,
                _ => drop(answer.refused(400, "INVALID_OTP")),
            }
        }
        assert_eq!(welcomed, 1);
        assert_eq!(test.rows("session").await.len(), 1, "known: {known}");
    }
}

/// Wrong codes for an address, a new code for every three, each from another client; how many were looked at.
async fn guess(test: &TestEngine, email: &str, times: usize) -> usize {
    let mut judged = 0;
    for number in 0..times {
        if number % 3 == 0 {
            ask(&mut from(test, 1000 + number), email, "sign-in").await.assert(StatusCode::OK);
        }
        let answer = enter(&mut from(test, number), email, "no code").await;
        match answer.status {
            StatusCode::BAD_REQUEST => judged += 1,
            status => assert_eq!(status, StatusCode::TOO_MANY_REQUESTS),
        }
    }
    judged
}

#[tokio::test]
// spec: KEY-2, SEC-4
async fn asking_for_new_codes_gives_nobody_more_guesses() {
    let test = TestEngine::with(|mailbox| built(mailbox, limited(), EmailOtpOptions::default()));
    assert_eq!(guess(&test, ADA, 60).await, 10);
    let otp = code(&test, ADA, "sign-in").await;
    let refused = enter(&mut from(&test, 500), "ADA@example.com", &otp).await;
    assert_eq!(refused.header("retry-after"), Some("300"));
    refused.assert(StatusCode::TOO_MANY_REQUESTS);
    assert_eq!(guess(&test, "bob@example.com", 3).await, 3, "others go on");

    let mut in_a_day = 10;
    for _ in 0..30 {
        test.advance(3_000);
        in_a_day += guess(&test, ADA, 40).await;
    }
    assert!(in_a_day <= 130, "{in_a_day} in little more than a day");
}

#[tokio::test]
// spec: KEY-2, SEC-4
async fn all_kinds_of_codes_share_the_guesses_of_an_address() {
    let test = TestEngine::with(|mailbox| built(mailbox, limited(), EmailOtpOptions::default()));
    let mut judged = 0;
    for number in 0..40 {
        let (path, body) = match number % 4 {
            0 => ("/sign-in/email-otp", json!({ "email": ADA, "otp": "x" })),
            1 => ("/email-otp/verify-email", json!({ "email": ADA, "otp": "x" })),
            2 => (
                "/email-otp/reset-password",
                json!({ "email": ADA, "otp": "x", "password": "another password" }),
            ),
            _ => (
                "/email-otp/check-verification-otp",
                json!({ "email": ADA, "otp": "x", "type": "forget-password" }),
            ),
        };
        let answer = from(&test, number).post(path, body).await;
        judged += usize::from(answer.status == StatusCode::BAD_REQUEST);
    }
    assert_eq!(judged, 10);
}

#[tokio::test]
// spec: SEC-4
async fn guesses_that_arrive_at_the_same_time_over_many_codes_are_counted_before_they_are_compared() {
    let codes = EmailOtpOptions { allowed_attempts: 1000, ..EmailOtpOptions::default() };
    let test = elsewhere::test_engine(|mailbox| built(mailbox, limited(), codes));
    ask(&mut from(&test, 900), ADA, "sign-in").await.assert(StatusCode::OK);
    let sent: Vec<_> = (0..60)
        .map(|number| {
            let mut browser = from(&test, number);
            tokio::spawn(async move { enter(&mut browser, ADA, "no code").await.status })
        })
        .collect();
    let mut judged = 0;
    for status in sent {
        judged += usize::from(status.await.unwrap() == StatusCode::BAD_REQUEST);
    }
    assert_eq!(judged, 10);
}

#[tokio::test]
// spec: SEC-4
async fn strangers_who_guess_do_not_make_the_owner_wait_in_a_browser_they_know() {
    let test = TestEngine::with(|mailbox| built(mailbox, limited(), EmailOtpOptions::default()));
    let otp = code(&test, ADA, "sign-in").await;
    let mut owner = from(&test, 700);
    enter(&mut owner, ADA, &otp).await.assert(StatusCode::OK);
    owner.post("/sign-out", json!({})).await.assert(StatusCode::OK);

    assert_eq!(guess(&test, ADA, 60).await, 10);
    let otp = code(&test, ADA, "sign-in").await;
    enter(&mut from(&test, 701), ADA, &otp).await.assert(StatusCode::TOO_MANY_REQUESTS);
    enter(&mut owner, ADA, &otp).await.assert(StatusCode::OK);
}

/// All of them read the row before one of them counts: the right code is among those that lost, and is not compared.
#[tokio::test]
// spec: SEC-4
async fn a_guess_that_was_not_counted_is_not_compared() {
    let codes = EmailOtpOptions { allowed_attempts: 1, ..EmailOtpOptions::default() };
    let test = elsewhere::test_engine(|mailbox| built(mailbox, options(), codes));
    let otp = code(&test, ADA, "sign-in").await;
    // In the middle, since a runtime may go on with them from either end.
    let guesses = [wrong(&otp), otp.clone(), wrong(&otp)];
    let sent = guesses.map(|guess| {
        let mut browser = test.browser();
        tokio::spawn(async move { enter(&mut browser, ADA, &guess).await })
    });
    for answer in sent {
        answer.await.unwrap().refused(400, "INVALID_OTP");
    }
    assert!(test.rows("user").await.is_empty());
}

/// A second one brings the code after the first was found right, and before it is spent.
#[tokio::test]
// spec: KEY-2
async fn a_code_that_is_being_spent_lets_nobody_else_in() {
    let (inside, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let armed = Arc::new(AtomicBool::new(false));
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        let (inside, go, armed) = (Arc::clone(&inside), Arc::clone(&go), Arc::clone(&armed));
        options.database_hooks = DatabaseHooks::new().before_create("session", move |_| {
            let (inside, go, armed) = (Arc::clone(&inside), Arc::clone(&go), Arc::clone(&armed));
            async move {
                if armed.swap(false, Ordering::SeqCst) {
                    inside.notify_one();
                    go.notified().await;
                }
                Ok::<_, ApiError>(BeforeWrite::Proceed)
            }
        });
        built(mailbox, options, EmailOtpOptions::default())
    });
    test.ada().await;
    prove(&test).await;
    let otp = code(&test, ADA, "sign-in").await;
    armed.store(true, Ordering::SeqCst);
    let (mut slow, same) = (test.browser(), otp.clone());
    let slow = tokio::spawn(async move { enter(&mut slow, ADA, &same).await });
    in_time("the step inside", inside.notified()).await;
    enter(&mut test.browser(), ADA, &otp).await.assert(StatusCode::OK);
    go.notify_one();
    slow.await.unwrap().refused(400, "INVALID_OTP");
    assert_eq!(test.rows("session").await.len(), 2, "of the sign-up and of one of the two");
}
