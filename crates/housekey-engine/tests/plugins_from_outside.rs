//! The plugins that come with the engine are made of what any third party has.
//!
//! Their files are compiled here a second time, as part of another crate: `crate::` then means what the engine makes
//! public, and whatever is private to it does not compile. Below, the plugins built here do their work.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(dead_code, missing_docs, unreachable_pub, reason = "a part of the engine, in another place")]

pub use housekey_engine::*;

#[path = "../src/plugins/mod.rs"]
pub mod plugins;

use std::sync::{Arc, Mutex};

use bytes::Bytes;
use housekey_engine::options::{EmailAndPassword, EngineOptions};
use http::{Request, Response};
use serde_json::{Value as Json, json};

fn engine() -> Engine {
    let options = EngineOptions {
        secret: "a secret of at least thirty-two characters".into(),
        email_and_password: EmailAndPassword { enabled: true, ..Default::default() },
        ..Default::default()
    };
    let plugins = [
        plugins::two_factor(Default::default()),
        plugins::bearer(Default::default()),
        #[cfg(feature = "passkeys")]
        plugins::passkey(Default::default()),
    ];
    Engine::builder(options).plugins(plugins).build(MemoryStorage::new()).unwrap()
}

type Links = Arc<Mutex<Vec<String>>>;

/// More keys to the same house, and what is sent by mail.
fn engine_with_more_keys() -> (Engine, Links) {
    let links = Links::default();
    let sent = Arc::clone(&links);
    let send_magic_link = Callback::new(move |mail: plugins::magic_link::MagicLinkMail| {
        sent.lock().unwrap().push(mail.token);
        async { Ok::<_, ApiError>(()) }
    });
    let more = [
        plugins::magic_link(plugins::MagicLinkOptions { send_magic_link, ..Default::default() }),
        plugins::username(Default::default()),
        plugins::multi_session(Default::default()),
        plugins::last_login_method(Default::default()),
        plugins::api_key(Default::default()),
        plugins::one_time_token(Default::default()),
        #[cfg(feature = "jwt")]
        plugins::jwt(Default::default()),
    ];
    let engine = testing::engine(more).clock(Clock::frozen_now()).build(MemoryStorage::new()).unwrap();
    (engine, links)
}

async fn post(engine: &Engine, path: &str, token: Option<&str>, body: Json) -> Response<Bytes> {
    let mut request = Request::post(format!("/api/auth{path}")).header("content-type", "application/json");
    if let Some(token) = token {
        request = request.header("authorization", format!("Bearer {token}"));
    }
    engine.handle(request.body(Bytes::from(body.to_string())).unwrap()).await
}

fn json_of(response: &Response<Bytes>) -> Json {
    assert_eq!(response.status(), 200, "{response:?}");
    serde_json::from_slice(response.body()).unwrap()
}

#[tokio::test]
async fn plugins_built_outside_of_the_engine_work_in_it() {
    let engine = engine();
    let ada = json!({ "name": "Ada", "email": "ada@example.com", "password": "correct horse" });
    let signed_up = post(&engine, "/sign-up/email", None, ada).await;
    let token = signed_up.headers()["set-auth-token"].to_str().unwrap().to_owned();

    let password = json!({ "password": "correct horse" });
    let enabled = json_of(&post(&engine, "/two-factor/enable", Some(&token), password).await);
    assert_eq!(enabled["backupCodes"].as_array().unwrap().len(), 10);

    let user = engine.api().user_by_email("ada@example.com").await.unwrap().unwrap();
    let code = plugins::two_factor::totp_code(&engine.api(), &user).await.unwrap();
    let verified = post(&engine, "/two-factor/verify-totp", Some(&token), json!({ "code": code })).await;
    assert_eq!(json_of(&verified)["user"]["twoFactorEnabled"], true);

    let credentials = json!({ "email": "ada@example.com", "password": "correct horse" });
    let challenged = post(&engine, "/sign-in/email", None, credentials).await;
    assert_eq!(json_of(&challenged)["twoFactorRedirect"], true);
    assert!(!challenged.headers().contains_key("set-auth-token"), "{challenged:?}");
}

// spec: KEY-1
#[tokio::test]
async fn links_keys_and_tokens_built_outside_work_in_it() {
    let (engine, links) = engine_with_more_keys();
    let mut browser = testing::Browser::new(&engine);
    let asked = browser.post("/sign-in/magic-link", json!({ "email": "ada@example.com" })).await;
    assert_eq!(asked.json(), json!({ "status": true }));
    let token = links.lock().unwrap().pop().unwrap();
    assert_eq!(browser.get(&format!("/magic-link/verify?token={token}")).await.status(), 200);
    assert_eq!(browser.signed_in_as().await.as_deref(), Some("ada@example.com"));

    let key = browser.post("/api-key/create", json!({ "name": "script" })).await.json();
    let key = Secret::from(key["key"].as_str().unwrap());
    let owner = plugins::api_key::verify(&engine.api(), &key, Default::default()).await;
    assert!(owner.is_ok(), "{owner:?}");

    let accounts = browser.get("/multi-session/list-device-sessions").await.json();
    assert_eq!(accounts.as_array().unwrap().len(), 1, "{accounts}");
    #[cfg(feature = "jwt")]
    assert_eq!(browser.get("/token").await.json()["token"].as_str().unwrap().split('.').count(), 3);
}
