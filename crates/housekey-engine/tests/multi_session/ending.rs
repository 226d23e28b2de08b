use housekey_engine::plugins::{AdminOptions, MultiSessionOptions, admin, multi_session};
use housekey_engine::storage::{Filter, Records as _};
use housekey_engine::{Engine, Record};
use http::StatusCode;
use serde_json::json;

use crate::multi_session::{
    active, browser_of, built, cookie_name, email, enters, list, options, revoke, sessions_of, switch,
    test_engine,
};
use crate::sink::Events;
use crate::support::TestEngine;

#[tokio::test]
// spec: KEY-1
async fn one_account_can_be_signed_out() {
    let test = test_engine();
    let (mut browser, [ada, _, _]) = browser_of(&test, ["ada", "bob", "carl"]).await;
    let answer = revoke(&mut browser, &ada).await.assert(StatusCode::OK);
    assert_eq!(answer.json(), json!({ "status": true }));
    assert_eq!(active(&mut browser).await.as_deref(), Some("carl"));
    assert_eq!(list(&mut browser).await, ["bob", "carl"]);
    assert!(sessions_of(&test, "ada").await.is_empty());
    assert!(!browser.cookies.contains_key(&cookie_name(&ada)));
}

#[tokio::test]
// spec: KEY-1
async fn when_the_active_one_is_signed_out_another_becomes_it() {
    let test = test_engine();
    let (mut browser, [ada, bob]) = browser_of(&test, ["ada", "bob"]).await;
    revoke(&mut browser, &bob).await.assert(StatusCode::OK);
    assert_eq!(active(&mut browser).await.as_deref(), Some("ada"));
    revoke(&mut browser, &ada).await.assert(StatusCode::OK);
    assert_eq!(active(&mut browser).await, None);
    assert!(browser.cookies.is_empty(), "{:?}", browser.cookies);
    revoke(&mut browser, &ada).await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
// spec: KEY-1
async fn signing_out_ends_all_of_them() {
    let test = test_engine();
    let (mut browser, _) = browser_of(&test, ["ada", "bob", "carl"]).await;
    let mut elsewhere = test.browser();
    enters(&mut elsewhere, "ada").await;
    browser.post("/sign-out", json!({})).await.assert(StatusCode::OK);
    assert!(browser.cookies.is_empty(), "{:?}", browser.cookies);
    assert_eq!(test.rows("session").await.len(), 1, "another browser goes on");
}

#[tokio::test]
async fn whoever_is_banned_falls_out_of_the_list() {
    let plugins = [multi_session(MultiSessionOptions::default()), admin(AdminOptions::default())];
    let test = TestEngine::new(Engine::builder(options()).plugins(plugins));
    let (mut browser, [ada, _]) = browser_of(&test, ["ada", "bob"]).await;
    let users = test.engine.schema().table("user").unwrap();
    let by = Filter::by("email", email("ada"));
    test.storage.update(users, &by, &Record::new().with("banned", true)).await.unwrap();
    assert_eq!(list(&mut browser).await, ["bob"]);
    switch(&mut browser, &ada).await.refused(401, "INVALID_SESSION_TOKEN");
    assert_eq!(active(&mut browser).await.as_deref(), Some("bob"));
}

#[tokio::test]
async fn sessions_that_ended_fall_out_of_the_list() {
    let test = test_engine();
    let (mut browser, [ada, _]) = browser_of(&test, ["ada", "bob"]).await;
    let mut elsewhere = test.browser();
    enters(&mut elsewhere, "ada").await;
    elsewhere.post("/revoke-other-sessions", json!({})).await.assert(StatusCode::OK);
    assert_eq!(list(&mut browser).await, ["bob"]);
    switch(&mut browser, &ada).await.refused(401, "INVALID_SESSION_TOKEN");
    assert!(!browser.cookies.contains_key(&cookie_name(&ada)), "its cookie is taken away");

    test.advance(604_801);
    assert!(list(&mut browser).await.is_empty(), "those that ran out too");
}

#[tokio::test]
async fn an_admin_who_acts_as_somebody_does_not_end_their_session_and_is_not_in_the_list() {
    let plugins = [multi_session(MultiSessionOptions::default()), admin(AdminOptions::default())];
    let test = TestEngine::new(Engine::builder(options()).plugins(plugins));
    let (mut browser, [_, ada]) = browser_of(&test, ["bob", "ada"]).await;
    let users = test.engine.schema().table("user").unwrap();
    let by = Filter::by("email", email("ada"));
    test.storage.update(users, &by, &Record::new().with("role", "admin")).await.unwrap();
    let bob = sessions_of(&test, "bob").await[0].text("userId").unwrap().to_owned();
    browser.post("/admin/impersonate-user", json!({ "userId": bob })).await.assert(StatusCode::OK);
    assert_eq!(sessions_of(&test, "bob").await.len(), 2);
    assert_eq!(list(&mut browser).await, ["bob", "ada"]);
    browser.post("/admin/stop-impersonating", json!({})).await.assert(StatusCode::OK);
    assert_eq!(browser.session().await["session"]["token"], ada);
}

#[tokio::test]
// spec: SEC-9
async fn every_end_is_told() {
    let events = Events::default();
    let mut options = options();
    options.on_security_event = events.sink();
    let test = built(options, MultiSessionOptions::default());
    let (mut browser, [ada, ..]) = browser_of(&test, ["ada", "bob", "carl"]).await;
    events.take();
    revoke(&mut browser, &ada).await.assert(StatusCode::OK);
    assert_eq!(events.take(), ["session-revoked"]);
    browser.post("/sign-out", json!({})).await.assert(StatusCode::OK);
    assert_eq!(events.take(), ["sign-out", "sign-out"]);
}

#[tokio::test]
// spec: KEY-2
async fn signing_out_leaves_nobody_who_was_one_too_many() {
    let test = built(options(), MultiSessionOptions { maximum_sessions: 2 });
    let (mut browser, [ada, _, _]) = browser_of(&test, ["ada", "bob", "carl"]).await;
    let mut copied = test.browser();
    copied.cookies = browser.cookies.clone();
    assert_eq!(active(&mut copied).await.as_deref(), Some("carl"), "who was not kept");
    switch(&mut browser, &ada).await.assert(StatusCode::OK);
    assert_eq!(active(&mut copied).await, None, "nothing leads back to carl, so nothing of his lives on");
    browser.post("/sign-out", json!({})).await.assert(StatusCode::OK);
    assert!(test.rows("session").await.is_empty());
}

#[tokio::test]
async fn one_too_many_is_kept_when_there_is_room_again() {
    let test = built(options(), MultiSessionOptions { maximum_sessions: 2 });
    let (mut browser, [ada, bob, _]) = browser_of(&test, ["ada", "bob", "carl"]).await;
    revoke(&mut browser, &bob).await.assert(StatusCode::OK);
    switch(&mut browser, &ada).await.assert(StatusCode::OK);
    assert_eq!(list(&mut browser).await, ["ada", "carl"]);
}

/// An admin who signs in in a browser in which they act as somebody has not signed in as them, and is not them any more.
#[tokio::test]
// spec: ADM-2, SEC-10
async fn acting_as_somebody_ends_with_a_sign_in_and_is_never_in_the_list() {
    for ends in [false, true] {
        let mut options = options();
        options.session.revoke_on_sign_in = ends;
        let plugins = [multi_session(MultiSessionOptions::default()), admin(AdminOptions::default())];
        let test = TestEngine::new(Engine::builder(options).plugins(plugins));
        browser_of(&test, ["bob"]).await;
        browser_of(&test, ["carl"]).await;
        let (mut browser, _) = browser_of(&test, ["ada"]).await;
        let users = test.engine.schema().table("user").unwrap();
        let by = Filter::by("email", email("ada"));
        test.storage.update(users, &by, &Record::new().with("role", "admin")).await.unwrap();
        let bob = sessions_of(&test, "bob").await[0].text("userId").unwrap().to_owned();
        browser.post("/admin/impersonate-user", json!({ "userId": bob })).await.assert(StatusCode::OK);
        test.advance(1);
        enters(&mut browser, "carl").await;
        assert_eq!(list(&mut browser).await, ["ada", "carl"]);
        let left = if ends { 1 } else { 2 };
        assert_eq!(sessions_of(&test, "bob").await.len(), left, "sign-in ends what it replaces: {ends}");
    }
}
