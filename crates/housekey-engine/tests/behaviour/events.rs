//! What the app is told of accounts: each thing once, after it is written, and nothing that opens one.

use housekey_engine::options::{ChangeEmail, DeleteUser, EngineOptions, RateRule};
use housekey_engine::plugins::two_factor::{AccountLockout, TwoFactorOptions};
use housekey_engine::{Callback, EngineBuilder, SecurityEvent, SecurityEventKind, SignUpEmail};
use http::StatusCode;
use serde_json::json;

use crate::behaviour::two_factor::{self, challenged, code, enrolled};
use crate::sink::Events;
use crate::support::{Mailbox, PASSWORD, TestEngine, options};

const ADA: &str = "ada@example.com";
const NEW: &str = "another good password";

fn told(events: &Events, engine: impl Into<EngineBuilder>) -> EngineBuilder {
    let mut builder = engine.into();
    builder.options.on_security_event = events.sink();
    builder
}

fn with_mail(mailbox: &Mailbox) -> EngineOptions {
    let mut options = options();
    options.email_and_password.send_reset_password = mailbox.link("reset");
    options.email_verification.send_verification_email = mailbox.link("verify");
    options.user.change_email = ChangeEmail {
        enabled: true,
        cancellable: true,
        send_change_email_confirmation: mailbox.change_email(),
        ..ChangeEmail::default()
    };
    options.user.delete_user = DeleteUser { enabled: true, ..DeleteUser::default() };
    options
}

// spec: SEC-9
#[tokio::test]
async fn the_way_in_and_out_is_told_with_its_method_and_where_it_came_from() {
    let events = Events::default();
    let test = TestEngine::new(told(&events, options()));
    let mut ada = test.ada().await;
    assert_eq!(events.take(), ["sign-up"]);
    ada.post("/sign-out", json!({})).await.assert(StatusCode::OK);
    ada.post("/sign-out", json!({})).await.assert(StatusCode::OK);
    assert_eq!(events.take(), ["sign-out"]);
    ada.sign_in(ADA, "not the password").await.assert(StatusCode::UNAUTHORIZED);
    ada.sign_in("nobody@example.com", PASSWORD).await.assert(StatusCode::UNAUTHORIZED);
    assert_eq!(events.take(), ["sign-in-refused wrong-password", "sign-in-refused unknown-address"]);

    ada.headers.insert("user-agent", "x".repeat(4000).parse().unwrap());
    ada.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
    let session = ada.session().await;
    let all = events.all();
    let [event] = all.as_slice() else { panic!("{:?}", events.take()) };
    assert_eq!(event.kind, SecurityEventKind::SignIn);
    assert_eq!(event.user_id.as_deref(), session["user"]["id"].as_str());
    assert_eq!(event.session_id.as_deref(), session["session"]["id"].as_str());
    assert_eq!(event.detail.text("method"), Some("password"));
    assert_eq!(event.user_agent.len(), SecurityEvent::LONGEST_USER_AGENT);
    assert_eq!(event.at, test.clock.now());
}

// spec: SEC-9
#[tokio::test]
async fn an_address_that_is_nobodys_is_told_by_a_name_that_stays_the_same() {
    let events = Events::default();
    let test = TestEngine::with(|mailbox| told(&events, with_mail(mailbox)));
    let mut eve = test.browser();
    eve.sign_in("nobody@example.com", PASSWORD).await.assert(StatusCode::UNAUTHORIZED);
    eve.sign_in("Nobody@example.com", PASSWORD).await.assert(StatusCode::UNAUTHORIZED);
    eve.post("/request-password-reset", json!({ "email": "nobody@example.com" }))
        .await
        .assert(StatusCode::OK);
    eve.sign_in("none@example.com", PASSWORD).await.assert(StatusCode::UNAUTHORIZED);
    let all = events.all();
    assert!(all.iter().all(|event| event.user_id.is_none()));
    let hashes: Vec<_> = all.iter().map(|event| event.detail.text("addressHash").unwrap()).collect();
    assert!(hashes[0] == hashes[1] && hashes[1] == hashes[2] && hashes[2] != hashes[3], "{hashes:?}");
    assert!(!format!("{all:?}").to_lowercase().contains("nobody"));
}

