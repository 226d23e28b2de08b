//! Somebody signed up with an address that is not theirs, and its owner comes by mail.

use housekey_engine::Engine;
use housekey_engine::plugins::magic_link::{MagicLinkOptions, magic_link};
use housekey_engine::plugins::two_factor::{TwoFactorOptions, two_factor};
use http::StatusCode;
use serde_json::{Value, json};

use crate::magic_link::{ADA, assert_leads, caught, link, user_of};
use crate::stall::Stall;
use crate::support::{PASSWORD, TestEngine, options};

fn test_engine() -> TestEngine {
    let at_once = TwoFactorOptions { skip_verification_on_enable: true, ..TwoFactorOptions::default() };
    TestEngine::with(|mailbox| {
        let links = caught(mailbox, MagicLinkOptions::default());
        let mut options = options();
        options.email_and_password.send_reset_password = mailbox.link("reset");
        Engine::builder(options).plugins([two_factor(at_once), magic_link(links)])
    })
}

#[tokio::test]
// spec: SEC-2, KEY-2
async fn the_owner_of_an_address_takes_the_account_over_and_every_other_way_in_ends() {
    let test = test_engine();
    let mut intruder = test.ada().await;
    let body = json!({ "password": PASSWORD, "method": "totp" });
    intruder.post("/two-factor/enable", body).await.assert(StatusCode::OK);
    assert_eq!(user_of(&mut intruder).await["twoFactorEnabled"], true);
    intruder.post("/request-password-reset", json!({ "email": ADA })).await.assert(StatusCode::OK);
    let reset = test.mailbox.take().token;

    let mut owner = test.browser();
    assert_leads(&owner.open(&link(&test, ADA).await.url).await, "/in");
    let user = user_of(&mut owner).await;
    assert_eq!((&user["emailVerified"], &user["twoFactorEnabled"]), (&json!(true), &json!(false)));

    assert_eq!(intruder.session().await, Value::Null);
    test.browser().sign_in(ADA, PASSWORD).await.refused(401, "INVALID_EMAIL_OR_PASSWORD");
    let body = json!({ "token": reset, "newPassword": "another password" });
    test.browser().post("/reset-password", body).await.refused(400, "INVALID_TOKEN");
    for table in ["account", "twoFactor"] {
        assert!(test.rows(table).await.is_empty(), "{table}");
    }
    assert_eq!(test.rows("session").await.len(), 1);
}

#[tokio::test]
// spec: SEC-2
async fn the_second_link_takes_nothing_away() {
    let test = test_engine();
    test.ada().await;
    let mut owner = test.browser();
    assert_leads(&owner.open(&link(&test, ADA).await.url).await, "/in");
    assert_leads(&test.browser().open(&link(&test, ADA).await.url).await, "/in");
    assert_eq!(user_of(&mut owner).await["email"], ADA);
    assert_eq!(test.rows("session").await.len(), 2);
}

#[tokio::test]
// spec: SEC-2, KEY-2
async fn a_sign_in_with_the_planted_password_that_is_under_way_gets_no_session() {
    let stall = Stall::default();
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        stall.put_in(&mut options);
        Engine::builder(options).plugins([magic_link(caught(mailbox, MagicLinkOptions::default()))])
    });
    test.ada().await;
    let mut owner = test.browser();
    let url = link(&test, ADA).await.url;
    stall
        .sign_in(&test, (ADA, PASSWORD), async {
            assert_leads(&owner.open(&url).await, "/in");
        })
        .await
        .refused(401, "INVALID_EMAIL_OR_PASSWORD");
    assert_eq!(test.rows("session").await.len(), 1);
    assert_eq!(user_of(&mut owner).await["email"], ADA);
}
