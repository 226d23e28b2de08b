//! Somebody takes an account back: what ends with a reset, a new password, another address.

use housekey_engine::options::StoredIdentifier;
use housekey_engine::plugins::two_factor::{TwoFactorOptions, totp_code, two_factor};
use housekey_engine::storage::{Filter, Records as _};
use housekey_engine::{Engine, EngineBuilder, Record};
use http::StatusCode;
use serde_json::{Value, json};

use crate::support::{Browser, Mailbox, PASSWORD, TestEngine, options};

const ADA: &str = "ada@example.com";
const NEW: &str = "a new password";

fn configured(mailbox: &Mailbox) -> EngineBuilder {
    let mut options = options();
    options.email_and_password.send_reset_password = mailbox.link("reset");
    options.email_verification.send_verification_email = mailbox.link("verify");
    options.user.change_email.enabled = true;
    options.user.change_email.update_email_without_verification = true;
    Engine::builder(options).plugins([two_factor(TwoFactorOptions::default())])
}

fn with_two_factor(mailbox: &Mailbox, second: TwoFactorOptions) -> EngineBuilder {
    configured(mailbox).plugins([two_factor(second)])
}

async fn reset_link(test: &TestEngine) -> String {
    test.browser().post("/request-password-reset", json!({ "email": ADA })).await.assert(StatusCode::OK);
    test.mailbox.take().token
}

async fn reset(test: &TestEngine, token: &str) -> crate::support::Answer {
    test.browser().post("/reset-password", json!({ "newPassword": NEW, "token": token })).await
}

async fn prove_address(test: &TestEngine) {
    let table = test.engine.schema().table("user").unwrap();
    let proven = Record::new().with("emailVerified", true);
    test.storage.update(table, &Filter::by("email", ADA), &proven).await.unwrap();
}

async fn code(test: &TestEngine) -> Value {
    let api = test.engine.api();
    let ada = api.user_by_email(ADA).await.unwrap().unwrap();
    json!({ "code": totp_code(&api, &ada).await.unwrap() })
}

async fn enrol(test: &TestEngine, browser: &mut Browser) {
    browser.post("/two-factor/enable", json!({ "password": PASSWORD })).await.assert(StatusCode::OK);
    browser.post("/two-factor/verify-totp", code(test).await).await.assert(StatusCode::OK);
    test.advance(30);
}

/// A browser that gave a code once and need not again.
async fn trusted(test: &TestEngine) -> Browser {
    let mut browser = test.browser();
    browser.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
    let mut given = code(test).await;
    given["trustDevice"] = json!(true);
    browser.post("/two-factor/verify-totp", given).await.assert(StatusCode::OK);
    browser.post("/sign-out", json!({})).await.assert(StatusCode::OK);
    test.advance(30);
    browser
}

#[tokio::test]
// spec: SEC-2
async fn a_reset_ends_every_other_link_of_the_account() {
    for stored in [StoredIdentifier::Plain, StoredIdentifier::Hashed] {
        let test = TestEngine::with(|mailbox| {
            let mut builder = configured(mailbox);
            builder.options.verification.store_identifier = stored;
            builder
        });
        test.ada().await;
        test.browser().sign_up("bob@example.com").await.assert(StatusCode::OK);
        let (kept, used) = (reset_link(&test).await, reset_link(&test).await);
        let bob = json!({ "email": "bob@example.com" });
        test.browser().post("/request-password-reset", bob).await.assert(StatusCode::OK);
        let bobs = test.mailbox.take().token;
        reset(&test, &used).await.assert(StatusCode::OK);
        reset(&test, &kept).await.refused(400, "INVALID_TOKEN");
        reset(&test, &bobs).await.assert(StatusCode::OK);
    }
}

#[tokio::test]
// spec: SEC-2
async fn a_changed_password_ends_the_links_that_would_set_another() {
    let test = TestEngine::with(configured);
    let mut browser = test.ada().await;
    let kept = reset_link(&test).await;
    let change = json!({ "currentPassword": PASSWORD, "newPassword": NEW });
    browser.post("/change-password", change).await.assert(StatusCode::OK);
    reset(&test, &kept).await.refused(400, "INVALID_TOKEN");
}

