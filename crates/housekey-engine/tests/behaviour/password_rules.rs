//! What may become a password, wherever one is set.

use std::sync::{Arc, Mutex};

use housekey_engine::options::{EngineOptions, PasswordRules};
use housekey_engine::{ApiError, Callback, Record, Secret, SignUpEmail};
use http::StatusCode;
use serde_json::{Value, json};

use crate::support::{PASSWORD, TestEngine, options};

const COMMON: &str = "Password1";
const PERSONAL: &str = "ada.lovelace1815";
const GOOD: &str = "lovelace-horse-battery-staple";

fn strict() -> EngineOptions {
    let mut options = options();
    options.email_and_password.password_rules =
        PasswordRules { refuse_common: true, refuse_personal: true, ..Default::default() };
    options
}

fn test_engine(options: EngineOptions) -> TestEngine {
    TestEngine::with(|mailbox| {
        let mut options = options;
        options.email_and_password.send_reset_password = mailbox.link("reset");
        options
    })
}

fn lovelace(password: &str) -> Value {
    json!({ "name": "Ada Lovelace", "email": "ada@example.com", "password": password })
}

async fn reset_token(test: &TestEngine) -> String {
    let ask = json!({ "email": "ada@example.com" });
    test.browser().post("/request-password-reset", ask).await.assert(StatusCode::OK);
    test.mailbox.take().token
}

// spec: SEC-8
#[tokio::test]
async fn common_and_personal_passwords_are_refused_at_sign_up() {
    let test = test_engine(strict());
    for (password, code) in [
        (COMMON, "PASSWORD_TOO_COMMON"),
        ("PASSWORD1", "PASSWORD_TOO_COMMON"),
        // Full-width letters are the same password, and so no better.
        ("\u{ff50}\u{ff41}\u{ff53}\u{ff53}\u{ff57}\u{ff4f}\u{ff52}\u{ff44}1", "PASSWORD_TOO_COMMON"),
        (PERSONAL, "PASSWORD_TOO_PERSONAL"),
        ("ada@example.com", "PASSWORD_TOO_PERSONAL"),
        ("Better Auth 7", "PASSWORD_TOO_PERSONAL"),
        ("1234567", "PASSWORD_TOO_SHORT"),
    ] {
        test.browser().post("/sign-up/email", lovelace(password)).await.refused(400, code);
    }
    assert!(test.rows("user").await.is_empty());
    test.browser().post("/sign-up/email", lovelace(GOOD)).await.assert(StatusCode::OK);
}

// spec: SEC-8
#[tokio::test]
async fn they_are_refused_where_a_password_is_changed() {
    let test = test_engine(strict());
    let mut browser = test.browser();
    browser.post("/sign-up/email", lovelace(GOOD)).await.assert(StatusCode::OK);
    let change = |new: &str| json!({ "currentPassword": GOOD, "newPassword": new });
    browser.post("/change-password", change(COMMON)).await.refused(400, "PASSWORD_TOO_COMMON");
    browser.post("/change-password", change(PERSONAL)).await.refused(400, "PASSWORD_TOO_PERSONAL");
    test.browser().sign_in("ada@example.com", GOOD).await.assert(StatusCode::OK);
    browser.post("/change-password", change(PASSWORD)).await.assert(StatusCode::OK);
}

// spec: SEC-8
#[tokio::test]
async fn they_are_refused_where_a_password_is_reset_and_the_link_is_not_spent() {
    let test = test_engine(strict());
    test.browser().post("/sign-up/email", lovelace(GOOD)).await.assert(StatusCode::OK);
    let token = reset_token(&test).await;
    let reset = |password: &str, token: &str| json!({ "newPassword": password, "token": token });
    for (password, code) in [(COMMON, "PASSWORD_TOO_COMMON"), (PERSONAL, "PASSWORD_TOO_PERSONAL")] {
        test.browser().post("/reset-password", reset(password, &token)).await.refused(400, code);
    }
    // Nobody learns from a link that is none whose it is not.
    test.browser().post("/reset-password", reset(PERSONAL, "made up")).await.refused(400, "INVALID_TOKEN");
    test.browser().post("/reset-password", reset(PASSWORD, &token)).await.assert(StatusCode::OK);
    test.browser().sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
}

