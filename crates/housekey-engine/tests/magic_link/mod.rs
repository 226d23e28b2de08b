//! Links by mail through the front door: who is let in by one, once, and what strangers try with them.

mod attacks;
mod bound;
mod confirm_page;
mod events;
mod first_proof;
mod opening;
mod second_factor;
mod sending;
mod server_code;

use crate::support::{Answer, Browser, Mail, Mailbox, TestEngine, options};
use housekey_engine::options::EngineOptions;
use housekey_engine::plugins::magic_link::{MagicLinkMail, MagicLinkOptions, magic_link};
use housekey_engine::{ApiError, Callback, Engine, EngineBuilder};
use http::StatusCode;
use serde_json::{Value, json};

const ADA: &str = "ada@example.com";

/// An engine whose links end up in a mailbox.
fn built(mailbox: &Mailbox, options: EngineOptions, links: MagicLinkOptions) -> EngineBuilder {
    Engine::builder(options).plugins([magic_link(caught(mailbox, links))])
}

fn caught(mailbox: &Mailbox, links: MagicLinkOptions) -> MagicLinkOptions {
    let mailbox = mailbox.clone();
    let send_magic_link = Callback::new(move |mail: MagicLinkMail| {
        mailbox.push(Mail { kind: "magic-link", to: mail.email, url: mail.url, token: mail.token });
        async { Ok::<_, ApiError>(()) }
    });
    MagicLinkOptions { send_magic_link, ..links }
}

fn with(links: MagicLinkOptions) -> TestEngine {
    TestEngine::with(|mailbox| built(mailbox, options(), links))
}

fn test_engine() -> TestEngine {
    with(MagicLinkOptions::default())
}

async fn ask(browser: &mut Browser, email: &str) -> Answer {
    browser.post("/sign-in/magic-link", json!({ "email": email, "callbackURL": "/in" })).await
}

/// The link that was sent to an address which asked for one.
async fn link(test: &TestEngine, email: &str) -> Mail {
    ask(&mut test.browser(), email).await.assert(StatusCode::OK);
    test.mailbox.take()
}

/// Asserts that a link led somewhere.
#[track_caller]
fn assert_leads(answer: &Answer, target: &str) {
    assert_eq!(answer.status, StatusCode::FOUND, "{answer:?}");
    assert_eq!(answer.header("location"), Some(format!("{}{target}", crate::support::ORIGIN).as_str()));
}

/// Asserts that a link was refused and let nobody in.
#[track_caller]
fn assert_refused(answer: &Answer, error: &str) {
    assert_eq!(answer.status, StatusCode::FOUND, "{answer:?}");
    let location = answer.header("location").unwrap();
    assert!(location.contains(&format!("error={error}")), "{location}");
    assert!(answer.cookie("session_token").is_none(), "{answer:?}");
}

async fn user_of(browser: &mut Browser) -> Value {
    browser.session().await["user"].clone()
}
