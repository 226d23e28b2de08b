//! Passwords that are known from thefts, with a host on this machine that plays the service.

use std::sync::Arc;
use std::time::Duration;

use crate::captcha::host::{Host, Silent};
use crate::support::{Answer, PASSWORD, TestEngine, options};
use housekey_engine::http_client::HttpClient;
use housekey_engine::options::Shared;
use housekey_engine::plugins::admin;
use housekey_engine::plugins::breached_passwords::{
    BreachedPasswordsOptions, WhenUnavailable, breached_passwords, is_breached,
};
use housekey_engine::storage::Filter;
use housekey_engine::{Engine, Record, Secret, SignUpEmail};
use http::StatusCode;
use serde_json::json;
use tokio::time::Instant;

/// SHA-1 of `password`: 5BAA6, and this.
const KNOWN: &str = "password";
const SUFFIX: &str = "1E4C9B93F3F0682250B6CF8331B7EE68FD8";
/// What nobody's password is, at the length that real answers have.
const OTHER: &str = "00000000000000000000000000000000001:4";

fn list() -> String {
    format!("{OTHER}\r\n{SUFFIX}:9545824\r\n")
}

fn service(host: &Host) -> BreachedPasswordsOptions {
    BreachedPasswordsOptions {
        range_url: host.url("/range/"),
        allow_private_addresses: true,
        timeout: Duration::from_secs(3),
        ..Default::default()
    }
}

fn with(breached: BreachedPasswordsOptions) -> TestEngine {
    TestEngine::with(|mailbox| {
        let mut options = options();
        options.email_and_password.send_reset_password = mailbox.link("reset");
        let plugins = [breached_passwords(breached), admin(Default::default())];
        Engine::builder(options).plugins(plugins)
    })
}

async fn sign_up(test: &TestEngine, password: &str) -> Answer {
    let body = json!({ "name": "Ada", "email": "ada@example.com", "password": password });
    test.browser().post("/sign-up/email", body).await
}