// spec: SEC-8
#[tokio::test]
async fn they_are_refused_to_server_code_too() {
    let test = test_engine(strict());
    let api = test.engine.api();
    let person = |password: &str| SignUpEmail {
        name: "Ada Lovelace".into(),
        email: "ada@example.com".into(),
        password: password.into(),
        ..Default::default()
    };
    for (password, code) in [(COMMON, "PASSWORD_TOO_COMMON"), (PERSONAL, "PASSWORD_TOO_PERSONAL")] {
        let refused = api.create_user(person(password), Record::new()).await.unwrap_err();
        assert_eq!(refused.code(), Some(code));
        assert!(refused.is_about_new_password());
    }
    let user = api.create_user(person(GOOD), Record::new()).await.unwrap();
    for (password, code) in [(COMMON, "PASSWORD_TOO_COMMON"), (PERSONAL, "PASSWORD_TOO_PERSONAL")] {
        assert_eq!(api.set_password(&user, &password.into()).await.unwrap_err().code(), Some(code));
    }
}

// spec: SEC-8
#[tokio::test]
async fn a_refused_password_does_not_tell_whether_an_address_has_an_account() {
    for hides in [false, true] {
        let mut options = strict();
        options.email_and_password.require_email_verification = hides;
        let test = test_engine(options);
        test.browser().post("/sign-up/email", lovelace(GOOD)).await.assert(StatusCode::OK);
        for password in [COMMON, PERSONAL] {
            let known = test.browser().post("/sign-up/email", lovelace(password)).await;
            let mut stranger = lovelace(password);
            stranger["email"] = "ada2@example.com".into();
            let unknown = test.browser().post("/sign-up/email", stranger).await;
            assert_eq!((known.status, known.body), (unknown.status, unknown.body));
        }
    }
}

#[tokio::test]
async fn without_the_option_they_are_taken_as_in_the_reference() {
    let test = test_engine(options());
    test.browser().post("/sign-up/email", lovelace(COMMON)).await.assert(StatusCode::OK);
    let token = reset_token(&test).await;
    let reset = json!({ "newPassword": PERSONAL, "token": token });
    test.browser().post("/reset-password", reset).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn a_password_from_before_the_rules_still_opens_the_door() {
    let before = TestEngine::new(options());
    before.browser().post("/sign-up/email", lovelace(COMMON)).await.assert(StatusCode::OK);
    let after = before.under(strict());
    after.browser().sign_in("ada@example.com", COMMON).await.assert(StatusCode::OK);
}

// spec: SEC-8
#[tokio::test]
async fn a_service_may_know_that_a_password_was_stolen() {
    let asked = Arc::new(Mutex::new(Vec::new()));
    let seen = Arc::clone(&asked);
    let mut options = strict();
    options.email_and_password.password_rules.is_compromised = Callback::new(move |password: Secret| {
        seen.lock().unwrap().push(password.reveal().to_owned());
        async move { Ok::<_, ApiError>(password.reveal() == "stolen from somebody") }
    });
    let test = test_engine(options);
    let sign_up = async |password| test.browser().post("/sign-up/email", lovelace(password)).await;
    sign_up("stolen from somebody").await.refused(400, "PASSWORD_COMPROMISED");
    sign_up(COMMON).await.refused(400, "PASSWORD_TOO_COMMON");
    assert_eq!(*asked.lock().unwrap(), ["stolen from somebody"], "what is refused anyway is told to nobody");
    sign_up(GOOD).await.assert(StatusCode::OK);
}

// spec: SEC-8
#[tokio::test(start_paused = true)]
async fn a_service_that_fails_or_hangs_keeps_nobody_out() {
    let failing: Callback<Secret, bool> = Callback::new(|_| async { Err("the service is down") });
    let hanging: Callback<Secret, bool> = Callback::new(|_| std::future::pending::<Result<bool, ApiError>>());
    for service in [failing, hanging] {
        let mut options = strict();
        options.email_and_password.password_rules.is_compromised = service;
        let test = test_engine(options);
        test.browser().post("/sign-up/email", lovelace(COMMON)).await.refused(400, "PASSWORD_TOO_COMMON");
        test.browser().post("/sign-up/email", lovelace(GOOD)).await.assert(StatusCode::OK);
    }
}
