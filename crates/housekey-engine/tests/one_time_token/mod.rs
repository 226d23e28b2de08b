//! A session handed over with a token that works once.

use crate::sink::Events;
use crate::support::{Answer, Browser, TestEngine, options};
use housekey_engine::options::EngineOptions;
use housekey_engine::plugins::one_time_token::{
    OneTimeTokenOptions, StoredToken, generate, one_time_token, verify,
};
use housekey_engine::plugins::{admin, two_factor};
use housekey_engine::{Engine, Secret};
use http::StatusCode;
use serde_json::{Value, json};

fn with(tokens: OneTimeTokenOptions) -> TestEngine {
    TestEngine::new(Engine::builder(options()).plugins([one_time_token(tokens)]))
}

fn test_engine() -> TestEngine {
    with(OneTimeTokenOptions::default())
}

async fn token(browser: &mut Browser) -> String {
    let answer = browser.get("/one-time-token/generate").await.assert(StatusCode::OK);
    answer.json()["token"].as_str().unwrap().to_owned()
}

async fn bring(browser: &mut Browser, token: &str) -> Answer {
    browser.post("/one-time-token/verify", json!({ "token": token })).await
}

#[track_caller]
fn invalid(answer: Answer, message: &str) {
    let answer = answer.assert(StatusCode::BAD_REQUEST);
    assert_eq!(answer.json(), json!({ "message": message }));
    assert!(answer.cookies.is_empty(), "nobody is signed in by a refusal");
}

// spec: KEY-1
#[tokio::test]
async fn a_token_gives_its_session_to_another_browser() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let token = token(&mut ada).await;
    assert_eq!(token.len(), 32);

    let mut other = test.browser();
    let handed = bring(&mut other, &token).await.assert(StatusCode::OK).json();
    assert_eq!(handed["user"]["email"], "ada@example.com");
    let own = ada.session().await;
    assert_eq!(handed["session"]["id"], own["session"]["id"], "the same session, not a new one");
    assert_eq!(other.session().await["session"]["id"], own["session"]["id"]);
    assert_eq!(test.rows("session").await.len(), 1);
}

#[tokio::test]
async fn nobody_who_is_not_signed_in_gets_a_token() {
    let test = test_engine();
    test.browser().get("/one-time-token/generate").await.assert(StatusCode::UNAUTHORIZED);
    assert!(test.rows("verification").await.is_empty());
}

#[tokio::test]
async fn a_token_works_once() {
    let test = test_engine();
    let token = token(&mut test.ada().await).await;
    bring(&mut test.browser(), &token).await.assert(StatusCode::OK);
    invalid(bring(&mut test.browser(), &token).await, "Invalid token");
}

#[tokio::test]
async fn of_many_who_bring_one_token_at_once_one_gets_the_session() {
    let test = test_engine();
    let token = token(&mut test.ada().await).await;
    let tries = (0..16).map(|_| {
        let (mut browser, token) = (test.browser(), token.clone());
        tokio::spawn(async move { bring(&mut browser, &token).await.status })
    });
    let mut let_in = 0;
    for one in tries.collect::<Vec<_>>() {
        let_in += u32::from(one.await.unwrap() == StatusCode::OK);
    }
    assert_eq!(let_in, 1);
}

#[tokio::test]
async fn a_token_lives_for_three_minutes() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let (first, second) = (token(&mut ada).await, token(&mut ada).await);
    test.advance(179);
    bring(&mut test.browser(), &first).await.assert(StatusCode::OK);
    test.advance(1);
    invalid(bring(&mut test.browser(), &second).await, "Invalid token");
}

