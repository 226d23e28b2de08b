//! `password.confirm` and what comes after it, through HTTP.

use std::time::Duration;

use crate::support::{PASSWORD, app_with, config, engine_post, make_tables, sign_in, sign_up, test_app};
use axum::body::Bytes;
use housekey_auth::engine::ChangePassword;
use housekey_auth::guards::{AppConfirm, Confirmation, confirm_password, confirm_with};
use housekey_auth::{Identity, OrHttpError, api};
use housekey_cache::Cache;
use housekey_core::Result;
use housekey_http::response::{Redirect, redirect};
use housekey_http::session::session;
use housekey_http::validation::{Valid, Validated, errors};
use housekey_http::{App, Response, Routes, axum};
use housekey_testing::{TestApp, TestResponse};
use serde::Deserialize;
use serde_json::json;

#[derive(Deserialize, Validated)]
#[validate(crate = "housekey_http::validation")]
struct Key {
    #[validate(required, max(20))]
    name: String,
}

fn routes(route: &mut Routes) {
    route.post("/confirm-password", confirmed).middleware("auth");
    route.post("/confirm-password/passkey", async || confirm_with("passkey").await).middleware("auth");
    route.get("/keys", async || -> Result<String> {
        let keys: Vec<String> = session().get("keys").await?.unwrap_or_default();
        Ok(format!("{keys:?} {:?}", errors().first("name")))
    });
    route.get("/dashboard", async || session().get::<String>("status").await.map(Option::unwrap_or_default));
    route.group().middleware(["auth", "password.confirm"]).routes(|route| {
        route.post("/keys", add);
        route.delete("/keys/{name}", async || -> Result<Redirect> {
            session().forget("keys");
            Ok(redirect("/keys"))
        });
        route.post("/echo", async |body: Bytes| body);
        route.delete("/account", async || -> Result<Redirect> {
            api()?.sign_out().await.or_http_error()?;
            Ok(redirect("/"))
        });
        route.post("/password", async || -> Result<Redirect> {
            let new = "another horse battery";
            let input = ChangePassword {
                current_password: PASSWORD.into(),
                new_password: new.into(),
                revoke_other_sessions: true,
            };
            api()?.change_password(input).await.or_http_error()?;
            Ok(redirect("/keys"))
        });
        route.get("/vault", async || "the vault");
        route.get("/{*rest}", async || "anything").where_("rest", ".*");
    });
    route.post("/unguarded", async || "").middleware("password.confirm");
    route.group().own_csrf_check().middleware(["auth", "password.confirm"]).routes(|route| {
        route.post("/own-check", async || "done");
    });
    route.post("/api/keys", async || "added").middleware(["auth", "password.confirm"]).without_csrf();
    route.post("/api/confirm-password", confirmed).middleware("auth").without_csrf();
}

async fn confirmed(Valid(given): Valid<Confirmation>) -> Result<Response> {
    confirm_password(given, "/dashboard").await
}

async fn add(Valid(key): Valid<Key>) -> Result<Redirect> {
    session().push("keys", key.name)?;
    Ok(redirect("/keys").with("status", "Added."))
}

fn site() -> App {
    app_with(config(), routes)
}

/// An app and ada, who is signed in.
async fn ada() -> TestApp {
    let app = TestApp::new(site);
    make_tables(&app).await;
    sign_up(&app, "ada@example.com").await;
    app
}

/// Asks to add a key as a browser does.
async fn ask(app: &TestApp, name: &str) -> TestResponse {
    app.post("/keys").form(&[("name", name)]).referer("/keys").await
}

/// The refused request in the page of a 423.
#[track_caller]
fn sealed(page: &TestResponse) -> String {
    let text = page.text();
    let value = text.split_once("name=\"replay\" value=\"").map(|(_, rest)| rest.split('"').next().unwrap());
    value.unwrap_or_else(|| panic!("no replay in {text}")).to_owned()
}

async fn confirm(app: &TestApp, password: &str, replay: &str) -> TestResponse {
    app.post("/confirm-password").form(&[("password", password), ("replay", replay)]).referer("/echo").await
}

async fn keys(app: &TestApp) -> String {
    app.get("/keys").await.text()
}

