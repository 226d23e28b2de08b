//! A link that shows a page first, so that programs which look through mails spend nothing.

use housekey_engine::plugins::magic_link::MagicLinkOptions;
use http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::magic_link::{ADA, link, user_of, with};
use crate::support::TestEngine;

fn test_engine() -> TestEngine {
    with(MagicLinkOptions { confirm_url: Some("/sign-in/link?x=1".into()), ..MagicLinkOptions::default() })
}

#[tokio::test]
// spec: KEY-3
async fn a_scanner_that_opens_a_link_spends_nothing() {
    let test = test_engine();
    let mail = link(&test, ADA).await;
    for _ in 0..3 {
        let answer = test.browser().open(&mail.url).await.assert(StatusCode::FOUND);
        let page = format!("/sign-in/link?x=1&token={}&callbackURL=%2Fin", mail.token);
        assert_eq!(answer.header("location"), Some(page.as_str()));
        assert_eq!(answer.header("referrer-policy"), Some("no-referrer"));
        assert!(answer.cookies.is_empty());
    }
    assert!(test.rows("user").await.is_empty());

    let mut browser = test.browser();
    let answer = browser.post("/magic-link/verify", json!({ "token": mail.token })).await;
    let body = answer.assert(StatusCode::OK).json();
    assert_eq!(body["user"]["email"], ADA);
    assert_eq!(user_of(&mut browser).await["email"], ADA);
    let again = test.browser().post("/magic-link/verify", json!({ "token": mail.token })).await;
    again.refused(400, "INVALID_TOKEN");
}

#[tokio::test]
// spec: KEY-3
async fn a_foreign_page_cannot_spend_a_link_in_somebody_s_browser() {
    let test = test_engine();
    let token = link(&test, ADA).await.token;
    let mut browser = test.browser();
    browser.headers.insert("origin", "https://evil.test".parse().unwrap());
    let answer = browser.post("/magic-link/verify", json!({ "token": token })).await;
    answer.refused(403, "INVALID_ORIGIN");
    let form = format!("token={token}").into();
    let form = browser.send(Method::POST, "/magic-link/verify", form, Some("text/plain")).await;
    assert_ne!(form.status, StatusCode::OK);
    assert_eq!(test.browser().session().await, Value::Null);
    test.browser().post("/magic-link/verify", json!({ "token": token })).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn a_page_is_not_led_to_from_a_link_with_a_foreign_address() {
    let test = test_engine();
    let token = link(&test, ADA).await.token;
    let path = format!("/magic-link/verify?token={token}&callbackURL=https%3A%2F%2Fevil.test");
    test.browser().get(&path).await.refused(403, "INVALID_CALLBACK_URL");
}

#[tokio::test]
async fn without_a_page_a_link_is_not_spent_by_post() {
    let test = with(MagicLinkOptions::default());
    let token = link(&test, ADA).await.token;
    let answer = test.browser().post("/magic-link/verify", json!({ "token": token })).await;
    answer.assert(StatusCode::NOT_FOUND);
}
