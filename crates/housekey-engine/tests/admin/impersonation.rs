//! Acting as somebody else, and back again.

use housekey_engine::plugins::AdminOptions;
use http::StatusCode;
use serde_json::{Value, json};

use crate::admin::{alice_and_bob, does, email, id, test_engine, with, with_role};
use crate::support::{Browser, PASSWORD, TestEngine};

async fn acts_as(admin: &mut Browser, test: &TestEngine, name: &str) -> crate::admin::Answer {
    does(admin, test, "impersonate-user", name, json!({})).await
}

async fn stops(browser: &mut Browser) -> crate::admin::Answer {
    browser.post("/admin/stop-impersonating", json!({})).await
}

#[tokio::test]
// spec: ADM-2
async fn an_admin_acts_as_somebody_and_comes_back() {
    let test = test_engine();
    let (mut alice, _) = alice_and_bob(&test).await;
    let (admin, token) = (id(&test, "alice").await, alice.session().await["session"]["token"].clone());
    let answer = acts_as(&mut alice, &test, "bob").await.assert(StatusCode::OK);
    assert_eq!(answer.json()["user"]["email"], "bob@example.com");
    assert_eq!(answer.json()["session"]["impersonatedBy"], json!(admin));
    let session = answer.cookie("session_token").unwrap();
    assert!(!session.attributes.contains("Max-Age"), "it ends with the browser: {session:?}");
    assert!(answer.cookie("admin_session").unwrap().attributes.contains("Max-Age=604800"));
    assert!(answer.cookie("dont_remember").unwrap().value.starts_with("true"));
    let now = alice.session().await;
    assert_eq!(
        (&now["user"]["email"], &now["session"]["impersonatedBy"]),
        (&json!("bob@example.com"), &json!(admin))
    );
    alice.get("/admin/list-users").await.refused(403, "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS");

    let back = stops(&mut alice).await.assert(StatusCode::OK);
    assert_eq!(back.json()["user"]["email"], "alice@example.com");
    assert!(back.cookie("admin_session").unwrap().is_cleared());
    assert!(back.cookie("dont_remember").unwrap().is_cleared());
    assert_eq!(alice.session().await["session"]["token"], token);
    assert!(test.rows("session").await.iter().all(|row| row.text("impersonatedBy").is_none()));
    let twice = stops(&mut alice).await.assert(StatusCode::BAD_REQUEST);
    assert_eq!(twice.json(), json!({ "message": "You are not impersonating anyone" }));
}

#[tokio::test]
async fn what_the_browser_was_told_about_remembering_comes_back_too() {
    let test = test_engine();
    alice_and_bob(&test).await;
    let mut alice = test.browser();
    let body = json!({ "email": email("alice"), "password": PASSWORD, "rememberMe": false });
    alice.post("/sign-in/email", body).await.assert(StatusCode::OK);
    acts_as(&mut alice, &test, "bob").await.assert(StatusCode::OK);
    let back = stops(&mut alice).await.assert(StatusCode::OK);
    assert!(!back.cookie("session_token").unwrap().attributes.contains("Max-Age"));
    assert!(back.cookie("dont_remember").unwrap().value.starts_with("true"));
}

#[tokio::test]
// spec: ADM-2
async fn it_ends_by_itself_and_is_not_renewed() {
    let test = with(AdminOptions { impersonation_session_duration: 100_000, ..AdminOptions::default() });
    let (mut alice, _) = alice_and_bob(&test).await;
    acts_as(&mut alice, &test, "bob").await.assert(StatusCode::OK);
    test.advance(99_000);
    assert_eq!(alice.session().await["user"]["email"], "bob@example.com");
    test.advance(1_001);
    assert_eq!(alice.session().await, Value::Null);
}

#[tokio::test]
// spec: ADM-2
async fn nobody_acts_as_an_admin_or_as_somebody_banned() {
    let test = test_engine();
    let (mut alice, _) = alice_and_bob(&test).await;
    with_role(&test, "anna", "user,admin").await;
    acts_as(&mut alice, &test, "anna").await.refused(403, "YOU_CANNOT_IMPERSONATE_ADMINS");
    acts_as(&mut alice, &test, "alice").await.refused(403, "YOU_CANNOT_IMPERSONATE_ADMINS");
    does(&mut alice, &test, "ban-user", "bob", json!({})).await.assert(StatusCode::OK);
    acts_as(&mut alice, &test, "bob").await.refused(403, "BANNED_USER");
}

