use std::time::Duration;

use housekey_engine::plugins::email_otp::{EmailOtpOptions, StoredCode, email_otp};
use housekey_engine::{Engine, MemoryStorage};
use http::StatusCode;
use serde_json::json;
use tokio::time::Instant;

use crate::email_otp::{ADA, ask, built, code, test_engine, with};
use crate::support::{Browser, Mailbox, TestEngine, options};

#[tokio::test]
// spec: KEY-1
async fn a_code_of_six_digits_is_sent() {
    let test = test_engine();
    ask(&mut test.browser(), "Ada@Example.com", "sign-in").await.assert(StatusCode::OK);
    let mail = test.mailbox.take();
    assert_eq!((mail.kind, mail.to.as_str()), ("sign-in", ADA));
    assert!(mail.token.len() == 6 && mail.token.bytes().all(|byte| byte.is_ascii_digit()));
}

#[tokio::test]
// spec: KEY-2
async fn no_code_can_be_read_in_the_database_unless_the_options_say_so() {
    for store_otp in [StoredCode::Plain, StoredCode::Encrypted, StoredCode::Hashed, StoredCode::Keyed] {
        let test = with(EmailOtpOptions { store_otp, ..EmailOtpOptions::default() });
        let otp = code(&test, ADA, "sign-in").await;
        let rows = test.rows("verification").await;
        assert_eq!(rows.len(), 1);
        assert_eq!(rows[0].text("identifier"), Some("sign-in-otp-ada@example.com"));
        let (kept, attempts) = rows[0].text("value").unwrap().rsplit_once(':').unwrap();
        assert_eq!(attempts, "0");
        assert_eq!(kept == otp, store_otp == StoredCode::Plain);
        crate::email_otp::enter(&mut test.browser(), ADA, &otp).await.assert(StatusCode::OK);
    }
    assert_eq!(EmailOtpOptions::default().store_otp, StoredCode::Keyed);
}

#[tokio::test]
// spec: KEY-2
async fn a_row_that_is_moved_to_another_address_opens_nothing_there() {
    use housekey_engine::Record;
    use housekey_engine::storage::{Filter, Records as _};
    let test = test_engine();
    let otp = code(&test, "mallory@example.com", "sign-in").await;
    let table = test.engine.schema().table("verification").unwrap();
    let moved = Record::new().with("identifier", "sign-in-otp-ada@example.com");
    test.storage.update(table, &Filter::all(), &moved).await.unwrap();
    crate::email_otp::enter(&mut test.browser(), ADA, &otp).await.refused(400, "INVALID_OTP");
}

#[tokio::test]
// spec: SEC-5
async fn an_address_that_is_nobody_s_is_answered_and_not_written_to() {
    let test = with(EmailOtpOptions { disable_sign_up: true, ..EmailOtpOptions::default() });
    test.ada().await;
    for kind in ["sign-in", "email-verification", "forget-password"] {
        let known = ask(&mut test.browser(), ADA, kind).await;
        let unknown = ask(&mut test.browser(), "nobody@example.com", kind).await;
        assert_eq!((known.status, &known.body), (unknown.status, &unknown.body));
        assert_eq!(test.mailbox.take().to, ADA);
    }
    for path in ["/email-otp/request-password-reset", "/forget-password/email-otp"] {
        for email in ["nobody@example.com", ADA] {
            let answer = test.browser().post(path, json!({ "email": email })).await.assert(StatusCode::OK);
            assert_eq!(answer.json(), json!({ "success": true }));
        }
        assert_eq!(test.mailbox.take().to, ADA);
    }
    assert!(test.mailbox.all().is_empty());
}

#[tokio::test]
// spec: SEC-5
async fn wrong_codes_do_not_tell_whether_an_address_is_known() {
    let test = with(EmailOtpOptions { disable_sign_up: true, ..EmailOtpOptions::default() });
    test.ada().await;
    let mut all = Vec::new();
    for email in [ADA, "nobody@example.com"] {
        let mut answers = Vec::new();
        for kind in ["sign-in", "email-verification", "forget-password"] {
            ask(&mut test.browser(), email, kind).await.assert(StatusCode::OK);
            for _ in 0..6 {
                let body = json!({ "email": email, "type": kind, "otp": "no code" });
                let answer = test.browser().post("/email-otp/check-verification-otp", body).await;
                answers.push((answer.status, answer.body));
            }
        }
        all.push(answers);
    }
    assert_eq!(all[0], all[1]);
    assert_eq!(all[0][3].0, StatusCode::FORBIDDEN);
}

#[tokio::test]
async fn what_is_wrong_with_a_request_is_told() {
    let test = test_engine();
    let mut browser = test.browser();
    ask(&mut browser, "ada", "sign-in").await.refused(400, "INVALID_EMAIL");
    let answer = ask(&mut browser, ADA, "change-email").await.assert(StatusCode::BAD_REQUEST);
    assert_eq!(answer.json(), json!({ "message": "Invalid OTP type" }));
    for body in [json!({ "email": ADA }), json!({ "email": ADA, "type": "nonsense" })] {
        let answer = browser.post("/email-otp/send-verification-otp", body).await;
        let message = r#"[body.type] Invalid option: expected one of "email-verification"|"sign-in"|"forget-password"|"change-email""#;
        assert_eq!(answer.refused(400, "VALIDATION_ERROR").json()["message"], message);
    }
    assert!(test.mailbox.all().is_empty() && test.rows("verification").await.is_empty());
}

