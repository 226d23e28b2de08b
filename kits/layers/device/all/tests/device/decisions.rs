//! From the code on the device to the session, and everything that can come in between.

use std::time::Duration;

use housekey::auth::AuthConfig;
use housekey::auth::config::{BearerOptions, bearer};
use housekey::serde_json::Value;
use housekey::testing::{TestApp, both};

use crate::support::{ask, enter, poll, said, send, somebody, stored, sure, sure_of};

// spec: KEY-1, LAY-1
#[housekey::test]
async fn a_device_is_let_in_by_the_person_who_entered_its_code(app: TestApp) {
    let app = app.with_config(|config| {
        config.update::<AuthConfig>(|auth| {
            auth.plugins.push(bearer(BearerOptions { require_signature: false }));
        });
    });
    let ada = somebody(&app).await;
    let visitor = sure_of(&app, &ada).await;
    let device = ask(&app).await;
    poll(&app, &device).await.assert_status(400).assert_json_path("error", "authorization_pending");

    enter(&visitor, &device.user_code).await.assert_ok().assert_json_path("redirect", "/device/confirm");
    poll(&app, &device).await.assert_status(400).assert_json_path("error", "authorization_pending");
    let done = send(&visitor, "/approve", &device.user_code).await;
    done.assert_ok().assert_json_path("redirect", "/device/done");

    let token: Value = poll(&app, &device).await.assert_ok().json();
    assert_eq!(
        (token["scope"].as_str(), token["token_type"].as_str()),
        (Some("orders:read"), Some("Bearer"))
    );
    let token = format!("Bearer {}", token["access_token"].as_str().unwrap());
    let session = app.visitor().get("/api/auth/get-session").header("authorization", &token).await;
    session.assert_json_path("user.email", ada.email.as_str());
    poll(&app, &device).await.assert_status(400).assert_json_path("error", "invalid_grant");
}

// spec: KEY-1
#[housekey::test]
async fn a_device_that_is_turned_away_learns_it_and_stays_out(app: TestApp) {
    let visitor = sure(&app).await;
    let device = ask(&app).await;
    enter(&visitor, &device.user_code).await.assert_ok();
    send(&visitor, "/deny", &device.user_code).await.assert_ok().assert_json_path("redirect", "/device/done");
    let changed_mind = said(&send(&visitor, "/approve", &device.user_code).await);
    assert!(changed_mind.contains("used already"), "{changed_mind}");
    poll(&app, &device).await.assert_status(400).assert_json_path("error", "access_denied");
}

// spec: SEC-1, KEY-2
#[housekey::test]
async fn a_session_alone_lets_no_device_in_and_turns_any_away(app: TestApp) {
    let visitor = app.signed_in(&somebody(&app).await).await;
    let device = ask(&app).await;
    enter(&visitor, &device.user_code).await.assert_ok();
    let locked = send(&visitor, "/approve", &device.user_code).await;
    locked.assert_status(423).assert_json_path("code", "PASSWORD_CONFIRMATION_REQUIRED");
    assert_eq!(stored(&app).await.0, "pending");
    send(&visitor, "/deny", &device.user_code).await.assert_ok();
    assert_eq!(stored(&app).await.0, "denied");
}

// spec: KEY-1
#[housekey::test]
async fn of_two_decisions_the_first_counts_and_the_second_is_told_so(app: TestApp) {
    let visitor = sure(&app).await;
    let device = ask(&app).await;
    enter(&visitor, &device.user_code).await.assert_ok();
    let again = visitor.clone();
    let (one, other) =
        both(send(&visitor, "/approve", &device.user_code), send(&again, "/approve", &device.user_code))
            .await;
    let mut answers = [one.status().as_u16(), other.status().as_u16()];
    answers.sort_unstable();
    assert_eq!(answers, [200, 422]);
    assert!(said(&send(&visitor, "/deny", &device.user_code).await).contains("used already"));
    poll(&app, &device).await.assert_ok();
}

// spec: KEY-1
#[housekey::test]
async fn what_waited_too_long_is_not_decided_any_more(app: TestApp) {
    let visitor = sure(&app).await;
    let device = ask(&app).await;
    enter(&visitor, &device.user_code).await.assert_ok();
    app.advance(Duration::from_secs(1801));
    for action in ["", "/approve", "/deny"] {
        let words = said(&send(&visitor, action, &device.user_code).await);
        assert!(words.contains("too old"), "{action}: {words}");
    }
    poll(&app, &device).await.assert_status(400).assert_json_path("error", "expired_token");
}

// spec: KEY-1
#[housekey::test]
async fn two_windows_decide_about_the_device_that_each_of_them_shows(app: TestApp) {
    let visitor = sure(&app).await;
    let (first, second) = (ask(&app).await, ask(&app).await);
    enter(&visitor, &first.user_code).await.assert_ok();
    enter(&visitor, &second.user_code).await.assert_ok();
    send(&visitor, "/approve", &first.user_code).await.assert_ok();
    poll(&app, &second).await.assert_status(400).assert_json_path("error", "authorization_pending");
    poll(&app, &first).await.assert_ok();
}

// spec: SEC-2
#[housekey::test]
async fn what_was_let_in_and_not_picked_up_ends_with_the_session_that_did_it(app: TestApp) {
    let visitor = sure(&app).await;
    let device = ask(&app).await;
    enter(&visitor, &device.user_code).await.assert_ok();
    send(&visitor, "/approve", &device.user_code).await.assert_ok();
    visitor.post("/sign-out").json(&housekey::serde_json::json!({})).await.assert_ok();
    poll(&app, &device).await.assert_status(400).assert_json_path("error", "access_denied");
}
