use housekey_engine::plugins::two_factor::StoredOtp;
use http::StatusCode;
use serde_json::json;

use super::{challenged, with_otp};
use crate::support::{PASSWORD, TestEngine};

#[tokio::test]
async fn codes_can_be_sent_in_every_way_of_storing_them() {
    for store in [StoredOtp::Plain, StoredOtp::Encrypted, StoredOtp::Hashed] {
        let test = TestEngine::with(|mailbox| with_otp(mailbox, store));
        let mut browser = test.ada().await;
        let before = browser.session().await["session"]["token"].clone();
        let enabled =
            browser.post("/two-factor/enable", json!({ "password": PASSWORD, "method": "otp" })).await;
        assert_eq!(enabled.assert(StatusCode::OK).json(), json!({ "method": "otp" }));
        assert_ne!(browser.session().await["session"]["token"], before);

        let mut browser = test.browser();
        let answer = browser.sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
        assert_eq!(answer.json()["twoFactorMethods"], json!(["otp"]));
        browser
            .post("/two-factor/verify-otp", json!({ "code": "000000" }))
            .await
            .refused(400, "OTP_HAS_EXPIRED");
        browser.post("/two-factor/send-otp", json!({})).await.assert(StatusCode::OK);
        let otp = test.mailbox.take().token;
        let stored = test
            .rows("verification")
            .await
            .into_iter()
            .any(|row| row.text("value").unwrap().starts_with(&otp));
        assert_eq!(stored, store == StoredOtp::Plain);
        browser.post("/two-factor/verify-otp", json!({ "code": "wrong" })).await.refused(401, "INVALID_CODE");
        browser.post("/two-factor/verify-otp", json!({ "code": otp })).await.assert(StatusCode::OK);
        assert!(browser.session().await["user"].is_object());
    }
}

#[tokio::test]
async fn a_sent_code_lives_for_three_minutes_and_is_replaced_by_the_next() {
    let test = TestEngine::with(|mailbox| with_otp(mailbox, StoredOtp::Plain));
    let mut browser = test.ada().await;
    browser
        .post("/two-factor/enable", json!({ "password": PASSWORD, "method": "otp" }))
        .await
        .assert(StatusCode::OK);
    let mut browser = challenged(&test).await;
    browser.post("/two-factor/send-otp", json!({})).await.assert(StatusCode::OK);
    let first = test.mailbox.take().token;
    browser.post("/two-factor/send-otp", json!({})).await.assert(StatusCode::OK);
    let second = test.mailbox.take().token;
    if first != second {
        browser.post("/two-factor/verify-otp", json!({ "code": first })).await.refused(401, "INVALID_CODE");
    }
    test.advance(180);
    browser.post("/two-factor/verify-otp", json!({ "code": second })).await.refused(400, "OTP_HAS_EXPIRED");
}

#[tokio::test]
async fn too_many_wrong_codes_end_the_code_and_not_the_challenge() {
    let test = TestEngine::with(|mailbox| with_otp(mailbox, StoredOtp::Plain));
    let mut browser = test.ada().await;
    let enable = json!({ "password": PASSWORD, "method": "otp" });
    browser.post("/two-factor/enable", enable).await.assert(StatusCode::OK);
    let mut browser = challenged(&test).await;
    browser.post("/two-factor/send-otp", json!({})).await.assert(StatusCode::OK);
    let right = json!({ "code": test.mailbox.take().token });
    let wrong = json!({ "code": "wrong" });
    for _ in 0..5 {
        browser.post("/two-factor/verify-otp", wrong.clone()).await.refused(401, "INVALID_CODE");
    }
    let sixth = browser.post("/two-factor/verify-otp", right.clone()).await;
    let sixth = sixth.refused(400, "TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE");
    assert!(sixth.cookie("two_factor").is_none());
    browser.post("/two-factor/verify-otp", right).await.refused(400, "OTP_HAS_EXPIRED");

    browser.post("/two-factor/send-otp", json!({})).await.assert(StatusCode::OK);
    for _ in 0..5 {
        browser.post("/two-factor/verify-otp", wrong.clone()).await.refused(401, "INVALID_CODE");
    }
    let locked = browser.post("/two-factor/verify-otp", wrong).await;
    locked.refused(429, "ACCOUNT_TEMPORARILY_LOCKED");
}

#[tokio::test]
async fn who_only_has_codes_sent_has_no_app_and_no_backup_codes() {
    let test = TestEngine::with(|mailbox| with_otp(mailbox, StoredOtp::Plain));
    let mut browser = test.ada().await;
    let enable = json!({ "password": PASSWORD, "method": "otp" });
    browser.post("/two-factor/enable", enable).await.assert(StatusCode::OK);
    let password = json!({ "password": PASSWORD });
    let uri = browser.post("/two-factor/get-totp-uri", password.clone()).await;
    uri.refused(400, "TOTP_NOT_ENABLED");
    let codes = browser.post("/two-factor/generate-backup-codes", password.clone()).await;
    codes.refused(400, "TWO_FACTOR_NOT_ENABLED");
    browser
        .post("/two-factor/verify-totp", json!({ "code": "000000" }))
        .await
        .refused(400, "TOTP_NOT_ENABLED");
    let mut stranger = challenged(&test).await;
    let code = json!({ "code": "aaaaa-bbbbb" });
    stranger.post("/two-factor/verify-backup-code", code).await.refused(400, "BACKUP_CODES_NOT_ENABLED");

    browser.post("/two-factor/enable", password.clone()).await.assert(StatusCode::OK);
    browser.post("/two-factor/get-totp-uri", password).await.assert(StatusCode::OK);
    assert_eq!(test.rows("twoFactor").await.len(), 1);
}
