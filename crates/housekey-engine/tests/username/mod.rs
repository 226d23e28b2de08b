//! Names to sign in with, through the front door: who gets one, what it lets whom do, and what it must not tell.

mod availability;
mod changing;
mod guessing;
mod other_letters;
mod races;
mod sign_in;
mod sign_up;

use crate::support::{Answer, Browser, PASSWORD, TestEngine, options};
use housekey_engine::options::EngineOptions;
use housekey_engine::plugins::{UsernameOptions, username};
use housekey_engine::{Engine, Record};
use http::StatusCode;
use serde_json::{Value, json};

fn built(options: EngineOptions, username_options: UsernameOptions) -> TestEngine {
    TestEngine::new(Engine::builder(options).plugins([username(username_options)]))
}

fn with(username_options: UsernameOptions) -> TestEngine {
    built(options(), username_options)
}

fn test_engine() -> TestEngine {
    with(UsernameOptions::default())
}

fn email(name: &str) -> String {
    format!("{name}@example.com")
}

/// Signs somebody up with more fields than the usual ones.
async fn sign_up_with(browser: &mut Browser, who: &str, more: Value) -> Answer {
    let mut body = json!({ "name": "Somebody", "email": email(who), "password": PASSWORD });
    body.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
    browser.post("/sign-up/email", body).await
}

/// Somebody of that name, signed in.
async fn person(test: &TestEngine, name: &str) -> Browser {
    let mut browser = test.browser();
    sign_up_with(&mut browser, name, json!({ "username": name })).await.assert(StatusCode::OK);
    browser
}

async fn sign_in(browser: &mut Browser, name: &str, password: &str) -> Answer {
    browser.post("/sign-in/username", json!({ "username": name, "password": password })).await
}

async fn is_available(browser: &mut Browser, name: &str) -> Answer {
    browser.post("/is-username-available", json!({ "username": name })).await
}

async fn row(test: &TestEngine, who: &str) -> Record {
    test.rows("user").await.into_iter().find(|row| row.text("email") == Some(&email(who))).unwrap()
}
