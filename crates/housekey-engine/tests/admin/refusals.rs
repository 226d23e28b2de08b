//! Every route without a session, without the right, and about nobody.

use http::StatusCode;
use serde_json::{Value, json};

use crate::admin::{alice_and_bob, id, test_engine};

/// Path, body besides the user, and what somebody without the right is told.
fn routes() -> Vec<(&'static str, Value, &'static str)> {
    vec![
        (
            "create-user",
            json!({ "email": "eve@example.com", "name": "Eve" }),
            "YOU_ARE_NOT_ALLOWED_TO_CREATE_USERS",
        ),
        ("update-user", json!({ "data": { "name": "Eve" } }), "YOU_ARE_NOT_ALLOWED_TO_UPDATE_USERS"),
        ("set-role", json!({ "role": "admin" }), "YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE"),
        ("ban-user", json!({}), "YOU_ARE_NOT_ALLOWED_TO_BAN_USERS"),
        ("unban-user", json!({}), "YOU_ARE_NOT_ALLOWED_TO_BAN_USERS"),
        (
            "set-user-password",
            json!({ "newPassword": "another horse" }),
            "YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PASSWORD",
        ),
        ("remove-user", json!({}), "YOU_ARE_NOT_ALLOWED_TO_DELETE_USERS"),
        ("list-user-sessions", json!({}), "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS_SESSIONS"),
        (
            "revoke-user-session",
            json!({ "sessionToken": "x" }),
            "YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS",
        ),
        ("revoke-user-sessions", json!({}), "YOU_ARE_NOT_ALLOWED_TO_REVOKE_USERS_SESSIONS"),
        ("impersonate-user", json!({}), "YOU_ARE_NOT_ALLOWED_TO_IMPERSONATE_USERS"),
    ]
}

fn about(user: &str, body: &Value) -> Value {
    let mut body = body.clone();
    body["userId"] = json!(user);
    body
}

#[tokio::test]
// spec: ADM-1
async fn no_route_answers_somebody_who_is_not_signed_in() {
    let test = test_engine();
    alice_and_bob(&test).await;
    let alice = id(&test, "alice").await;
    for (route, body, _) in routes() {
        let answer = test.browser().post(&format!("/admin/{route}"), about(&alice, &body)).await;
        assert_eq!((answer.status, answer.body.len()), (StatusCode::UNAUTHORIZED, 0), "{route}");
    }
    for path in ["/admin/list-users", "/admin/get-user?id=x"] {
        assert_eq!(test.browser().get(path).await.status, StatusCode::UNAUTHORIZED, "{path}");
    }
    let stop = test.browser().post("/admin/stop-impersonating", json!({})).await;
    assert_eq!(stop.status, StatusCode::UNAUTHORIZED);
}

#[tokio::test]
// spec: ADM-1
async fn no_route_does_anything_for_somebody_without_the_right() {
    let test = test_engine();
    let (_, mut bob) = alice_and_bob(&test).await;
    let alice = id(&test, "alice").await;
    let before = (test.rows("user").await, test.rows("session").await, test.rows("account").await);
    for (route, body, code) in routes() {
        bob.post(&format!("/admin/{route}"), about(&alice, &body)).await.refused(403, code);
    }
    bob.get("/admin/list-users").await.refused(403, "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS");
    bob.get(&format!("/admin/get-user?id={alice}")).await.refused(403, "YOU_ARE_NOT_ALLOWED_TO_GET_USER");
    assert_eq!((test.rows("user").await, test.rows("session").await, test.rows("account").await), before);
}

#[tokio::test]
async fn nobody_is_not_found() {
    let test = test_engine();
    let (mut alice, _) = alice_and_bob(&test).await;
    for (route, body, _) in routes() {
        let answer = alice.post(&format!("/admin/{route}"), about("nobody", &body)).await;
        match route {
            "create-user" | "list-user-sessions" | "revoke-user-session" | "revoke-user-sessions" => {
                assert_eq!(answer.status, StatusCode::OK, "{route}");
            }
            _ => drop(answer.refused(404, "USER_NOT_FOUND")),
        }
    }
    alice.get("/admin/get-user?id=nobody").await.refused(404, "USER_NOT_FOUND");
    alice.post("/admin/ban-user", json!({ "userId": 5 })).await.refused(404, "USER_NOT_FOUND");
    alice.post("/admin/ban-user", json!({ "userId": "a\0b" })).await.refused(400, "VALIDATION_ERROR");
}
