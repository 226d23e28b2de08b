use std::sync::{Arc, Mutex};

use housekey_engine::hooks::{BeforeWrite, DatabaseHooks, RequestHooks};
use housekey_engine::options::{EngineOptions, ErrorReport};
use housekey_engine::{ApiError, Callback, Engine, Plugin, Record, codes};
use http::StatusCode;
use serde_json::json;

use crate::sink::Events;
use crate::support::{PASSWORD, TestEngine, options};

type Log = Arc<Mutex<Vec<String>>>;

fn told(
    log: &Log,
    what: &'static str,
) -> impl Fn(Record) -> std::future::Ready<Result<(), ApiError>> + Send + Sync + 'static {
    let log = Arc::clone(log);
    move |record| {
        let who = record.text("userId").or(record.text("email")).unwrap_or_default().to_owned();
        log.lock().unwrap().push(
            format!("{what} {}", if who.contains('@') { who } else { String::new() }).trim().to_owned(),
        );
        std::future::ready(Ok(()))
    }
}

#[tokio::test]
// spec: CFG-14, STA-6
async fn the_app_s_hooks_and_those_of_plugins_are_all_told() {
    let log = Log::default();
    let mut options = options();
    options.database_hooks = DatabaseHooks::new()
        .after_create("user", told(&log, "app: user created"))
        .after_delete("session", told(&log, "app: session ended"));
    options
        .database_hooks
        .extend(DatabaseHooks::new().after_update("account", told(&log, "framework: account changed")));
    let audit = Plugin::new("audit")
        .database_hooks(DatabaseHooks::new().after_update("user", told(&log, "plugin: user changed")));
    let test = TestEngine::new(Engine::builder(options).plugins([audit]));
    let mut browser = test.ada().await;
    browser.post("/update-user", json!({ "name": "Countess" })).await.assert(StatusCode::OK);
    let change =
        json!({ "currentPassword": PASSWORD, "newPassword": "a new password", "revokeOtherSessions": true });
    browser.post("/change-password", change).await.assert(StatusCode::OK);
    browser.post("/sign-out", json!({})).await.assert(StatusCode::OK);
    assert_eq!(
        *log.lock().unwrap(),
        [
            "app: user created ada@example.com",
            "plugin: user changed ada@example.com",
            "framework: account changed",
            "app: session ended",
            "app: session ended"
        ]
    );
}

#[tokio::test]
async fn a_hook_before_a_write_changes_or_refuses_it() {
    let hooks = DatabaseHooks::new()
        .before_create("user", |user: Record| async move {
            Ok::<_, ApiError>(match user.text("email") {
                Some("bob@example.com") => BeforeWrite::Refuse,
                Some("eve@example.com") => return Err(codes::INVALID_USER.forbidden()),
                _ => BeforeWrite::ProceedWith(Record::new().with("name", "Renamed")),
            })
        })
        .before_create("user", |user: Record| async move {
            let name = format!("{}, twice", user.text("name").unwrap_or_default());
            Ok::<_, ApiError>(BeforeWrite::ProceedWith(Record::new().with("name", name)))
        });
    let test = TestEngine::new(EngineOptions { database_hooks: hooks, ..options() });
    let answer = test.browser().sign_up("ada@example.com").await.assert(StatusCode::OK);
    assert_eq!(answer.json()["user"]["name"], "Renamed, twice");
    test.browser().sign_up("bob@example.com").await.refused(422, "FAILED_TO_CREATE_USER");
    test.browser().sign_up("eve@example.com").await.refused(403, "INVALID_USER");
    assert_eq!(test.rows("user").await.len(), 1);
    assert_eq!(test.rows("account").await.len(), 1);
}

// spec: SEC-9, SEC-11
#[tokio::test]
async fn a_hook_that_fails_after_a_write_changes_neither_the_answer_nor_what_is_told() {
    let events = Events::default();
    let away = |_| async { Err(std::io::Error::other("the webhook is away")) };
    let mut options = options();
    options.on_security_event = events.sink();
    options.database_hooks = DatabaseHooks::new()
        .after_create("user", away)
        .after_create("session", away)
        .after_update("account", away)
        .after_delete("session", away);
    let test = TestEngine::new(options);
    let mut ada = test.ada().await;
    assert!(ada.session().await["user"].is_object());
    let change =
        json!({ "currentPassword": PASSWORD, "newPassword": "a new password", "revokeOtherSessions": true });
    ada.post("/change-password", change).await.assert(StatusCode::OK);
    ada.post("/sign-out", json!({})).await.assert(StatusCode::OK);
    assert_eq!(ada.session().await, json!(null));
    assert_eq!(events.take(), ["sign-up", "password-changed", "sessions-revoked others", "sign-out"]);
}

#[tokio::test]
async fn hooks_around_requests_may_refuse_and_add_to_the_answer() {
    let hooks = RequestHooks::new()
        .before(|api| {
            Box::pin(async move {
                if api.request().header("x-blocked").is_some() {
                    Err(codes::UNAUTHORIZED.forbidden())
                } else {
                    Ok(())
                }
            })
        })
        .after(|api, response| {
            Box::pin(async move {
                let path = api.request().path().parse().unwrap();
                response.headers_mut().insert("x-path", path);
                Ok(())
            })
        });
    let test = TestEngine::new(Engine::builder(options()).hooks(hooks));
    let mut browser = test.browser();
    assert_eq!(browser.get("/ok").await.header("x-path"), Some("/ok"));
    browser.headers.insert("x-blocked", "1".parse().unwrap());
    let refused = browser.get("/ok").await.refused(403, "UNAUTHORIZED");
    assert_eq!(refused.header("x-path"), Some("/ok"));
}

#[tokio::test]
async fn errors_are_reported() {
    let log = Log::default();
    let seen = Arc::clone(&log);
    let mut options = options();
    options.on_api_error.on_error = Callback::new(move |report: ErrorReport| {
        seen.lock().unwrap().push(format!("{} {:?}", report.path, report.error));
        async { Ok::<_, ApiError>(()) }
    });
    let test = TestEngine::new(options);
    test.browser().get("/list-sessions").await.refused(401, "UNAUTHORIZED");
    assert_eq!(*log.lock().unwrap(), ["/list-sessions 401 UNAUTHORIZED: Unauthorized"]);
}
