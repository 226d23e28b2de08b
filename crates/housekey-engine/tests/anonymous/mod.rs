//! Anonymous visitors through the front door: how they come, how they are linked, and what is never lost or taken on the way.

mod linking;
mod methods;
mod sign_in;

use std::sync::{Arc, Mutex};

use crate::support::{Browser, TestEngine, options};
use housekey_engine::options::EngineOptions;
use housekey_engine::plugins::anonymous::{AnonymousOptions, LinkedAccount, anonymous};
use housekey_engine::{Callback, Engine, Record};
use http::StatusCode;
use serde_json::{Value, json};

/// Who was linked to whom: ids of the anonymous user, addresses of the others.
#[derive(Clone, Default)]
struct Links {
    linked: Arc<Mutex<Vec<(String, String)>>>,
    /// What the callback says.
    fails: Arc<Mutex<bool>>,
}

impl Links {
    fn options(&self) -> AnonymousOptions {
        let links = self.clone();
        let on_link_account = Callback::new(move |linked: LinkedAccount| {
            let links = links.clone();
            async move {
                if *links.fails.lock().unwrap() {
                    return Err(std::io::Error::other("the basket is stuck"));
                }
                let pair = (linked.anonymous.user.id.clone(), linked.user.user.email.clone());
                links.linked.lock().unwrap().push(pair);
                Ok(())
            }
        });
        AnonymousOptions { on_link_account, ..AnonymousOptions::default() }
    }

    fn all(&self) -> Vec<(String, String)> {
        self.linked.lock().unwrap().clone()
    }

    fn set_failing(&self, fails: bool) {
        *self.fails.lock().unwrap() = fails;
    }
}

fn built(options: EngineOptions, anonymous_options: AnonymousOptions) -> TestEngine {
    TestEngine::new(Engine::builder(options).plugins([anonymous(anonymous_options)]))
}

fn test_engine() -> (TestEngine, Links) {
    let links = Links::default();
    (built(options(), links.options()), links)
}

/// A visitor who is signed in anonymously, and the id of their user.
async fn visitor(test: &TestEngine) -> (Browser, String) {
    let mut browser = test.browser();
    let answer = browser.post("/sign-in/anonymous", json!({})).await.assert(StatusCode::OK).json();
    let id = answer["user"]["id"].as_str().unwrap().to_owned();
    (browser, id)
}

async fn exists(test: &TestEngine, id: &str) -> bool {
    test.rows("user").await.iter().any(|row| row.text("id") == Some(id))
}

async fn sessions_of(test: &TestEngine, id: &str) -> Vec<Record> {
    test.rows("session").await.into_iter().filter(|row| row.text("userId") == Some(id)).collect()
}

fn linked(id: &str, email: &str) -> Vec<(String, String)> {
    vec![(id.to_owned(), email.to_owned())]
}

fn signed_out(session: &Value) -> bool {
    session.is_null()
}
