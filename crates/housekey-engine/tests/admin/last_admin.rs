//! That an admin is always left.

use housekey_engine::plugins::AdminOptions;
use http::StatusCode;
use serde_json::json;

use crate::admin::{alice_and_bob, does, id, role, row, test_engine, with_role};
use crate::support::{PASSWORD, options};

#[tokio::test]
// spec: ADM-2
async fn the_last_admin_stays_one() {
    let mut deletable = options();
    deletable.user.delete_user.enabled = true;
    let test = crate::admin::built(deletable, AdminOptions::default());
    let (mut alice, _) = alice_and_bob(&test).await;
    let code = "LAST_ADMIN";
    does(&mut alice, &test, "set-role", "alice", json!({ "role": "user" })).await.refused(400, code);
    let data = json!({ "data": { "role": "user" } });
    does(&mut alice, &test, "update-user", "alice", data).await.refused(400, code);
    alice.post("/delete-user", json!({ "password": PASSWORD })).await.refused(400, code);
    assert_eq!(role(&test, "alice").await.as_deref(), Some("admin"));
    does(&mut alice, &test, "set-role", "alice", json!({ "role": ["admin", "user"] }))
        .await
        .assert(StatusCode::OK);

    // An admin who is banned is none that is left.
    with_role(&test, "anna", "user,admin").await;
    does(&mut alice, &test, "ban-user", "anna", json!({})).await.assert(StatusCode::OK);
    does(&mut alice, &test, "set-role", "alice", json!({ "role": "user" })).await.refused(400, code);
    does(&mut alice, &test, "unban-user", "anna", json!({})).await.assert(StatusCode::OK);
    does(&mut alice, &test, "set-role", "alice", json!({ "role": "user" })).await.assert(StatusCode::OK);
}

#[tokio::test]
// spec: ADM-2
async fn a_role_that_only_looks_like_an_admin_s_is_none() {
    let test = test_engine();
    let (mut alice, _) = alice_and_bob(&test).await;
    with_role(&test, "anna", "ADMIN").await;
    with_role(&test, "eve", "superadmin").await;
    does(&mut alice, &test, "set-role", "alice", json!({ "role": "user" })).await.refused(400, "LAST_ADMIN");
}

#[tokio::test]
// spec: ADM-2
async fn of_two_admins_who_take_each_other_s_place_away_one_is_left() {
    for round in 0..10 {
        let test = test_engine();
        let mut alice = with_role(&test, "alice", "admin").await;
        let mut anna = with_role(&test, "anna", "admin").await;
        let (one, other) = match round % 3 {
            0 => (
                does(&mut alice, &test, "set-role", "anna", json!({ "role": "user" })),
                does(&mut anna, &test, "set-role", "alice", json!({ "role": "user" })),
            ),
            1 => (
                does(&mut alice, &test, "ban-user", "anna", json!({})),
                does(&mut anna, &test, "ban-user", "alice", json!({})),
            ),
            _ => (
                does(&mut alice, &test, "remove-user", "anna", json!({})),
                does(&mut anna, &test, "remove-user", "alice", json!({})),
            ),
        };
        let (one, other) = tokio::join!(one, other);
        let done = [one.status, other.status].iter().filter(|status| status.is_success()).count();
        assert_eq!(done, 1, "{round}: {one:?} {other:?}");
        let mut left = 0;
        for name in ["alice", "anna"] {
            left += match row(&test, name).await {
                Some(row) => {
                    let banned = row.get("banned").and_then(housekey_engine::Value::as_bool).unwrap_or(false);
                    u32::from(row.text("role") == Some("admin") && !banned)
                }
                None => 0,
            };
        }
        assert_eq!(left, 1, "{round}");
    }
}

#[tokio::test]
// spec: ADM-2
async fn of_many_admins_who_all_leave_at_once_one_stays() {
    let test = test_engine();
    let mut people = Vec::new();
    for number in 0..5 {
        let name = format!("admin{number}");
        people.push((with_role(&test, &name, "admin").await, id(&test, &name).await));
    }
    let tasks = people.into_iter().map(|(mut browser, id)| {
        tokio::spawn(async move {
            browser.post("/admin/set-role", json!({ "userId": id, "role": "user" })).await.status
        })
    });
    let mut done = 0;
    for task in tasks.collect::<Vec<_>>() {
        done += u32::from(task.await.unwrap().is_success());
    }
    assert_eq!(done, 4);
    let left = test.rows("user").await.iter().filter(|row| row.text("role") == Some("admin")).count();
    assert_eq!(left, 1);
}
