//! Codes by mail through the front door: what each kind of code does, once, and how often strangers may guess.

mod changing_address;
mod events;
mod first_proof;
mod guessing;
mod mailbox;
mod resending;
mod resetting;
mod second_factor;
mod sending;
mod server_code;
mod sign_in;
mod verifying;

use crate::support::{Answer, Browser, Mail, Mailbox, TestEngine, options};
use housekey_engine::options::EngineOptions;
use housekey_engine::plugins::email_otp::{EmailOtpMail, EmailOtpOptions, email_otp};
use housekey_engine::storage::{Filter, Records as _};
use housekey_engine::{ApiError, Callback, Engine, EngineBuilder, Record};
use http::StatusCode;
use serde_json::json;

const ADA: &str = "ada@example.com";

fn caught(mailbox: &Mailbox, mut codes: EmailOtpOptions) -> EmailOtpOptions {
    let mailbox = mailbox.clone();
    codes.send_verification_otp = Callback::new(move |mail: EmailOtpMail| {
        let kind = mail.kind.name();
        mailbox.push(Mail { kind, to: mail.email, url: String::new(), token: mail.otp });
        async { Ok::<_, ApiError>(()) }
    });
    codes
}

/// An engine whose codes end up in a mailbox.
fn built(mailbox: &Mailbox, options: EngineOptions, codes: EmailOtpOptions) -> EngineBuilder {
    Engine::builder(options).plugins([email_otp(caught(mailbox, codes))])
}

fn with(codes: EmailOtpOptions) -> TestEngine {
    TestEngine::with(|mailbox| built(mailbox, options(), codes))
}

fn test_engine() -> TestEngine {
    with(EmailOtpOptions::default())
}

async fn ask(browser: &mut Browser, email: &str, kind: &str) -> Answer {
    browser.post("/email-otp/send-verification-otp", json!({ "email": email, "type": kind })).await
}

/// The code that was sent to an address for something.
async fn code(test: &TestEngine, email: &str, kind: &str) -> String {
    let answer = ask(&mut test.browser(), email, kind).await.assert(StatusCode::OK);
    assert_eq!(answer.json(), json!({ "success": true }));
    let mail = test.mailbox.take();
    assert_eq!(mail.kind, kind);
    mail.token
}

/// A code that is not this one.
fn wrong(right: &str) -> String {
    let last = if right.ends_with('0') { "1" } else { "0" };
    format!("{}{last}", &right[..right.len() - 1])
}

async fn enter(browser: &mut Browser, email: &str, otp: &str) -> Answer {
    browser.post("/sign-in/email-otp", json!({ "email": email, "otp": otp })).await
}

/// Marks Ada's address as proven, behind the engine's back.
async fn prove(test: &TestEngine) {
    let table = test.engine.schema().table("user").unwrap();
    let proven = Record::new().with("emailVerified", true);
    test.storage.update(table, &Filter::by("email", ADA), &proven).await.unwrap();
}
