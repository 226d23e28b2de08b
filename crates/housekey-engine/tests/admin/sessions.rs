//! Other people's sessions: seen without their tokens, and ended.

use http::StatusCode;
use serde_json::{Value, json};

use crate::admin::{alice_and_bob, does, email, test_engine};

#[tokio::test]
// spec: ADM-1
async fn nobody_is_told_the_token_of_somebody_else_s_session() {
    let test = test_engine();
    let (mut alice, mut bob) = alice_and_bob(&test).await;
    let token = bob.session().await["session"]["token"].as_str().unwrap().to_owned();
    let list = does(&mut alice, &test, "list-user-sessions", "bob", json!({})).await.assert(StatusCode::OK);
    assert!(!String::from_utf8_lossy(&list.body).contains(&token));
    let listed = list.json()["sessions"][0].clone();
    assert_eq!(listed["userId"], bob.session().await["user"]["id"]);

    // What stands in its place ends it, and opens nothing.
    let mut thief = test.browser();
    thief
        .headers
        .insert("authorization", format!("Bearer {}", listed["token"].as_str().unwrap()).parse().unwrap());
    assert_eq!(thief.session().await, Value::Null);
    let body = json!({ "sessionToken": listed["token"] });
    let ended = alice.post("/admin/revoke-user-session", body).await.assert(StatusCode::OK).json();
    assert_eq!(ended, json!({ "success": true }));
    assert_eq!(bob.session().await, Value::Null);
}

#[tokio::test]
async fn a_session_ends_by_its_token_too_where_somebody_has_it() {
    let test = test_engine();
    let (mut alice, mut bob) = alice_and_bob(&test).await;
    let token = bob.session().await["session"]["token"].clone();
    let path = "/admin/revoke-user-session";
    alice.post(path, json!({ "sessionToken": "unknown" })).await.assert(StatusCode::OK);
    alice.post(path, json!({ "sessionToken": token })).await.assert(StatusCode::OK);
    assert_eq!(bob.session().await, Value::Null);
}

#[tokio::test]
// spec: ADM-1
async fn all_sessions_of_somebody_end_at_once() {
    let test = test_engine();
    let (mut alice, mut bob) = alice_and_bob(&test).await;
    let mut phone = test.browser();
    phone.sign_in(&email("bob"), crate::admin::PASSWORD).await.assert(StatusCode::OK);
    does(&mut alice, &test, "revoke-user-sessions", "bob", json!({})).await.assert(StatusCode::OK);
    assert_eq!((bob.session().await, phone.session().await), (Value::Null, Value::Null));
    assert_eq!(alice.session().await["user"]["email"], "alice@example.com");
}
