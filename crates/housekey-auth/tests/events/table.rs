use std::sync::{Arc, Mutex};

use housekey_auth::engine::{ApiError, Callback, SecurityEvent};
use housekey_auth::events::{Events, recent};
use housekey_auth::{Auth, AuthConfig, CurrentUser, OrHttpError, api};
use housekey_core::Result;
use housekey_http::Routes;
use housekey_testing::TestApp;
use serde_json::json;

use crate::events::{ADA, EVE, events, kept, kinds};
use crate::support::{PASSWORD, engine_post, sign_in, sign_up, test_app};

fn routes(route: &mut Routes) {
    route.group().middleware("auth").routes(|route| {
        route.get("/history", history);
        route.post("/sign-out", sign_out);
    });
}

async fn history(CurrentUser(user): CurrentUser) -> Result<String> {
    let events = recent(&user.id, 10).await?;
    Ok(events.iter().map(|event| format!("{} of {:?}\n", event.kind, event.user_id)).collect())
}

async fn sign_out() -> Result<&'static str> {
    api()?.sign_out().await.or_http_error()?;
    Ok("out")
}

// spec: SEC-9
#[tokio::test]
async fn both_doors_leave_the_same_row_and_each_leaves_one() {
    let app = test_app(kept, routes).await;
    let before = app.visitor();
    sign_up(&before, ADA).await;
    before.post("/sign-out").json(&json!({})).await.assert_ok();
    assert_eq!(kinds(&app).await, ["sign-out", "sign-up"]);
    let phone = app.from("203.0.113.9");
    sign_in(&phone, ADA, PASSWORD).await.assert_ok();
    engine_post(&phone, "sign-out", &json!({})).await.assert_ok();
    assert_eq!(kinds(&app).await, ["sign-in", "sign-out", "sign-out", "sign-up"]);
    let rows = events(&app).await;
    let sign_in = rows.iter().find(|row| row.kind == "sign-in").unwrap();
    assert_eq!(sign_in.address.as_deref(), Some("203.0.113.9"));
    assert_eq!(sign_in.detail, Some(json!({ "method": "password" })));
    assert!(rows.iter().all(|row| row.session_id.is_some() && row.user_id == sign_in.user_id), "{rows:?}");
}

// spec: SEC-9
#[tokio::test]
async fn people_see_what_happened_to_their_own_account_and_to_no_other() {
    let app = test_app(kept, routes).await;
    let (ada, eve) = (app.visitor(), app.visitor());
    sign_up(&ada, ADA).await;
    sign_up(&eve, EVE).await;
    sign_in(&eve.visitor(), ADA, "a guess of eve's").await.assert_status(401);
    let (seen, other) = (ada.get("/history").await.text(), eve.get("/history").await.text());
    assert!(seen.contains("sign-in-refused") && seen.lines().count() == 2, "{seen}");
    assert_eq!(other.lines().count(), 1, "{other}");
    app.get("/history").accept_json().await.assert_status(401);
    for _ in 0..12 {
        engine_post(&ada, "revoke-other-sessions", &json!({})).await.assert_ok();
    }
    assert_eq!(ada.get("/history").await.text().lines().count(), 10);
}

// spec: SEC-9
#[tokio::test]
async fn what_happened_to_an_account_outlives_it() {
    let app = test_app(
        |auth: &mut AuthConfig| {
            kept(auth);
            auth.engine.user.delete_user.enabled = true;
        },
        routes,
    )
    .await;
    sign_up(&app, ADA).await;
    engine_post(&app, "delete-user", &json!({ "password": PASSWORD })).await.assert_ok();
    assert_eq!(kinds(&app).await, ["account-deleted", "sign-up"]);
}

async fn drop_table(app: &TestApp) {
    let database = app.services().require::<Auth>().unwrap().database().unwrap();
    database.schema(|schema| schema.drop("securityEvent")).await.unwrap();
}

// spec: SEC-9
#[tokio::test]
async fn a_table_that_is_not_there_keeps_nobody_out() {
    let log = crate::log::Log::of_process();
    let app = test_app(kept, routes).await;
    drop_table(&app).await;
    sign_up(&app, ADA).await;
    sign_in(&app.visitor(), ADA, PASSWORD).await.assert_ok();
    assert!(log.text().contains("an event about an account could not be kept"));
}

#[tokio::test]
async fn where_events_are_only_logged_there_is_no_table_and_nothing_to_show() {
    let app = test_app(|auth: &mut AuthConfig| auth.events = Events::logged(), routes).await;
    let auth = app.services().require::<Auth>().unwrap();
    assert!(auth.engine().schema().table("securityEvent").is_none());
    sign_up(&app, ADA).await;
    assert_eq!(app.get("/history").await.text(), "");
    assert!(events(&app).await.is_empty());
}

#[tokio::test]
async fn a_function_of_the_apps_own_is_told_as_well() {
    let told: Arc<Mutex<Vec<&'static str>>> = Arc::default();
    let heard = Arc::clone(&told);
    let app = test_app(
        move |auth: &mut AuthConfig| {
            kept(auth);
            let heard = Arc::clone(&heard);
            auth.engine.on_security_event = Callback::new(move |event: SecurityEvent| {
                heard.lock().unwrap().push(event.kind.name());
                async { Ok::<_, ApiError>(()) }
            });
        },
        routes,
    )
    .await;
    sign_up(&app, ADA).await;
    assert_eq!(*told.lock().unwrap(), ["sign-up"]);
    assert_eq!(kinds(&app).await, ["sign-up"]);
}
