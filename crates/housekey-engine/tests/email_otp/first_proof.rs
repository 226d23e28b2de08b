//! Somebody signed up with an address that is not theirs, and its owner comes by mail.

use http::StatusCode;
use serde_json::Value;

use crate::email_otp::{ADA, code, enter, prove, test_engine};
use crate::support::PASSWORD;

#[tokio::test]
// spec: SEC-2, KEY-2
async fn the_owner_of_an_address_takes_the_account_over_and_every_other_way_in_ends() {
    let test = test_engine();
    let mut intruder = test.ada().await;
    let otp = code(&test, ADA, "sign-in").await;
    let answer = enter(&mut test.browser(), ADA, &otp).await.assert(StatusCode::OK).json();
    assert_eq!(answer["user"]["emailVerified"], true);
    assert_eq!(intruder.session().await, Value::Null);
    test.browser().sign_in(ADA, PASSWORD).await.refused(401, "INVALID_EMAIL_OR_PASSWORD");
    assert!(test.rows("account").await.is_empty());
    assert_eq!(test.rows("session").await.len(), 1);
}

#[tokio::test]
// spec: SEC-2
async fn who_has_proved_the_address_before_keeps_everything() {
    let test = test_engine();
    let mut ada = test.ada().await;
    prove(&test).await;
    let otp = code(&test, ADA, "sign-in").await;
    enter(&mut test.browser(), ADA, &otp).await.assert(StatusCode::OK);
    assert_eq!(ada.session().await["user"]["email"], ADA);
    test.browser().sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
}
