//! The storage fails at every single call of a flow: an error that clients understand, nothing granted, nothing half
//! written.

use housekey_engine::options::EngineOptions;
use housekey_engine::plugins::two_factor::{OtpMail, OtpOptions, TwoFactorOptions, totp_code, two_factor};
use housekey_engine::storage::FailingStorage;
use housekey_engine::{ApiError, Callback, Clock, Engine, EngineBuilder, MemoryStorage};
use http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Answer, Browser, Mail, Mailbox, PASSWORD, options};

struct Broken {
    engine: Engine,
    clock: Clock,
    browser: Browser,
    rows: MemoryStorage,
    storage: FailingStorage<MemoryStorage>,
    mailbox: Mailbox,
}

fn broken<E: Into<EngineBuilder>>(configure: impl Fn(&Mailbox) -> E) -> Broken {
    let (rows, mailbox) = (MemoryStorage::new(), Mailbox::default());
    let storage = FailingStorage::new(rows.clone());
    let clock = Clock::frozen_now();
    let engine = configure(&mailbox).into().clock(clock.clone()).build(storage.clone()).unwrap();
    Broken { browser: Browser::new(engine.clone()), engine, clock, rows, storage, mailbox }
}

/// Everything.
const TABLES: &[&str] = &["user", "account", "session", "verification", "twoFactor"];
/// Everything but what counts and spends: attempts are counted and codes are spent before anything is granted, so that
/// a failure can only cost one.
const GRANTED: &[&str] = &["user", "account", "session", "twoFactor"];

async fn snapshot(rows: &MemoryStorage, tables: &[&str]) -> Vec<Vec<housekey_engine::Record>> {
    let mut found = Vec::new();
    for table in tables {
        let mut rows = rows.rows(table).await;
        // Counts, like codes that are spent.
        rows.iter_mut().for_each(|row| drop(row.take("failedVerificationCount")));
        found.push(rows);
    }
    found
}

/// Runs a request with the first, second, … call failing, until one run meets no failure; gives that run's answer.
async fn at_every_call<E: Into<EngineBuilder>>(
    configure: impl Fn(&Mailbox) -> E,
    prepare: impl AsyncFn(&mut Broken) -> Value,
    path: &str,
) -> Answer {
    at_every_call_keeping(TABLES, configure, prepare, path).await
}

/// The same, with only these tables as they were. A body with `open` is a link to open.
async fn at_every_call_keeping<E: Into<EngineBuilder>>(
    tables: &[&str],
    configure: impl Fn(&Mailbox) -> E,
    prepare: impl AsyncFn(&mut Broken) -> Value,
    path: &str,
) -> Answer {
    for call in 1..100 {
        let mut test = broken(&configure);
        let mut body = prepare(&mut test).await;
        let before = snapshot(&test.rows, tables).await;
        test.storage.fail_at(call);
        let answer = match body.get_mut("open").map(Value::take) {
            Some(Value::String(url)) => test.browser.open(&url).await,
            _ => test.browser.post(path, body).await,
        };
        if !test.storage.has_failed() {
            assert!(call > 1, "the flow uses the storage");
            return answer;
        }
        assert_eq!(answer.status, StatusCode::INTERNAL_SERVER_ERROR, "call {call} of {path}");
        assert!(answer.body.is_empty(), "call {call} of {path} says nothing about why");
        let granted = answer.cookies.iter().any(|cookie| !cookie.is_cleared());
        assert!(!granted, "call {call} of {path} granted a session");
        assert_eq!(snapshot(&test.rows, tables).await, before, "call {call} of {path} left something behind");
    }
    panic!("the flow never ended");
}

#[tokio::test]
async fn signing_up_is_all_or_nothing() {
    let prepare =
        async |_: &mut Broken| json!({ "name": "Ada", "email": "ada@example.com", "password": PASSWORD });
    at_every_call(|_| options(), prepare, "/sign-up/email").await.assert(StatusCode::OK);
}

#[tokio::test]
async fn signing_in_is_all_or_nothing() {
    let prepare = async |test: &mut Broken| {
        test.browser.sign_up("ada@example.com").await.assert(StatusCode::OK);
        test.browser.cookies.clear();
        json!({ "email": "ada@example.com", "password": PASSWORD })
    };
    at_every_call(|_| options(), prepare, "/sign-in/email").await.assert(StatusCode::OK);
}

