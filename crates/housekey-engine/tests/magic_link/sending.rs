use std::time::Duration;

use housekey_engine::MemoryStorage;
use housekey_engine::plugins::magic_link::{MagicLinkOptions, StoredToken};
use http::StatusCode;
use serde_json::json;
use tokio::time::Instant;

use crate::magic_link::{ADA, ask, built, link, test_engine, with};
use crate::support::{Browser, Mailbox, ORIGIN, TestEngine, options};

#[tokio::test]
// spec: KEY-1
async fn a_link_is_sent_to_whoever_asks() {
    let test = test_engine();
    let answer = ask(&mut test.browser(), "Ada@Example.com").await.assert(StatusCode::OK);
    assert_eq!(answer.json(), json!({ "status": true }));
    let mail = test.mailbox.take();
    assert_eq!(mail.to, ADA);
    assert_eq!(mail.token.len(), 32);
    let url = format!("{ORIGIN}/api/auth/magic-link/verify?token={}&callbackURL=%2Fin", mail.token);
    assert_eq!(mail.url, url);
}

#[tokio::test]
async fn a_link_carries_where_to_go() {
    let test = test_engine();
    let body = json!({
        "email": ADA, "newUserCallbackURL": "/hello?a=b c", "errorCallbackURL": "/oh-no", "metadata": { "a": [1] },
    });
    test.browser().post("/sign-in/magic-link", body).await.assert(StatusCode::OK);
    let rest = "&callbackURL=%2F&newUserCallbackURL=%2Fhello%3Fa%3Db+c&errorCallbackURL=%2Foh-no";
    assert!(test.mailbox.take().url.ends_with(rest));
}

#[tokio::test]
// spec: KEY-2
async fn no_link_can_be_read_in_the_database() {
    let test = test_engine();
    let mail = link(&test, ADA).await;
    let rows = test.rows("verification").await;
    assert_eq!(rows.len(), 1);
    assert!(rows.iter().all(|row| !format!("{row:?}").contains(&mail.token)), "{rows:?}");
    assert_eq!(rows[0].text("value"), Some(r#"{"type":"magic-link","email":"ada@example.com"}"#));

    let plain = with(MagicLinkOptions { store_token: StoredToken::Plain, ..MagicLinkOptions::default() });
    let mail = link(&plain, ADA).await;
    let identifier = format!("magic-link:{}", mail.token);
    assert_eq!(plain.rows("verification").await[0].text("identifier"), Some(identifier.as_str()));
}

#[tokio::test]
async fn what_is_wrong_with_a_request_is_told() {
    let test = test_engine();
    let mut browser = test.browser();
    for (body, message) in [
        (json!({ "email": "ada" }), "[body.email] Invalid email address"),
        (json!({}), "[body.email] Invalid input: expected string, received undefined"),
        (
            json!({ "email": ADA, "metadata": 1 }),
            "[body.metadata] Invalid input: expected record, received number",
        ),
    ] {
        let answer = browser.post("/sign-in/magic-link", body).await.refused(400, "VALIDATION_ERROR");
        assert_eq!(answer.json()["message"], message);
    }
    assert!(test.mailbox.all().is_empty());
}

#[tokio::test]
// spec: SEC-5
async fn an_address_that_is_nobody_s_gets_the_same_answer_where_nobody_may_sign_up() {
    let test = with(MagicLinkOptions { disable_sign_up: true, ..MagicLinkOptions::default() });
    test.ada().await;
    let known = ask(&mut test.browser(), ADA).await;
    let unknown = ask(&mut test.browser(), "nobody@example.com").await;
    assert_eq!((known.status, &known.body), (unknown.status, &unknown.body));
    let to: Vec<_> = test.mailbox.all().into_iter().map(|mail| mail.to).collect();
    assert_eq!(to, [ADA], "a link that can only say no is not sent");
}

#[tokio::test]
// spec: KEY-2, SEC-4
async fn an_address_is_sent_five_links_and_no_more_for_a_while() {
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.rate_limit.enabled = Some(true);
        built(mailbox, options, MagicLinkOptions::default())
    });
    for number in 0..12 {
        let mut browser = test.browser();
        browser.headers.insert("x-forwarded-for", format!("203.0.113.{number}").parse().unwrap());
        let email = if number % 2 == 0 { ADA } else { "ADA@example.com" };
        ask(&mut browser, email).await.assert(StatusCode::OK);
    }
    assert_eq!(test.mailbox.all().len(), 5);
    test.advance(300);
    ask(&mut test.browser(), ADA).await.assert(StatusCode::OK);
    assert_eq!(test.mailbox.all().len(), 6);
}

#[tokio::test]
async fn one_client_asks_five_times_a_minute() {
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.rate_limit.enabled = Some(true);
        built(mailbox, options, MagicLinkOptions::default())
    });
    let mut browser = test.browser();
    browser.headers.insert("x-forwarded-for", "203.0.113.1".parse().unwrap());
    for number in 0..5 {
        ask(&mut browser, &format!("a{number}@example.com")).await.assert(StatusCode::OK);
    }
    ask(&mut browser, "a6@example.com").await.assert(StatusCode::TOO_MANY_REQUESTS);
    for _ in 0..5 {
        browser.get("/magic-link/verify?token=x").await.assert(StatusCode::FOUND);
    }
    browser.get("/magic-link/verify?token=x").await.assert(StatusCode::TOO_MANY_REQUESTS);
}

#[tokio::test]
async fn without_a_way_to_send_there_is_nothing() {
    let plugin = housekey_engine::plugins::magic_link(MagicLinkOptions::default());
    let test = TestEngine::new(housekey_engine::Engine::builder(options()).plugins([plugin]));
    ask(&mut test.browser(), ADA).await.assert(StatusCode::NOT_FOUND);
    test.browser().get("/magic-link/verify?token=x").await.assert(StatusCode::NOT_FOUND);
}

#[tokio::test(start_paused = true)]
// spec: SEC-5
async fn the_time_of_an_answer_does_not_tell_whether_a_link_was_sent() {
    let links = MagicLinkOptions { disable_sign_up: true, ..MagicLinkOptions::default() };
    let engine = built(&Mailbox::default(), options(), links).build(MemoryStorage::new()).unwrap();
    let mut browser = Browser::new(engine);
    browser.sign_up(ADA).await.assert(StatusCode::OK);
    for email in [ADA, "nobody@example.com"] {
        let asked_at = Instant::now();
        ask(&mut browser, email).await.assert(StatusCode::OK);
        assert!(asked_at.elapsed() >= Duration::from_millis(500), "{email}: {:?}", asked_at.elapsed());
    }
}
