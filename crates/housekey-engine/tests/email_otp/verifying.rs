use housekey_engine::plugins::email_otp::EmailOtpOptions;
use http::StatusCode;
use serde_json::{Value, json};

use crate::email_otp::{ADA, built, code, test_engine};
use crate::support::{PASSWORD, TestEngine, options};

#[tokio::test]
// spec: KEY-1
async fn a_code_proves_an_address_and_leaves_the_password() {
    let test = test_engine();
    let mut browser = test.ada().await;
    let otp = code(&test, ADA, "email-verification").await;
    let body = json!({ "email": "Ada@example.com", "otp": otp });
    let answer =
        test.browser().post("/email-otp/verify-email", body.clone()).await.assert(StatusCode::OK).json();
    assert_eq!((&answer["status"], &answer["token"]), (&json!(true), &Value::Null));
    assert_eq!(answer["user"]["emailVerified"], true);
    assert_eq!(browser.session().await["user"]["emailVerified"], true);
    test.browser().sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
    test.browser().post("/email-otp/verify-email", body).await.refused(400, "INVALID_OTP");
}

#[tokio::test]
// spec: KEY-1
async fn a_code_that_proves_an_address_can_sign_in() {
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.email_verification.auto_sign_in_after_verification = true;
        options.email_and_password.require_email_verification = true;
        built(mailbox, options, EmailOtpOptions::default())
    });
    test.browser().sign_up(ADA).await.assert(StatusCode::OK);
    let otp = code(&test, ADA, "email-verification").await;
    let mut browser = test.browser();
    let body = json!({ "email": ADA, "otp": otp });
    let answer = browser.post("/email-otp/verify-email", body).await.assert(StatusCode::OK).json();
    assert_eq!(answer["token"], browser.session().await["session"]["token"]);
    assert!(answer["token"].is_string());
}

#[tokio::test]
async fn what_is_wrong_with_a_code_is_told() {
    let test = test_engine();
    test.ada().await;
    let send = async |email: &str, otp: &str| {
        test.browser().post("/email-otp/verify-email", json!({ "email": email, "otp": otp })).await
    };
    send("ada", "000000").await.refused(400, "INVALID_EMAIL");
    send(ADA, "000000").await.refused(400, "INVALID_OTP");
    let otp = code(&test, ADA, "email-verification").await;
    test.advance(301);
    send(ADA, &otp).await.refused(400, "OTP_EXPIRED");
}

#[tokio::test]
// spec: KEY-2
async fn a_foreign_page_cannot_sign_anybody_in_by_proving_an_address() {
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.email_verification.auto_sign_in_after_verification = true;
        built(mailbox, options, EmailOtpOptions::default())
    });
    test.ada().await;
    let otp = code(&test, ADA, "email-verification").await;
    let body = json!({ "email": ADA, "otp": otp });
    let mut victim = test.browser();
    victim.headers.insert("origin", "https://evil.test".parse().unwrap());
    let answer = victim.post("/email-otp/verify-email", body.clone()).await.refused(403, "INVALID_ORIGIN");
    assert!(answer.cookies.is_empty());
    test.browser().post("/email-otp/verify-email", body).await.assert(StatusCode::OK);
}