// spec: MID-4, STA-8, ERR-1
#[tokio::test]
async fn a_json_client_gets_423_confirms_and_repeats_its_request() {
    let app = ada().await;
    let refused = app.post("/keys").json(&json!({ "name": "phone" })).await;
    refused.assert_status(423).assert_json_path("code", "PASSWORD_CONFIRMATION_REQUIRED");
    assert_eq!(keys(&app).await, "[] None", "nothing happened");

    let confirmed = app.post("/confirm-password").json(&json!({ "password": PASSWORD })).await;
    confirmed.assert_status(200).assert_json(&json!({ "confirmed": true }));
    app.post("/keys").json(&json!({ "name": "phone" })).await.assert_ok();
    app.post("/keys").json(&json!({ "name": "laptop" })).await.assert_ok();
    assert_eq!(keys(&app).await, "[\"phone\", \"laptop\"] None");
}

// spec: MID-4, STA-8
#[tokio::test]
async fn a_browsers_423_is_the_page_that_asks_and_the_refused_request_is_carried_out_afterwards() {
    let app = ada().await;
    let page = ask(&app, "phone").await;
    page.assert_status(423).assert_see("Confirm your password").assert_header("cache-control", "no-store");
    page.assert_dont_see("phone");
    assert_eq!(keys(&app).await, "[] None", "nothing happened");

    confirm(&app, PASSWORD, &sealed(&page)).await.assert_status(303).assert_redirect("/keys");
    assert_eq!(keys(&app).await, "[\"phone\"] None");
    // From now on the window is open.
    ask(&app, "laptop").await.assert_redirect("/keys");
}

// spec: MID-4
#[tokio::test]
async fn methods_queries_parameters_and_any_small_body_are_carried_over() {
    let app = ada().await;
    session_with_key(&app).await;
    let page = app.post("/keys/phone?x=1").form(&[("_method", "DELETE")]).await;
    page.assert_status(423);
    confirm(&app, PASSWORD, &sealed(&page)).await.assert_redirect("/keys");
    assert_eq!(keys(&app).await, "[] None");

    app.advance(Duration::from_secs(3 * 60 * 60));
    let body: Vec<u8> = (0..=255).collect();
    let page = app.post("/echo").body("application/octet-stream", body.clone()).await;
    let echo = confirm(&app, PASSWORD, &sealed(&page)).await;
    assert_eq!(echo.assert_ok().bytes(), &body);
}

async fn session_with_key(app: &TestApp) {
    let page = ask(app, "phone").await;
    confirm(app, PASSWORD, &sealed(&page)).await.assert_redirect("/keys");
    app.advance(Duration::from_secs(3 * 60 * 60));
}

// spec: MID-4
#[tokio::test]
async fn a_wrong_password_shows_the_page_again_and_the_request_still_waits() {
    let app = ada().await;
    let page = ask(&app, "phone").await;
    for wrong in ["wrong horse battery", "", "short", &"x".repeat(300)] {
        let again = confirm(&app, wrong, &sealed(&page)).await;
        again.assert_status(422).assert_see("role=\"alert\"");
        assert_eq!(sealed(&again), sealed(&page));
        assert_eq!(keys(&app).await, "[] None");
        ask(&app, "tablet").await.assert_status(423);
    }
    confirm(&app, PASSWORD, &sealed(&page)).await.assert_redirect("/keys");
    assert_eq!(keys(&app).await, "[\"phone\"] None");
}

// spec: MID-4
#[tokio::test]
async fn a_wrong_password_is_422_on_its_field_and_closes_an_open_window() {
    let app = ada().await;
    app.post("/confirm-password").json(&json!({ "password": PASSWORD })).await.assert_ok();
    let wrong = app.post("/confirm-password").json(&json!({ "password": "wrong horse" })).await;
    wrong.assert_status(422).assert_invalid("password");
    app.post("/confirm-password").json(&json!({})).await.assert_status(422).assert_invalid("password");
    app.post("/keys").json(&json!({ "name": "phone" })).await.assert_status(423);
}

// spec: STA-8
#[tokio::test]
async fn a_refused_request_is_carried_out_once() {
    let app = ada().await;
    let replay = sealed(&ask(&app, "phone").await);
    confirm(&app, PASSWORD, &replay).await.assert_redirect("/keys");
    for _ in 0..3 {
        confirm(&app, PASSWORD, &replay).await.assert_redirect("/keys");
    }
    assert_eq!(keys(&app).await, "[\"phone\"] None");
}

