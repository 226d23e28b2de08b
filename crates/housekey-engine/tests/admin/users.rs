//! Users who are made, read, changed and removed.

use http::StatusCode;
use serde_json::{Value, json};

use crate::admin::{alice_and_bob, does, id, role, row, signs_in, test_engine};
use crate::support::PASSWORD;

#[tokio::test]
// spec: ADM-1
async fn everybody_who_signs_up_has_the_usual_role() {
    let test = test_engine();
    let mut bob = crate::admin::person(&test, "bob").await;
    let user = bob.session().await["user"].clone();
    assert_eq!(
        (&user["role"], &user["banned"], &user["banReason"]),
        (&json!("user"), &json!(false), &Value::Null)
    );
}

#[tokio::test]
// spec: ADM-1
async fn an_admin_makes_a_user_who_can_sign_in() {
    let test = test_engine();
    let (mut alice, _) = alice_and_bob(&test).await;
    let body = json!({ "email": "Eve@Example.com", "name": "Eve", "password": PASSWORD, "role": ["admin", "author"] });
    let made = alice.post("/admin/create-user", body).await.assert(StatusCode::OK);
    assert!(made.cookies.is_empty(), "the admin stays who they are");
    assert_eq!(made.json()["user"]["role"], "admin,author");
    assert_eq!(made.json()["user"]["email"], "eve@example.com");
    signs_in(&test, "eve").await.assert(StatusCode::OK);
}

#[tokio::test]
async fn a_user_without_a_password_has_no_account() {
    let test = test_engine();
    let (mut alice, _) = alice_and_bob(&test).await;
    let body =
        json!({ "email": "eve@example.com", "name": "Eve", "data": { "emailVerified": true, "nothing": 1 } });
    let made = alice.post("/admin/create-user", body).await.assert(StatusCode::OK).json();
    assert_eq!((&made["user"]["role"], &made["user"]["emailVerified"]), (&json!("user"), &json!(true)));
    let eve = id(&test, "eve").await;
    assert!(test.rows("account").await.iter().all(|account| account.text("userId") != Some(&eve)));
}

#[tokio::test]
async fn a_new_user_must_be_possible() {
    let test = test_engine();
    let (mut alice, _) = alice_and_bob(&test).await;
    let mut make = async |more: Value| {
        let mut body = json!({ "email": "eve@example.com", "name": "Eve" });
        more.as_object().unwrap().iter().for_each(|(name, value)| body[name] = value.clone());
        alice.post("/admin/create-user", body).await
    };
    make(json!({ "email": "nobody" })).await.refused(400, "INVALID_EMAIL");
    make(json!({ "email": "BOB@example.com" })).await.refused(400, "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL");
    make(json!({ "password": "short" })).await.refused(400, "PASSWORD_TOO_SHORT");
    make(json!({ "data": { "role": 5 } })).await.refused(400, "INVALID_ROLE_TYPE");
    make(json!({ "data": { "banned": "yes" } })).await.refused(400, "VALIDATION_ERROR");
    assert!(row(&test, "eve").await.is_none());
}

#[tokio::test]
// spec: ADM-1
async fn an_admin_reads_and_changes_a_user() {
    let test = test_engine();
    let (mut alice, _) = alice_and_bob(&test).await;
    let bob = id(&test, "bob").await;
    let read = alice.get(&format!("/admin/get-user?id={bob}")).await.assert(StatusCode::OK).json();
    assert_eq!((&read["id"], &read["email"]), (&json!(bob), &json!("bob@example.com")));
    let data = json!({ "data": { "name": "Robert", "email": "ROBERT@example.com", "nothing": 5 } });
    let changed = does(&mut alice, &test, "update-user", "bob", data).await.assert(StatusCode::OK).json();
    assert_eq!((&changed["name"], &changed["email"]), (&json!("Robert"), &json!("robert@example.com")));
    signs_in(&test, "robert").await.assert(StatusCode::OK);
}

