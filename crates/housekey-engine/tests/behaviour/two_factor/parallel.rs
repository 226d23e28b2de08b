//! Codes that arrive at the same time, over a storage that lets others go first at every call.

use housekey_engine::Record;
use housekey_engine::plugins::two_factor::TwoFactorOptions;
use housekey_engine::storage::{Filter, Records as _};
use http::StatusCode;
use serde_json::{Value, json};

use super::{challenged, code, enrolled, with, with_otp};
use crate::elsewhere::house;
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
        let house = house(|_| with(TwoFactorOptions::default()));
        let (_, codes) = enrolled(&house).await;
        let mut browsers = Vec::new();
        for _ in 0..60 {
            browsers.push(challenged(&house).await);
        }
        assert_eq!(all_at_once(browsers, path, json!({ "code": wrong })).await, (10, 50), "{path}");

        let mut owner = challenged(&house).await;
        let right = json!({ "code": code(&house).await });
        owner.post("/two-factor/verify-totp", right).await.refused(429, "ACCOUNT_TEMPORARILY_LOCKED");
        house.advance(900);
        let mut owner = challenged(&house).await;
        owner
            .post("/two-factor/verify-backup-code", json!({ "code": codes[0] }))
            .await
            .assert(StatusCode::OK);
    }
}

#[tokio::test]
// spec: SEC-4
async fn of_sixty_wrong_codes_for_sixty_that_were_sent_ten_are_looked_at() {
    let house = house(|mailbox| with_otp(mailbox, Default::default()));
    let mut ada = house.ada().await;
    let enable = json!({ "password": PASSWORD, "method": "otp" });
    ada.post("/two-factor/enable", enable).await.assert(StatusCode::OK);
    let mut browsers = Vec::new();
    for _ in 0..60 {
        let mut browser = challenged(&house).await;
        browser.post("/two-factor/send-otp", json!({})).await.assert(StatusCode::OK);
        browsers.push(browser);
    }
    let (judged, locked) = all_at_once(browsers, "/two-factor/verify-otp", json!({ "code": "wrong" })).await;
    assert_eq!((judged, locked), (10, 50));
}

#[tokio::test]
async fn right_codes_give_the_attempts_back() {
    let house = house(|_| with(TwoFactorOptions::default()));
    enrolled(&house).await;
    for _ in 0..3 {
        let mut browser = challenged(&house).await;
        for _ in 0..4 {
            let wrong = json!({ "code": "wrong" });
            browser.post("/two-factor/verify-totp", wrong).await.refused(401, "INVALID_CODE");
        }
        let right = json!({ "code": code(&house).await });
        browser.post("/two-factor/verify-totp", right).await.assert(StatusCode::OK);
        house.advance(30);
    }
}

#[tokio::test]
async fn a_lock_that_nobody_lived_to_set_ends_too() {
    let house = house(|_| with(TwoFactorOptions::default()));
    enrolled(&house).await;
    // All attempts were taken, and the process that took the last one is gone.
    let table = house.engine.schema().table("twoFactor").unwrap();
    let taken = Record::new().with("failedVerificationCount", 10_i64);
    house.storage.update(table, &Filter::all(), &taken).await.unwrap();
    let mut browser = challenged(&house).await;
    let right = json!({ "code": code(&house).await });
    browser.post("/two-factor/verify-totp", right).await.refused(429, "ACCOUNT_TEMPORARILY_LOCKED");
    house.advance(900);
    let mut browser = challenged(&house).await;
    let right = json!({ "code": code(&house).await });
    browser.post("/two-factor/verify-totp", right).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn a_row_without_a_count_is_counted_from_now_on() {
    let house = house(|_| with(TwoFactorOptions::default()));
    enrolled(&house).await;
    let table = house.engine.schema().table("twoFactor").unwrap();
    let uncounted = Record::new().with("failedVerificationCount", housekey_engine::Value::Null);
    house.storage.update(table, &Filter::all(), &uncounted).await.unwrap();
    let mut browsers = Vec::new();
    for _ in 0..20 {
        browsers.push(challenged(&house).await);
    }
    let wrong = json!({ "code": "000000" });
    assert_eq!(all_at_once(browsers, "/two-factor/verify-totp", wrong).await, (10, 10));
}
