//! Ways to become more than one is.

use housekey_engine::Record;
use housekey_engine::access::{AccessControl, Statements};
use housekey_engine::plugins::{AdminOptions, TwoFactorOptions, admin, two_factor};
use http::StatusCode;
use serde_json::json;

use crate::admin::{alice_and_bob, does, email, id, role, set, test_engine, with, with_role};
use crate::support::{PASSWORD, TestEngine, options};

/// A team whose `support` may do nearly everything to users.
fn with_support() -> AdminOptions {
    let actions = [
        "create",
        "list",
        "get",
        "update",
        "set-role",
        "ban",
        "delete",
        "set-password",
        "set-email",
        "impersonate",
    ];
    let access = AccessControl::new(AdminOptions::statements())
        .role("admin", AdminOptions::admin_statements())
        .unwrap()
        .role("support", Statements::new().with("user", actions).with("session", ["list", "revoke"]))
        .unwrap()
        .role("editor", Statements::new().with("user", ["update", "create"]))
        .unwrap()
        .role("user", Statements::new())
        .unwrap();
    AdminOptions { access: Some(access), ..AdminOptions::default() }
}

#[tokio::test]
// spec: ADM-1
async fn nobody_signs_up_or_updates_themselves_into_a_role() {
    let test = test_engine();
    let mut eve = test.browser();
    let body = json!({ "name": "Eve", "email": "eve@example.com", "password": PASSWORD, "role": "admin" });
    eve.post("/sign-up/email", body).await.refused(400, "FIELD_NOT_ALLOWED");
    eve.sign_up("eve@example.com").await.assert(StatusCode::OK);
    for field in ["role", "banned", "banReason", "banExpires"] {
        eve.post("/update-user", json!({ field: "admin" })).await.refused(400, "FIELD_NOT_ALLOWED");
    }
    assert_eq!(role(&test, "eve").await.as_deref(), Some("user"));
}

#[tokio::test]
// spec: ADM-1
async fn update_user_is_no_way_around_the_other_rights() {
    let test = with(with_support());
    let mut editor = with_role(&test, "editor", "editor").await;
    with_role(&test, "bob", "user").await;
    for (data, code) in [
        (json!({ "role": "support" }), "YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE"),
        (json!({ "banned": true }), "YOU_ARE_NOT_ALLOWED_TO_BAN_USERS"),
        (json!({ "banExpires": null }), "YOU_ARE_NOT_ALLOWED_TO_BAN_USERS"),
        (json!({ "email": "e@example.com" }), "YOU_ARE_NOT_ALLOWED_TO_SET_USERS_EMAIL"),
        (json!({ "emailVerified": true }), "YOU_ARE_NOT_ALLOWED_TO_SET_USERS_EMAIL"),
        (json!({ "phoneNumber": "1" }), "YOU_ARE_NOT_ALLOWED_TO_SET_USERS_PHONE_NUMBER"),
    ] {
        let body = json!({ "data": data });
        does(&mut editor, &test, "update-user", "bob", body.clone()).await.refused(403, code);
        does(&mut editor, &test, "update-user", "editor", body).await.refused(403, code);
    }
    let new = |data| json!({ "email": "eve@example.com", "name": "Eve", "data": data });
    let path = "/admin/create-user";
    let denied = "YOU_ARE_NOT_ALLOWED_TO_CHANGE_USERS_ROLE";
    editor.post(path, new(json!({ "role": "admin" }))).await.refused(403, denied);
    editor.post(path, new(json!({ "banned": false }))).await.refused(403, "YOU_ARE_NOT_ALLOWED_TO_BAN_USERS");
    does(&mut editor, &test, "update-user", "bob", json!({ "data": { "name": "Bo" } }))
        .await
        .assert(StatusCode::OK);
}

#[tokio::test]
// spec: ADM-1
async fn a_plugin_s_own_columns_are_not_an_admin_s_to_set() {
    let plugins = [two_factor(TwoFactorOptions::default()), admin(AdminOptions::default())];
    let test = TestEngine::new(housekey_engine::Engine::builder(options()).plugins(plugins));
    let (mut alice, _) = alice_and_bob(&test).await;
    let off = json!({ "data": { "twoFactorEnabled": false } });
    does(&mut alice, &test, "update-user", "bob", off).await.refused(400, "FIELD_NOT_ALLOWED");
}

