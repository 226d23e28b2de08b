use housekey_engine::Value as Field;
use http::StatusCode;
use serde_json::{Value, json};

use super::{challenged, code, enrolled, test_engine};
use crate::support::PASSWORD;

#[tokio::test]
// spec: STA-3, STA-4
async fn the_right_password_leads_to_a_challenge_and_a_code_to_a_session() {
    let test = test_engine();
    enrolled(&test).await;
    let sessions = test.rows("session").await.len();
    let mut browser = test.browser();
    let answer = browser.sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
    assert_eq!(answer.json(), json!({ "twoFactorRedirect": true, "twoFactorMethods": ["totp"] }));
    assert!(answer.cookie("two_factor").unwrap().attributes.starts_with("Max-Age=600"));
    assert!(answer.cookie("session_token").unwrap().is_cleared());
    assert_eq!(test.rows("session").await.len(), sessions, "no session yet");
    assert_eq!(browser.session().await, Value::Null);

    browser.post("/two-factor/verify-totp", json!({ "code": "000000" })).await.refused(401, "INVALID_CODE");
    let right = code(&test).await;
    let answer =
        browser.post("/two-factor/verify-totp", json!({ "code": right })).await.assert(StatusCode::OK);
    assert!(answer.cookie("two_factor").unwrap().is_cleared());
    assert_eq!(browser.session().await["session"]["token"], answer.json()["token"]);
    test.browser()
        .post("/two-factor/verify-totp", json!({ "code": right }))
        .await
        .refused(401, "INVALID_TWO_FACTOR_COOKIE");
}

#[tokio::test]
async fn a_code_works_once() {
    let test = test_engine();
    enrolled(&test).await;
    let right = code(&test).await;
    let (mut first, mut second) = (challenged(&test).await, challenged(&test).await);
    first.post("/two-factor/verify-totp", json!({ "code": right })).await.assert(StatusCode::OK);
    second.post("/two-factor/verify-totp", json!({ "code": right })).await.refused(401, "INVALID_CODE");
    test.advance(30);
    let next = code(&test).await;
    let (mut third, mut fourth) = (challenged(&test).await, challenged(&test).await);
    let code = json!({ "code": next });
    let (a, b) = tokio::join!(
        third.post("/two-factor/verify-totp", code.clone()),
        fourth.post("/two-factor/verify-totp", code)
    );
    let mut statuses = [a.status.as_u16(), b.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [200, 401]);
}

#[tokio::test]
async fn a_challenge_forgives_five_wrong_codes_and_lives_for_ten_minutes() {
    let test = test_engine();
    enrolled(&test).await;
    let mut browser = challenged(&test).await;
    for _ in 0..5 {
        browser
            .post("/two-factor/verify-totp", json!({ "code": "wrong" }))
            .await
            .refused(401, "INVALID_CODE");
    }
    let right = json!({ "code": code(&test).await });
    let answer = browser
        .post("/two-factor/verify-totp", right.clone())
        .await
        .refused(400, "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE");
    assert!(answer.cookie("two_factor").unwrap().is_cleared());
    let mut browser = challenged(&test).await;
    test.advance(600);
    browser.post("/two-factor/verify-totp", right).await.refused(401, "INVALID_TWO_FACTOR_COOKIE");
}

#[tokio::test]
async fn ten_failures_in_a_row_lock_every_factor_for_a_quarter_of_an_hour() {
    let test = test_engine();
    let (_, codes) = enrolled(&test).await;
    for _ in 0..2 {
        let mut browser = challenged(&test).await;
        for _ in 0..5 {
            browser
                .post("/two-factor/verify-totp", json!({ "code": "wrong" }))
                .await
                .refused(401, "INVALID_CODE");
        }
    }
    let mut browser = challenged(&test).await;
    let right = json!({ "code": code(&test).await });
    let locked =
        browser.post("/two-factor/verify-totp", right).await.refused(429, "ACCOUNT_TEMPORARILY_LOCKED");
    assert_eq!(locked.header("retry-after"), Some("900"));
    let backup = json!({ "code": codes[0] });
    browser
        .post("/two-factor/verify-backup-code", backup.clone())
        .await
        .refused(429, "ACCOUNT_TEMPORARILY_LOCKED");
    test.advance(900);
    let mut browser = challenged(&test).await;
    browser.post("/two-factor/verify-backup-code", backup).await.assert(StatusCode::OK);
    let row = &test.rows("twoFactor").await[0];
    assert_eq!(row.get("failedVerificationCount"), Some(&Field::Integer(0)));
}

