use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use housekey_engine::plugins::anonymous::{AnonymousOptions, anonymous};
use housekey_engine::plugins::{AdminOptions, admin};
use housekey_engine::schema::{Column, SchemaContribution, Table};
use housekey_engine::storage::{Filter, Records as _};
use housekey_engine::{ApiError, Callback, Engine, Plugin, Record, Value};
use housekey_test_support::in_time;
use http::StatusCode;
use serde_json::json;
use tokio::sync::Notify;

use crate::anonymous::{Links, built, exists, linked, options, sessions_of, test_engine, visitor};
use crate::sink::Events;
use crate::support::{PASSWORD, TestEngine};

const ADA: &str = "ada@example.com";

#[tokio::test]
// spec: KEY-1
async fn the_callback_is_told_and_then_the_visitor_is_gone() {
    let (test, links) = test_engine();
    let (mut browser, id) = visitor(&test).await;
    let mut other_tab = browser.clone();
    browser.sign_up(ADA).await.assert(StatusCode::OK);
    assert_eq!(links.all(), linked(&id, ADA));
    assert!(!exists(&test, &id).await);
    assert!(sessions_of(&test, &id).await.is_empty());
    assert!(other_tab.session().await.is_null(), "its sessions end with it");
    assert_eq!(browser.session().await["user"]["email"], ADA);
}

/// The callback fails: nothing is deleted, the person is in, and the next sign-in tries again.
#[tokio::test]
async fn nothing_is_deleted_before_the_callback_has_succeeded() {
    for revoke_on_sign_in in [false, true] {
        let links = crate::anonymous::Links::default();
        let mut options = options();
        options.session.revoke_on_sign_in = revoke_on_sign_in;
        let test = built(options, links.options());
        test.ada().await;
        let (mut browser, id) = visitor(&test).await;
        links.set_failing(true);
        browser.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
        assert_eq!(browser.session().await["user"]["email"], ADA);
        assert!(exists(&test, &id).await && links.all().is_empty());

        links.set_failing(false);
        browser.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
        assert_eq!(links.all(), linked(&id, ADA));
        assert!(!exists(&test, &id).await);
        browser.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
        assert_eq!(links.all().len(), 1, "once is enough");
    }
}

#[tokio::test]
async fn a_wrong_password_links_nobody() {
    let (test, links) = test_engine();
    test.ada().await;
    let (mut browser, id) = visitor(&test).await;
    browser.sign_in(ADA, "wrong password").await.refused(401, "INVALID_EMAIL_OR_PASSWORD");
    assert!(links.all().is_empty() && exists(&test, &id).await);
    assert_eq!(browser.session().await["user"]["id"], id, "they stay who they were");
}

#[tokio::test]
async fn a_sign_in_that_ends_what_it_replaces_links_first() {
    let links = crate::anonymous::Links::default();
    let mut options = options();
    options.session.revoke_on_sign_in = true;
    let test = built(options, links.options());
    test.ada().await;
    let (mut browser, id) = visitor(&test).await;
    browser.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
    assert_eq!(links.all(), linked(&id, ADA));

    // Somebody who is no visitor is replaced as ever.
    let mut old = browser.clone();
    browser.sign_up("bob@example.com").await.assert(StatusCode::OK);
    assert!(old.session().await.is_null());
    assert_eq!(links.all().len(), 1);
}

#[tokio::test]
async fn visitors_can_be_kept_and_their_sessions_end() {
    let links = crate::anonymous::Links::default();
    let kept = AnonymousOptions { disable_delete_anonymous_user: true, ..links.options() };
    let test = built(options(), kept);
    let (mut browser, id) = visitor(&test).await;
    browser.sign_up(ADA).await.assert(StatusCode::OK);
    assert_eq!(links.all(), linked(&id, ADA));
    assert!(exists(&test, &id).await && sessions_of(&test, &id).await.is_empty());
}

#[tokio::test]
async fn without_a_callback_the_visitor_just_goes() {
    let test = built(options(), AnonymousOptions::default());
    let (mut browser, id) = visitor(&test).await;
    browser.sign_up(ADA).await.assert(StatusCode::OK);
    assert!(!exists(&test, &id).await);
}

