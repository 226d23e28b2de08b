use housekey_engine::SignIn;
use housekey_engine::plugins::email_otp::{self, EmailOtpOptions, EmailOtpType, SignInEmailOtp, StoredCode};

use crate::email_otp::{ADA, test_engine, with};

#[tokio::test]
async fn server_code_sends_and_takes_codes() {
    let test = test_engine();
    let mut api = test.engine.api();
    email_otp::send(&mut api, ADA, EmailOtpType::SignIn).await.unwrap();
    let otp = test.mailbox.take().token.into();
    let input = SignInEmailOtp { email: ADA.into(), otp, name: Some("Ada".into()), ..Default::default() };
    let SignIn::Done(signed_in) = email_otp::sign_in(&mut api, input.clone()).await.unwrap() else {
        panic!("nothing is asked")
    };
    assert_eq!(signed_in.user.name, "Ada");
    assert!(api.into_headers().contains_key("set-cookie"));
    let refused = email_otp::sign_in(&mut test.engine.api(), input).await.unwrap_err();
    assert_eq!(refused.code(), Some("INVALID_OTP"));
}

#[tokio::test]
// spec: KEY-1
async fn server_code_makes_codes_and_reads_those_that_can_be_read() {
    let test = with(EmailOtpOptions { store_otp: StoredCode::Encrypted, ..EmailOtpOptions::default() });
    let mut api = test.engine.api();
    let kind = EmailOtpType::SignIn;
    assert_eq!(email_otp::code(&api, ADA, kind).await.unwrap(), None);
    let otp = email_otp::create_code(&mut api, "Ada@example.com", kind).await.unwrap();
    assert!(test.mailbox.all().is_empty());
    assert_eq!(email_otp::code(&api, ADA, kind).await.unwrap(), Some(otp));

    let hashed = test_engine();
    let mut api = hashed.engine.api();
    email_otp::create_code(&mut api, ADA, kind).await.unwrap();
    let refused = email_otp::code(&api, ADA, kind).await.unwrap_err();
    assert_eq!(refused.message(), "OTP is hashed, cannot return the plain text OTP");
}
