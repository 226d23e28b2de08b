use housekey_engine::plugins::magic_link::{MagicLinkOptions, magic_link};
use housekey_engine::plugins::two_factor::{TwoFactorOptions, totp_code, two_factor};
use housekey_engine::storage::{Filter, Records as _};
use housekey_engine::{Engine, Record};
use http::StatusCode;
use serde_json::{Value, json};

use crate::magic_link::{ADA, assert_leads, caught, link};
use crate::support::{Answer, PASSWORD, TestEngine, options};

/// Ada with a password, a proven address and a second factor.
async fn with_second_factor(links: MagicLinkOptions) -> TestEngine {
    let at_once = TwoFactorOptions { skip_verification_on_enable: true, ..TwoFactorOptions::default() };
    let test = TestEngine::with(|mailbox| {
        Engine::builder(options()).plugins([two_factor(at_once), magic_link(caught(mailbox, links))])
    });
    let mut ada = test.ada().await;
    let table = test.engine.schema().table("user").unwrap();
    let proven = Record::new().with("emailVerified", true);
    test.storage.update(table, &Filter::by("email", ADA), &proven).await.unwrap();
    let body = json!({ "password": PASSWORD, "method": "totp" });
    ada.post("/two-factor/enable", body).await.assert(StatusCode::OK);
    test
}

fn assert_asked(answer: &Answer) {
    assert!(answer.cookie("session_token").is_none_or(|cookie| cookie.is_cleared()), "{answer:?}");
    assert!(answer.cookie("two_factor").is_some(), "{answer:?}");
}

#[tokio::test]
// spec: KEY-2
async fn a_second_factor_is_asked_after_a_link() {
    let test = with_second_factor(MagicLinkOptions::default()).await;
    let sessions = test.rows("session").await.len();
    let mut browser = test.browser();
    let mail = link(&test, ADA).await;
    let answer = browser.open(&mail.url).await;
    assert_leads(&answer, "/in?twoFactorRedirect=true");
    assert_asked(&answer);
    assert_eq!(browser.session().await, Value::Null);
    assert_eq!(test.rows("session").await.len(), sessions);
    assert_leads(&test.browser().open(&mail.url).await, "/in?error=INVALID_TOKEN");

    let api = test.engine.api();
    let ada = api.user_by_email(ADA).await.unwrap().unwrap();
    let code = json!({ "code": totp_code(&api, &ada).await.unwrap() });
    browser.post("/two-factor/verify-totp", code).await.assert(StatusCode::OK);
    assert_eq!(browser.session().await["user"]["email"], ADA);
}

#[tokio::test]
// spec: KEY-2
async fn the_app_says_where_the_second_factor_is_asked() {
    let page =
        MagicLinkOptions { second_factor_url: Some("/two-factor".into()), ..MagicLinkOptions::default() };
    let test = with_second_factor(page).await;
    let answer = test.browser().open(&link(&test, ADA).await.url).await;
    assert_leads(&answer, "/two-factor");
    assert_asked(&answer);
}

#[tokio::test]
// spec: KEY-2
async fn without_an_address_to_go_to_the_challenge_is_told_as_after_a_password() {
    let test = with_second_factor(MagicLinkOptions::default()).await;
    let token = link(&test, ADA).await.token;
    let answer =
        test.browser().get(&format!("/magic-link/verify?token={token}")).await.assert(StatusCode::OK);
    assert_eq!(answer.json()["twoFactorRedirect"], true);
    assert_eq!(answer.json()["token"], Value::Null);
    assert_asked(&answer);
}
