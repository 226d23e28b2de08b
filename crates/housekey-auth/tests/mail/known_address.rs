//! Signing up with an address that has an account, where addresses are proven first.

use std::time::{Duration, Instant};

use housekey_auth::{AuthConfig, MailPages};
use housekey_testing::{TestApp, TestResponse};
use serde_json::{Value, json};

use crate::mail::{ADA, app, mails, make_verified, token};
use crate::support::{PASSWORD, engine_post, make_tables, sign_in};

/// An app in which nobody is in before their address is proven.
async fn test_app() -> TestApp {
    let booted = TestApp::new(|| {
        app(|auth| {
            auth.engine.email_and_password.require_email_verification = true;
            auth.engine.email_verification.send_on_sign_in = true;
            auth.redirect_guests_to = "/door".into();
            auth.mail_pages =
                MailPages { forgot_password: Some("/forgot-password".into()), ..MailPages::default() };
        })
    });
    make_tables(&booted).await;
    booted
}

async fn sign_up(app: &TestApp, email: &str, password: &str) -> TestResponse {
    let name = if password == PASSWORD { "Ada" } else { "Eve" };
    engine_post(app, "sign-up/email", &json!({ "name": name, "email": email, "password": password })).await
}

/// What is the same for any two people.
fn shape(answer: &TestResponse) -> (u16, Vec<String>, Value) {
    let mut headers: Vec<String> = answer.headers().keys().map(ToString::to_string).collect();
    headers.sort();
    let mut body: Value = answer.json();
    for varies in ["id", "createdAt", "updatedAt", "email"] {
        assert!(body["user"][varies].is_string(), "{varies}: {body}");
        body["user"][varies] = json!("x");
    }
    (answer.status().as_u16(), headers, body)
}

// spec: SEC-5
#[tokio::test]
async fn a_sign_up_with_a_known_address_looks_like_any_other_and_its_owner_is_told() {
    let app = test_app().await;
    let mails = mails(&app);
    sign_up(&app, ADA, PASSWORD).await.assert_ok();
    mails.assert_count(1).assert_subject(ADA, "Confirm your e-mail address");
    app.get(&format!("/api/auth/verify-email?token={}", token(&mails.link_to(ADA)))).await.assert_ok();
    mails.clear();

    let eve = app.visitor();
    let known = sign_up(&eve, "ADA@example.com", "the password of eve").await;
    let unknown = sign_up(&app.visitor(), "new@example.com", "the password of eve").await;
    assert_eq!(shape(&known), shape(&unknown));
    assert_eq!(shape(&known).2["token"], Value::Null, "nobody is in");
    assert!(known.header("set-cookie").is_none());

    mails.assert_count(2).assert_subject(ADA, "You have an account already");
    let told = mails.last_to(ADA);
    assert_eq!(told.link().as_deref(), Some("http://localhost:3000/door"));
    assert!(told.text().contains("http://localhost:3000/forgot-password"), "{}", told.text());
    assert!(!told.text().contains("Eve"), "no word of whoever typed the address: {}", told.text());
    sign_in(&eve, ADA, "the password of eve").await.assert_status(401);
    sign_in(&app, ADA, PASSWORD).await.assert_ok();
}

// spec: SEC-5
#[tokio::test]
async fn before_an_address_is_proven_the_right_password_gets_another_link_and_no_session() {
    let app = test_app().await;
    let mails = mails(&app);
    sign_up(&app, ADA, PASSWORD).await.assert_ok();
    let refused = sign_in(&app, ADA, PASSWORD).await;
    refused.assert_status(403).assert_json_path("code", "EMAIL_NOT_VERIFIED");
    assert!(refused.header("set-cookie").is_none());
    mails.assert_count(2);
    sign_in(&app, ADA, "a wrong password").await.assert_status(401);
    mails.assert_count(2);
    make_verified(&app, ADA).await;
    sign_in(&app, ADA, PASSWORD).await.assert_ok();
}

// spec: SEC-5
#[tokio::test]
async fn a_refused_sign_in_need_not_tell_that_an_address_waits_for_its_proof() {
    let app = test_app().await.with_config(|config| {
        config.update::<AuthConfig>(|auth| auth.engine.email_and_password.hide_unverified = true);
    });
    let app = app.with_running_clock();
    make_tables(&app).await;
    sign_up(&app, ADA, PASSWORD).await.assert_ok();
    let mut answers = Vec::new();
    for password in [PASSWORD, "a wrong password"] {
        let begun = Instant::now();
        let answer = sign_in(&app, ADA, password).await;
        assert!(begun.elapsed() >= Duration::from_millis(500), "{password}");
        answers.push((answer.status(), answer.text()));
    }
    assert_eq!(answers[0], answers[1]);
    mails(&app).assert_count(2);
}

// spec: SEC-5
#[tokio::test]
async fn both_sign_ups_take_their_time() {
    let app = test_app().await.with_running_clock();
    make_tables(&app).await;
    sign_up(&app, ADA, PASSWORD).await.assert_ok();
    for email in [ADA, "new@example.com"] {
        let begun = Instant::now();
        sign_up(&app.visitor(), email, PASSWORD).await.assert_ok();
        assert!(begun.elapsed() >= Duration::from_millis(500), "{email}");
    }
}