#[tokio::test]
// spec: STA-4
async fn a_backup_code_works_once_and_exactly_as_written() {
    let test = test_engine();
    let (_, codes) = enrolled(&test).await;
    let mut browser = challenged(&test).await;
    let unhyphenated = codes[0].replace('-', "");
    browser
        .post("/two-factor/verify-backup-code", json!({ "code": unhyphenated }))
        .await
        .refused(401, "INVALID_BACKUP_CODE");
    browser.post("/two-factor/verify-backup-code", json!({ "code": codes[0] })).await.assert(StatusCode::OK);
    let mut browser = challenged(&test).await;
    browser
        .post("/two-factor/verify-backup-code", json!({ "code": codes[0] }))
        .await
        .refused(401, "INVALID_BACKUP_CODE");
    let (mut a, mut b) = (challenged(&test).await, challenged(&test).await);
    let code = json!({ "code": codes[1] });
    let (a, b) = tokio::join!(
        a.post("/two-factor/verify-backup-code", code.clone()),
        b.post("/two-factor/verify-backup-code", code)
    );
    assert_eq!([a.status, b.status].iter().filter(|status| **status == StatusCode::OK).count(), 1);

    let mut browser = challenged(&test).await;
    let body = json!({ "code": codes[2], "disableSession": true });
    let answer = browser.post("/two-factor/verify-backup-code", body).await.assert(StatusCode::OK);
    assert!(answer.json().get("token").is_none() && answer.cookies.is_empty());
    browser
        .post("/two-factor/verify-backup-code", json!({ "code": codes[3] }))
        .await
        .refused(401, "INVALID_TWO_FACTOR_COOKIE");
}

#[tokio::test]
async fn a_trusted_device_is_asked_once_and_its_proof_is_no_one_else_s() {
    let test = test_engine();
    enrolled(&test).await;
    let mut browser = challenged(&test).await;
    let right = json!({ "code": code(&test).await, "trustDevice": true });
    let answer = browser.post("/two-factor/verify-totp", right).await.assert(StatusCode::OK);
    assert!(answer.cookie("trust_device").unwrap().attributes.starts_with("Max-Age=2592000"));
    browser.post("/sign-out", json!({})).await.assert(StatusCode::OK);
    let old = browser.cookies["better-auth.trust_device"].clone();
    let answer = browser.sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
    assert!(answer.json()["token"].is_string());
    assert_ne!(browser.cookies["better-auth.trust_device"], old);

    let mut replaying = test.browser();
    replaying.cookies.insert("better-auth.trust_device".into(), old);
    let answer = replaying.sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
    assert_eq!(answer.json()["twoFactorRedirect"], true, "a proof works once");

    browser.post("/two-factor/disable", json!({ "password": PASSWORD })).await.assert(StatusCode::OK);
    let trusted = test
        .rows("verification")
        .await
        .into_iter()
        .filter(|row| row.text("identifier").unwrap().starts_with("trust-device-"));
    assert_eq!(trusted.count(), 0);
}

#[tokio::test]
async fn a_browser_that_is_not_to_remember_does_not_after_the_challenge_either() {
    let test = test_engine();
    enrolled(&test).await;
    let mut browser = test.browser();
    let body = json!({ "email": "ada@example.com", "password": PASSWORD, "rememberMe": false });
    browser.post("/sign-in/email", body).await.assert(StatusCode::OK);
    let right = json!({ "code": code(&test).await });
    let answer = browser.post("/two-factor/verify-totp", right).await.assert(StatusCode::OK);
    assert_eq!(answer.cookie("session_token").unwrap().attributes, "Path=/; HttpOnly; SameSite=Lax");
}

#[tokio::test]
async fn a_signed_value_of_another_cookie_is_no_challenge() {
    let test = test_engine();
    let (browser, _) = enrolled(&test).await;
    let mut forger = test.browser();
    forger
        .cookies
        .insert("better-auth.two_factor".into(), browser.cookies["better-auth.session_token"].clone());
    forger
        .post("/two-factor/verify-totp", json!({ "code": "000000" }))
        .await
        .refused(401, "INVALID_TWO_FACTOR_COOKIE");
}

#[tokio::test]
async fn a_challenge_keeps_the_location_and_says_nothing_about_remembering() {
    let test = test_engine();
    enrolled(&test).await;
    let body = json!({ "email": "ada@example.com", "password": PASSWORD, "callbackURL": "/dashboard" });
    let answer = test.browser().post("/sign-in/email", body).await.assert(StatusCode::OK);
    assert_eq!(answer.header("location"), Some("/dashboard"));
    assert_eq!(answer.json()["twoFactorRedirect"], true);
    assert!(answer.cookie("dont_remember").is_none());
}

#[tokio::test]
async fn a_device_that_is_trusted_is_remembered_from_then_on() {
    let test = test_engine();
    enrolled(&test).await;
    let mut browser = challenged(&test).await;
    let right = json!({ "code": code(&test).await, "trustDevice": true });
    let answer = browser.post("/two-factor/verify-totp", right).await.assert(StatusCode::OK);
    assert!(answer.cookie("dont_remember").unwrap().is_cleared());
}

#[tokio::test]
async fn a_proof_of_trust_that_is_worth_nothing_is_taken_away() {
    let test = test_engine();
    enrolled(&test).await;
    let mut browser = challenged(&test).await;
    let right = json!({ "code": code(&test).await, "trustDevice": true });
    browser.post("/two-factor/verify-totp", right).await.assert(StatusCode::OK);
    test.advance(31 * 86_400);
    let answer = browser.sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
    assert_eq!(answer.json()["twoFactorRedirect"], true);
    assert!(answer.cookie("trust_device").unwrap().is_cleared());
}