#[tokio::test]
// spec: ADM-2
async fn nobody_acts_as_somebody_from_within_acting_as_somebody() {
    let test = with(AdminOptions { allow_impersonating_admins: true, ..AdminOptions::default() });
    let (mut alice, _) = alice_and_bob(&test).await;
    with_role(&test, "anna", "admin").await;
    acts_as(&mut alice, &test, "anna").await.assert(StatusCode::OK);
    acts_as(&mut alice, &test, "bob").await.refused(403, "YOU_ARE_IMPERSONATING_ALREADY");
    assert_eq!(stops(&mut alice).await.assert(StatusCode::OK).json()["user"]["email"], "alice@example.com");
}

#[tokio::test]
// spec: ADM-2
async fn whoever_acts_as_somebody_did_not_sign_in_as_them() {
    let mut options = crate::admin::options();
    options.session.fresh_age = 0;
    options.user.delete_user.enabled = true;
    let test = crate::admin::built(options, AdminOptions::default());
    let (mut alice, mut bob) = alice_and_bob(&test).await;
    acts_as(&mut alice, &test, "bob").await.assert(StatusCode::OK);
    alice.get("/list-sessions").await.refused(403, "SESSION_NOT_FRESH");
    alice.post("/delete-user", json!({})).await.refused(400, "SESSION_EXPIRED");
    let own = bob.get("/list-sessions").await.assert(StatusCode::OK).json();
    assert_eq!(own.as_array().unwrap().len(), 1, "only his own sign-in");
}

#[tokio::test]
// spec: ADM-2
async fn a_way_back_cannot_be_made() {
    let test = test_engine();
    let (mut alice, mut bob) = alice_and_bob(&test).await;
    let victim = alice.session().await["session"]["token"].as_str().unwrap().to_owned();
    acts_as(&mut alice, &test, "bob").await.assert(StatusCode::OK);
    let good = alice.cookies["better-auth.admin_session"].clone();
    let own = bob.session().await["session"]["token"].as_str().unwrap().to_owned();
    // A value without our signature, one with another's, and the signed cookie of a session that is not an admin's.
    let other = alice.cookies["better-auth.session_token"].clone();
    for forged in [format!("{victim}:"), format!("{victim}:.AAAA"), other, format!("{own}:{good}")] {
        let mut thief = alice.clone();
        thief.cookies.insert("better-auth.admin_session".into(), forged);
        let answer = stops(&mut thief).await.assert(StatusCode::INTERNAL_SERVER_ERROR);
        assert_eq!(answer.json(), json!({ "message": "Failed to find admin session" }));
        assert!(answer.cookies.iter().all(|cookie| cookie.is_cleared()), "{answer:?}");
    }
    // The true cookie in a session in which nobody acts as somebody else.
    bob.cookies.insert("better-auth.admin_session".into(), good);
    stops(&mut bob).await.assert(StatusCode::BAD_REQUEST);
    assert_eq!(bob.session().await["user"]["email"], "bob@example.com");
    stops(&mut alice).await.assert(StatusCode::OK);
}

#[tokio::test]
// spec: ADM-2
async fn the_way_back_of_one_admin_is_not_another_s() {
    let test = test_engine();
    let (mut alice, _) = alice_and_bob(&test).await;
    let mut anna = with_role(&test, "anna", "admin").await;
    acts_as(&mut alice, &test, "bob").await.assert(StatusCode::OK);
    acts_as(&mut anna, &test, "bob").await.assert(StatusCode::OK);
    let hers = anna.cookies["better-auth.admin_session"].clone();
    alice.cookies.insert("better-auth.admin_session".into(), hers);
    stops(&mut alice).await.assert(StatusCode::INTERNAL_SERVER_ERROR);
}

#[tokio::test]
// spec: ADM-2
async fn an_admin_who_is_none_any_more_acts_as_nobody() {
    let test = test_engine();
    let (mut alice, _) = alice_and_bob(&test).await;
    let mut anna = with_role(&test, "anna", "admin").await;
    acts_as(&mut anna, &test, "bob").await.assert(StatusCode::OK);
    does(&mut alice, &test, "set-role", "anna", json!({ "role": "user" })).await.assert(StatusCode::OK);
    assert_eq!(anna.session().await, Value::Null);
}

#[tokio::test]
// spec: ADM-2
async fn whoever_signs_out_while_acting_as_somebody_is_gone() {
    let test = test_engine();
    let (mut alice, mut bob) = alice_and_bob(&test).await;
    let before = alice.clone();
    acts_as(&mut alice, &test, "bob").await.assert(StatusCode::OK);
    let answer = alice.post("/sign-out", json!({})).await.assert(StatusCode::OK);
    assert!(answer.cookie("admin_session").unwrap().is_cleared());
    assert_eq!(alice.session().await, Value::Null);
    assert_eq!(before.clone().session().await, Value::Null, "nobody can come back");
    assert_eq!(bob.session().await["user"]["email"], "bob@example.com", "his own session is his");
}