/// Somebody who came as a visitor and can come back in another way has an account: what is in it is not for the next one who signs in
/// in that browser, and a session alone must not delete it.
#[tokio::test]
// spec: KEY-2
async fn a_visitor_with_a_way_back_in_is_neither_linked_nor_deleted() {
    let links = Links::default();
    let mut options = options();
    options.session.revoke_on_sign_in = true;
    let test = built(options, links.options());
    test.ada().await;
    let (mut browser, id) = visitor(&test).await;
    let account = Record::new()
        .with("id", "linked")
        .with("issuer", "local:github")
        .with("accountId", "42")
        .with("providerId", "github")
        .with("userId", &id)
        .with("createdAt", test.clock.now())
        .with("updatedAt", test.clock.now());
    let accounts = test.engine.schema().table("account").unwrap();
    test.storage.create(accounts, &account).await.unwrap();
    browser.post("/delete-anonymous-user", json!({})).await.refused(403, "USER_IS_NOT_ANONYMOUS");
    browser.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
    assert!(links.all().is_empty() && exists(&test, &id).await);
    assert!(
        sessions_of(&test, &id).await.is_empty(),
        "the session ends like any other that a sign-in replaces"
    );
}

#[tokio::test]
// spec: KEY-2
async fn a_visitor_who_gets_an_address_is_anonymous_no_more() {
    let links = Links::default();
    let mut options = options();
    options.user.change_email.enabled = true;
    options.user.change_email.update_email_without_verification = true;
    let test = built(options, links.options());
    test.ada().await;
    let (mut browser, id) = visitor(&test).await;
    assert_eq!(browser.session().await["user"]["isAnonymous"], true);
    let body = json!({ "newEmail": "visitor@example.com" });
    browser.post("/change-email", body).await.assert(StatusCode::OK);
    let user = browser.session().await["user"].clone();
    assert_eq!((&user["email"], &user["isAnonymous"]), (&json!("visitor@example.com"), &json!(false)));
    browser.post("/delete-anonymous-user", json!({})).await.refused(403, "USER_IS_NOT_ANONYMOUS");
    browser.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
    assert!(links.all().is_empty() && exists(&test, &id).await);
}

/// A cookie that was made up or is another's links nobody.
#[tokio::test]
async fn only_the_browser_of_a_visitor_links_them() {
    let (test, links) = test_engine();
    let mut ada = test.ada().await;
    let (visitor_browser, id) = visitor(&test).await;
    let signed = visitor_browser.cookies["better-auth.session_token"].clone();
    let token = signed.split_once('.').unwrap().0.to_owned();
    let mut mallory = test.browser();
    mallory.cookies.insert("better-auth.anonymous_session".into(), format!("{token}.AAAA"));
    mallory.sign_up("mallory@example.com").await.assert(StatusCode::OK);
    // One that is signed, but belongs to somebody who is no visitor.
    let of_ada = ada.cookies["better-auth.session_token"].clone();
    mallory.cookies.insert("better-auth.anonymous_session".into(), of_ada);
    mallory.sign_in("mallory@example.com", PASSWORD).await.assert(StatusCode::OK);
    assert!(links.all().is_empty() && exists(&test, &id).await);
    assert_eq!(ada.session().await["user"]["email"], ADA);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn of_two_sign_ins_at_once_one_links() {
    for _ in 0..10 {
        let (test, links) = test_engine();
        test.ada().await;
        let (browser, id) = visitor(&test).await;
        let tasks = [browser.clone(), browser].map(|mut browser| {
            tokio::spawn(async move { browser.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK) })
        });
        for task in tasks {
            task.await.unwrap();
        }
        assert_eq!(links.all(), linked(&id, ADA));
        assert!(!exists(&test, &id).await);
    }
}

#[tokio::test]
// spec: SEC-9
async fn a_link_is_told() {
    let (events, links) = (Events::default(), crate::anonymous::Links::default());
    let mut options = options();
    options.on_security_event = events.sink();
    let test = built(options, links.options());
    let (mut browser, _) = visitor(&test).await;
    browser.sign_up(ADA).await.assert(StatusCode::OK);
    assert_eq!(events.take(), ["sign-up anonymous", "sign-up", "anonymous-linked", "account-deleted linked"]);
    assert_eq!(json!(links.all().len()), json!(1));
}

