use housekey_engine::plugins::email_otp::EmailOtpOptions;
use http::StatusCode;
use serde_json::{Value, json};

use crate::email_otp::{ADA, built, code, enter, prove, test_engine, wrong};
use crate::support::{Answer, PASSWORD, TestEngine, options};

const NEW: &str = "a new password";

async fn asked(test: &TestEngine, path: &str) -> String {
    let answer =
        test.browser().post(path, json!({ "email": "Ada@example.com" })).await.assert(StatusCode::OK);
    assert_eq!(answer.json(), json!({ "success": true }));
    let mail = test.mailbox.take();
    assert_eq!(mail.kind, "forget-password");
    mail.token
}

async fn reset(test: &TestEngine, otp: &str, password: &str) -> Answer {
    let body = json!({ "email": ADA, "otp": otp, "password": password });
    test.browser().post("/email-otp/reset-password", body).await
}

#[tokio::test]
// spec: KEY-1
async fn a_code_sets_a_new_password() {
    for path in ["/email-otp/request-password-reset", "/forget-password/email-otp"] {
        let test = test_engine();
        test.ada().await;
        let otp = asked(&test, path).await;
        reset(&test, &wrong(&otp), NEW).await.refused(400, "INVALID_OTP");
        let answer = reset(&test, &otp, NEW).await.assert(StatusCode::OK);
        assert_eq!(answer.json(), json!({ "success": true }));
        test.browser().sign_in(ADA, PASSWORD).await.refused(401, "INVALID_EMAIL_OR_PASSWORD");
        test.browser().sign_in(ADA, NEW).await.assert(StatusCode::OK);
        reset(&test, &otp, "and another one").await.refused(400, "INVALID_OTP");
    }
}

#[tokio::test]
// spec: SEC-2
async fn a_reset_by_code_that_is_the_first_proof_of_the_address_ends_every_session() {
    let test = test_engine();
    let mut intruder = test.ada().await;
    let otp = asked(&test, "/email-otp/request-password-reset").await;
    reset(&test, &otp, NEW).await.assert(StatusCode::OK);
    assert_eq!(intruder.session().await, Value::Null);
    assert_eq!(
        test.rows("user").await[0].get("emailVerified").and_then(housekey_engine::Value::as_bool),
        Some(true)
    );
}

#[tokio::test]
async fn a_password_that_is_refused_costs_no_code() {
    let test = test_engine();
    test.ada().await;
    prove(&test).await;
    let otp = asked(&test, "/email-otp/request-password-reset").await;
    for _ in 0..4 {
        reset(&test, "000000", "short").await.refused(400, "PASSWORD_TOO_SHORT");
        reset(&test, "000000", &"x".repeat(200)).await.refused(400, "PASSWORD_TOO_LONG");
    }
    reset(&test, &otp, NEW).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn somebody_without_a_password_gets_one() {
    let test = test_engine();
    let otp = crate::email_otp::code(&test, ADA, "sign-in").await;
    crate::email_otp::enter(&mut test.browser(), ADA, &otp).await.assert(StatusCode::OK);
    let otp = asked(&test, "/email-otp/request-password-reset").await;
    reset(&test, &otp, NEW).await.assert(StatusCode::OK);
    test.browser().sign_in(ADA, NEW).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn too_many_wrong_codes_end_the_code() {
    let test = test_engine();
    test.ada().await;
    let otp = asked(&test, "/email-otp/request-password-reset").await;
    for _ in 0..3 {
        reset(&test, &wrong(&otp), NEW).await.refused(400, "INVALID_OTP");
    }
    reset(&test, &otp, NEW).await.refused(403, "TOO_MANY_ATTEMPTS");
    test.browser().sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
}

/// Somebody with a moment in the mailbox asks for codes; the owner sees it and sets another password at once.
#[tokio::test]
// spec: SEC-2, KEY-2
async fn codes_that_are_on_their_way_end_with_the_password() {
    let test = test_engine();
    let mut ada = test.ada().await;
    prove(&test).await;
    let forgotten = asked(&test, "/email-otp/request-password-reset").await;
    let seen = code(&test, ADA, "sign-in").await;
    let body = json!({ "currentPassword": PASSWORD, "newPassword": NEW });
    ada.post("/change-password", body).await.assert(StatusCode::OK);
    enter(&mut test.browser(), ADA, &seen).await.refused(400, "INVALID_OTP");
    reset(&test, &forgotten, "an intruder's").await.refused(400, "INVALID_OTP");

    let seen = code(&test, ADA, "sign-in").await;
    let own = asked(&test, "/email-otp/request-password-reset").await;
    reset(&test, &own, "yet another password").await.assert(StatusCode::OK);
    enter(&mut test.browser(), ADA, &seen).await.refused(400, "INVALID_OTP");
    let own = code(&test, ADA, "sign-in").await;
    enter(&mut test.browser(), ADA, &own).await.assert(StatusCode::OK);
}

#[tokio::test]
// spec: SEC-2
async fn a_code_that_proves_the_address_ends_with_the_password_too() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let seen = code(&test, ADA, "email-verification").await;
    let body = json!({ "currentPassword": PASSWORD, "newPassword": NEW });
    ada.post("/change-password", body).await.assert(StatusCode::OK);
    let body = json!({ "email": ADA, "otp": seen });
    test.browser().post("/email-otp/verify-email", body).await.refused(400, "INVALID_OTP");
}

#[tokio::test]
// spec: SEC-8
async fn a_password_made_of_the_person_s_own_name_is_refused_and_costs_no_code() {
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.email_and_password.password_rules.refuse_personal = true;
        built(mailbox, options, EmailOtpOptions::default())
    });
    let lovelace = json!({ "name": "Ada Lovelace", "email": ADA, "password": PASSWORD });
    test.browser().post("/sign-up/email", lovelace).await.assert(StatusCode::OK);
    let otp = asked(&test, "/email-otp/request-password-reset").await;
    for _ in 0..4 {
        reset(&test, &otp, "lovelace1815").await.refused(400, "PASSWORD_TOO_PERSONAL");
    }
    reset(&test, &otp, NEW).await.assert(StatusCode::OK);
}
