//! A sign-in whose password is replaced while it is compared.

use housekey_engine::Engine;
use housekey_engine::options::{PasswordHasher, PasswordOptions};
use housekey_engine::plugins::two_factor::{TwoFactorOptions, two_factor};
use http::StatusCode;
use serde_json::json;

use crate::stall::Stall;
use crate::support::{PASSWORD, TestEngine, options};

const ADA: &str = "ada@example.com";
const NEW: &str = "a new password";

fn stalling() -> (TestEngine, Stall) {
    let stall = Stall::default();
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.email_and_password.send_reset_password = mailbox.link("reset");
        stall.put_in(&mut options);
        let at_once = TwoFactorOptions { skip_verification_on_enable: true, ..TwoFactorOptions::default() };
        Engine::builder(options).plugins([two_factor(at_once)])
    });
    (test, stall)
}

async fn reset(test: &TestEngine, new: &str) {
    test.browser().post("/request-password-reset", json!({ "email": ADA })).await.assert(StatusCode::OK);
    let body = json!({ "newPassword": new, "token": test.mailbox.take().token });
    test.browser().post("/reset-password", body).await.assert(StatusCode::OK);
}

#[tokio::test]
// spec: SEC-2
async fn a_password_that_was_reset_while_it_was_compared_lets_nobody_in() {
    let (test, stall) = stalling();
    test.ada().await;
    // The first reset proves the address, the second does not.
    for (old, new) in [(PASSWORD, NEW), (NEW, PASSWORD)] {
        let answer = stall.sign_in(&test, (ADA, old), reset(&test, new)).await;
        let answer = answer.refused(401, "INVALID_EMAIL_OR_PASSWORD");
        assert!(answer.cookies.is_empty(), "{answer:?}");
        assert!(test.rows("session").await.is_empty());
    }
}

#[tokio::test]
// spec: SEC-2
async fn a_password_that_was_changed_while_it_was_compared_lets_nobody_in() {
    let (test, stall) = stalling();
    let mut ada = test.ada().await;
    let body = json!({ "currentPassword": PASSWORD, "newPassword": NEW, "revokeOtherSessions": true });
    stall
        .sign_in(&test, (ADA, PASSWORD), async {
            ada.post("/change-password", body).await.assert(StatusCode::OK);
        })
        .await
        .refused(401, "INVALID_EMAIL_OR_PASSWORD");
    assert_eq!(test.rows("session").await.len(), 1);
    assert_eq!(ada.session().await["user"]["email"], ADA);
    test.browser().sign_in(ADA, NEW).await.assert(StatusCode::OK);
}

#[tokio::test]
// spec: SEC-2, SEC-3
async fn nobody_is_asked_for_a_second_factor_by_a_password_that_was_changed_meanwhile() {
    let (test, stall) = stalling();
    let mut ada = test.ada().await;
    let enable = json!({ "password": PASSWORD, "method": "totp" });
    ada.post("/two-factor/enable", enable).await.assert(StatusCode::OK);
    let body = json!({ "currentPassword": PASSWORD, "newPassword": NEW });
    let answer = stall
        .sign_in(&test, (ADA, PASSWORD), async {
            ada.post("/change-password", body).await.assert(StatusCode::OK);
        })
        .await
        .refused(401, "INVALID_EMAIL_OR_PASSWORD");
    assert!(answer.cookie("two_factor").is_none(), "{answer:?}");
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn a_password_that_another_sign_in_stores_anew_meanwhile_is_right_all_the_same() {
    let mut shared = options();
    shared.email_and_password.password =
        PasswordOptions { hasher: PasswordHasher::BetterAuthScrypt, ..PasswordOptions::default() };
    let test = TestEngine::new(shared);
    test.ada().await;
    let test = test.under(options());
    let tasks = (0..4).map(|_| {
        let mut browser = test.browser();
        tokio::spawn(async move { browser.sign_in(ADA, PASSWORD).await })
    });
    for task in tasks.collect::<Vec<_>>() {
        task.await.unwrap().assert(StatusCode::OK);
    }
    assert!(test.rows("account").await[0].text("password").unwrap().starts_with("$argon2id$"));
}