#[tokio::test]
// spec: ADM-1
async fn one_name_is_one_role() {
    for test in [test_engine(), with(with_support())] {
        let (mut alice, _) = alice_and_bob(&test).await;
        let code = "YOU_ARE_NOT_ALLOWED_TO_SET_NON_EXISTENT_VALUE";
        for role in [json!("user,admin"), json!(["user,admin"]), json!([]), json!("")] {
            does(&mut alice, &test, "set-role", "bob", json!({ "role": role })).await.refused(400, code);
            let data = json!({ "data": { "role": role } });
            does(&mut alice, &test, "update-user", "bob", data).await.refused(400, code);
        }
        assert_eq!(role(&test, "bob").await.as_deref(), Some("user"));
    }
    let test = with(with_support());
    let (mut alice, _) = alice_and_bob(&test).await;
    let unknown = json!({ "role": "king" });
    let code = "YOU_ARE_NOT_ALLOWED_TO_SET_NON_EXISTENT_VALUE";
    does(&mut alice, &test, "set-role", "bob", unknown).await.refused(400, code);
}

#[tokio::test]
// spec: ADM-2
async fn only_an_admin_touches_an_admin() {
    let test = with(with_support());
    with_role(&test, "alice", "admin").await;
    with_role(&test, "anna", "admin").await;
    let mut support = with_role(&test, "sam", "support").await;
    let before = (test.rows("user").await, test.rows("account").await, test.rows("session").await);
    let code = "ONLY_ADMINS_CHANGE_ADMINS";
    for (what, more) in [
        ("set-role", json!({ "role": "user" })),
        ("ban-user", json!({})),
        ("unban-user", json!({})),
        ("remove-user", json!({})),
        ("set-user-password", json!({ "newPassword": "another horse" })),
        ("update-user", json!({ "data": { "email": "mine@example.com" } })),
        ("revoke-user-sessions", json!({})),
    ] {
        does(&mut support, &test, what, "alice", more).await.refused(403, code);
    }
    does(&mut support, &test, "set-role", "sam", json!({ "role": ["support", "admin"] }))
        .await
        .refused(403, code);
    let data = json!({ "data": { "role": "admin" } });
    does(&mut support, &test, "update-user", "sam", data).await.refused(403, code);
    let body = json!({ "email": "eve@example.com", "name": "Eve", "role": "admin" });
    support.post("/admin/create-user", body).await.refused(403, code);
    let denied = "YOU_CANNOT_IMPERSONATE_ADMINS";
    does(&mut support, &test, "impersonate-user", "alice", json!({})).await.refused(403, denied);
    assert_eq!((test.rows("user").await, test.rows("account").await, test.rows("session").await), before);
}

#[tokio::test]
async fn a_role_that_was_taken_away_is_gone_at_the_next_request() {
    let mut cached = options();
    cached.session.cookie_cache.enabled = true;
    let test = crate::admin::built(cached, AdminOptions::default());
    let (mut alice, _) = alice_and_bob(&test).await;
    let mut anna = with_role(&test, "anna", "admin").await;
    // The copy in her cookie still says that she is an admin.
    anna.session().await;
    does(&mut alice, &test, "set-role", "anna", json!({ "role": "user" })).await.assert(StatusCode::OK);
    anna.get("/admin/list-users").await.refused(403, "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS");
    // Who changes themselves sees it at once.
    does(&mut alice, &test, "set-role", "bob", json!({ "role": "admin" })).await.assert(StatusCode::OK);
    does(&mut alice, &test, "set-role", "alice", json!({ "role": "user" })).await.assert(StatusCode::OK);
    assert_eq!(alice.session().await["user"]["role"], "user");
}

#[tokio::test]
async fn an_admin_by_id_may_do_everything_whatever_their_role() {
    let first = test_engine();
    let mut alice = crate::admin::person(&first, "alice").await;
    crate::admin::person(&first, "bob").await;
    let by_id = AdminOptions { admin_user_ids: vec![id(&first, "alice").await], ..AdminOptions::default() };
    let test = first.under(housekey_engine::Engine::builder(options()).plugins([admin(by_id)]));
    let mut there = test.browser();
    there.cookies.clone_from(&alice.cookies);
    alice.get("/admin/list-users").await.refused(403, "YOU_ARE_NOT_ALLOWED_TO_LIST_USERS");
    there.get("/admin/list-users").await.assert(StatusCode::OK);
    does(&mut there, &test, "impersonate-user", "bob", json!({})).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn a_changed_address_ends_the_links_that_were_sent_to_the_old_one() {
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.email_and_password.send_reset_password = mailbox.link("reset");
        housekey_engine::Engine::builder(options).plugins([admin(AdminOptions::default())])
    });
    let (mut alice, _) = alice_and_bob(&test).await;
    let ask = json!({ "email": email("bob") });
    test.browser().post("/request-password-reset", ask).await.assert(StatusCode::OK);
    let token = test.mailbox.take().token;
    let data = json!({ "data": { "email": "robert@example.com" } });
    does(&mut alice, &test, "update-user", "bob", data).await.assert(StatusCode::OK);
    let reset = json!({ "token": token, "newPassword": "a stolen horse" });
    test.browser().post("/reset-password", reset).await.refused(400, "INVALID_TOKEN");
    set(&test, "robert", Record::new().with("name", "Robert")).await;
}
