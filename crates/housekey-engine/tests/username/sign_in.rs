use housekey_engine::plugins::two_factor::{TwoFactorOptions, two_factor};
use housekey_engine::plugins::username::{SignInUsername, sign_in as sign_in_with_name};
use housekey_engine::plugins::{UsernameOptions, username};
use housekey_engine::{Engine, SignIn};
use http::StatusCode;
use serde_json::{Value, json};

use crate::sink::Events;
use crate::support::{PASSWORD, TestEngine, options};
use crate::username::{built, person, sign_in, test_engine};

#[tokio::test]
// spec: KEY-1
async fn a_name_and_a_password_sign_in() {
    let test = test_engine();
    person(&test, "ada").await;
    let mut browser = test.browser();
    let answer = sign_in(&mut browser, "ADA", PASSWORD).await.assert(StatusCode::OK).json();
    assert_eq!((&answer["redirect"], &answer["user"]["username"]), (&json!(false), &json!("ada")));
    assert_eq!(answer["token"], browser.session().await["session"]["token"]);

    let body =
        json!({ "username": "ada", "password": PASSWORD, "callbackURL": "/home", "rememberMe": false });
    let answer = test.browser().post("/sign-in/username", body).await.assert(StatusCode::OK);
    assert_eq!((answer.header("location"), &answer.json()["url"]), (Some("/home"), &json!("/home")));
    assert!(!answer.cookie("session_token").unwrap().attributes.contains("Max-Age"));
}

#[tokio::test]
// spec: KEY-1
async fn what_is_wrong_is_refused_as_the_reference_does() {
    let test = test_engine();
    person(&test, "ada").await;
    let mut browser = test.browser();
    for (name, password) in [("ada", "wrong password"), ("nobody", PASSWORD), ("", PASSWORD), ("ada", "")] {
        sign_in(&mut browser, name, password).await.refused(401, "INVALID_USERNAME_OR_PASSWORD");
    }
    for (name, code) in [("ab", "USERNAME_TOO_SHORT"), ("a b c", "INVALID_USERNAME")] {
        sign_in(&mut browser, name, PASSWORD).await.refused(422, code);
    }
    sign_in(&mut browser, &"a".repeat(31), PASSWORD).await.refused(422, "USERNAME_TOO_LONG");
    browser.post("/sign-in/username", json!({ "username": 1 })).await.refused(400, "VALIDATION_ERROR");
    assert!(browser.cookies.is_empty());
}

#[tokio::test]
// spec: KEY-2
async fn a_second_factor_is_asked_for() {
    let at_once = TwoFactorOptions { skip_verification_on_enable: true, ..TwoFactorOptions::default() };
    let plugins = [username(UsernameOptions::default()), two_factor(at_once)];
    let test = TestEngine::new(Engine::builder(options()).plugins(plugins));
    let mut ada = person(&test, "ada").await;
    ada.post("/two-factor/enable", json!({ "password": PASSWORD })).await.assert(StatusCode::OK);
    let mut browser = test.browser();
    let body = json!({ "username": "ada", "password": PASSWORD, "callbackURL": "/in" });
    let answer = browser.post("/sign-in/username", body).await.assert(StatusCode::OK);
    assert_eq!(answer.json()["twoFactorRedirect"], true);
    assert_eq!(answer.header("location"), None, "whoever is asked for more is sent nowhere yet");
    assert_eq!(browser.session().await, Value::Null);
}

#[tokio::test]
async fn an_address_that_is_not_proven_waits() {
    let mut options = options();
    options.email_and_password.require_email_verification = true;
    for (hidden, status, code) in
        [(false, 403, "EMAIL_NOT_VERIFIED"), (true, 401, "INVALID_USERNAME_OR_PASSWORD")]
    {
        options.email_and_password.hide_unverified = hidden;
        let test = built(options.clone(), UsernameOptions::default());
        person(&test, "ada").await;
        sign_in(&mut test.browser(), "ada", PASSWORD).await.refused(status, code);
        let wrong = "INVALID_USERNAME_OR_PASSWORD";
        sign_in(&mut test.browser(), "ada", "wrong password").await.refused(401, wrong);
    }
}

#[tokio::test]
async fn a_foreign_page_cannot_sign_anybody_in() {
    let test = test_engine();
    person(&test, "ada").await;
    let mut browser = test.browser();
    browser.headers.insert("origin", "https://evil.example".parse().unwrap());
    sign_in(&mut browser, "ada", PASSWORD).await.refused(403, "INVALID_ORIGIN");
}

#[tokio::test]
// spec: KEY-2
async fn every_sign_in_and_every_refusal_is_told() {
    let events = Events::default();
    let mut options = options();
    options.on_security_event = events.sink();
    let test = built(options, UsernameOptions::default());
    person(&test, "ada").await;
    events.take();
    sign_in(&mut test.browser(), "ada", PASSWORD).await.assert(StatusCode::OK);
    sign_in(&mut test.browser(), "ada", "wrong password").await;
    sign_in(&mut test.browser(), "nobody", "wrong password").await;
    assert_eq!(
        events.take(),
        ["sign-in password", "sign-in-refused wrong-password", "sign-in-refused unknown-address"]
    );
}

#[tokio::test]
async fn server_code_signs_in_too() {
    let test = test_engine();
    person(&test, "ada").await;
    let mut api = test.engine.api();
    let input =
        SignInUsername { username: "Ada".into(), password: PASSWORD.into(), ..SignInUsername::default() };
    let SignIn::Done(signed_in) = sign_in_with_name(&mut api, input).await.unwrap() else {
        panic!("a challenge")
    };
    assert_eq!(signed_in.user.email, "ada@example.com");
    assert!(api.into_headers().contains_key("set-cookie"));
}
