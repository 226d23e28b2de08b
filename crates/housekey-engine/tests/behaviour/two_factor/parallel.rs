//! Codes that arrive at the same time, over a storage that lets others go first at every call.

use housekey_engine::Record;
use housekey_engine::plugins::two_factor::TwoFactorOptions;
use housekey_engine::storage::{Filter, Records as _};
use http::StatusCode;
use serde_json::{Value, json};

use super::{challenged, code, enrolled, with, with_otp};
use crate::elsewhere::test_engine;
use crate::support::{Browser, PASSWORD};

/// Sends a body to a path from all of these at the same time; how often each code was the answer.
async fn all_at_once(browsers: Vec<Browser>, path: &'static str, body: Value) -> (usize, usize) {
    let sent: Vec<_> = browsers
        .into_iter()
        .map(|mut browser| {
            let body = body.clone();
            tokio::spawn(async move { browser.post(path, body).await })
        })
        .collect();
    let (mut judged, mut locked) = (0, 0);
    for answer in sent {
        let answer = answer.await.unwrap();
        match answer.json()["code"].as_str().unwrap() {
            "INVALID_CODE" | "INVALID_BACKUP_CODE" => judged += 1,
            "ACCOUNT_TEMPORARILY_LOCKED" => locked += 1,
            other => panic!("{other}"),
        }
    }
    (judged, locked)
}

#[tokio::test]
// spec: SEC-4
async fn of_sixty_wrong_codes_over_sixty_challenges_at_once_ten_are_looked_at() {
    for (path, wrong) in
        [("/two-factor/verify-totp", "000000"), ("/two-factor/verify-backup-code", "aaaaa-aaaaa")]
    {
        let test = test_engine(|_| with(TwoFactorOptions::default()));
        let (_, codes) = enrolled(&test).await;
        let mut browsers = Vec::new();
        for _ in 0..60 {
            browsers.push(challenged(&test).await);
        }
        assert_eq!(all_at_once(browsers, path, json!({ "code": wrong })).await, (10, 50), "{path}");

        let mut owner = challenged(&test).await;
        let right = json!({ "code": code(&test).await });
        owner.post("/two-factor/verify-totp", right).await.refused(429, "ACCOUNT_TEMPORARILY_LOCKED");
        test.advance(900);
        let mut owner = challenged(&test).await;
        owner
            .post("/two-factor/verify-backup-code", json!({ "code": codes[0] }))
            .await
            .assert(StatusCode::OK);
    }
}

#[tokio::test]
// spec: SEC-4
async fn of_sixty_wrong_codes_for_sixty_that_were_sent_ten_are_looked_at() {
    let test = test_engine(|mailbox| with_otp(mailbox, Default::default()));
    let mut ada = test.ada().await;
    let enable = json!({ "password": PASSWORD, "method": "otp" });
    ada.post("/two-factor/enable", enable).await.assert(StatusCode::OK);
    let mut browsers = Vec::new();
    for _ in 0..60 {
        let mut browser = challenged(&test).await;
        browser.post("/two-factor/send-otp", json!({})).await.assert(StatusCode::OK);
        browsers.push(browser);
    }
    let (judged, locked) = all_at_once(browsers, "/two-factor/verify-otp", json!({ "code": "wrong" })).await;
    assert_eq!((judged, locked), (10, 50));
}

#[tokio::test]
async fn right_codes_give_the_attempts_back() {
    let test = test_engine(|_| with(TwoFactorOptions::default()));
    enrolled(&test).await;
    for _ in 0..3 {
        let mut browser = challenged(&test).await;
        for _ in 0..4 {
            let wrong = json!({ "code": "wrong" });
            browser.post("/two-factor/verify-totp", wrong).await.refused(401, "INVALID_CODE");
        }
        let right = json!({ "code": code(&test).await });
        browser.post("/two-factor/verify-totp", right).await.assert(StatusCode::OK);
        test.advance(30);
    }
}

#[tokio::test]
async fn a_lock_that_nobody_lived_to_set_ends_too() {
    let test = test_engine(|_| with(TwoFactorOptions::default()));
    enrolled(&test).await;
    // All attempts were taken, and the process that took the last one is gone.
    let table = test.engine.schema().table("twoFactor").unwrap();
    let taken = Record::new().with("failedVerificationCount", 10_i64);
    test.storage.update(table, &Filter::all(), &taken).await.unwrap();
    let mut browser = challenged(&test).await;
    let right = json!({ "code": code(&test).await });
    browser.post("/two-factor/verify-totp", right).await.refused(429, "ACCOUNT_TEMPORARILY_LOCKED");
    test.advance(900);
    let mut browser = challenged(&test).await;
    let right = json!({ "code": code(&test).await });
    browser.post("/two-factor/verify-totp", right).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn a_row_without_a_count_is_counted_from_now_on() {
    let test = test_engine(|_| with(TwoFactorOptions::default()));
    enrolled(&test).await;
    let table = test.engine.schema().table("twoFactor").unwrap();
    let uncounted = Record::new().with("failedVerificationCount", housekey_engine::Value::Null);
    test.storage.update(table, &Filter::all(), &uncounted).await.unwrap();
    let mut browsers = Vec::new();
    for _ in 0..20 {
        browsers.push(challenged(&test).await);
    }
    let wrong = json!({ "code": "000000" });
    assert_eq!(all_at_once(browsers, "/two-factor/verify-totp", wrong).await, (10, 10));
}