// spec: SEC-9, SEC-4
#[tokio::test]
async fn a_lock_is_told_once_and_the_guesses_behind_it_are_not() {
    let events = Events::default();
    let mut options = options();
    options.rate_limit.enabled = Some(true);
    options.rate_limit.per_account.passwords = vec![RateRule { window: 60, max: 2 }];
    let test = TestEngine::new(told(&events, options));
    test.ada().await;
    events.take();
    let mut eve = test.browser();
    for attempt in 0..5 {
        // Each from another address, which has a limit of its own.
        eve.headers.insert("x-forwarded-for", format!("203.0.113.{attempt}").parse().unwrap());
        let _ = eve.sign_in(ADA, "not the password").await;
    }
    let refused = "sign-in-refused wrong-password";
    assert_eq!(events.take(), [refused, refused, "locked password"]);
    test.advance(61);
    for attempt in 0..4 {
        eve.headers.insert("x-forwarded-for", format!("203.0.113.{}", attempt + 10).parse().unwrap());
        let _ = eve.sign_in("nobody@example.com", "not the password").await;
    }
    let refused = "sign-in-refused unknown-address";
    assert_eq!(events.take(), [refused, refused, "locked password"]);
}

// spec: SEC-9
#[tokio::test]
async fn passwords_and_addresses_are_told_when_they_change_and_when_somebody_asks_for_it() {
    let events = Events::default();
    let test = TestEngine::with(|mailbox| told(&events, with_mail(mailbox)));
    let mut ada = test.ada().await;
    ada.post("/send-verification-email", json!({ "email": ADA })).await.assert(StatusCode::OK);
    let link = test.mailbox.take();
    events.take();
    ada.open(&link.url).await;
    ada.open(&link.url).await;
    assert_eq!(events.take(), ["email-verified"], "what was proven before is nothing new");

    let change =
        |new: &str| json!({ "currentPassword": PASSWORD, "newPassword": new, "revokeOtherSessions": true });
    ada.post("/change-password", json!({ "currentPassword": "wrong one", "newPassword": NEW })).await;
    assert_eq!(events.take(), ["confirmation-refused wrong-password"]);
    ada.post("/change-password", change(NEW)).await.assert(StatusCode::OK);
    assert_eq!(events.take(), ["password-changed", "sessions-revoked others"]);

    ada.post("/change-email", json!({ "newEmail": "new@example.com" })).await.assert(StatusCode::OK);
    let mut api = test.engine.api_for(&ada.cookie_header());
    api.cancel_change_email().await.unwrap();
    api.cancel_change_email().await.unwrap();
    assert_eq!(events.take(), ["email-change-asked", "email-change-cancelled"]);
    let cancelled = test.mailbox.take();
    ada.open(&cancelled.url).await;
    assert_eq!(events.take(), [""; 0], "a link that does nothing");
    ada.post("/change-email", json!({ "newEmail": "new@example.com" })).await.assert(StatusCode::OK);
    ada.open(&test.mailbox.take().url).await;
    ada.open(&test.mailbox.take().url).await;
    assert_eq!(events.take(), ["email-change-asked", "email-change-agreed", "email-changed"]);

    ada.post("/request-password-reset", json!({ "email": "new@example.com" })).await.assert(StatusCode::OK);
    let token = test.mailbox.take().token;
    for _ in 0..2 {
        let _ = ada.post("/reset-password", json!({ "token": token, "newPassword": PASSWORD })).await;
    }
    assert_eq!(events.take(), ["password-reset-asked", "password-reset", "sessions-revoked all"]);
}

// spec: SEC-9, SEC-2
#[tokio::test]
async fn a_reset_that_takes_an_account_back_says_so() {
    let events = Events::default();
    let test = TestEngine::with(|mailbox| told(&events, with_mail(mailbox)));
    let mut ada = test.ada().await;
    ada.post("/request-password-reset", json!({ "email": ADA })).await.assert(StatusCode::OK);
    events.take();
    let token = test.mailbox.take().token;
    ada.post("/reset-password", json!({ "token": token, "newPassword": NEW })).await.assert(StatusCode::OK);
    assert_eq!(events.take(), ["password-reset yes", "email-verified", "sessions-revoked all"]);
}

