use housekey_engine::Engine;
use housekey_engine::plugins::{MultiSessionOptions, multi_session};
use http::StatusCode;
use serde_json::json;

use crate::multi_session::{
    active, browser_of, built, cookie_name, email, enters, joins, list, options, sessions_of, switch,
    test_engine,
};
use crate::support::PASSWORD;

#[tokio::test]
// spec: KEY-1
async fn each_account_has_a_cookie_signed_like_that_of_the_session() {
    let test = test_engine();
    let mut browser = test.browser();
    let answer = browser.sign_up(&email("ada")).await.assert(StatusCode::OK);
    let token = answer.json()["token"].as_str().unwrap().to_owned();
    let own = answer.cookies.iter().find(|cookie| cookie.name == cookie_name(&token)).unwrap();
    let session = answer.cookie("session_token").unwrap();
    assert_eq!((&own.value, &own.attributes), (&session.value, &session.attributes));
    assert_eq!(list(&mut browser).await, ["ada"]);
}

#[tokio::test]
// spec: KEY-1
async fn whoever_signs_in_beside_others_is_active_and_the_others_stay() {
    let mut options = options();
    for ends in [false, true] {
        options.session.revoke_on_sign_in = ends;
        let test = built(options.clone(), MultiSessionOptions::default());
        let (mut browser, _) = browser_of(&test, ["ada", "bob", "carl"]).await;
        assert_eq!(list(&mut browser).await, ["ada", "bob", "carl"]);
        assert_eq!(active(&mut browser).await.as_deref(), Some("carl"));
    }
}

#[tokio::test]
async fn somebody_who_signs_in_again_has_one_session() {
    let test = test_engine();
    let (mut browser, [old, _]) = browser_of(&test, ["ada", "bob"]).await;
    let new = enters(&mut browser, "ada").await;
    assert_ne!(old, new);
    assert!(!browser.cookies.contains_key(&cookie_name(&old)));
    assert_eq!(list(&mut browser).await, ["bob", "ada"]);
    assert_eq!(sessions_of(&test, "ada").await.len(), 1);
    let mut elsewhere = test.browser();
    enters(&mut elsewhere, "ada").await;
    assert_eq!(sessions_of(&test, "ada").await.len(), 2, "another browser is another browser");
}

#[tokio::test]
async fn there_are_so_many_and_no_more() {
    let test = built(options(), MultiSessionOptions { maximum_sessions: 2 });
    let (mut browser, [.., carl]) = browser_of(&test, ["ada", "bob", "carl"]).await;
    assert_eq!(active(&mut browser).await.as_deref(), Some("carl"), "the third is signed in");
    assert_eq!(list(&mut browser).await, ["ada", "bob"], "and not kept");
    switch(&mut browser, &carl).await.refused(401, "INVALID_SESSION_TOKEN");
}

#[tokio::test]
async fn one_too_many_does_not_live_on_where_nothing_leads_back_to_it() {
    let mut options = options();
    options.session.revoke_on_sign_in = true;
    let test = built(options, MultiSessionOptions { maximum_sessions: 2 });
    let (mut browser, _) = browser_of(&test, ["ada", "bob", "carl"]).await;
    joins(&mut browser, "dora").await;
    assert!(sessions_of(&test, "carl").await.is_empty());
    assert_eq!(list(&mut browser).await, ["ada", "bob"]);
}

#[tokio::test]
async fn sessions_that_ended_make_room() {
    let test = built(options(), MultiSessionOptions { maximum_sessions: 2 });
    let (mut browser, [ada, _]) = browser_of(&test, ["ada", "bob"]).await;
    let mut elsewhere = test.browser();
    enters(&mut elsewhere, "ada").await;
    elsewhere.post("/revoke-other-sessions", json!({})).await.assert(StatusCode::OK);
    joins(&mut browser, "carl").await;
    assert_eq!(list(&mut browser).await, ["bob", "carl"]);
    assert!(!browser.cookies.contains_key(&cookie_name(&ada)), "and their cookies go");
}

#[tokio::test]
async fn a_session_from_before_the_plugin_is_kept_when_somebody_else_signs_in() {
    let mut options = options();
    options.session.revoke_on_sign_in = true;
    let before = crate::multi_session::TestEngine::new(options.clone());
    let mut browser = before.browser();
    joins(&mut browser, "ada").await;
    let test =
        before.under(Engine::builder(options).plugins([multi_session(MultiSessionOptions::default())]));
    let mut later = test.browser();
    later.cookies = browser.cookies;
    assert!(list(&mut later).await.is_empty());
    test.advance(1);
    joins(&mut later, "bob").await;
    assert_eq!(list(&mut later).await, ["ada", "bob"]);
}

#[tokio::test]
async fn the_cookie_lives_as_long_as_that_of_the_session() {
    let test = test_engine();
    test.ada().await;
    let mut browser = test.browser();
    let body = json!({ "email": email("ada"), "password": PASSWORD, "rememberMe": false });
    let answer = browser.post("/sign-in/email", body).await.assert(StatusCode::OK);
    let token = answer.json()["token"].as_str().unwrap().to_owned();
    let own = answer.cookies.iter().find(|cookie| cookie.name == cookie_name(&token)).unwrap();
    assert!(!own.attributes.contains("Max-Age"), "{own:?}");

    let mut remembered = test.browser();
    let token = enters(&mut remembered, "ada").await;
    test.advance(2 * 86_400);
    let renewed = remembered.get("/get-session").await;
    let own = renewed.cookies.iter().find(|cookie| cookie.name == cookie_name(&token)).unwrap();
    assert!(own.attributes.contains("Max-Age=604800"), "{own:?}");
}

#[tokio::test]
// spec: SEC-10
async fn a_session_from_before_the_plugin_ends_when_the_same_person_signs_in_again() {
    let mut options = options();
    options.session.revoke_on_sign_in = true;
    let before = crate::multi_session::TestEngine::new(options.clone());
    let mut browser = before.browser();
    joins(&mut browser, "ada").await;
    let test =
        before.under(Engine::builder(options).plugins([multi_session(MultiSessionOptions::default())]));
    let mut later = test.browser();
    later.cookies = browser.cookies;
    enters(&mut later, "ada").await;
    assert_eq!(sessions_of(&test, "ada").await.len(), 1);
}