// spec: STA-8
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_button_pressed_twice_at_the_same_time_does_it_once() {
    let app = ada().await;
    let replay = sealed(&ask(&app, "phone").await);
    let presses = (0..8).map(|_| {
        let (app, replay) = (app.clone(), replay.clone());
        tokio::spawn(async move { confirm(&app, PASSWORD, &replay).await })
    });
    for press in presses.collect::<Vec<_>>() {
        let answer = press.await.unwrap();
        // Hashing takes so many at a time, and no more.
        assert!(matches!(answer.status().as_u16(), 303 | 503), "{answer:?}");
    }
    assert_eq!(keys(&app).await, "[\"phone\"] None");
}

// spec: STA-8
#[tokio::test]
async fn a_refused_request_is_worth_nothing_to_another_session() {
    let app = ada().await;
    let replay = sealed(&ask(&app, "phone").await);

    let bob = app.visitor();
    sign_up(&bob, "bob@example.com").await;
    confirm(&bob, PASSWORD, &replay).await.assert_redirect("/dashboard");
    assert_eq!(keys(&bob).await, "[] None");

    // Nor to ada on another device, nor after she signed in anew.
    let phone = app.visitor();
    sign_in(&phone, "ada@example.com", PASSWORD).await.assert_ok();
    confirm(&phone, PASSWORD, &replay).await.assert_redirect("/dashboard");
    assert_eq!(keys(&phone).await, "[] None");
    sign_in(&app, "ada@example.com", PASSWORD).await.assert_ok();
    confirm(&app, PASSWORD, &replay).await.assert_redirect("/dashboard");
    assert_eq!(keys(&app).await, "[] None");
}

// spec: STA-8
#[tokio::test]
async fn a_refused_request_is_carried_out_once_even_if_the_cache_is_emptied() {
    let app = ada().await;
    let replay = sealed(&ask(&app, "phone").await);
    confirm(&app, PASSWORD, &replay).await.assert_redirect("/keys");
    app.services().require::<Cache>().unwrap().clear().await.unwrap();
    confirm(&app, PASSWORD, &replay).await.assert_redirect("/keys");
    assert_eq!(keys(&app).await, "[\"phone\"] None");
}

// spec: MID-4, MID-8
#[tokio::test]
async fn what_another_site_may_have_sent_is_not_carried_out_by_the_visitors_password() {
    let app = ada().await;
    let page = app.post("/own-check").without_csrf().form(&[("name", "evil")]).await;
    page.assert_status(423).assert_see("Confirm your password").assert_dont_see("replay");
}

// spec: STA-8
#[tokio::test]
async fn a_session_that_is_renewed_with_the_password_does_not_undo_what_is_carried_out() {
    let app = ada().await;
    // The session is due for renewal a minute after the request is refused.
    app.advance(Duration::from_secs(24 * 60 * 60 - 60));
    let replay = sealed(&app.post("/password").form(&[("a", "b")]).await);
    app.advance(Duration::from_secs(120));
    confirm(&app, PASSWORD, &replay).await.assert_redirect("/keys");
    app.get("/vault").await.assert_status(423);
}

// spec: STA-8
#[tokio::test]
async fn a_refused_request_waits_for_five_minutes() {
    let app = ada().await;
    let (in_time, late) = (sealed(&ask(&app, "phone").await), sealed(&ask(&app, "laptop").await));
    app.advance(Duration::from_secs(5 * 60 - 1));
    confirm(&app, PASSWORD, &in_time).await.assert_redirect("/keys");
    app.advance(Duration::from_secs(1));
    confirm(&app, PASSWORD, &late).await.assert_redirect("/keys");
    app.get("/dashboard").await.assert_see("not carried out");
    assert_eq!(keys(&app).await, "[\"phone\"] None");
}

// spec: STA-8
#[tokio::test]
async fn a_changed_cut_mixed_or_foreign_request_leads_nowhere() {
    let app = ada().await;
    let (one, other) = (sealed(&ask(&app, "phone").await), sealed(&ask(&app, "laptop").await));
    let foreign = sealed(&ask(&ada().await, "tablet").await);
    let middle = one.len() / 2;
    let mut flipped = one.clone().into_bytes();
    flipped[middle] = if flipped[middle] == b'A' { b'B' } else { b'A' };
    let bad = [
        String::from_utf8(flipped).unwrap(),
        one[..middle].to_owned(),
        format!("{}{}", &one[..middle], &other[middle..]),
        format!("{one}{other}"),
        foreign,
        "v1.".into(),
        "/keys".into(),
        "https://evil.test/".into(),
    ];
    for replay in bad {
        confirm(&app, PASSWORD, &replay).await.assert_redirect("/dashboard");
    }
    assert_eq!(keys(&app).await, "[] None");
    confirm(&app, PASSWORD, &one).await.assert_redirect("/keys");
}

