use housekey_engine::options::EngineOptions;
use housekey_engine::plugins::two_factor;
use housekey_engine::{Engine, MemoryStorage};
use http::{Method, StatusCode};
use serde_json::json;

use crate::support::{SECRET, TestEngine, options};

fn listed(engine: &Engine) -> Vec<String> {
    engine.endpoints().iter().map(|endpoint| format!("{} {}", endpoint.method(), endpoint.path())).collect()
}

#[tokio::test]
// spec: CFG-6
async fn nothing_is_there_until_an_option_turns_it_on() {
    let test = TestEngine::new(EngineOptions { email_and_password: Default::default(), ..options() });
    let mut browser = test.browser();
    let body = json!({ "name": "Ada", "email": "ada@example.com", "password": "correct horse" });
    let answer = browser.post("/sign-up/email", body).await.assert(StatusCode::NOT_FOUND);
    assert!(answer.body.is_empty() && answer.header("content-type").is_none());
    for path in [
        "/sign-in/email",
        "/change-password",
        "/reset-password",
        "/change-email",
        "/delete-user",
        "/two-factor/enable",
    ] {
        browser.post(path, json!({})).await.assert(StatusCode::NOT_FOUND);
    }
}

#[test]
// spec: CLI-6
fn email_and_password_with_its_mails_is_twelve_endpoints_beside_the_engine_s_own_two() {
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.email_and_password.send_reset_password = mailbox.link("reset");
        options.email_verification.send_verification_email = mailbox.link("verify");
        options.user.change_email.enabled = true;
        options.session.management = false;
        options
    });
    let mut expected = [
        "POST /sign-up/email",
        "POST /sign-in/email",
        "POST /sign-out",
        "GET /get-session",
        "POST /request-password-reset",
        "GET /reset-password/:token",
        "POST /reset-password",
        "POST /send-verification-email",
        "GET /verify-email",
        "POST /change-email",
        "POST /change-password",
        "POST /update-user",
        // Whether the engine is there, and where a link that cannot be followed ends: with any options.
        "GET /ok",
        "GET /error",
    ];
    let mut listed = listed(&test.engine);
    expected.sort_unstable();
    listed.sort_unstable();
    assert_eq!(listed, expected);
}

#[test]
// spec: ENG-4
fn a_plugin_s_endpoints_come_with_it() {
    let with = TestEngine::new(Engine::builder(options()).plugins([two_factor(Default::default())]));
    let without = TestEngine::new(options());
    assert!(listed(&with.engine).contains(&"POST /two-factor/enable".to_owned()));
    assert!(!listed(&with.engine).contains(&"POST /two-factor/send-otp".to_owned()));
    assert!(!listed(&without.engine).iter().any(|endpoint| endpoint.contains("two-factor")));
}

#[tokio::test]
async fn paths_can_be_left_out() {
    let test = TestEngine::new(EngineOptions { disabled_paths: vec!["/sign-up/email".into()], ..options() });
    test.browser().sign_up("ada@example.com").await.assert(StatusCode::NOT_FOUND);
    test.browser().sign_in("ada@example.com", "x").await.refused(401, "INVALID_EMAIL_OR_PASSWORD");
}

#[tokio::test]
async fn the_engine_says_that_it_is_there_and_what_went_wrong() {
    let test = TestEngine::new(options());
    assert_eq!(test.browser().get("/ok").await.assert(StatusCode::OK).body, r#"{"ok":true}"#);
    let page = test.browser().get("/error?error=%3Cscript%3E").await.assert(StatusCode::OK);
    assert!(String::from_utf8_lossy(&page.body).contains("<code>UNKNOWN</code>"));
    let production = TestEngine::new(EngineOptions { production: true, ..options() });
    let answer = production.browser().get("/error?error=INVALID_TOKEN").await.assert(StatusCode::FOUND);
    assert_eq!(answer.header("location"), Some("/?error=INVALID_TOKEN"));
    assert_eq!(answer.header("content-type"), None);
    let answer = production.browser().get("/error?error=a.b&error_description=why%20not").await;
    assert_eq!(answer.header("location"), Some("/?error=UNKNOWN&error_description=why+not"));
}

#[tokio::test]
async fn other_methods_slashes_and_paths_are_not_found_without_a_body() {
    let test = TestEngine::new(options());
    for (method, path) in [
        (Method::PUT, "/get-session"),
        (Method::HEAD, "/get-session"),
        (Method::OPTIONS, "/sign-in/email"),
        (Method::GET, "/sign-in/email"),
        (Method::GET, "/get-session/"),
        (Method::GET, "//get-session"),
        (Method::GET, "/"),
        (Method::GET, ""),
        (Method::GET, "/nowhere"),
    ] {
        let answer = test.browser().send(method.clone(), path, "".into(), None).await;
        assert_eq!((answer.status, answer.body.len()), (StatusCode::NOT_FOUND, 0), "{method} {path}");
    }
}

#[test]
// spec: CFG-4
fn an_empty_or_short_secret_does_not_start_in_production() {
    for secret in ["", "short"] {
        let options = EngineOptions { secret: secret.into(), production: true, ..EngineOptions::default() };
        let error = Engine::build(options.clone(), MemoryStorage::new()).unwrap_err().to_string();
        assert!(error.contains("secret") && error.contains("32"), "{error}");
        assert!(Engine::build(EngineOptions { production: false, ..options }, MemoryStorage::new()).is_ok());
    }
    let options = EngineOptions { secret: SECRET.into(), production: true, ..EngineOptions::default() };
    assert!(Engine::build(options, MemoryStorage::new()).is_ok());
}
