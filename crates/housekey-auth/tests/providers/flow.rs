//! The whole flow through an app, with a provider that answers from memory.

use std::sync::Arc;

use housekey_auth::config::{Events, Provider, Shared, secure};
use housekey_auth::engine::social::{FakePerson, FakeProviders, LinkSocial, SignInSocial};
use housekey_auth::events::{EventFilter, KeptEvent, find};
use housekey_auth::{Auth, AuthConfig, OrHttpError, api, user};
use housekey_core::Result;
use housekey_database::record;
use housekey_http::Routes;
use housekey_http::response::{Redirect, redirect};
use housekey_testing::{TestApp, TestResponse};
use serde_json::{Value, json};

use crate::support::{PASSWORD, engine_post, sign_in, sign_up, test_app};

const ADA: &str = "ada@example.com";

fn routes(route: &mut Routes) {
    route.get("/me", async || user().map_or_else(|| "nobody".to_owned(), |user| user.email.clone()));
    route.post("/start", async || start("/me").await);
    route.post("/astray", async || start("https://evil.example/").await);
    route.post("/connect", connect).middleware("auth");
}

async fn start(target: &str) -> Result<Redirect> {
    let input = SignInSocial {
        provider: "google".into(),
        callback_url: Some(target.into()),
        error_callback_url: Some("/me?failed=1".into()),
        ..Default::default()
    };
    Ok(redirect(&api()?.sign_in_social(input).await.or_http_error()?.url))
}

async fn connect() -> Result<Redirect> {
    let input =
        LinkSocial { provider: "google".into(), callback_url: Some("/me".into()), ..Default::default() };
    Ok(redirect(&api()?.link_social(input).await.or_http_error()?.url))
}

fn google() -> Provider {
    Provider::google("id", "secret")
}

fn ada() -> FakePerson {
    FakePerson::new("7", "Ada", ADA)
}

/// An app whose people may sign in with Google, which says that ada is there.
async fn app(change: impl Fn(&mut AuthConfig) + Send + Sync + 'static) -> (TestApp, FakeProviders) {
    let fakes = FakeProviders::new().person(&google(), ada());
    let client = fakes.clone();
    let app = test_app(
        move |auth| {
            auth.engine.social_providers.push(google());
            auth.engine.social.http_client = Shared::new(Arc::new(client.clone()));
            auth.events = Events::kept(90);
            change(auth);
        },
        routes,
    )
    .await;
    (app, fakes)
}

/// Leaves for the provider by a form of the app, allows it there and comes back.
async fn through(app: &TestApp, fakes: &FakeProviders, form: &str) -> TestResponse {
    let left = app.post(form).await;
    left.assert_status(303);
    let back = fakes.approve(left.header("location").unwrap());
    app.get(back.strip_prefix("http://localhost:3000").unwrap()).await
}

fn target(response: &TestResponse) -> &str {
    let location = response.header("location").unwrap();
    location.strip_prefix("http://localhost:3000").unwrap_or(location)
}

async fn events(app: &TestApp) -> Vec<KeptEvent> {
    let auth = app.services().require::<Auth>().unwrap();
    find(&auth, &EventFilter::default(), 100).await.unwrap()
}

async fn event(app: &TestApp, kind: &str) -> Value {
    let found = events(app).await.into_iter().find(|event| event.kind == kind);
    let found = found.unwrap_or_else(|| panic!("there was no {kind}"));
    assert!(found.user_id.is_some(), "{kind} is somebody's");
    found.detail.unwrap_or_default()
}

// spec: SOC-2, SEC-9
#[tokio::test]
async fn a_form_of_the_app_leads_there_and_back_and_it_is_kept_what_happened() {
    let (app, fakes) = app(|_| ()).await;
    let back = through(&app, &fakes, "/start").await;
    assert_eq!(target(&back), "/me");
    app.get("/me").await.assert_see(ADA);
    let made = event(&app, "sign-up").await;
    assert_eq!((&made["method"], &made["provider"]), (&json!("social"), &json!("google")));

    let later = app.visitor();
    through(&later, &fakes, "/start").await;
    later.get("/me").await.assert_see(ADA);
    let signed_in = event(&app, "sign-in").await;
    assert_eq!((&signed_in["method"], &signed_in["provider"]), (&json!("social"), &json!("google")));
    let told = serde_json::to_string(&events(&app).await).unwrap();
    for request in fakes.requests() {
        for (name, value) in request.form() {
            let is_secret = matches!(name.as_str(), "code" | "code_verifier" | "client_secret");
            assert!(!is_secret || !told.contains(&value), "{name} is in {told}");
        }
    }
}

// spec: SOC-3
#[tokio::test]
async fn nobody_is_led_to_an_origin_that_is_not_trusted_by_either_door() {
    let (app, _) = app(|auth| auth.engine.trusted_origins = vec!["https://friend.example".into()]).await;
    app.post("/astray").accept_json().await.assert_status(403);
    for (field, code) in [
        ("callbackURL", "INVALID_CALLBACK_URL"),
        ("errorCallbackURL", "INVALID_ERROR_CALLBACK_URL"),
        ("newUserCallbackURL", "INVALID_NEW_USER_CALLBACK_URL"),
    ] {
        for evil in ["https://evil.example/", "//evil.example", "/\\evil.example", "javascript:alert(1)"] {
            let body = json!({ "provider": "google", (field): evil });
            let refused = engine_post(&app, "sign-in/social", &body).await;
            refused.assert_status(403).assert_json_path("code", code);
        }
        let body = json!({ "provider": "google", (field): "https://friend.example/welcome" });
        engine_post(&app, "sign-in/social", &body).await.assert_ok();
    }
}

