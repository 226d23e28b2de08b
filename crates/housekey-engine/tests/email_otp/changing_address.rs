use housekey_engine::plugins::email_otp::{ChangeEmailByCode, EmailOtpOptions};
use http::StatusCode;
use serde_json::{Value, json};

use crate::email_otp::{ADA, code, test_engine, with, wrong};
use crate::support::{Answer, Browser, TestEngine};

const NEW: &str = "ada@new.example";

fn moving(verify_current_email: bool) -> TestEngine {
    let change_email = ChangeEmailByCode { enabled: true, verify_current_email };
    with(EmailOtpOptions { change_email, ..EmailOtpOptions::default() })
}

async fn request(browser: &mut Browser, new_email: &str, otp: Option<&str>) -> Answer {
    let mut body = json!({ "newEmail": new_email });
    if let Some(otp) = otp {
        body["otp"] = json!(otp);
    }
    browser.post("/email-otp/request-email-change", body).await
}

async fn change(browser: &mut Browser, new_email: &str, otp: &str) -> Answer {
    browser.post("/email-otp/change-email", json!({ "newEmail": new_email, "otp": otp })).await
}

#[tokio::test]
// spec: KEY-1
async fn an_account_moves_with_a_code_from_each_address() {
    let test = moving(true);
    assert!(ChangeEmailByCode::default().verify_current_email);
    let mut ada = test.ada().await;
    let answer = request(&mut ada, NEW, None).await.assert(StatusCode::BAD_REQUEST);
    assert_eq!(answer.json(), json!({ "message": "OTP is required to verify current email" }));
    let old = code(&test, ADA, "email-verification").await;
    request(&mut ada, NEW, Some(&wrong(&old))).await.refused(400, "INVALID_OTP");
    request(&mut ada, "Ada@New.example", Some(&old)).await.assert(StatusCode::OK);
    let mail = test.mailbox.take();
    assert_eq!((mail.kind, mail.to.as_str()), ("change-email", NEW));
    request(&mut ada, NEW, Some(&old)).await.refused(400, "INVALID_OTP");

    change(&mut ada, NEW, &wrong(&mail.token)).await.refused(400, "INVALID_OTP");
    let answer = change(&mut ada, NEW, &mail.token).await.assert(StatusCode::OK);
    assert_eq!(answer.json(), json!({ "success": true }));
    let user = ada.session().await["user"].clone();
    assert_eq!((&user["email"], &user["emailVerified"]), (&json!(NEW), &json!(true)));
    change(&mut ada, "ada@third.example", &mail.token).await.refused(400, "INVALID_OTP");
}

#[tokio::test]
// spec: SEC-5
async fn that_an_address_is_taken_is_not_told() {
    let test = moving(false);
    test.browser().sign_up("bob@example.com").await.assert(StatusCode::OK);
    let mut ada = test.ada().await;
    let (free, taken) =
        (request(&mut ada, NEW, None).await, request(&mut ada, "bob@example.com", None).await);
    assert_eq!((free.status, &free.body), (taken.status, &taken.body));
    assert_eq!(test.mailbox.all().len(), 1);
    let mut answers = Vec::new();
    for address in [NEW, "bob@example.com"] {
        for _ in 0..5 {
            let answer = change(&mut ada, address, "no code").await;
            answers.push((answer.status, answer.body));
        }
    }
    assert_eq!(answers[..5], answers[5..]);
}

#[tokio::test]
async fn an_address_that_is_taken_meanwhile_is_refused() {
    let test = moving(false);
    let mut ada = test.ada().await;
    request(&mut ada, NEW, None).await.assert(StatusCode::OK);
    let otp = test.mailbox.take().token;
    test.browser().sign_up(NEW).await.assert(StatusCode::OK);
    let answer = change(&mut ada, NEW, &otp).await.assert(StatusCode::BAD_REQUEST);
    assert_eq!(answer.json(), json!({ "message": "Email already in use" }));
}

#[tokio::test]
// spec: KEY-2
async fn nobody_else_can_use_the_code() {
    let test = moving(false);
    let mut ada = test.ada().await;
    request(&mut ada, NEW, None).await.assert(StatusCode::OK);
    let otp = test.mailbox.take().token;
    let mut bob = test.browser();
    bob.sign_up("bob@example.com").await.assert(StatusCode::OK);
    change(&mut bob, NEW, &otp).await.refused(400, "INVALID_OTP");
    let stranger = change(&mut test.browser(), NEW, &otp).await;
    assert_eq!(stranger.status, StatusCode::UNAUTHORIZED);
    change(&mut ada, NEW, &otp).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn what_is_wrong_with_a_change_is_told() {
    let test = moving(false);
    let mut ada = test.ada().await;
    request(&mut ada, "nonsense", None).await.refused(400, "INVALID_EMAIL");
    let same = json!({ "message": "Email is the same" });
    assert_eq!(request(&mut ada, "ADA@example.com", None).await.json(), same);
    assert_eq!(change(&mut ada, ADA, "000000").await.json(), same);
    request(&mut test.browser(), NEW, None).await.assert(StatusCode::UNAUTHORIZED);

    let off = test_engine();
    let mut ada = off.ada().await;
    let disabled = json!({ "message": "Change email with OTP is disabled" });
    assert_eq!(request(&mut ada, NEW, None).await.assert(StatusCode::BAD_REQUEST).json(), disabled);
    assert_eq!(change(&mut ada, NEW, "000000").await.assert(StatusCode::BAD_REQUEST).json(), disabled);
    assert_eq!(off.browser().session().await, Value::Null);
}
