//! A password that an admin sets.

use http::StatusCode;
use serde_json::{Value, json};

use crate::admin::{alice_and_bob, does, email, test_engine};
use crate::support::PASSWORD;

#[tokio::test]
// spec: ADM-1
async fn a_password_that_an_admin_sets_ends_the_sessions() {
    let test = test_engine();
    let (mut alice, mut bob) = alice_and_bob(&test).await;
    let body = json!({ "newPassword": "another horse" });
    let answer = does(&mut alice, &test, "set-user-password", "bob", body).await.assert(StatusCode::OK);
    assert_eq!(answer.json(), json!({ "status": true }));
    assert_eq!(bob.session().await, Value::Null);
    let old = test.browser().sign_in(&email("bob"), PASSWORD).await;
    old.refused(401, "INVALID_EMAIL_OR_PASSWORD");
    test.browser().sign_in(&email("bob"), "another horse").await.assert(StatusCode::OK);
}

#[tokio::test]
async fn somebody_without_a_password_gets_one() {
    let test = test_engine();
    let (mut alice, _) = alice_and_bob(&test).await;
    let eve = json!({ "email": "eve@example.com", "name": "Eve" });
    alice.post("/admin/create-user", eve).await.assert(StatusCode::OK);
    let body = json!({ "newPassword": "another horse" });
    does(&mut alice, &test, "set-user-password", "eve", body).await.assert(StatusCode::OK);
    test.browser().sign_in(&email("eve"), "another horse").await.assert(StatusCode::OK);
}

#[tokio::test]
// spec: ADM-1
async fn the_rules_for_passwords_hold_for_admins_too() {
    let test = test_engine();
    let (mut alice, mut bob) = alice_and_bob(&test).await;
    for (password, code) in
        [("", "VALIDATION_ERROR"), ("short", "PASSWORD_TOO_SHORT"), (&*"x".repeat(200), "PASSWORD_TOO_LONG")]
    {
        let body = json!({ "newPassword": password });
        does(&mut alice, &test, "set-user-password", "bob", body).await.refused(400, code);
    }
    assert_eq!(bob.session().await["user"]["email"], "bob@example.com");
}
