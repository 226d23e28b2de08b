//! How many mails a stranger can have sent to somebody.

use http::StatusCode;
use serde_json::json;

use housekey_engine::plugins::email_otp::EmailOtpOptions;

use crate::email_otp::{ADA, ask, built};
use crate::support::{TestEngine, options};

/// Asks for every kind of code from many places, as often as the limits of a kind allow, for an hour.
async fn an_hour_of_asking(test: &TestEngine) {
    for turn in 0..10 {
        for number in 0..6 {
            for kind in ["sign-in", "email-verification", "forget-password"] {
                let mut browser = test.browser();
                let address = format!("203.0.113.{}", turn * 6 + number + 1);
                browser.headers.insert("x-forwarded-for", address.parse().unwrap());
                ask(&mut browser, ADA, kind).await.assert(StatusCode::OK);
            }
        }
        test.advance(359);
    }
}

#[tokio::test]
// spec: SEC-4, KEY-2
async fn nobody_s_mailbox_is_flooded_by_codes_that_live_for_minutes() {
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.rate_limit.enabled = Some(true);
        options.email_and_password.send_reset_password = mailbox.link("reset");
        built(mailbox, options, EmailOtpOptions::default())
    });
    test.ada().await;
    an_hour_of_asking(&test).await;
    assert_eq!(test.mailbox.all().len(), 20, "in an hour");

    // Somebody else's are sent, and so is what lives long enough to be there still.
    ask(&mut test.browser(), "bob@example.com", "sign-in").await.assert(StatusCode::OK);
    assert_eq!(test.mailbox.take().to, "bob@example.com");
    test.browser().post("/request-password-reset", json!({ "email": ADA })).await.assert(StatusCode::OK);
    assert_eq!(test.mailbox.take().kind, "reset");

    test.advance(3_600);
    ask(&mut test.browser(), ADA, "sign-in").await.assert(StatusCode::OK);
    assert_eq!(test.mailbox.take().to, ADA);
}
