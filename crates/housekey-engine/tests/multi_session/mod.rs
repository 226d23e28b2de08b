//! Several accounts in one browser, through the front door: who is in the list, who becomes active, and what nobody can do to it.

mod attacks;
mod ending;
mod keeping;
mod second_factor;
mod server_code;
mod switching;

use crate::support::{Answer, Browser, PASSWORD, TestEngine, options};
use housekey_engine::options::EngineOptions;
use housekey_engine::plugins::{MultiSessionOptions, multi_session};
use housekey_engine::{Engine, Record};
use http::StatusCode;
use serde_json::{Value, json};

fn built(options: EngineOptions, multi_options: MultiSessionOptions) -> TestEngine {
    TestEngine::new(Engine::builder(options).plugins([multi_session(multi_options)]))
}

fn test_engine() -> TestEngine {
    built(options(), MultiSessionOptions::default())
}

fn email(name: &str) -> String {
    format!("{name}@example.com")
}

/// Signs somebody up in a browser; gives the token of their session.
async fn joins(browser: &mut Browser, name: &str) -> String {
    let answer = browser.sign_up(&email(name)).await.assert(StatusCode::OK);
    text(&answer.json()["token"])
}

/// Signs somebody in who is known.
async fn enters(browser: &mut Browser, name: &str) -> String {
    let answer = browser.sign_in(&email(name), PASSWORD).await.assert(StatusCode::OK);
    text(&answer.json()["token"])
}

/// A browser in which these people are signed in, the last of them active; and their tokens.
async fn browser_of<const N: usize>(test: &TestEngine, names: [&str; N]) -> (Browser, [String; N]) {
    let mut browser = test.browser();
    let mut tokens = [const { String::new() }; N];
    for (token, name) in tokens.iter_mut().zip(names) {
        *token = joins(&mut browser, name).await;
        test.advance(1);
    }
    (browser, tokens)
}

/// The names of those who are in the list.
async fn list(browser: &mut Browser) -> Vec<String> {
    let listed = browser.get("/multi-session/list-device-sessions").await.assert(StatusCode::OK).json();
    let name = |account: &Value| text(&account["user"]["email"]).trim_end_matches("@example.com").to_owned();
    listed.as_array().unwrap().iter().map(name).collect()
}

async fn switch(browser: &mut Browser, token: &str) -> Answer {
    browser.post("/multi-session/set-active", json!({ "sessionToken": token })).await
}

async fn revoke(browser: &mut Browser, token: &str) -> Answer {
    browser.post("/multi-session/revoke", json!({ "sessionToken": token })).await
}

/// Who is active, as the page would see it.
async fn active(browser: &mut Browser) -> Option<String> {
    let session = browser.session().await;
    session["user"]["email"].as_str().map(|email| email.trim_end_matches("@example.com").to_owned())
}

fn cookie_name(token: &str) -> String {
    format!("better-auth.session_token_multi-{}", token.to_lowercase())
}

fn text(value: &Value) -> String {
    value.as_str().unwrap().to_owned()
}

async fn sessions_of(test: &TestEngine, name: &str) -> Vec<Record> {
    let users = test.rows("user").await;
    let id = users.iter().find(|row| row.text("email") == Some(&email(name))).unwrap().text("id").unwrap();
    test.rows("session").await.into_iter().filter(|row| row.text("userId") == Some(id)).collect()
}