// spec: SEC-9
#[tokio::test]
async fn the_end_of_sessions_and_of_an_account_is_told() {
    let events = Events::default();
    let test = TestEngine::with(|mailbox| told(&events, with_mail(mailbox)));
    let mut ada = test.ada().await;
    let mut other = test.browser();
    other.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
    let other = other.session().await;
    events.take();
    ada.post("/revoke-session", json!({ "token": "somebody else's" })).await.assert(StatusCode::OK);
    assert_eq!(events.take(), [""; 0], "nothing was ended");
    for name in [&other["session"]["id"], &other["session"]["token"]] {
        ada.post("/revoke-session", json!({ "token": name })).await.assert(StatusCode::OK);
    }
    assert_eq!(events.take(), ["session-revoked"], "it can be ended once");
    ada.post("/revoke-other-sessions", json!({})).await.assert(StatusCode::OK);
    ada.post("/delete-user", json!({ "password": PASSWORD })).await.assert(StatusCode::OK);
    assert_eq!(events.take(), ["sessions-revoked others", "account-deleted"]);
}

// spec: SEC-9
#[tokio::test]
async fn a_second_factor_is_told_from_its_first_day_to_its_last() {
    let events = Events::default();
    let account_lockout = AccountLockout { max_failed_attempts: 2, ..AccountLockout::default() };
    let factor = TwoFactorOptions { account_lockout, ..TwoFactorOptions::default() };
    let test = TestEngine::new(told(&events, two_factor::with(factor)));
    let (mut ada, backup_codes) = enrolled(&test).await;
    assert_eq!(events.take(), ["sign-up", "two-factor-enabled"]);

    let mut phone = challenged(&test).await;
    let right = code(&test).await;
    let body = json!({ "code": right, "trustDevice": true });
    phone.post("/two-factor/verify-totp", body.clone()).await.assert(StatusCode::OK);
    let asked = "second-factor-asked password";
    assert_eq!(events.take(), [asked, "second-factor-passed totp", "sign-in totp", "device-trusted"]);
    phone.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
    assert_eq!(events.take(), ["sign-in password"], "it is trusted");

    let mut other = challenged(&test).await;
    other
        .post("/two-factor/verify-backup-code", json!({ "code": backup_codes[0] }))
        .await
        .assert(StatusCode::OK);
    assert_eq!(events.take(), [asked, "second-factor-passed backup-code", "sign-in backup-code"]);

    let mut eve = challenged(&test).await;
    for _ in 0..3 {
        let _ = eve.post("/two-factor/verify-totp", json!({ "code": "000000" })).await;
    }
    let refused = "second-factor-refused totp";
    assert_eq!(events.take(), [asked, refused, refused, "locked second-factor"]);

    ada.post("/two-factor/generate-backup-codes", json!({ "password": PASSWORD }))
        .await
        .assert(StatusCode::OK);
    ada.post("/two-factor/disable", json!({ "password": PASSWORD })).await.assert(StatusCode::OK);
    assert_eq!(events.take(), ["backup-codes-regenerated", "two-factor-disabled"]);
}

// spec: SEC-9
#[tokio::test]
async fn a_sink_that_fails_fails_nobody() {
    let mut options = options();
    options.on_security_event = Callback::new(|_| async { Err::<(), _>(std::io::Error::other("full")) });
    let test = TestEngine::new(options);
    let mut ada = test.ada().await;
    ada.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
    ada.post("/sign-out", json!({})).await.assert(StatusCode::OK);
}

// spec: SEC-9
#[tokio::test]
async fn what_was_lost_to_somebody_else_is_not_told() {
    let events = Events::default();
    let test = TestEngine::new(told(&events, options()));
    let ada = |name: &str| SignUpEmail {
        name: name.into(),
        email: ADA.into(),
        password: PASSWORD.into(),
        ..SignUpEmail::default()
    };
    let (mut first, mut second) = (test.engine.api(), test.engine.api());
    let (one, other) = tokio::join!(first.sign_up_email(ada("One")), second.sign_up_email(ada("Other")));
    assert!(one.is_ok() != other.is_ok());
    assert_eq!(events.take(), ["sign-up"]);
}

#[test]
fn every_kind_has_a_name_of_its_own() {
    for kind in SecurityEventKind::ALL {
        assert_eq!(SecurityEventKind::named(kind.name()), Some(*kind));
    }
    assert_eq!(SecurityEventKind::named("impersonation-begun"), None);
}