#[tokio::test]
async fn what_is_sealed_for_another_purpose_is_no_request() {
    let app = ada().await;
    let encrypter = app.services().require::<housekey_core::Encrypter>().unwrap();
    confirm(&app, PASSWORD, &encrypter.encrypt(b"\0\0\0\0", "cookie")).await.assert_redirect("/dashboard");
    confirm(&app, PASSWORD, &encrypter.encrypt(b"\xff\xff\xff\xff{}", "auth.confirm.replay"))
        .await
        .assert_redirect("/dashboard");
}

// spec: STA-8
#[tokio::test]
async fn a_page_that_was_refused_is_opened_at_its_own_address_and_never_on_another_site() {
    let app = ada().await;
    let page = app.get("/vault?tab=2").await;
    page.assert_status(423);
    confirm(&app, PASSWORD, &sealed(&page)).await.assert_status(303).assert_redirect("/vault?tab=2");
    app.get("/vault?tab=2").await.assert_ok().assert_see("the vault");

    app.advance(Duration::from_secs(3 * 60 * 60));
    for evil in ["//evil.test/x", "/%5Cevil.test", "//evil.test"] {
        let page = app.get(evil).await;
        page.assert_status(423);
        let sent = confirm(&app, PASSWORD, &sealed(&page)).await;
        let location = sent.header("location").unwrap();
        assert!(
            location.starts_with('/') && !location[1..].starts_with(['/', '\\']),
            "{evil} leads to {location}"
        );
        app.advance(Duration::from_secs(3 * 60 * 60));
    }
}

// spec: STA-8
#[tokio::test]
async fn a_body_that_is_too_large_is_not_carried_along() {
    let app = ada().await;
    let fits = app.post("/echo").body("text/plain", vec![b'x'; 64 * 1024]).await;
    let too_large = app.post("/echo").body("text/plain", vec![b'x'; 64 * 1024 + 1]).await;
    too_large.assert_status(423).assert_dont_see("name=\"replay\"").assert_see("name=\"password\"");
    let echo = confirm(&app, PASSWORD, &sealed(&fits)).await;
    assert_eq!(echo.assert_ok().bytes().len(), 64 * 1024);
    confirm(&app, PASSWORD, "").await.assert_redirect("/dashboard");
}

// spec: STA-8
#[tokio::test]
async fn a_form_that_is_refused_when_it_is_carried_out_goes_back_to_its_own_page() {
    let app = ada().await;
    let page = ask(&app, "a name that is longer than it may be").await;
    let answer = confirm(&app, PASSWORD, &sealed(&page)).await;
    answer.assert_redirect("/keys").assert_invalid("name");
    assert!(keys(&app).await.starts_with("[] Some("));
}

#[tokio::test]
async fn what_was_refused_may_end_the_session() {
    let app = ada().await;
    let page = app.delete("/account").await;
    confirm(&app, PASSWORD, &sealed(&page)).await.assert_redirect("/");
    app.get("/vault").await.assert_redirect("/sign-in");
    let session = app.cookie("better-auth.session_token");
    assert!(session.is_none_or(|value| value.is_empty()));
}

#[tokio::test]
async fn a_request_sealed_without_the_password_stays_refused() {
    let app = ada().await;
    let replay = sealed(&ask(&app, "phone").await);
    app.post("/confirm-password").form(&[("replay", &replay)]).await.assert_status(422);
    let forged = app.post("/confirm-password").form(&[("password", PASSWORD), ("replay", &replay)]);
    forged.without_csrf().await.assert_status(419);
    assert_eq!(keys(&app).await, "[] None");
}

// spec: MID-4
#[tokio::test]
async fn the_window_closes_after_three_hours_or_as_configured() {
    let app = ada().await;
    app.post("/confirm-password").json(&json!({ "password": PASSWORD })).await.assert_ok();
    for _ in 0..2 {
        // A session that nobody uses ends sooner.
        app.advance(Duration::from_secs(60 * 60));
        keys(&app).await;
    }
    app.advance(Duration::from_secs(60 * 60 - 1));
    ask(&app, "phone").await.assert_redirect("/keys");
    app.advance(Duration::from_secs(1));
    ask(&app, "laptop").await.assert_status(423);

    let app = test_app(|auth| auth.confirm_window = 60, routes).await;
    sign_up(&app, "ada@example.com").await;
    app.post("/confirm-password").json(&json!({ "password": PASSWORD })).await.assert_ok();
    app.advance(Duration::from_secs(59));
    ask(&app, "phone").await.assert_redirect("/keys");
    app.advance(Duration::from_secs(1));
    ask(&app, "laptop").await.assert_status(423);
}

