use housekey_engine::plugins::email_otp::{EmailOtpOptions, ResendStrategy, StoredCode};
use http::StatusCode;

use crate::email_otp::{ADA, code, enter, test_engine, with, wrong};
use crate::support::TestEngine;

fn reusing(store_otp: StoredCode) -> TestEngine {
    let resend_strategy = ResendStrategy::Reuse;
    with(EmailOtpOptions { resend_strategy, store_otp, ..EmailOtpOptions::default() })
}

#[tokio::test]
// spec: KEY-1
async fn a_new_code_takes_the_place_of_the_one_before() {
    let test = test_engine();
    let first = code(&test, ADA, "sign-in").await;
    let second = code(&test, ADA, "sign-in").await;
    assert_eq!(test.rows("verification").await.len(), 1);
    if first != second {
        enter(&mut test.browser(), ADA, &first).await.refused(400, "INVALID_OTP");
    }
    enter(&mut test.browser(), ADA, &second).await.assert(StatusCode::OK);
}

#[tokio::test]
// spec: KEY-1
async fn the_same_code_can_be_sent_again_and_works_longer() {
    for store in [StoredCode::Plain, StoredCode::Encrypted] {
        let test = reusing(store);
        let first = code(&test, ADA, "sign-in").await;
        test.advance(200);
        assert_eq!(code(&test, ADA, "sign-in").await, first);
        test.advance(200);
        enter(&mut test.browser(), ADA, &first).await.assert(StatusCode::OK);
    }
}

#[tokio::test]
// spec: KEY-2
async fn a_code_that_is_sent_again_has_no_more_tries() {
    let test = reusing(StoredCode::Plain);
    let otp = code(&test, ADA, "sign-in").await;
    for _ in 0..2 {
        enter(&mut test.browser(), ADA, &wrong(&otp)).await.refused(400, "INVALID_OTP");
    }
    assert_eq!(code(&test, ADA, "sign-in").await, otp);
    enter(&mut test.browser(), ADA, &wrong(&otp)).await.refused(400, "INVALID_OTP");
    // None is left: now there is another.
    code(&test, ADA, "sign-in").await;
    assert!(test.rows("verification").await[0].text("value").unwrap().ends_with(":0"));
}

#[tokio::test]
async fn what_cannot_be_read_is_made_anew() {
    for store in [StoredCode::Hashed, StoredCode::Keyed] {
        let test = reusing(store);
        let codes = [
            code(&test, ADA, "sign-in").await,
            code(&test, ADA, "sign-in").await,
            code(&test, ADA, "sign-in").await,
        ];
        assert!(codes.iter().any(|code| *code != codes[0]));
    }
}