#[tokio::test]
async fn what_stands_in_the_database_signs_nobody_in() {
    let test = test_engine();
    let token = token(&mut test.ada().await).await;
    let rows = test.rows("verification").await;
    let identifier = rows[0].text("identifier").unwrap();
    assert!(!identifier.contains(&token));
    for guess in
        [identifier, identifier.strip_prefix("one-time-token:").unwrap(), rows[0].text("value").unwrap()]
    {
        invalid(bring(&mut test.browser(), guess).await, "Invalid token");
    }
    let plain = with(OneTimeTokenOptions { store_token: StoredToken::Plain, ..Default::default() });
    let token = self::token(&mut plain.ada().await).await;
    assert_eq!(
        plain.rows("verification").await[0].text("identifier").unwrap(),
        format!("one-time-token:{token}")
    );
}

#[tokio::test]
async fn guesses_forgeries_and_other_rows_of_the_table_are_no_tokens() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let token = token(&mut ada).await;
    // A row of another kind, whose identifier somebody knows.
    test.engine.api().verifications().create("reset-password:abc", "whatever", 600).await.unwrap();
    for guess in [
        "",
        "x",
        "abc",
        "reset-password:abc",
        &token[..31],
        &format!("{token}x"),
        &token.to_lowercase(),
        "\u{1F511}",
    ] {
        invalid(bring(&mut test.browser(), guess).await, "Invalid token");
    }
    bring(&mut test.browser(), "a\0b").await.refused(400, "VALIDATION_ERROR");
    for body in [json!({}), json!({ "token": 5 }), json!({ "token": null })] {
        test.browser().post("/one-time-token/verify", body).await.refused(400, "VALIDATION_ERROR");
    }
    bring(&mut test.browser(), &token).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn a_session_that_ended_is_handed_to_nobody() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let first = token(&mut ada).await;
    ada.post("/sign-out", json!({})).await.assert(StatusCode::OK);
    invalid(bring(&mut test.browser(), &first).await, "Session not found");
}

#[tokio::test]
async fn a_token_of_somebody_who_was_shut_out_since_gives_nothing() {
    let test = TestEngine::new(
        Engine::builder(options()).plugins([one_time_token(Default::default()), admin(Default::default())]),
    );
    let token = token(&mut test.ada().await).await;
    let user = test.engine.api().user_by_email("ada@example.com").await.unwrap().unwrap();
    let mut changes = test.engine.api().changes();
    let banned = housekey_engine::Record::new().with("banned", true);
    changes.update("user", housekey_engine::storage::Filter::by("id", &user.id), banned).await.unwrap();
    let _ = changes.commit().await.unwrap();
    invalid(bring(&mut test.browser(), &token).await, "Session not found");
}

