//! How many mails a stranger can have sent to somebody.

use http::StatusCode;

use housekey_engine::plugins::email_otp::EmailOtpOptions;

use crate::support::{TestEngine, options};
use crate::{ADA, ask, built};

/// Asks for every kind of code from many places, as often as the limits of a kind allow, for an hour.
async fn an_hour_of_asking(test: &TestEngine, hour: usize) {
    for turn in 0..10 {
        for number in 0..6 {
            for kind in ["sign-in", "email-verification", "forget-password"] {
                let mut browser = test.browser();
                let address = format!("203.0.{}.{}", hour + 1, turn * 6 + number + 1);
                browser.headers.insert("x-forwarded-for", address.parse().unwrap());
                ask(&mut browser, ADA, kind).await.assert(StatusCode::OK);
            }
        }
        test.advance(361);
    }
}

#[tokio::test]
// spec: SEC-4, KEY-2
async fn nobody_s_mailbox_is_flooded_by_codes_that_live_for_minutes() {
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.rate_limit.enabled = Some(true);
        built(mailbox, options, EmailOtpOptions::default())
    });
    test.ada().await;
    an_hour_of_asking(&test, 0).await;
    assert_eq!(test.mailbox.all().len(), 20, "in an hour");
    for hour in 1..5 {
        an_hour_of_asking(&test, hour).await;
    }
    assert_eq!(test.mailbox.all().len(), 60, "in a day");
    ask(&mut test.browser(), "bob@example.com", "sign-in").await.assert(StatusCode::OK);
    assert_eq!(test.mailbox.take().to, "bob@example.com");
    test.advance(86_400);
    ask(&mut test.browser(), ADA, "sign-in").await.assert(StatusCode::OK);
    assert_eq!(test.mailbox.take().to, ADA);
}
