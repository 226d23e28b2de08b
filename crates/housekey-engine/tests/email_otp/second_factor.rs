use housekey_engine::Engine;
use housekey_engine::plugins::email_otp::{EmailOtpOptions, email_otp};
use housekey_engine::plugins::two_factor::{TwoFactorOptions, totp_code, two_factor};
use http::StatusCode;
use serde_json::{Value, json};

use crate::email_otp::{ADA, caught, code, enter, prove};
use crate::support::{PASSWORD, TestEngine, options};

/// Ada with a password, a proven address and a second factor.
async fn with_second_factor(auto_sign_in: bool) -> TestEngine {
    let at_once = TwoFactorOptions { skip_verification_on_enable: true, ..TwoFactorOptions::default() };
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.email_verification.auto_sign_in_after_verification = auto_sign_in;
        let codes = caught(mailbox, EmailOtpOptions::default());
        Engine::builder(options).plugins([two_factor(at_once), email_otp(codes)])
    });
    let mut ada = test.ada().await;
    prove(&test).await;
    let body = json!({ "password": PASSWORD, "method": "totp" });
    ada.post("/two-factor/enable", body).await.assert(StatusCode::OK);
    test
}

#[tokio::test]
// spec: KEY-2
async fn a_second_factor_is_asked_after_a_code() {
    let test = with_second_factor(false).await;
    let otp = code(&test, ADA, "sign-in").await;
    let mut browser = test.browser();
    let answer = enter(&mut browser, ADA, &otp).await.assert(StatusCode::OK);
    assert_eq!(answer.json()["twoFactorRedirect"], true);
    assert_eq!(answer.json()["token"], Value::Null);
    assert!(answer.cookie("two_factor").is_some());
    assert_eq!(browser.session().await, Value::Null);

    let api = test.engine.api();
    let ada = api.user_by_email(ADA).await.unwrap().unwrap();
    let code = json!({ "code": totp_code(&api, &ada).await.unwrap() });
    browser.post("/two-factor/verify-totp", code).await.assert(StatusCode::OK);
    assert_eq!(browser.session().await["user"]["email"], ADA);
}

#[tokio::test]
// spec: KEY-2
async fn a_second_factor_is_asked_where_proving_an_address_signs_in() {
    let test = with_second_factor(true).await;
    let otp = code(&test, ADA, "email-verification").await;
    let mut browser = test.browser();
    let body = json!({ "email": ADA, "otp": otp });
    let answer = browser.post("/email-otp/verify-email", body).await.assert(StatusCode::OK).json();
    assert_eq!((&answer["token"], &answer["twoFactorRedirect"]), (&Value::Null, &json!(true)));
    assert_eq!(browser.session().await, Value::Null);
}