#[tokio::test]
async fn changing_a_password_is_all_or_nothing() {
    let prepare = async |test: &mut Broken| {
        test.browser.sign_up("ada@example.com").await.assert(StatusCode::OK);
        json!({ "currentPassword": PASSWORD, "newPassword": "a new password", "revokeOtherSessions": true })
    };
    at_every_call(|_| options(), prepare, "/change-password").await.assert(StatusCode::OK);
}

#[tokio::test]
async fn resetting_a_password_is_all_or_nothing() {
    let configure = |mailbox: &Mailbox| {
        let mut options = options();
        options.email_and_password.send_reset_password = mailbox.link("reset");
        options
    };
    let prepare = async |test: &mut Broken| {
        test.browser.sign_up("ada@example.com").await.assert(StatusCode::OK);
        test.browser
            .post("/request-password-reset", json!({ "email": "ada@example.com" }))
            .await
            .assert(StatusCode::OK);
        json!({ "newPassword": "a new password", "token": test.mailbox.take().token })
    };
    at_every_call(configure, prepare, "/reset-password").await.assert(StatusCode::OK);
}

#[tokio::test]
async fn deleting_an_account_is_all_or_nothing() {
    let configure = |_: &Mailbox| {
        let mut options = options();
        options.user.delete_user.enabled = true;
        options
    };
    let prepare = async |test: &mut Broken| {
        test.browser.sign_up("ada@example.com").await.assert(StatusCode::OK);
        json!({})
    };
    at_every_call(configure, prepare, "/delete-user").await.assert(StatusCode::OK);
}

fn with_mail(mailbox: &Mailbox) -> EngineOptions {
    let mut options = options();
    options.email_verification.send_verification_email = mailbox.link("verify");
    options.email_verification.auto_sign_in_after_verification = true;
    options.email_and_password.send_reset_password = mailbox.link("reset");
    options.user.change_email.enabled = true;
    options.user.delete_user.enabled = true;
    options.user.delete_user.send_delete_account_verification = mailbox.link("delete");
    options
}

async fn sign_up(test: &mut Broken) {
    test.browser.sign_up("ada@example.com").await.assert(StatusCode::OK);
}

#[tokio::test]
async fn links_are_sent_for_what_is_stored_and_not_otherwise() {
    let signed_in = async |test: &mut Broken, body: Value| {
        sign_up(test).await;
        body
    };
    let email = json!({ "email": "ada@example.com" });
    for (path, body) in [
        ("/request-password-reset", email.clone()),
        ("/send-verification-email", email),
        ("/change-email", json!({ "newEmail": "countess@example.com" })),
        ("/delete-user", json!({})),
    ] {
        let prepare = async |test: &mut Broken| signed_in(test, body.clone()).await;
        at_every_call(with_mail, prepare, path).await.assert(StatusCode::OK);
    }
}

#[tokio::test]
async fn proving_an_address_grants_a_session_only_when_everything_worked() {
    let prepare = async |test: &mut Broken| {
        sign_up(test).await;
        let ask = json!({ "email": "ada@example.com" });
        test.browser.post("/send-verification-email", ask).await.assert(StatusCode::OK);
        test.browser.cookies.clear();
        json!({ "open": test.mailbox.take().url })
    };
    at_every_call(with_mail, prepare, "").await.assert(StatusCode::FOUND);
}

#[tokio::test]
async fn changing_an_address_is_all_or_nothing() {
    let prepare = async |test: &mut Broken| {
        sign_up(test).await;
        let to = json!({ "newEmail": "countess@example.com" });
        test.browser.post("/change-email", to).await.assert(StatusCode::OK);
        json!({ "open": test.mailbox.take().url })
    };
    at_every_call(with_mail, prepare, "").await.assert(StatusCode::FOUND);
}

#[tokio::test]
async fn deleting_an_account_by_mail_is_all_or_nothing() {
    let prepare = async |test: &mut Broken| {
        sign_up(test).await;
        test.browser.post("/delete-user", json!({})).await.assert(StatusCode::OK);
        json!({ "open": test.mailbox.take().url })
    };
    at_every_call(with_mail, prepare, "").await.assert(StatusCode::FOUND);
}