#[tokio::test]
// spec: SEC-2
async fn a_changed_address_ends_the_links_that_the_old_one_was_sent() {
    for proven in [false, true] {
        let test = TestEngine::with(configured);
        let mut browser = test.ada().await;
        if proven {
            prove_address(&test).await;
        }
        let kept = reset_link(&test).await;
        let change = json!({ "newEmail": "countess@example.com" });
        browser.post("/change-email", change).await.assert(StatusCode::OK);
        if proven {
            let url = test.mailbox.take().url;
            browser.open(&url).await.assert(StatusCode::FOUND);
        }
        assert_eq!(browser.session().await["user"]["email"], "countess@example.com");
        reset(&test, &kept).await.refused(400, "INVALID_TOKEN");
    }
}

#[tokio::test]
async fn a_link_proves_the_address_it_was_sent_to_and_no_other() {
    let test = TestEngine::with(configured);
    let mut browser = test.ada().await;
    let sent = reset_link(&test).await;
    // As if the account had moved in the moment in which the link was written.
    let table = test.engine.schema().table("user").unwrap();
    let moved = Record::new().with("email", "victim@example.com");
    test.storage.update(table, &Filter::by("email", ADA), &moved).await.unwrap();
    reset(&test, &sent).await.refused(400, "INVALID_TOKEN");
    assert_eq!(browser.session().await["user"]["emailVerified"], false);
}

#[tokio::test]
// spec: SEC-2
async fn a_new_password_ends_a_change_of_address_that_somebody_began() {
    for cancellable in [false, true] {
        for by_link in [false, true] {
            let test = TestEngine::with(|mailbox| {
                let mut builder = configured(mailbox);
                builder.options.user.change_email.cancellable = cancellable;
                builder
            });
            let mut thief = test.ada().await;
            prove_address(&test).await;
            let change = json!({ "newEmail": "thief@example.com" });
            thief.post("/change-email", change).await.assert(StatusCode::OK);
            let link = test.mailbox.take().url;
            test.advance(5);
            if by_link {
                let token = reset_link(&test).await;
                reset(&test, &token).await.assert(StatusCode::OK);
            } else {
                let change = json!({ "currentPassword": PASSWORD, "newPassword": NEW });
                let mut owner = test.browser();
                owner.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
                owner.post("/change-password", change).await.assert(StatusCode::OK);
            }
            test.browser().open(&link).await;
            assert_eq!(
                test.rows("user").await[0].text("email"),
                Some(ADA),
                "cancellable: {cancellable}, by a reset link: {by_link}"
            );
        }
    }
}

#[tokio::test]
// spec: SEC-2
async fn a_reset_forgets_trusted_devices_and_keeps_the_second_factor_of_a_proven_address() {
    let test = TestEngine::with(configured);
    let mut browser = test.ada().await;
    prove_address(&test).await;
    enrol(&test, &mut browser).await;
    let mut device = trusted(&test).await;
    let token = reset_link(&test).await;
    reset(&test, &token).await.assert(StatusCode::OK);
    let answer = device.sign_in(ADA, NEW).await.assert(StatusCode::OK).json();
    assert_eq!(answer["twoFactorRedirect"], true);
}

#[tokio::test]
// spec: SEC-2
async fn a_reset_that_is_the_first_proof_removes_the_second_factor_that_somebody_planted() {
    let test = TestEngine::with(configured);
    let mut planter = test.ada().await;
    enrol(&test, &mut planter).await;
    let token = reset_link(&test).await;
    reset(&test, &token).await.assert(StatusCode::OK);
    assert_eq!(planter.session().await, Value::Null);
    let answer = test.browser().sign_in(ADA, NEW).await.assert(StatusCode::OK).json();
    assert_eq!(answer["user"]["emailVerified"], true);
    assert_eq!(answer["user"]["twoFactorEnabled"], false);
    assert!(test.rows("twoFactor").await.is_empty(), "neither secret nor codes stay");
}