/// What a visitor has is for them to take along: not for an admin who looks at it as them.
#[tokio::test]
// spec: ADM-2
async fn an_admin_who_acts_as_a_visitor_takes_nothing_along_by_signing_in() {
    for revoke_on_sign_in in [false, true] {
        let links = Links::default();
        let mut options = options();
        options.session.revoke_on_sign_in = revoke_on_sign_in;
        let plugins = [anonymous(links.options()), admin(AdminOptions::default())];
        let test = TestEngine::new(Engine::builder(options).plugins(plugins));
        let (_, id) = visitor(&test).await;
        let mut boss = test.ada().await;
        let users = test.engine.schema().table("user").unwrap();
        let role = Record::new().with("role", "admin");
        test.storage.update(users, &Filter::by("email", ADA), &role).await.unwrap();
        let body = json!({ "userId": id });
        boss.post("/admin/impersonate-user", body.clone()).await.assert(StatusCode::OK);
        boss.post("/admin/stop-impersonating", json!({})).await.assert(StatusCode::OK);
        assert!(links.all().is_empty() && exists(&test, &id).await);
        boss.post("/admin/impersonate-user", body).await.assert(StatusCode::OK);
        boss.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
        assert!(links.all().is_empty(), "{:?}", links.all());
        assert!(exists(&test, &id).await, "the visitor is still there");
    }
}

/// However a way back in came about, what is behind it is an account.
#[tokio::test]
// spec: KEY-2
async fn a_visitor_with_a_proven_address_or_a_passkey_is_neither_linked_nor_deleted() {
    for way_back in ["address", "passkey"] {
        let links = Links::default();
        let passkeys = Table::new("passkey").column_with(Column::text("userId"));
        let passkeys = Plugin::new("keys").schema(SchemaContribution::new().table(passkeys));
        let test =
            TestEngine::new(Engine::builder(options()).plugins([anonymous(links.options()), passkeys]));
        let (mut browser, id) = visitor(&test).await;
        let table = |name: &str| test.engine.schema().table(name).unwrap();
        if way_back == "passkey" {
            let key = Record::new().with("id", "key").with("userId", &id);
            test.storage.create(table("passkey"), &key).await.unwrap();
        } else {
            // Behind the engine's back: an engine without the plugin proves it so.
            let proven = Record::new().with("emailVerified", true);
            test.storage.update(table("user"), &Filter::by("id", &id), &proven).await.unwrap();
        }
        let refused = browser.post("/delete-anonymous-user", json!({})).await;
        refused.refused(403, "USER_IS_NOT_ANONYMOUS");
        browser.sign_up(ADA).await.assert(StatusCode::OK);
        assert!(links.all().is_empty(), "{way_back}");
        assert!(exists(&test, &id).await, "{way_back}");
    }
}

#[tokio::test]
async fn a_visitor_whose_address_is_proven_is_anonymous_no_more() {
    let (test, _) = test_engine();
    visitor(&test).await;
    let api = test.engine.api();
    let mut changes = api.changes();
    changes.update("user", Filter::all(), Record::new().with("emailVerified", true)).await.unwrap();
    let _ = changes.commit().await.unwrap();
    assert_eq!(test.rows("user").await[0].get("isAnonymous").and_then(Value::as_bool), Some(false));
}

/// The callback takes its time; meanwhile somebody signs in in another tab.
#[tokio::test]
async fn a_visitor_who_is_being_linked_is_linked_to_nobody_else() {
    let (inside, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let calls = Arc::new(AtomicUsize::new(0));
    let on_link_account = {
        let (inside, go, calls) = (Arc::clone(&inside), Arc::clone(&go), Arc::clone(&calls));
        Callback::new(move |_| {
            let (inside, go, calls) = (Arc::clone(&inside), Arc::clone(&go), Arc::clone(&calls));
            async move {
                if calls.fetch_add(1, Ordering::SeqCst) == 0 {
                    inside.notify_one();
                    go.notified().await;
                }
                Ok::<_, ApiError>(())
            }
        })
    };
    let test = built(options(), AnonymousOptions { on_link_account, ..AnonymousOptions::default() });
    let (mut tab, id) = visitor(&test).await;
    let mut other_tab = tab.clone();
    let first = tokio::spawn(async move { tab.sign_up(ADA).await.status });
    in_time("the step inside", inside.notified()).await;
    other_tab.sign_up("bob@example.com").await.assert(StatusCode::OK);
    assert_eq!(calls.load(Ordering::SeqCst), 1);
    go.notify_one();
    assert_eq!(first.await.unwrap(), StatusCode::OK);
    assert!(!exists(&test, &id).await);
}
