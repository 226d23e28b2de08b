use housekey_engine::Engine;
use housekey_engine::plugins::username::{Availability, is_available as ask};
use housekey_engine::plugins::{AnonymousOptions, UsernameOptions, anonymous, username};
use http::StatusCode;
use serde_json::json;

use crate::support::{TestEngine, options};
use crate::username::{built, is_available, person, test_engine, with};

#[tokio::test]
// spec: KEY-1
async fn a_form_can_ask_whether_a_name_is_free() {
    let test = test_engine();
    person(&test, "ada").await;
    let mut visitor = test.browser();
    for (name, available) in [("ada", false), ("ADA", false), ("bob", true), ("admin", false)] {
        let answer = is_available(&mut visitor, name).await.assert(StatusCode::OK);
        assert_eq!(answer.json(), json!({ "available": available }), "{name}");
    }
    for (name, code) in
        [("", "INVALID_USERNAME"), ("ab", "USERNAME_TOO_SHORT"), ("a b c", "INVALID_USERNAME")]
    {
        is_available(&mut visitor, name).await.refused(422, code);
    }
    assert!(ask(&test.engine.api(), "bob").await.unwrap());
}

#[tokio::test]
async fn whoever_goes_through_a_list_of_names_is_stopped() {
    let mut options = options();
    options.rate_limit.enabled = Some(true);
    let test = built(options, UsernameOptions::default());
    let mut visitor = test.browser();
    let mut told = 0;
    for number in 0..100 {
        let answer = is_available(&mut visitor, &format!("name{number}")).await;
        told += usize::from(answer.status == StatusCode::OK);
    }
    assert_eq!(told, 20);
    test.advance(61);
    is_available(&mut visitor, "another").await.assert(StatusCode::OK);
}

#[tokio::test]
async fn it_can_be_left_to_those_who_are_signed_in() {
    let asking = || UsernameOptions { availability: Availability::SignedIn, ..UsernameOptions::default() };
    let plugins = [username(asking()), anonymous(AnonymousOptions::default())];
    let test = TestEngine::new(Engine::builder(options()).plugins(plugins));
    let mut ada = person(&test, "ada").await;
    is_available(&mut ada, "bob").await.assert(StatusCode::OK);
    let mut visitor = test.browser();
    is_available(&mut visitor, "ada").await.refused(401, "UNAUTHORIZED");
    visitor.post("/sign-in/anonymous", json!({})).await.assert(StatusCode::OK);
    is_available(&mut visitor, "ada").await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn it_can_be_nobody_s() {
    let test = with(UsernameOptions { availability: Availability::Nobody, ..UsernameOptions::default() });
    is_available(&mut test.browser(), "ada").await.assert(StatusCode::NOT_FOUND);
    assert!(ask(&test.engine.api(), "ada").await.unwrap());
}