// spec: SEC-8
#[tokio::test]
async fn a_password_that_is_known_is_refused_in_the_words_of_the_reference() {
    let host = Host::answering(&list()).await;
    let test = with(service(&host));
    let refused = sign_up(&test, KNOWN).await.refused(400, "PASSWORD_COMPROMISED").json();
    assert_eq!(
        refused["message"],
        "The password you entered has been compromised. Please choose a different password."
    );
    assert!(test.rows("user").await.is_empty());
    sign_up(&test, PASSWORD).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn the_service_learns_five_letters_and_asks_for_padding() {
    let host = Host::answering(&list()).await;
    sign_up(&with(service(&host)), KNOWN).await.refused(400, "PASSWORD_COMPROMISED");
    let asked = host.asked();
    assert_eq!(asked.len(), 1);
    assert!(asked[0].starts_with("GET /range/5BAA6 HTTP/1.1\r\n"), "{}", asked[0]);
    assert!(asked[0].contains("add-padding: true") && asked[0].contains("user-agent:"));
    assert!(!asked[0].contains("1E4C9") && !asked[0].to_lowercase().contains("5baa61"));
}

#[tokio::test]
async fn padding_is_nobody_s_password() {
    let host = Host::answering(&format!("{SUFFIX}:0\r\n{OTHER}\r\n")).await;
    sign_up(&with(service(&host)), KNOWN).await.assert(StatusCode::OK);
}

// spec: SEC-8
#[tokio::test]
async fn it_holds_wherever_a_password_is_set() {
    let host = Host::answering(&list()).await;
    let test = with(service(&host));
    let mut ada = test.ada().await;
    let compromised = |answer: Answer| answer.refused(400, "PASSWORD_COMPROMISED");

    let change = json!({ "currentPassword": PASSWORD, "newPassword": KNOWN });
    compromised(ada.post("/change-password", change).await);

    let ask = json!({ "email": "ada@example.com" });
    test.browser().post("/request-password-reset", ask).await.assert(StatusCode::OK);
    let token = test.mailbox.take().token;
    let reset = |password: &str| json!({ "token": token, "newPassword": password });
    compromised(test.browser().post("/reset-password", reset(KNOWN)).await);
    test.browser().post("/reset-password", reset("another good one")).await.assert(StatusCode::OK);

    let mut admin = test.browser();
    admin.sign_up("root@example.com").await.assert(StatusCode::OK);
    let api = test.engine.api();
    let mut changes = api.changes();
    let root = Filter::by("email", "root@example.com");
    changes.update("user", root, Record::new().with("role", "admin")).await.unwrap();
    let _ = changes.commit().await.unwrap();
    let create = json!({ "name": "Eve", "email": "eve@example.com", "password": KNOWN });
    compromised(admin.post("/admin/create-user", create).await);
    let user = api.user_by_email("ada@example.com").await.unwrap().unwrap();
    let set = json!({ "userId": user.id, "newPassword": KNOWN });
    compromised(admin.post("/admin/set-user-password", set).await);

    // Server code too.
    let known = Secret::from(KNOWN);
    let eve = SignUpEmail {
        name: "Eve".into(),
        email: "eve@example.com".into(),
        password: known.clone(),
        ..Default::default()
    };
    let mut api = test.engine.api();
    assert_eq!(api.sign_up_email(eve.clone()).await.unwrap_err().code(), Some("PASSWORD_COMPROMISED"));
    let created = api.create_user(eve, Record::new()).await;
    assert_eq!(created.unwrap_err().code(), Some("PASSWORD_COMPROMISED"));
    for set in [api.set_password(&user, &known).await, api.replace_password(&user, &known).await] {
        let error = set.unwrap_err();
        assert_eq!(error.code(), Some("PASSWORD_COMPROMISED"));
        assert!(error.is_about_new_password());
    }
    // And somebody who has a bad one already can still sign in: there it is not asked.
    host.asked();
    test.browser().sign_in("ada@example.com", "another good one").await.assert(StatusCode::OK);
    assert!(host.asked().is_empty());
}

/// Answers of a service that is broken, or not the service.
fn hostile() -> Vec<(&'static str, String)> {
    let status = |status: u16| format!("Failed to check password. Status: {status}");
    let later = || "Failed to check password. Please try again later.".to_owned();
    vec![
        ("HTTP/1.1 503 No\r\ncontent-length: 0\r\n\r\n", status(503)),
        ("HTTP/1.1 429 No\r\ncontent-length: 0\r\n\r\n", status(429)),
        ("HTTP/1.1 302 Found\r\nlocation: /\r\ncontent-length: 0\r\n\r\n", status(302)),
        ("HTTP/1.1 200 OK\r\ncontent-length: 13\r\n\r\n<html></html>", later()),
        ("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", later()),
        ("HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\n\u{fd}", later()),
        ("nonsense\r\n\r\n", later()),
        ("", later()),
    ]
}

#[tokio::test]
async fn while_the_service_cannot_be_asked_no_password_is_set() {
    let host = Host::answering("").await;
    let test = with(service(&host));
    for (answer, message) in hostile() {
        host.send(answer);
        let refused = sign_up(&test, PASSWORD).await.assert(StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(refused.json(), json!({ "message": message }));
    }
    let long = format!("{OTHER}\r\n").repeat(40_000);
    host.say(200, &long);
    sign_up(&test, PASSWORD).await.assert(StatusCode::INTERNAL_SERVER_ERROR);
    assert!(test.rows("user").await.is_empty());
}

#[tokio::test]
async fn while_the_service_cannot_be_asked_passwords_are_taken_where_the_options_say_so() {
    let host = Host::answering("").await;
    let open = BreachedPasswordsOptions { when_unavailable: WhenUnavailable::Allow, ..service(&host) };
    for (answer, _) in hostile() {
        host.send(answer);
        sign_up(&with(open.clone()), KNOWN).await.assert(StatusCode::OK);
    }
    host.say(200, &list());
    sign_up(&with(open), KNOWN).await.refused(400, "PASSWORD_COMPROMISED");
}

#[tokio::test]
async fn an_answer_is_kept_for_ten_minutes_and_a_failure_is_not() {
    let host = Host::answering("").await;
    let test = with(service(&host));
    host.say(503, "");
    sign_up(&test, KNOWN).await.assert(StatusCode::INTERNAL_SERVER_ERROR);
    host.say(200, &list());
    for _ in 0..3 {
        sign_up(&test, KNOWN).await.refused(400, "PASSWORD_COMPROMISED");
    }
    assert_eq!(host.asked().len(), 2, "the failure, and one answer");
    test.advance(601);
    sign_up(&test, KNOWN).await.refused(400, "PASSWORD_COMPROMISED");
    assert_eq!(host.asked().len(), 1);
}

#[tokio::test]
async fn an_app_has_its_own_words_and_asks_itself() {
    let host = Host::answering(&list()).await;
    let test = with(BreachedPasswordsOptions { message: Some("Not this one".into()), ..service(&host) });
    let refused = sign_up(&test, KNOWN).await.refused(400, "PASSWORD_COMPROMISED");
    assert_eq!(refused.json()["message"], "Not this one");
    let api = test.engine.api();
    assert!(is_breached(&api, &KNOWN.into()).await.unwrap());
    assert!(!is_breached(&api, &PASSWORD.into()).await.unwrap());
}

#[tokio::test(start_paused = true)]
async fn a_client_of_the_app_s_own_that_never_comes_back_is_not_waited_for() {
    let http_client = Shared::new(Arc::new(Silent) as Arc<dyn HttpClient>);
    let test = with(BreachedPasswordsOptions { http_client, ..Default::default() });
    let asked_at = Instant::now();
    sign_up(&test, "a good password").await.assert(StatusCode::INTERNAL_SERVER_ERROR);
    assert!(asked_at.elapsed() < Duration::from_secs(11), "{:?}", asked_at.elapsed());
    assert!(test.rows("user").await.is_empty());
}