#[tokio::test]
async fn an_update_says_what_it_cannot_do() {
    let test = test_engine();
    let (mut alice, _) = alice_and_bob(&test).await;
    for (data, code) in [
        (json!({}), "NO_DATA_TO_UPDATE"),
        (json!({ "password": "x" }), "PASSWORD_CANNOT_BE_UPDATED_VIA_UPDATE_USER"),
        (json!({ "id": "x" }), "USER_ID_CANNOT_BE_UPDATED"),
        (json!({ "role": 5 }), "INVALID_ROLE_TYPE"),
        (json!({ "email": "nobody" }), "INVALID_EMAIL"),
        (json!({ "email": "ALICE@example.com" }), "USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL"),
        (json!({ "name": 5 }), "VALIDATION_ERROR"),
    ] {
        does(&mut alice, &test, "update-user", "bob", json!({ "data": data })).await.refused(400, code);
    }
    let myself = json!({ "data": { "banned": true } });
    does(&mut alice, &test, "update-user", "alice", myself).await.refused(400, "YOU_CANNOT_BAN_YOURSELF");
}

#[tokio::test]
// spec: ADM-1
async fn a_role_is_given_alone_or_with_others() {
    let test = test_engine();
    let (mut alice, mut bob) = alice_and_bob(&test).await;
    let both = json!({ "role": ["author", "admin"] });
    let answer = does(&mut alice, &test, "set-role", "bob", both).await.assert(StatusCode::OK);
    assert_eq!(answer.json()["user"]["role"], "author,admin");
    bob.get("/admin/list-users").await.assert(StatusCode::OK);
    does(&mut alice, &test, "set-role", "bob", json!({ "role": "author" })).await.assert(StatusCode::OK);
    assert_eq!(role(&test, "bob").await.as_deref(), Some("author"));
    bob.get("/admin/list-users").await.refused(403, "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS");
}

#[tokio::test]
// spec: ADM-1
async fn a_removed_user_leaves_nothing_behind() {
    let test = test_engine();
    let (mut alice, mut bob) = alice_and_bob(&test).await;
    let gone = id(&test, "bob").await;
    let answer = does(&mut alice, &test, "remove-user", "bob", json!({})).await.assert(StatusCode::OK);
    assert_eq!(answer.json(), json!({ "success": true }));
    assert_eq!(bob.session().await, Value::Null);
    for table in ["user", "account", "session"] {
        let rows = test.rows(table).await;
        assert!(
            rows.iter().all(|row| row.text("userId") != Some(&gone) && row.text("id") != Some(&gone)),
            "{table}"
        );
    }
    does(&mut alice, &test, "remove-user", "alice", json!({}))
        .await
        .refused(400, "YOU_CANNOT_REMOVE_YOURSELF");
}

#[tokio::test]
async fn whoever_asks_learns_what_they_may_do() {
    let test = test_engine();
    let (mut alice, mut bob) = alice_and_bob(&test).await;
    let ask = |permissions: Value| json!({ "permissions": permissions });
    let path = "/admin/has-permission";
    for (asked, allowed) in [
        (json!({ "user": ["ban", "list"], "session": ["revoke"] }), true),
        (json!({ "user": ["ban", "impersonate-admins"] }), false),
        (json!({ "user": [] }), false),
        (json!({}), false),
        (json!({ "house": ["enter"] }), false),
    ] {
        let answer = alice.post(path, ask(asked.clone())).await.assert(StatusCode::OK).json();
        assert_eq!(answer, json!({ "error": null, "success": allowed }), "{asked}");
    }
    let mut pretending = ask(json!({ "user": ["list"] }));
    (pretending["role"], pretending["userId"]) = (json!("admin"), json!(id(&test, "alice").await));
    assert_eq!(bob.post(path, pretending).await.json()["success"], false, "it is about whoever asks");
    bob.post(path, json!({ "permission": { "user": ["list"] } })).await.assert(StatusCode::BAD_REQUEST);
    bob.post(path, json!({})).await.refused(400, "VALIDATION_ERROR");
    let nobody =
        test.browser().post(path, ask(json!({ "user": ["list"] }))).await.assert(StatusCode::UNAUTHORIZED);
    assert!(nobody.body.is_empty());
}
