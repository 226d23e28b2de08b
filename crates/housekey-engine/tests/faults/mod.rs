//! The storage fails at every single call of every endpoint: an error that clients understand, nothing granted, nothing
//! half written.
//!
//! The endpoints are those that the engine itself lists, so that a new one without a flow here fails the run. What other tests
//! say about single flows is in `behaviour/faults.rs` and `passkey/faults.rs`.

mod flows;

use housekey_engine::options::AdditionalField;
use housekey_engine::plugins::two_factor::{OtpMail, OtpOptions, TwoFactorOptions};
use housekey_engine::plugins::{passkey, two_factor};
use housekey_engine::storage::FailingStorage;
use housekey_engine::{
    ApiError, Callback, Clock, Engine, EngineBuilder, MemoryStorage, PasswordCheck, Record, Secret,
};
use http::{Method, StatusCode};

use crate::support::{Answer, Browser, Mail, Mailbox, options};
use flows::Flow;

/// What an app keeps. Challenges and counters are not among it: attempts are counted and codes spent before anything is
/// granted, so that a failure can only cost one.
const KEPT: [&str; 5] = ["user", "account", "session", "twoFactor", "passkey"];

/// These answer without a storage.
const WITHOUT: [&str; 2] = ["GET /ok", "GET /error"];

/// An engine with everything on whose storage can be told to fail.
pub(crate) struct TestEngine {
    pub(crate) engine: Engine,
    pub(crate) clock: Clock,
    pub(crate) browser: Browser,
    pub(crate) mailbox: Mailbox,
    pub(crate) rows: MemoryStorage,
    storage: FailingStorage<MemoryStorage>,
}

impl TestEngine {
    fn new() -> Self {
        let (rows, mailbox, clock) = (MemoryStorage::new(), Mailbox::default(), Clock::frozen_now());
        let storage = FailingStorage::new(rows.clone());
        let engine = everything(&mailbox).clock(clock.clone()).build(storage.clone()).unwrap();
        Self { browser: Browser::new(engine.clone()), engine, clock, mailbox, rows, storage }
    }

    async fn snapshot(&self) -> Vec<Vec<Record>> {
        let mut found = Vec::new();
        for table in KEPT {
            let mut rows = self.rows.rows(table).await;
            rows.iter_mut().for_each(|row| drop(row.take("failedVerificationCount")));
            found.push(rows);
        }
        found
    }
}

fn everything(mailbox: &Mailbox) -> EngineBuilder {
    let codes = mailbox.clone();
    let send_otp = Callback::new(move |mail: OtpMail| {
        codes.push(Mail { kind: "otp", to: mail.user.email, url: String::new(), token: mail.otp });
        async { Ok::<_, ApiError>(()) }
    });
    let otp = OtpOptions { send_otp, ..OtpOptions::default() };
    let second = TwoFactorOptions { otp, ..TwoFactorOptions::default() };
    let mut options = options();
    options.rate_limit.enabled = Some(false);
    // Hundreds of people sign up here, and what their passwords cost is not the question.
    options.email_and_password.password.hash =
        Callback::new(|password: Secret| async move { Ok::<_, ApiError>(password.reveal().to_owned()) });
    options.email_and_password.password.verify = Callback::new(|check: PasswordCheck| async move {
        Ok::<_, ApiError>(check.password.reveal() == check.hash)
    });
    options.email_and_password.send_reset_password = mailbox.link("reset");
    options.email_verification.send_verification_email = mailbox.link("verify");
    options.user.change_email.enabled = true;
    options.user.delete_user.enabled = true;
    options.user.delete_user.send_delete_account_verification = mailbox.link("delete");
    options.account.account_linking.enabled = Some(true);
    options.session.defer_session_refresh = true;
    options.session.additional_fields.insert("theme".into(), AdditionalField::default());
    Engine::builder(options).plugins([two_factor(second), passkey(Default::default())])
}

async fn send(test: &mut TestEngine, flow: &Flow) -> Answer {
    match &flow.body {
        Some(body) => test.browser.post(&flow.path, body.clone()).await,
        None if flow.method == Method::GET => test.browser.get(&flow.path).await,
        None => test.browser.send(flow.method.clone(), &flow.path, "".into(), None).await,
    }
}

/// Sends a flow's request with the first, second, … call failing, until one run meets no failure.
async fn fails_at_every_call(endpoint: &str) {
    for call in 1..100 {
        let mut test = TestEngine::new();
        let flow = Flow::prepare(endpoint, &mut test).await;
        let before = test.snapshot().await;
        test.storage.fail_at(call);
        let answer = send(&mut test, &flow).await;
        if !test.storage.has_failed() {
            assert!(
                answer.status.is_success() || answer.status == StatusCode::FOUND,
                "{endpoint}: {answer:?}"
            );
            assert_eq!(call > 1, !WITHOUT.contains(&endpoint), "{endpoint} and the storage");
            return;
        }
        assert_eq!(answer.status, StatusCode::INTERNAL_SERVER_ERROR, "call {call} of {endpoint}: {answer:?}");
        assert!(answer.body.is_empty(), "call {call} of {endpoint} says nothing about why");
        let granted = answer.cookies.iter().any(|cookie| !cookie.is_cleared());
        assert!(!granted, "call {call} of {endpoint} granted something: {answer:?}");
        assert_eq!(test.snapshot().await, before, "call {call} of {endpoint} left something behind");
    }
    panic!("{endpoint} never ended");
}

#[tokio::test]
async fn every_endpoint_grants_nothing_and_leaves_nothing_when_the_storage_fails() {
    let test = TestEngine::new();
    let endpoints: Vec<_> = test.engine.endpoints().iter().map(|endpoint| format!("{endpoint:?}")).collect();
    assert!(endpoints.len() >= 39, "{endpoints:?}");
    for endpoint in &endpoints {
        fails_at_every_call(endpoint).await;
    }
}