// spec: KEY-2
#[tokio::test]
async fn whoever_still_owes_a_second_factor_has_no_session_to_hand_over() {
    let test = TestEngine::new(Engine::builder(options()).plugins([
        one_time_token(Default::default()),
        two_factor(two_factor::TwoFactorOptions { skip_verification_on_enable: true, ..Default::default() }),
    ]));
    let mut ada = test.ada().await;
    ada.post("/two-factor/enable", json!({ "password": crate::support::PASSWORD }))
        .await
        .assert(StatusCode::OK);
    let mut half = test.browser();
    half.sign_in("ada@example.com", crate::support::PASSWORD).await.assert(StatusCode::OK);
    half.get("/one-time-token/generate").await.assert(StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn a_page_of_another_origin_cannot_sign_a_browser_in() {
    let test = test_engine();
    let token = token(&mut test.ada().await).await;
    let mut lured = test.browser();
    lured.headers.insert("origin", "https://evil.example".parse().unwrap());
    lured.headers.insert("sec-fetch-site", "cross-site".parse().unwrap());
    lured.headers.insert("sec-fetch-mode", "navigate".parse().unwrap());
    bring(&mut lured, &token).await.assert(StatusCode::FORBIDDEN);
    bring(&mut test.browser(), &token).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn options_keep_tokens_to_the_server_and_cookies_to_themselves() {
    let test = with(OneTimeTokenOptions {
        disable_client_request: true,
        disable_set_session_cookie: true,
        ..Default::default()
    });
    let mut ada = test.ada().await;
    let refused = ada.get("/one-time-token/generate").await.assert(StatusCode::BAD_REQUEST).json();
    assert_eq!(refused, json!({ "message": "Client requests are disabled" }));
    test.browser().get("/one-time-token/generate").await.assert(StatusCode::UNAUTHORIZED);

    let mut api = test.engine.api_for(&ada.cookie_header());
    let token = generate(&mut api).await.unwrap();
    let answer = bring(&mut test.browser(), token.reveal()).await.assert(StatusCode::OK);
    assert!(answer.cookies.is_empty());
}

#[tokio::test]
async fn server_code_hands_over_and_takes() {
    let test = test_engine();
    let ada = test.ada().await;
    let mut api = test.engine.api_for(&ada.cookie_header());
    let token = generate(&mut api).await.unwrap();
    assert!(!format!("{token:?}").contains(token.reveal()));
    let mut other = test.engine.api();
    assert_eq!(verify(&mut other, &token).await.unwrap().user.email, "ada@example.com");
    assert!(other.into_headers().contains_key("set-cookie"));
    assert!(verify(&mut test.engine.api(), &Secret::from("a\0b")).await.is_err());
}

#[tokio::test]
async fn a_sign_in_can_answer_with_a_token_in_a_header() {
    let test = with(OneTimeTokenOptions { set_header_on_new_session: true, ..Default::default() });
    let answer = test.browser().sign_up("ada@example.com").await.assert(StatusCode::OK);
    let token = answer.header("set-ott").unwrap();
    assert_eq!(answer.header("access-control-expose-headers"), Some("set-ott"));
    bring(&mut test.browser(), token).await.assert(StatusCode::OK);
    let refused = test.browser().sign_in("ada@example.com", "wrong wrong").await;
    assert!(refused.header("set-ott").is_none());
    let off = test_engine().browser().sign_up("ada@example.com").await;
    assert!(off.header("set-ott").is_none());
}

// spec: KEY-2, SEC-9
#[tokio::test]
async fn a_hand_over_is_told_as_a_sign_in_and_a_refusal_as_one() {
    let events = Events::default();
    let options = EngineOptions { on_security_event: events.sink(), ..options() };
    let test = TestEngine::new(Engine::builder(options).plugins([one_time_token(Default::default())]));
    let mut ada = test.ada().await;
    let (token, late) = (token(&mut ada).await, token(&mut ada).await);
    events.take();
    let body: Value = bring(&mut test.browser(), &token).await.assert(StatusCode::OK).json();
    let told = events.all();
    assert_eq!(events.take(), ["sign-in one-time-token"]);
    assert_eq!(told[0].session_id.as_deref(), body["session"]["id"].as_str());
    assert!(!format!("{told:?}").contains(&token));
    bring(&mut test.browser(), &token).await.assert(StatusCode::BAD_REQUEST);
    assert_eq!(events.take(), ["sign-in-refused one-time-token invalid-token"]);
    ada.post("/sign-out", json!({})).await.assert(StatusCode::OK);
    events.take();
    bring(&mut test.browser(), &late).await.assert(StatusCode::BAD_REQUEST);
    let told = format!("{:?}", events.all());
    assert_eq!(events.take(), ["sign-in-refused one-time-token session-ended"]);
    assert!(!told.contains(&late));
}

#[tokio::test]
// spec: KEY-2
async fn a_copy_of_a_session_that_was_ended_gets_no_token() {
    let mut options = options();
    options.session.cookie_cache.enabled = true;
    let tokens = one_time_token(OneTimeTokenOptions::default());
    let test = TestEngine::new(Engine::builder(options).plugins([tokens]));
    let mut copied = test.ada().await;
    let mut owner = test.browser();
    owner.sign_in("ada@example.com", crate::support::PASSWORD).await.assert(StatusCode::OK);
    owner.post("/revoke-other-sessions", json!({})).await.assert(StatusCode::OK);
    assert!(copied.session().await.is_object(), "the copy in the cookie is still believed");
    copied.get("/one-time-token/generate").await.assert(StatusCode::UNAUTHORIZED);
    assert!(test.rows("verification").await.is_empty());
}