#[tokio::test]
// spec: SEC-2
async fn the_first_proof_of_an_address_ends_sessions_even_where_resets_keep_them() {
    let test = TestEngine::with(|mailbox| {
        let mut builder = configured(mailbox);
        builder.options.email_and_password.revoke_sessions_on_password_reset = false;
        builder
    });
    let mut planter = test.ada().await;
    let first = reset_link(&test).await;
    reset(&test, &first).await.assert(StatusCode::OK);
    assert_eq!(planter.session().await, Value::Null);
    let mut owner = test.browser();
    owner.sign_in(ADA, NEW).await.assert(StatusCode::OK);
    let second = reset_link(&test).await;
    reset(&test, &second).await.assert(StatusCode::OK);
    assert_eq!(owner.session().await["user"]["email"], ADA, "as the options say");
}

#[tokio::test]
async fn turning_two_factor_off_forgets_trusted_devices_whose_identifiers_are_hashed() {
    let test = TestEngine::with(|mailbox| {
        let mut builder = configured(mailbox);
        builder.options.verification.store_identifier = StoredIdentifier::Hashed;
        builder
    });
    let mut browser = test.ada().await;
    enrol(&test, &mut browser).await;
    let mut device = trusted(&test).await;
    let off = json!({ "password": PASSWORD });
    browser.post("/two-factor/disable", off).await.assert(StatusCode::OK);
    enrol(&test, &mut browser).await;
    let answer = device.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK).json();
    assert_eq!(answer["twoFactorRedirect"], true);
}

#[tokio::test]
async fn turning_two_factor_on_or_off_ends_the_other_sessions_where_the_options_say_so() {
    for revoke_other_sessions in [false, true] {
        let second = TwoFactorOptions { revoke_other_sessions, ..TwoFactorOptions::default() };
        let test = TestEngine::with(|mailbox| with_two_factor(mailbox, second));
        let mut browser = test.ada().await;
        let mut other = test.browser();
        other.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
        enrol(&test, &mut browser).await;
        assert_eq!(other.session().await.is_null(), revoke_other_sessions, "on");
        assert!(browser.session().await["user"].is_object(), "this one goes on");

        let mut other = test.browser();
        other.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
        other.post("/two-factor/verify-totp", code(&test).await).await.assert(StatusCode::OK);
        let off = json!({ "password": PASSWORD });
        browser.post("/two-factor/disable", off).await.assert(StatusCode::OK);
        assert_eq!(other.session().await.is_null(), revoke_other_sessions, "off");
        assert!(browser.session().await["user"].is_object(), "this one goes on");
    }
}

#[tokio::test]
async fn another_address_ends_the_other_sessions_where_the_options_say_so() {
    for (revoke_other_sessions, proven) in [(false, false), (true, false), (true, true)] {
        let test = TestEngine::with(|mailbox| {
            let mut builder = configured(mailbox);
            builder.options.user.change_email.revoke_other_sessions = revoke_other_sessions;
            builder
        });
        let mut browser = test.ada().await;
        if proven {
            prove_address(&test).await;
        }
        let mut other = test.browser();
        other.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
        let change = json!({ "newEmail": "countess@example.com" });
        browser.post("/change-email", change).await.assert(StatusCode::OK);
        if proven {
            assert!(other.session().await["user"].is_object(), "nothing changed yet");
            let url = test.mailbox.take().url;
            browser.open(&url).await.assert(StatusCode::FOUND);
        }
        assert_eq!(browser.session().await["user"]["email"], "countess@example.com");
        assert_eq!(other.session().await.is_null(), revoke_other_sessions);
    }
}

#[tokio::test]
// spec: SEC-2
async fn a_second_factor_asks_for_a_proven_address_where_the_options_do() {
    let second = TwoFactorOptions { require_email_verification: true, ..TwoFactorOptions::default() };
    let test = TestEngine::with(|mailbox| with_two_factor(mailbox, second));
    let mut browser = test.ada().await;
    let enable = json!({ "password": PASSWORD });
    browser.post("/two-factor/enable", enable).await.refused(403, "EMAIL_NOT_VERIFIED");
    assert!(test.rows("twoFactor").await.is_empty());
    prove_address(&test).await;
    enrol(&test, &mut browser).await;
    assert_eq!(browser.session().await["user"]["twoFactorEnabled"], true);
}