fn with_factor(mailbox: &Mailbox) -> EngineBuilder {
    let mailbox = mailbox.clone();
    let send_otp = Callback::new(move |mail: OtpMail| {
        mailbox.push(Mail { kind: "otp", to: mail.user.email, url: String::new(), token: mail.otp });
        async { Ok::<_, ApiError>(()) }
    });
    let otp = OtpOptions { send_otp, ..OtpOptions::default() };
    let two_factor_options = TwoFactorOptions { otp, ..TwoFactorOptions::default() };
    Engine::builder(options()).plugins([two_factor(two_factor_options)])
}

async fn code(test: &Broken) -> Value {
    let api = test.engine.api();
    let ada = api.user_by_email("ada@example.com").await.unwrap().unwrap();
    json!({ "code": totp_code(&api, &ada).await.unwrap(), "trustDevice": true })
}

/// Ada with a pending factor; her first backup code.
async fn pending(test: &mut Broken) -> Value {
    sign_up(test).await;
    let enabled = test.browser.post("/two-factor/enable", json!({ "password": PASSWORD })).await;
    json!({ "code": enabled.assert(StatusCode::OK).json()["backupCodes"][0], "trustDevice": true })
}

/// Ada with the factor on; her first backup code.
async fn enrolled(test: &mut Broken) -> Value {
    let backup_code = pending(test).await;
    let right = code(test).await;
    test.browser.post("/two-factor/verify-totp", right).await.assert(StatusCode::OK);
    test.clock.advance(std::time::Duration::from_secs(30));
    backup_code
}

/// Ada after the right password; her first backup code.
async fn challenged(test: &mut Broken) -> Value {
    let backup_code = enrolled(test).await;
    test.browser.cookies.clear();
    test.browser.sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
    backup_code
}

#[tokio::test]
async fn a_second_factor_is_begun_turned_off_and_renewed_as_a_whole() {
    let password = || json!({ "password": PASSWORD });
    let begin = async |test: &mut Broken| {
        sign_up(test).await;
        password()
    };
    at_every_call(with_factor, begin, "/two-factor/enable").await.assert(StatusCode::OK);
    let begin = async |test: &mut Broken| {
        sign_up(test).await;
        json!({ "password": PASSWORD, "method": "otp" })
    };
    at_every_call(with_factor, begin, "/two-factor/enable").await.assert(StatusCode::OK);
    let on = async |test: &mut Broken| {
        enrolled(test).await;
        password()
    };
    for path in ["/two-factor/disable", "/two-factor/generate-backup-codes"] {
        at_every_call(with_factor, on, path).await.assert(StatusCode::OK);
    }
}

#[tokio::test]
async fn the_right_password_leads_to_a_challenge_or_to_nothing() {
    let prepare = async |test: &mut Broken| {
        enrolled(test).await;
        test.browser.cookies.clear();
        json!({ "email": "ada@example.com", "password": PASSWORD })
    };
    // A challenge is made before it is certain that the password is still the account's. One that nobody was told of is nobody's.
    let answer = at_every_call_keeping(GRANTED, with_factor, prepare, "/sign-in/email").await;
    assert_eq!(answer.assert(StatusCode::OK).json()["twoFactorRedirect"], true);
}

#[tokio::test]
async fn a_code_that_meets_a_failure_grants_nothing() {
    let first = async |test: &mut Broken| {
        pending(test).await;
        code(test).await
    };
    let by_app = async |test: &mut Broken| {
        challenged(test).await;
        code(test).await
    };
    let by_mail = async |test: &mut Broken| {
        challenged(test).await;
        test.browser.post("/two-factor/send-otp", json!({})).await.assert(StatusCode::OK);
        json!({ "code": test.mailbox.take().token })
    };
    let path = "/two-factor/verify-totp";
    at_every_call_keeping(GRANTED, with_factor, first, path).await.assert(StatusCode::OK);
    at_every_call_keeping(GRANTED, with_factor, by_app, path).await.assert(StatusCode::OK);
    let path = "/two-factor/verify-otp";
    at_every_call_keeping(GRANTED, with_factor, by_mail, path).await.assert(StatusCode::OK);
    let path = "/two-factor/verify-backup-code";
    at_every_call_keeping(GRANTED, with_factor, challenged, path).await.assert(StatusCode::OK);
    let send = async |test: &mut Broken| {
        challenged(test).await;
        json!({})
    };
    at_every_call(with_factor, send, "/two-factor/send-otp").await.assert(StatusCode::OK);
}
