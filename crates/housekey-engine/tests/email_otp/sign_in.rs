use housekey_engine::plugins::email_otp::EmailOtpOptions;
use http::StatusCode;
use serde_json::{Value, json};

use crate::email_otp::{ADA, built, code, enter, test_engine, with, wrong};
use crate::support::{TestEngine, options};

#[tokio::test]
// spec: KEY-1
async fn a_code_makes_an_account_for_somebody_new_and_signs_in() {
    let test = test_engine();
    let otp = code(&test, ADA, "sign-in").await;
    let mut browser = test.browser();
    let body = json!({ "email": "ADA@example.com", "otp": otp, "name": "Ada", "image": "/ada.png" });
    let answer = browser.post("/sign-in/email-otp", body).await.assert(StatusCode::OK).json();
    assert_eq!(answer["token"], browser.session().await["session"]["token"]);
    let user = &answer["user"];
    assert_eq!((&user["email"], &user["name"]), (&json!(ADA), &json!("Ada")));
    assert_eq!((&user["emailVerified"], &user["image"]), (&json!(true), &json!("/ada.png")));
    assert!(test.rows("account").await.is_empty() && test.rows("verification").await.is_empty());

    let otp = code(&test, ADA, "sign-in").await;
    let again = enter(&mut test.browser(), ADA, &otp).await.assert(StatusCode::OK).json();
    assert_eq!(again["user"]["id"], user["id"]);
}

#[tokio::test]
// spec: KEY-2
async fn a_code_works_once_and_not_for_ever() {
    let test = test_engine();
    let otp = code(&test, ADA, "sign-in").await;
    enter(&mut test.browser(), ADA, &otp).await.assert(StatusCode::OK);
    let mut thief = test.browser();
    enter(&mut thief, ADA, &otp).await.refused(400, "INVALID_OTP");
    assert_eq!(thief.session().await, Value::Null);

    let otp = code(&test, ADA, "sign-in").await;
    test.advance(300);
    enter(&mut test.browser(), ADA, &otp).await.refused(400, "OTP_EXPIRED");
    enter(&mut test.browser(), ADA, &otp).await.refused(400, "INVALID_OTP");
}

#[tokio::test]
// spec: KEY-1
async fn a_code_does_only_what_it_was_sent_for() {
    let test = test_engine();
    test.ada().await;
    for kind in ["email-verification", "forget-password"] {
        let otp = code(&test, ADA, kind).await;
        enter(&mut test.browser(), ADA, &otp).await.refused(400, "INVALID_OTP");
    }
    let otp = code(&test, ADA, "sign-in").await;
    let body = json!({ "email": ADA, "otp": otp, "password": "another password" });
    test.browser().post("/email-otp/reset-password", body).await.refused(400, "INVALID_OTP");
    let body = json!({ "email": ADA, "otp": otp });
    test.browser().post("/email-otp/verify-email", body).await.refused(400, "INVALID_OTP");
    enter(&mut test.browser(), "bob@example.com", &otp).await.refused(400, "INVALID_OTP");
    enter(&mut test.browser(), ADA, &otp).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn a_code_that_is_not_whole_is_worth_nothing() {
    let test = test_engine();
    let otp = code(&test, ADA, "sign-in").await;
    enter(&mut test.browser(), ADA, &otp[..5]).await.refused(400, "INVALID_OTP");
    enter(&mut test.browser(), ADA, &format!(" {otp}")).await.refused(400, "INVALID_OTP");
    let number = json!({ "email": ADA, "otp": otp.parse::<u32>().unwrap() });
    test.browser().post("/sign-in/email-otp", number).await.refused(400, "VALIDATION_ERROR");
    enter(&mut test.browser(), ADA, &otp).await.assert(StatusCode::OK);
}

#[tokio::test]
// spec: KEY-2
async fn nobody_signs_up_where_that_is_turned_off() {
    let test = test_engine();
    let otp = code(&test, ADA, "sign-in").await;
    let closed = EmailOtpOptions { disable_sign_up: true, ..EmailOtpOptions::default() };
    let closed = test.under(built(&test.mailbox, options(), closed));
    enter(&mut closed.browser(), ADA, &otp).await.refused(400, "INVALID_OTP");
    assert!(test.rows("user").await.is_empty());
}

#[tokio::test]
async fn looking_whether_a_code_is_right_leaves_it() {
    let test = test_engine();
    test.ada().await;
    let otp = code(&test, ADA, "sign-in").await;
    let look = async |otp: &str| {
        let body = json!({ "email": "Ada@example.com", "type": "sign-in", "otp": otp });
        test.browser().post("/email-otp/check-verification-otp", body).await
    };
    look(&wrong(&otp)).await.refused(400, "INVALID_OTP");
    for _ in 0..5 {
        assert_eq!(look(&otp).await.assert(StatusCode::OK).json(), json!({ "success": true }));
    }
    // It costs no try to be right, and one to be wrong.
    look(&wrong(&otp)).await.refused(400, "INVALID_OTP");
    look(&wrong(&otp)).await.refused(400, "INVALID_OTP");
    look(&otp).await.refused(403, "TOO_MANY_ATTEMPTS");

    let otp = code(&test, "nobody@example.com", "sign-in").await;
    let body = json!({ "email": "nobody@example.com", "type": "sign-in", "otp": otp });
    test.browser().post("/email-otp/check-verification-otp", body).await.refused(400, "USER_NOT_FOUND");
}

#[tokio::test]
async fn fields_of_the_app_are_asked_of_somebody_new_with_the_same_code() {
    use housekey_engine::options::AdditionalField;
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        let city = AdditionalField { required: true, ..AdditionalField::default() };
        options.user.additional_fields.insert("city".into(), city);
        built(mailbox, options, EmailOtpOptions::default())
    });
    let otp = code(&test, ADA, "sign-in").await;
    for _ in 0..4 {
        enter(&mut test.browser(), ADA, &otp).await.refused(400, "MISSING_FIELD");
    }
    let body = json!({ "email": ADA, "otp": otp, "city": "London" });
    let answer = test.browser().post("/sign-in/email-otp", body).await.assert(StatusCode::OK).json();
    assert_eq!(answer["user"]["city"], "London");
    // Of somebody known they are not asked.
    let otp = code(&test, ADA, "sign-in").await;
    enter(&mut test.browser(), ADA, &otp).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn longer_codes_are_possible() {
    let test = with(EmailOtpOptions { otp_length: 8, ..EmailOtpOptions::default() });
    let otp = code(&test, ADA, "sign-in").await;
    assert_eq!(otp.len(), 8);
    enter(&mut test.browser(), ADA, &otp).await.assert(StatusCode::OK);
}
