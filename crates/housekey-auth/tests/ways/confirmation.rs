use std::time::Duration;

use serde_json::json;

use crate::support::test_app;
use crate::ways::{ADA, all_ways, mails, routes, token_of, who};

/// With the demands that every app has.
fn careful(auth: &mut housekey_auth::AuthConfig) {
    all_ways(auth);
    auth.demands = housekey_auth::Demands::default();
}

// spec: SEC-1
#[tokio::test]
async fn who_signs_in_by_mail_alone_confirms_by_having_just_signed_in() {
    let app = test_app(careful, routes).await;
    app.post("/link").body("text/plain", "new@example.com".to_owned()).await.assert_ok();
    let token = token_of(&mails(&app).link_to("new@example.com"));
    app.post("/magic-link").json(&json!({ "token": token })).await.assert_ok();
    assert_eq!(who(&app).await.as_deref(), Some("new@example.com"));
    app.delete("/account").json(&json!({})).await.assert_ok();
    app.advance(Duration::from_secs(10 * 60));
    app.delete("/account").json(&json!({})).await.assert_status(423);
}

// spec: SEC-1
#[tokio::test]
async fn who_has_a_password_enters_it_however_they_signed_in() {
    let app = test_app(careful, routes).await;
    let ada = app.user(ADA).await;
    app.post("/link").body("text/plain", ada.email.clone()).await.assert_ok();
    let token = token_of(&mails(&app).link_to(ADA));
    app.post("/magic-link").json(&json!({ "token": token })).await.assert_ok();
    app.delete("/account").json(&json!({})).await.assert_status(423);
}

// spec: SEC-1
#[tokio::test]
async fn a_password_of_the_time_before_they_were_turned_off_is_asked_of_nobody() {
    fn without_passwords(auth: &mut housekey_auth::AuthConfig) {
        careful(auth);
        auth.engine.email_and_password.enabled = false;
    }
    let app = test_app(without_passwords, routes).await;
    let ada = app.user(ADA).await;
    app.post("/link").body("text/plain", ada.email.clone()).await.assert_ok();
    let token = token_of(&mails(&app).link_to(ADA));
    app.post("/magic-link").json(&json!({ "token": token })).await.assert_ok();
    app.delete("/account").json(&json!({})).await.assert_ok();
}
