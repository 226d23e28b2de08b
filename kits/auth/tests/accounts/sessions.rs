//! Where somebody is signed in, and ending it.

use std::time::Duration;

use housekey::auth::AuthConfig;
use housekey::prelude::*;
use housekey::serde_json::json;
use housekey::testing::TestApp;

use {{crate}}::models::User;

use crate::support::{PASSWORD, SESSION, confirm_password, rows_of, sign_in, signed_in_as, somebody};

/// The ids of somebody's sessions, oldest first.
async fn sessions_of(app: &TestApp, user: &User) -> Vec<String> {
    app.within(async { db()?.table("session").where_eq("userId", user.id.as_str()).pluck("id").await })
        .await
        .unwrap()
}

// spec: STA-7
#[housekey::test]
async fn a_session_that_is_ended_is_refused_at_its_next_request(app: TestApp) {
    let ada = somebody(&app).await;
    let elsewhere = app.signed_in(&ada).await;
    let [lost] = &sessions_of(&app, &ada).await[..] else { panic!("one session") };
    let visitor = app.signed_in(&ada).await;
    confirm_password(&visitor).await;

    elsewhere.post("/settings/profile").json(&json!({ "name": "Ada" })).await.assert_ok();
    visitor
        .post(&format!("/settings/sessions/{lost}"))
        .form(&[("_method", "DELETE")])
        .await
        .assert_status(303);
    elsewhere.post("/settings/profile").json(&json!({ "name": "Eve" })).await.assert_status(401);
    assert_eq!(signed_in_as(&visitor).await, Some(ada.email.clone()));
    assert_eq!(rows_of(&app, "session", &ada).await, 1);
}

// spec: STA-6, CFG-10
#[housekey::test]
async fn so_it_is_where_a_copy_of_it_travels_in_a_cookie(app: TestApp) {
    let app = app.with_config(|config| {
        config.update::<AuthConfig>(|auth| auth.engine.session.cookie_cache.enabled = true);
    });
    for change in ["one session", "all others", "password", "account"] {
        let ada = somebody(&app).await;
        let elsewhere = app.visitor();
        sign_in(&elsewhere, &ada.email, PASSWORD).await.assert_ok();
        assert!(elsewhere.cookie("better-auth.session_data").is_some(), "there is a copy");
        let [lost] = &sessions_of(&app, &ada).await[..] else { panic!("one session") };
        let visitor = app.signed_in(&ada).await;
        confirm_password(&visitor).await;
        let done = match change {
            "one session" => visitor.delete(&format!("/settings/sessions/{lost}")).json(&json!({})).await,
            "all others" => visitor.delete("/settings/sessions").json(&json!({})).await,
            "account" => visitor.delete("/settings/account").json(&json!({})).await,
            _ => {
                let new = "another good password";
                let form = json!({ "current_password": PASSWORD, "password": new, "password_confirmation": new, "sign_out_others": true });
                visitor.put("/settings/password").json(&form).await
            }
        };
        done.assert_ok();
        let refused = elsewhere.post("/settings/profile").json(&json!({ "name": "Eve" })).await;
        assert_eq!(refused.status(), 401, "{change}");
        app.advance(Duration::from_secs(60));
    }
}

// spec: ERR-1
#[housekey::test]
async fn a_session_of_somebody_else_is_not_there(app: TestApp) {
    let (ada, eve) = (somebody(&app).await, somebody(&app).await);
    let victim = app.signed_in(&ada).await;
    let [adas] = &sessions_of(&app, &ada).await[..] else { panic!("one session") };
    let visitor = app.signed_in(&eve).await;
    confirm_password(&visitor).await;
    for id in [adas.as_str(), "nothing", "%2e%2e"] {
        visitor.delete(&format!("/settings/sessions/{id}")).json(&json!({})).await.assert_not_found();
    }
    visitor.delete("/settings/sessions").json(&json!({})).await.assert_ok();
    assert_eq!(signed_in_as(&victim).await, Some(ada.email));
}

#[housekey::test]
async fn all_others_end_and_this_one_stays(app: TestApp) {
    let ada = somebody(&app).await;
    let (visitor, first, second) =
        (app.signed_in(&ada).await, app.signed_in(&ada).await, app.signed_in(&ada).await);
    confirm_password(&visitor).await;
    visitor.post("/settings/sessions").form(&[("_method", "DELETE")]).await.assert_status(303);
    assert_eq!(signed_in_as(&first).await, None);
    assert_eq!(signed_in_as(&second).await, None);
    assert_eq!(signed_in_as(&visitor).await, Some(ada.email));
}

#[housekey::test]
async fn a_session_ends_by_itself_when_nobody_comes_back(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    let held = format!("{}={}", crate::support::SESSION, visitor.cookie(crate::support::SESSION).unwrap());
    app.advance(Duration::from_secs(8 * 24 * 60 * 60));
    let session: housekey::serde_json::Value =
        app.get("/api/auth/get-session").header("cookie", &held).await.json();
    assert_eq!(session, housekey::serde_json::Value::Null);
}

// spec: SEC-10
#[housekey::test]
async fn a_new_sign_in_ends_the_session_that_its_browser_had(app: TestApp) {
    let (ada, bea) = (somebody(&app).await, somebody(&app).await);
    let browser = app.visitor();
    sign_in(&browser, &ada.email, PASSWORD).await.assert_ok();
    let stolen = browser.cookie(SESSION).unwrap();
    browser.post("/sign-out").json(&json!({})).await.assert_ok();
    sign_in(&browser, &ada.email, PASSWORD).await.assert_ok();
    let kept = browser.cookie(SESSION).unwrap();
    let answer = browser
        .post("/api/auth/sign-in/email")
        .header("origin", "http://localhost:3000")
        .json(&json!({ "email": bea.email, "password": PASSWORD }))
        .await;
    answer.assert_ok();
    assert_eq!(signed_in_as(&browser).await, Some(bea.email.clone()));
    for dead in [stolen, kept] {
        let cookie = format!("{SESSION}={dead}");
        let answer = app.visitor().get("/api/auth/get-session").header("cookie", &cookie).await;
        assert_eq!(answer.text(), "null");
    }
    assert_eq!(rows_of(&app, "session", &ada).await, 0);
}

// spec: SEC-10
#[housekey::test]
async fn a_session_that_is_used_every_day_ends_after_thirty(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.visitor();
    let form = json!({ "email": ada.email, "password": PASSWORD, "remember": true });
    visitor.post("/sign-in").json(&form).await.assert_ok();
    for _ in 0..29 {
        app.advance(Duration::from_secs(86_400));
        assert_eq!(signed_in_as(&visitor).await, Some(ada.email.clone()));
    }
    app.advance(Duration::from_secs(86_401));
    assert_eq!(signed_in_as(&visitor).await, None);
}
