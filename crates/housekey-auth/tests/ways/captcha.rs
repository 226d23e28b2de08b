use std::sync::Arc;

use housekey_auth::config::{CaptchaOptions, Plugins, captcha};
use housekey_auth::engine::http_client::FakeHttpClient;
use housekey_auth::engine::options::Shared;
use housekey_http::Routes;
use housekey_testing::TestApp;
use serde_json::{Value, json};

use crate::support::{app_with, config, test_app};

const VERIFY: &str = "https://challenges.cloudflare.com/turnstile/v0/siteverify";

fn routes(route: &mut Routes) {
    route.get("/form", async || "the form");
    route.post("/letters", async |body: String| format!("got {body}")).middleware("captcha");
    doors(route);
}

/// Forms that do what an endpoint of the engine does.
fn doors(route: &mut Routes) {
    route.post("/join", async || "joined").middleware("captcha:/sign-up/email");
    route.post("/leave", async || "left").middleware("captcha:/sign-out");
}

async fn app(answer: Value) -> (TestApp, FakeHttpClient) {
    let fake = FakeHttpClient::new().json(VERIFY, answer);
    let client = fake.clone();
    let app = test_app(
        move |auth| {
            let mut options = CaptchaOptions::turnstile("the secret");
            options.http_client = Shared::new(Arc::new(client.clone()));
            auth.plugins = Plugins::from([captcha(options)]);
        },
        routes,
    )
    .await;
    (app, fake)
}

#[tokio::test]
async fn a_form_passes_with_what_the_widget_answered_and_keeps_its_body() {
    let (app, fake) = app(json!({ "success": true })).await;
    let form = [("name", "Ada"), ("cf-turnstile-response", "a response")];
    let sent = app.post("/letters").form(&form).referer("/form").await;
    sent.assert_ok().assert_see("name=Ada");
    let asked = fake.requests();
    assert_eq!(asked.len(), 1);
    let by_script = app.post("/letters").header("x-captcha-response", "another").json(&json!({})).await;
    by_script.assert_ok().assert_see("got {}");
    assert_eq!(fake.requests().len(), 2);
}

#[tokio::test]
async fn nobody_passes_without_one_and_the_provider_is_not_asked() {
    let (app, fake) = app(json!({ "success": true })).await;
    let refused = app.post("/letters").json(&json!({ "cf-turnstile-response": "in the wrong place" })).await;
    refused.assert_status(422);
    assert!(refused.json::<Value>()["errors"]["captcha"].is_array(), "{}", refused.text());
    let form = app.post("/letters").form(&[("name", "Ada")]).referer("/form").await;
    form.assert_redirect("/form");
    app.post("/letters")
        .form(&[("cf-turnstile-response", "")])
        .referer("/form")
        .await
        .assert_redirect("/form");
    assert!(fake.requests().is_empty());
}

#[tokio::test]
async fn a_response_that_the_provider_does_not_know_is_refused_and_so_is_everything_while_it_is_away() {
    let (app, fake) = app(json!({ "success": false, "error-codes": ["timeout-or-duplicate"] })).await;
    let send = async || app.post("/letters").header("x-captcha-response", "used").json(&json!({})).await;
    send().await.assert_status(422);
    fake.goes_down();
    send().await.assert_status(500);
}

#[tokio::test]
async fn with_a_path_it_asks_where_the_captcha_stands_before_that_endpoint() {
    let (app, fake) = app(json!({ "success": true })).await;
    app.post("/leave").json(&json!({})).await.assert_ok();
    app.post("/join").json(&json!({})).await.assert_status(422);
    app.post("/join").header("x-captcha-response", "a response").json(&json!({})).await.assert_ok();
    assert_eq!(fake.requests().len(), 1);

    let without = test_app(|_| {}, doors).await;
    without.post("/join").json(&json!({})).await.assert_ok();
}

#[tokio::test]
async fn the_guard_without_the_plugin_fails_at_boot() {
    let folder = tempfile::tempdir().unwrap();
    let app = app_with(config(), routes).env(housekey_core::Env::empty()).root(folder.path());
    let app = app.configure(|config| {
        config.update::<housekey_core::AppConfig>(|app| app.env = housekey_core::Environment::Development);
    });
    let error = app.boot().unwrap_err().source_chain().join("\n");
    assert!(error.contains("captcha") && error.contains("config/auth.rs"), "{error}");
}
