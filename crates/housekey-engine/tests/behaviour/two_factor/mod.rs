mod challenge;
mod enrolment;
mod hashed_codes;
mod parallel;
mod sent_codes;

use housekey_engine::options::EngineOptions;
use housekey_engine::plugins::two_factor::{
    OtpMail, OtpOptions, StoredOtp, TwoFactorOptions, totp_code, two_factor,
};
use housekey_engine::{ApiError, Callback, Engine, EngineBuilder};
use http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Browser, Mail, Mailbox, PASSWORD, TestEngine, options};

pub(crate) fn with(two_factor_options: TwoFactorOptions) -> EngineBuilder {
    let options = EngineOptions { app_name: "My App".into(), ..options() };
    Engine::builder(options).plugins([two_factor(two_factor_options)])
}

fn test_engine() -> TestEngine {
    TestEngine::new(with(TwoFactorOptions::default()))
}

fn with_otp(mailbox: &Mailbox, store_otp: StoredOtp) -> EngineBuilder {
    let mailbox = mailbox.clone();
    let send_otp = Callback::new(move |mail: OtpMail| {
        mailbox.push(Mail { kind: "otp", to: mail.user.email, url: String::new(), token: mail.otp });
        async { Ok::<_, ApiError>(()) }
    });
    with(TwoFactorOptions {
        otp: OtpOptions { send_otp, store_otp, ..OtpOptions::default() },
        ..TwoFactorOptions::default()
    })
}

pub(crate) async fn code(test: &TestEngine) -> String {
    let api = test.engine.api();
    let user = api.user_by_email("ada@example.com").await.unwrap().unwrap();
    totp_code(&api, &user).await.unwrap()
}

async fn enable(browser: &mut Browser) -> Value {
    browser.post("/two-factor/enable", json!({ "password": PASSWORD })).await.assert(StatusCode::OK).json()
}

/// Ada with the factor on, her backup codes, and the time of the first code gone by.
pub(crate) async fn enrolled(test: &TestEngine) -> (Browser, Vec<String>) {
    let mut browser = test.ada().await;
    let enabled = enable(&mut browser).await;
    let right = code(test).await;
    browser.post("/two-factor/verify-totp", json!({ "code": right })).await.assert(StatusCode::OK);
    test.advance(30);
    (
        browser,
        enabled["backupCodes"]
            .as_array()
            .unwrap()
            .iter()
            .map(|code| code.as_str().unwrap().to_owned())
            .collect(),
    )
}

pub(crate) async fn challenged(test: &TestEngine) -> Browser {
    let mut browser = test.browser();
    browser.sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
    browser
}
