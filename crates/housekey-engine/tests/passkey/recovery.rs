//! Whose account it is when somebody signed up with an address that is not theirs.

use housekey_engine::plugins::passkey::{PasskeyOptions, PasskeyRegistration};
use housekey_engine::storage::{Filter, Records as _};
use housekey_engine::{EngineBuilder, Record};
use http::StatusCode;
use serde_json::json;

use crate::passkey::{CREATE, ada_with_device, device, register, send_registration, sign_in, with};
use crate::support::{Mailbox, TestEngine};

const ADA: &str = "ada@example.com";

fn configured(mailbox: &Mailbox, passkeys: PasskeyOptions) -> EngineBuilder {
    let mut builder = with(passkeys);
    builder.options.email_and_password.send_reset_password = mailbox.link("reset");
    builder
}

async fn prove_address(test: &TestEngine) {
    let table = test.engine.schema().table("user").unwrap();
    let proven = Record::new().with("emailVerified", true);
    test.storage.update(table, &Filter::by("email", ADA), &proven).await.unwrap();
}

async fn reset(test: &TestEngine) {
    let mut owner = test.browser();
    owner.post("/request-password-reset", json!({ "email": ADA })).await.assert(StatusCode::OK);
    let body = json!({ "newPassword": "a new password", "token": test.mailbox.take().token });
    owner.post("/reset-password", body).await.assert(StatusCode::OK);
}

#[tokio::test]
// spec: SEC-2
async fn a_passkey_planted_before_the_address_was_proven_does_not_outlive_the_owner_s_reset() {
    let test = TestEngine::with(|mailbox| configured(mailbox, PasskeyOptions::default()));
    let (mut planter, device) = ada_with_device(&test).await;
    reset(&test).await;
    sign_in(&mut test.browser(), &device).await.refused(401, "PASSKEY_NOT_FOUND");
    assert_eq!(planter.session().await, json!(null));
    assert!(test.rows("passkey").await.is_empty());
}

#[tokio::test]
async fn a_passkey_of_a_proven_address_stays() {
    let test = TestEngine::with(|mailbox| configured(mailbox, PasskeyOptions::default()));
    let (_, device) = ada_with_device(&test).await;
    prove_address(&test).await;
    reset(&test).await;
    sign_in(&mut test.browser(), &device).await.assert(StatusCode::OK);
}

#[tokio::test]
// spec: SEC-2
async fn registering_asks_for_a_proven_address_where_the_options_do() {
    let registration = PasskeyRegistration { require_email_verification: true, ..Default::default() };
    let passkeys = PasskeyOptions { registration, ..PasskeyOptions::default() };
    let test = TestEngine::with(|mailbox| configured(mailbox, passkeys));
    let (mut browser, device) = (test.ada().await, device());
    browser.get(CREATE).await.refused(403, "EMAIL_NOT_VERIFIED");
    prove_address(&test).await;
    register(&mut browser, &device).await.assert(StatusCode::OK);

    // An address that lost its proof between the two steps.
    let asked = crate::passkey::challenge(&mut browser, CREATE).await;
    let table = test.engine.schema().table("user").unwrap();
    let unproven = Record::new().with("emailVerified", false);
    test.storage.update(table, &Filter::by("email", ADA), &unproven).await.unwrap();
    let other = crate::passkey::device();
    send_registration(&mut browser, other.create(&asked)).await.refused(403, "EMAIL_NOT_VERIFIED");
}