#[tokio::test]
async fn a_foreign_page_can_neither_ask_for_a_code_nor_sign_somebody_in() {
    let test = test_engine();
    let otp = code(&test, ADA, "sign-in").await;
    let mut browser = test.browser();
    browser.headers.insert("origin", "https://evil.test".parse().unwrap());
    ask(&mut browser, ADA, "sign-in").await.refused(403, "INVALID_ORIGIN");
    crate::email_otp::enter(&mut browser, ADA, &otp).await.refused(403, "INVALID_ORIGIN");
    crate::email_otp::enter(&mut test.browser(), ADA, &otp).await.assert(StatusCode::OK);
}

#[tokio::test]
// spec: SEC-4
async fn an_address_is_sent_five_codes_of_a_kind_and_no_more_for_a_while() {
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.rate_limit.enabled = Some(true);
        built(mailbox, options, EmailOtpOptions::default())
    });
    for number in 0..12 {
        let mut browser = test.browser();
        browser.headers.insert("x-forwarded-for", format!("203.0.113.{number}").parse().unwrap());
        ask(&mut browser, ADA, "sign-in").await.assert(StatusCode::OK);
    }
    assert_eq!(test.mailbox.all().len(), 5);
    let otp = test.mailbox.take().token;
    crate::email_otp::enter(&mut test.browser(), ADA, &otp).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn codes_that_are_too_short_are_refused_when_the_engine_is_built() {
    let short = email_otp(EmailOtpOptions { otp_length: 5, ..EmailOtpOptions::default() });
    let built = Engine::builder(options()).plugins([short]).build(housekey_engine::MemoryStorage::new());
    assert!(built.unwrap_err().to_string().contains("otp_length"));
}

#[tokio::test]
async fn without_a_way_to_send_there_is_nothing() {
    let plugin = email_otp(EmailOtpOptions::default());
    let test = TestEngine::new(Engine::builder(options()).plugins([plugin]));
    ask(&mut test.browser(), ADA, "sign-in").await.assert(StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_code_that_proves_the_address_goes_to_whoever_signs_up() {
    let codes = EmailOtpOptions { send_verification_on_sign_up: true, ..EmailOtpOptions::default() };
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.email_and_password.require_email_verification = true;
        built(mailbox, options, codes)
    });
    test.browser().sign_up(ADA).await.assert(StatusCode::OK);
    let mail = test.mailbox.take();
    assert_eq!((mail.kind, mail.to.as_str()), ("email-verification", ADA));
    // For somebody who has that address already it looks the same, and nothing is sent.
    test.browser().sign_up(ADA).await.assert(StatusCode::OK);
    assert!(test.mailbox.all().is_empty());
    let body = json!({ "email": ADA, "otp": mail.token });
    test.browser().post("/email-otp/verify-email", body).await.assert(StatusCode::OK);
    test.browser().sign_in(ADA, crate::support::PASSWORD).await.assert(StatusCode::OK);
}

#[tokio::test]
// spec: KEY-1
async fn a_code_takes_the_place_of_the_link_that_proves_an_address() {
    let codes = EmailOtpOptions { override_default_email_verification: true, ..EmailOtpOptions::default() };
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.email_and_password.require_email_verification = true;
        options.email_verification.send_verification_email = mailbox.link("verify");
        built(mailbox, options, codes)
    });
    test.browser().sign_up(ADA).await.assert(StatusCode::OK);
    assert_eq!(test.mailbox.take().kind, "email-verification");
    let body = json!({ "email": ADA });
    test.browser().post("/send-verification-email", body).await.assert(StatusCode::OK);
    let mail = test.mailbox.take();
    assert_eq!((mail.kind, test.mailbox.all().len()), ("email-verification", 0));
    let body = json!({ "email": ADA, "otp": mail.token });
    test.browser().post("/email-otp/verify-email", body).await.assert(StatusCode::OK);
    test.browser().sign_in(ADA, crate::support::PASSWORD).await.assert(StatusCode::OK);
}

#[tokio::test(start_paused = true)]
// spec: SEC-5
async fn the_time_of_an_answer_does_not_tell_whether_a_code_was_sent() {
    let codes = EmailOtpOptions { disable_sign_up: true, ..EmailOtpOptions::default() };
    let engine = built(&Mailbox::default(), options(), codes).build(MemoryStorage::new()).unwrap();
    let mut browser = Browser::new(engine);
    browser.sign_up(ADA).await.assert(StatusCode::OK);
    for email in [ADA, "nobody@example.com"] {
        for (path, body) in [
            ("/email-otp/send-verification-otp", json!({ "email": email, "type": "sign-in" })),
            ("/email-otp/request-password-reset", json!({ "email": email })),
            ("/forget-password/email-otp", json!({ "email": email })),
        ] {
            let asked_at = Instant::now();
            browser.post(path, body).await.assert(StatusCode::OK);
            assert!(asked_at.elapsed() >= Duration::from_millis(500), "{path} {email}");
        }
    }
}

#[tokio::test]
// spec: SEC-4
async fn one_client_asks_and_tries_three_times_a_minute_at_each_door() {
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.rate_limit.enabled = Some(true);
        built(mailbox, options, EmailOtpOptions::default())
    });
    let mut browser = test.browser();
    browser.headers.insert("x-forwarded-for", "203.0.113.1".parse().unwrap());
    for path in [
        "/email-otp/send-verification-otp",
        "/email-otp/check-verification-otp",
        "/email-otp/verify-email",
        "/sign-in/email-otp",
        "/email-otp/request-password-reset",
        "/forget-password/email-otp",
        "/email-otp/reset-password",
        "/email-otp/request-email-change",
        "/email-otp/change-email",
    ] {
        for _ in 0..3 {
            let answer = browser.post(path, json!({})).await;
            assert_ne!(answer.status, StatusCode::TOO_MANY_REQUESTS, "{path}");
        }
        browser.post(path, json!({})).await.assert(StatusCode::TOO_MANY_REQUESTS);
    }
}