/// Ada with a password and a proven address, signed in.
async fn ada_with_password(app: &TestApp) {
    sign_up(app, ADA).await;
    let auth = app.services().require::<Auth>().unwrap();
    auth.database().unwrap().table("user").update(record! { "emailVerified" => true }).await.unwrap();
}

// spec: SOC-5, SEC-9
#[tokio::test]
async fn an_owner_connects_and_disconnects_and_both_are_told() {
    let (app, fakes) = app(|_| ()).await;
    ada_with_password(&app).await;
    through(&app, &fakes, "/connect").await;
    let linked = event(&app, "account-linked").await;
    assert_eq!((&linked["provider"], &linked["by"]), (&json!("google"), &json!("owner")));
    let accounts: Value = app.get("/api/auth/list-accounts").await.json();
    let google = accounts.as_array().unwrap().iter().find(|one| one["providerId"] == "google").unwrap();
    engine_post(&app, "unlink-account", &json!({ "accountId": google["id"] })).await.assert_ok();
    assert_eq!(event(&app, "account-unlinked").await["provider"], "google");
}

// spec: SOC-5
#[tokio::test]
async fn an_address_that_nobody_here_proved_is_connected_to_nothing() {
    let (app, fakes) = app(|_| ()).await;
    sign_up(&app, ADA).await;
    let stranger = app.visitor();
    let back = through(&stranger, &fakes, "/start").await;
    assert!(target(&back).starts_with("/me?failed=1&error=account_not_linked"), "{}", target(&back));
    stranger.get("/me").await.assert_see("nobody");
    let refused = events(&app).await.into_iter().find(|event| event.kind == "sign-in-refused").unwrap();
    assert_eq!(refused.detail.unwrap()["reason"], "account_not_linked");
}

// spec: EPC-1, SOC-6
#[tokio::test]
async fn connecting_and_disconnecting_make_copies_of_sessions_worthless() {
    let (app, fakes) = app(|auth| auth.engine.session.cookie_cache.enabled = true).await;
    ada_with_password(&app).await;
    let forget_rows = async || {
        let auth = app.services().require::<Auth>().unwrap();
        auth.database().unwrap().table("session").delete().await.unwrap();
    };
    let elsewhere = app.visitor();
    sign_in(&elsewhere, ADA, PASSWORD).await.assert_ok();
    through(&app, &fakes, "/connect").await;
    let accounts: Value = app.get("/api/auth/list-accounts").await.json();
    forget_rows().await;
    elsewhere.get("/me").await.assert_see("nobody");

    let here = app.visitor();
    sign_in(&here, ADA, PASSWORD).await.assert_ok();
    let elsewhere = app.visitor();
    sign_in(&elsewhere, ADA, PASSWORD).await.assert_ok();
    let google = accounts.as_array().unwrap().iter().find(|one| one["providerId"] == "google").unwrap();
    engine_post(&here, "unlink-account", &json!({ "accountId": google["id"] })).await.assert_ok();
    forget_rows().await;
    elsewhere.get("/me").await.assert_see("nobody");
}

// spec: SOC-7
#[tokio::test]
async fn with_secure_settings_no_token_of_a_provider_can_be_read_in_the_database() {
    for (is_secure, is_plain) in [(false, true), (true, false)] {
        let (app, fakes) = app(move |auth| {
            if is_secure {
                auth.engine.account = secure();
            }
        })
        .await;
        through(&app, &fakes, "/start").await;
        let accounts: Value = app.get("/api/auth/list-accounts").await.json();
        let token = engine_post(&app, "get-access-token", &json!({ "accountId": accounts[0]["id"] })).await;
        let token = token.assert_ok().json::<Value>()["accessToken"].as_str().unwrap().to_owned();
        let auth = app.services().require::<Auth>().unwrap();
        let stored: Option<String> =
            auth.database().unwrap().table("account").value("accessToken").await.unwrap();
        assert_eq!(stored.as_deref() == Some(token.as_str()), is_plain, "{stored:?}");
    }
}

// spec: SOC-8
#[tokio::test]
async fn a_provider_that_is_down_costs_its_visitor_a_page_and_the_others_nothing() {
    let (app, fakes) = app(|_| ()).await;
    ada_with_password(&app).await;
    let visitor = app.visitor();
    let left = visitor.post("/start").await;
    let back = fakes.approve(left.header("location").unwrap());
    fakes.goes_down();
    let failed = visitor.get(back.strip_prefix("http://localhost:3000").unwrap()).await;
    assert!(target(&failed).starts_with("/me?failed=1&error="), "{}", target(&failed));
    visitor.get("/me").await.assert_see("nobody");
    sign_in(&visitor, ADA, PASSWORD).await.assert_ok();
    visitor.get("/me").await.assert_see(ADA);
}
