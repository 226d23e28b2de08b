use housekey_engine::options::RateRule;
use housekey_engine::plugins::email_otp::{EmailOtpMail, EmailOtpOptions, EmailOtpType};
use serde_json::json;

use crate::email_otp::{ADA, built, code, enter, wrong};
use crate::sink::Events;
use crate::support::{TestEngine, options};

#[tokio::test]
// spec: KEY-2, SEC-9
async fn what_codes_do_is_told_and_no_code_is() {
    let events = Events::default();
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.on_security_event = events.sink();
        built(mailbox, options, EmailOtpOptions::default())
    });
    let otp = code(&test, ADA, "sign-in").await;
    enter(&mut test.browser(), ADA, &wrong(&otp)).await;
    assert_eq!(events.take(), ["sign-in-refused email-otp wrong-code"]);
    enter(&mut test.browser(), ADA, &otp).await;
    let told = format!("{:?}", events.all());
    assert_eq!(events.take(), ["sign-in email-otp", "sign-up email-otp"]);
    assert!(!told.contains(&otp));

    test.browser().sign_up("bob@example.com").await;
    events.take();
    let otp = code(&test, "bob@example.com", "email-verification").await;
    let body = json!({ "email": "bob@example.com", "otp": otp });
    test.browser().post("/email-otp/verify-email", body).await;
    assert_eq!(events.take(), ["email-verified"]);

    let otp = code(&test, "bob@example.com", "forget-password").await;
    assert_eq!(events.take(), ["password-reset-asked"]);
    let body = json!({ "email": "bob@example.com", "otp": otp, "password": "another password" });
    test.browser().post("/email-otp/reset-password", body).await;
    assert_eq!(events.take(), ["password-reset", "sessions-revoked all"]);
}

#[tokio::test]
// spec: SEC-9
async fn that_an_address_is_locked_is_told_once() {
    let events = Events::default();
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.on_security_event = events.sink();
        options.rate_limit.enabled = Some(true);
        options.rate_limit.per_account.codes = vec![RateRule { window: 60, max: 1 }];
        built(mailbox, options, EmailOtpOptions::default())
    });
    for number in 0..4 {
        let mut browser = test.browser();
        browser.headers.insert("x-forwarded-for", format!("203.0.113.{number}").parse().unwrap());
        enter(&mut browser, ADA, "no code").await;
    }
    assert_eq!(events.take(), ["sign-in-refused email-otp wrong-code", "locked email-code"]);
}

#[test]
fn a_mail_does_not_print_its_code() {
    let kind = EmailOtpType::SignIn;
    let printed = format!("{:?}", EmailOtpMail { email: ADA.into(), otp: "123456".into(), kind, user: None });
    assert!(!printed.contains("123456") && !printed.contains(ADA), "{printed}");
}