// spec: MID-4
#[tokio::test]
async fn a_new_sign_in_a_sign_out_and_a_changed_password_close_the_window() {
    let app = ada().await;
    let open = async |password: &str| {
        app.post("/confirm-password").json(&json!({ "password": password })).await.assert_ok();
        app.get("/vault").await.assert_ok();
    };
    open(PASSWORD).await;
    sign_in(&app, "ada@example.com", PASSWORD).await.assert_ok();
    app.get("/vault").await.assert_status(423);

    open(PASSWORD).await;
    engine_post(&app, "sign-out", &json!({})).await.assert_ok();
    sign_in(&app, "ada@example.com", PASSWORD).await.assert_ok();
    app.get("/vault").await.assert_status(423);

    // Also when it is changed somewhere else.
    open(PASSWORD).await;
    let phone = app.visitor();
    sign_in(&phone, "ada@example.com", PASSWORD).await.assert_ok();
    let change = json!({ "currentPassword": PASSWORD, "newPassword": "another horse battery" });
    engine_post(&phone, "change-password", &change).await.assert_ok();
    app.get("/vault").await.assert_status(423);
    app.post("/confirm-password").json(&json!({ "password": PASSWORD })).await.assert_status(422);
    open("another horse battery").await;
}

// spec: MID-4
#[tokio::test]
async fn confirming_opens_the_window_of_one_session_only() {
    let app = ada().await;
    let phone = app.visitor();
    sign_in(&phone, "ada@example.com", PASSWORD).await.assert_ok();
    app.post("/confirm-password").json(&json!({ "password": PASSWORD })).await.assert_ok();
    app.get("/vault").await.assert_ok();
    phone.get("/vault").await.assert_status(423);
}

// spec: MID-4
#[tokio::test]
async fn a_guest_is_asked_to_sign_in() {
    let app = TestApp::new(site);
    app.post("/unguarded").await.assert_status(302).assert_redirect("/sign-in");
    app.post("/unguarded").accept_json().await.assert_status(401);
    app.post("/confirm-password").json(&json!({ "password": PASSWORD })).await.assert_status(401);
}

#[tokio::test]
async fn another_proof_opens_the_window_too() {
    let app = ada().await;
    app.post("/confirm-password/passkey").accept_json().await.assert_ok();
    app.get("/vault").await.assert_ok();
}

#[tokio::test]
async fn an_app_draws_its_own_page() {
    let app = TestApp::new(|| {
        site().confirm_page(|form| async move {
            format!("mine: {} {:?} {:?}", form.action(), form.replay().is_some(), form.error())
        })
    });
    make_tables(&app).await;
    sign_up(&app, "ada@example.com").await;
    let page = ask(&app, "phone").await;
    page.assert_status(423).assert_see("mine: /confirm-password true None");
    page.assert_header("cache-control", "no-store");
    confirm(&app, "wrong horse", "x").await.assert_status(422).assert_see("true Some(");
}

// spec: MID-4
#[tokio::test]
async fn a_client_with_a_bearer_token_has_a_window_too() {
    let app = test_app(|auth| auth.identity = Identity::Bearer, routes).await;
    let signed_up = sign_up(&app, "ada@example.com").await;
    let token = signed_up.header("set-auth-token").unwrap().to_owned();
    let ada = app.visitor().with_header("authorization", &format!("Bearer {token}"));
    ada.post("/api/keys").await.assert_status(423).assert_json_path("code", "PASSWORD_CONFIRMATION_REQUIRED");
    ada.post("/api/confirm-password").json(&json!({ "password": PASSWORD })).await.assert_ok();
    ada.forget_cookies();
    ada.post("/api/keys").await.assert_ok().assert_see("added");

    let phone = app.visitor();
    let signed_in = sign_in(&phone, "ada@example.com", PASSWORD).await;
    let token = signed_in.header("set-auth-token").unwrap().to_owned();
    phone.with_header("authorization", &format!("Bearer {token}")).post("/api/keys").await.assert_status(423);
}
