//! Admins through the front door: what they do to others, what nobody may do, and what must never happen.

mod attacks;
mod bans;
mod events;
mod impersonation;
mod last_admin;
mod listing;
mod passwords;
mod refusals;
mod server_code;
mod sessions;
mod users;

use crate::support::{Answer, Browser, PASSWORD, TestEngine, options};
use housekey_engine::options::EngineOptions;
use housekey_engine::plugins::{AdminOptions, admin};
use housekey_engine::storage::{Filter, Records as _};
use housekey_engine::{Engine, Record};
use http::StatusCode;
use serde_json::{Value, json};

/// An engine with the plugin.
fn with(admin_options: AdminOptions) -> TestEngine {
    built(options(), admin_options)
}

fn built(options: EngineOptions, admin_options: AdminOptions) -> TestEngine {
    TestEngine::new(Engine::builder(options).plugins([admin(admin_options)]))
}

fn test_engine() -> TestEngine {
    with(AdminOptions::default())
}

fn email(name: &str) -> String {
    format!("{name}@example.com")
}

/// Somebody who signed up, signed in.
async fn person(test: &TestEngine, name: &str) -> Browser {
    let mut browser = test.browser();
    browser.sign_up(&email(name)).await.assert(StatusCode::OK);
    browser
}

/// Somebody with a role, signed in.
async fn with_role(test: &TestEngine, name: &str, role: &str) -> Browser {
    let browser = person(test, name).await;
    set(test, name, Record::new().with("role", role)).await;
    browser
}

/// Changes a user's row behind the engine's back.
async fn set(test: &TestEngine, name: &str, record: Record) {
    let table = test.engine.schema().table("user").unwrap();
    test.storage.update(table, &Filter::by("email", email(name)), &record).await.unwrap();
}

async fn row(test: &TestEngine, name: &str) -> Option<Record> {
    test.rows("user").await.into_iter().find(|row| row.text("email") == Some(&email(name)))
}

async fn id(test: &TestEngine, name: &str) -> String {
    row(test, name).await.unwrap().text("id").unwrap().to_owned()
}

async fn role(test: &TestEngine, name: &str) -> Option<String> {
    row(test, name).await.unwrap().text("role").map(str::to_owned)
}

/// Somebody does something to somebody.
async fn does(browser: &mut Browser, test: &TestEngine, what: &str, to: &str, more: Value) -> Answer {
    let mut body = json!({ "userId": id(test, to).await });
    for (name, value) in more.as_object().unwrap() {
        body[name] = value.clone();
    }
    browser.post(&format!("/admin/{what}"), body).await
}

/// Alice, an admin, and Bob, who is none.
async fn alice_and_bob(test: &TestEngine) -> (Browser, Browser) {
    (with_role(test, "alice", "admin").await, person(test, "bob").await)
}

async fn signs_in(test: &TestEngine, name: &str) -> Answer {
    test.browser().sign_in(&email(name), PASSWORD).await
}
