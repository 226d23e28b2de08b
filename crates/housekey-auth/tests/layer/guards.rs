use housekey_auth::engine::User;
use housekey_auth::engine::plugins::{passkey, two_factor};
use housekey_auth::guards::{AppIdentity, intended};
use housekey_auth::{Auth, AuthConfig, Feature, OrHttpError, api, offers, session_ended, user};
use housekey_core::Result;
use housekey_http::response::{Redirect, redirect};
use housekey_http::session::SessionConfig;
use housekey_http::{Routes, csrf_token, session};
use housekey_testing::TestApp;

use crate::support::{
    PASSWORD, app_with, config, engine_post, make_tables, nothing_asked, sign_in, sign_up, test_app,
};

fn routes(route: &mut Routes) {
    route.get("/", async || "home");
    route.get("/dashboard", async || "the dashboard").middleware("auth");
    route.get("/proven", async || "the proven").middleware(["auth", "verified"]);
    route.get("/only-proven", async || "the proven").middleware("verified");
    route.get("/join", async || "join us").middleware("guest");
    route.post("/join", async || "joined").middleware("guest");
    route.get("/token", async || csrf_token());
    route.get("/sign-in", async || -> Result<String> { Ok(format!("ended: {}", session_ended()?)) });
    route.get("/flashed", async || session().flash("word", "told"));
    route.get("/intended", async || -> Result<Redirect> { intended("/dashboard").await });
    route.post("/sign-out", async || -> Result<Redirect> {
        api()?.sign_out().await.or_http_error()?;
        assert!(user().is_none(), "nobody is there any more");
        Ok(redirect("/"))
    });
    route
        .post("/report", async || user().map(|user| user.name.clone()).unwrap_or_default())
        .middleware("auth:key")
        .without_csrf();
}

fn with_key() -> housekey_http::App {
    let config = AuthConfig { demands: nothing_asked(), ..config() };
    app_with(config, routes).identify_by("key", |request| {
        let key = request.header("x-key").map(str::to_owned);
        Box::pin(async move {
            let now = time::OffsetDateTime::now_utc();
            Ok((key.as_deref() == Some("open sesame")).then(|| User {
                id: "robot".into(),
                name: "The robot".into(),
                email: "robot@example.com".into(),
                email_verified: true,
                image: None,
                created_at: now,
                updated_at: now,
                fields: Default::default(),
            }))
        })
    })
}

// spec: MID-1, RTE-3, ERR-1, CFG-13
#[tokio::test]
async fn a_signed_out_browser_is_sent_to_sign_in_and_a_json_client_gets_401() {
    let app = test_app(
        |_| (),
        |route| {
            route.get("/dashboard", async || "the dashboard").middleware("auth");
            route.get("/api/orders", async || "the orders").middleware("auth");
        },
    )
    .await;
    let sent = app.get("/dashboard").await;
    sent.assert_status(302).assert_redirect("/sign-in");
    app.get("/dashboard").accept_json().await.assert_status(401);
    app.get("/dashboard").header("x-requested-with", "XMLHttpRequest").await.assert_status(401);
    app.get("/dashboard").header("accept", "application/problem+json").await.assert_status(401);
    // Below /api everybody is a JSON client.
    app.get("/api/orders")
        .header("accept", "text/html")
        .await
        .assert_status(401)
        .assert_no_header("location");
    sign_up(&app, "ada@example.com").await;
    app.get("/dashboard").await.assert_ok().assert_see("the dashboard");

    let elsewhere = test_app(
        |auth| auth.redirect_guests_to = "/auth/sign-in".into(),
        |route| {
            route.get("/dashboard", async || "the dashboard").middleware("auth");
        },
    )
    .await;
    elsewhere.get("/dashboard").await.assert_status(302).assert_redirect("/auth/sign-in");
}

// spec: MID-2, ERR-1
#[tokio::test]
async fn a_signed_in_browser_is_sent_away_from_what_is_for_guests() {
    let app = TestApp::new(with_key);
    make_tables(&app).await;
    app.get("/join").await.assert_ok();
    sign_up(&app, "ada@example.com").await;
    app.get("/join").await.assert_status(302).assert_redirect("/dashboard");
    app.post("/join").accept_json().await.assert_ok().assert_json_path("redirect", "/dashboard");
}

// spec: MID-3
#[tokio::test]
async fn verified_is_for_proven_addresses_and_a_guest_has_none() {
    let app = TestApp::new(with_key);
    make_tables(&app).await;
    app.get("/only-proven").await.assert_status(302).assert_redirect("/verify-email");
    app.get("/only-proven").accept_json().await.assert_status(403);
    sign_up(&app, "ada@example.com").await;
    app.get("/proven").await.assert_status(302).assert_redirect("/verify-email");
    app.get("/proven").accept_json().await.assert_status(403).assert_json_path("code", "EMAIL_NOT_VERIFIED");
    prove(&app, "ada@example.com").await;
    app.get("/proven").await.assert_ok();
}

async fn prove(app: &TestApp, email: &str) {
    let auth = app.services().require::<Auth>().unwrap();
    let api = auth.engine().api();
    let user = api.user_by_email(email).await.unwrap().unwrap();
    auth.database()
        .unwrap()
        .table("user")
        .where_eq("id", user.id.as_str())
        .update(housekey_database::Record::new().with("emailVerified", true))
        .await
        .unwrap();
}

// spec: MID-8
#[tokio::test]
async fn signing_in_and_out_changes_the_token_of_every_form() {
    let app = TestApp::new(with_key);
    make_tables(&app).await;
    let before = app.get("/token").await.text();
    sign_up(&app, "ada@example.com").await;
    let during = app.get("/token").await.text();
    assert_ne!(before, during);
    assert_eq!(during, app.get("/token").await.text());
    app.post("/sign-out").await.assert_redirect("/");
    let after = app.get("/token").await.text();
    assert_ne!(during, after);
    app.get("/dashboard").await.assert_redirect("/sign-in");

    sign_in(&app, "ada@example.com", PASSWORD).await.assert_ok();
    let again = app.get("/token").await.text();
    assert_ne!(after, again);
    engine_post(&app, "sign-out", &serde_json::json!({})).await.assert_ok();
    assert_ne!(again, app.get("/token").await.text());
}

#[tokio::test]
async fn whoever_was_sent_to_sign_in_comes_back_to_where_they_wanted_to_go() {
    let app = TestApp::new(with_key);
    make_tables(&app).await;
    app.get("/dashboard?tab=2").await.assert_redirect("/sign-in");
    let icon = app.get("/dashboard?icon").header("sec-fetch-dest", "image").await;
    icon.assert_redirect("/sign-in");
    app.get("/intended").await.assert_redirect("/dashboard?tab=2");
    app.get("/intended").await.assert_redirect("/dashboard");
}

// spec: SEC-7
#[tokio::test]
async fn a_stranger_who_is_turned_away_leaves_nothing_behind() {
    let app =
        TestApp::new(with_key).with_config(|all| all.update::<SessionConfig>(|it| it.driver = "file".into()));
    make_tables(&app).await;
    for number in 0..100 {
        app.visitor().get(&format!("/dashboard?tab={number}")).await.assert_redirect("/sign-in");
    }
    let folder = app.storage().join("framework/sessions");
    let files = std::fs::read_dir(&folder).map_or(0, Iterator::count);
    assert_eq!(files, 0, "in {}", folder.display());
    // Who signs in has a session, and the folder is the right one.
    app.get("/flashed").await.assert_ok();
    assert!(std::fs::read_dir(&folder).unwrap().count() > 0);
}

#[tokio::test]
async fn where_a_guest_wanted_to_go_is_believed_for_half_an_hour_and_only_from_us() {
    let app = TestApp::new(with_key);
    make_tables(&app).await;
    app.get("/dashboard?tab=2").await.assert_redirect("/sign-in");
    let sealed = app.cookie("intended").unwrap();
    assert!(!sealed.contains("dashboard"), "{sealed}");
    app.advance(std::time::Duration::from_secs(30 * 60));
    app.visitor()
        .get("/intended")
        .header("cookie", &format!("intended={sealed}"))
        .await
        .assert_redirect("/dashboard");
    for forged in ["/elsewhere", "99999999999 /elsewhere", "99999999999 //evil.example", &sealed[1..]] {
        let answer = app.visitor().get("/intended").header("cookie", &format!("intended={forged}")).await;
        answer.assert_redirect("/dashboard");
    }
}

#[tokio::test]
async fn whoever_is_turned_away_with_a_dead_session_is_told_so_once() {
    let app = TestApp::new(with_key);
    make_tables(&app).await;
    app.get("/dashboard").await.assert_redirect("/sign-in");
    app.get("/sign-in").await.assert_see("ended: false");

    sign_up(&app, "ada@example.com").await;
    app.get("/sign-in").await.assert_see("ended: false");
    let elsewhere = app.visitor();
    sign_in(&elsewhere, "ada@example.com", PASSWORD).await.assert_ok();
    engine_post(&elsewhere, "revoke-other-sessions", &serde_json::json!({})).await.assert_ok();
    app.get("/dashboard").await.assert_redirect("/sign-in");
    app.get("/sign-in").await.assert_see("ended: true");
    app.get("/sign-in").await.assert_see("ended: false");

    // Straight to the page, the dead session comes along.
    sign_in(&app, "ada@example.com", PASSWORD).await.assert_ok();
    engine_post(&elsewhere, "revoke-other-sessions", &serde_json::json!({})).await.assert_ok();
    app.get("/sign-in").await.assert_see("ended: true");
    app.get("/sign-in").await.assert_see("ended: false");

    // Who left knows it, and a cookie that we did not sign says nothing.
    engine_post(&elsewhere, "sign-out", &serde_json::json!({})).await.assert_ok();
    elsewhere.get("/dashboard").await.assert_redirect("/sign-in");
    elsewhere.get("/sign-in").await.assert_see("ended: false");
    let forger = app.visitor();
    let forged = "better-auth.session_token=abcdefghijklmnopqrstuvwxyzabcdef.c2ln";
    forger.get("/dashboard").header("cookie", forged).await.assert_redirect("/sign-in");
    forger.get("/sign-in").await.assert_see("ended: false");
}

#[tokio::test]
async fn a_store_that_cannot_be_asked_ends_no_session_and_opens_no_door() {
    let app = TestApp::new(with_key);
    make_tables(&app).await;
    sign_up(&app, "ada@example.com").await;
    let database = app.services().require::<Auth>().unwrap().database().unwrap();
    database.execute_raw("alter table session rename to elsewhere", []).await.unwrap();

    app.get("/dashboard").await.assert_status(500);
    app.get("/").await.assert_see("home");
    app.get("/sign-in").await.assert_see("ended: false");

    database.execute_raw("alter table elsewhere rename to session", []).await.unwrap();
    app.get("/dashboard").await.assert_see("the dashboard");
}

#[tokio::test]
async fn a_caller_may_be_known_by_a_way_of_the_apps_own() {
    let app = TestApp::new(with_key);
    make_tables(&app).await;
    app.post("/report").accept_json().await.assert_status(401);
    app.post("/report").header("x-key", "guess").accept_json().await.assert_status(401);
    app.post("/report").header("x-key", "open sesame").await.assert_ok().assert_see("The robot");
}

#[tokio::test]
async fn an_unknown_way_to_identify_a_caller_does_not_boot() {
    let app = app_with(config(), |route| {
        route.get("/", async || "home").middleware("auth:retina");
    });
    let folder = tempfile::tempdir().unwrap();
    let app = app.env(housekey_core::Env::empty()).root(folder.path()).configure(|config| {
        config.update::<housekey_core::AppConfig>(|app| app.env = housekey_core::Environment::Development);
    });
    let error = app.boot().unwrap_err().to_string();
    assert!(error.contains("retina"), "{error}");
}

// spec: STA-7
#[tokio::test]
async fn a_session_that_was_ended_is_refused_at_the_next_request() {
    let app = TestApp::new(with_key);
    make_tables(&app).await;
    sign_up(&app, "ada@example.com").await;
    let phone = app.visitor();
    sign_in(&phone, "ada@example.com", PASSWORD).await.assert_ok();
    phone.get("/dashboard").await.assert_ok();
    engine_post(&app, "revoke-other-sessions", &serde_json::json!({})).await.assert_ok();
    phone.get("/dashboard").await.assert_redirect("/sign-in");
    app.get("/dashboard").await.assert_ok();
}

#[tokio::test]
async fn a_forged_truncated_or_foreign_cookie_is_a_guest() {
    let app = TestApp::new(with_key);
    make_tables(&app).await;
    sign_up(&app, "ada@example.com").await;
    let good = app.cookie("better-auth.session_token").unwrap();
    let other = TestApp::new(with_key);
    make_tables(&other).await;
    let half = &good[..good.len() / 2];
    for bad in [half, "x", "", "%00", "a.b", &good.replace('.', ""), &format!("{good}x")] {
        let cookie = format!("better-auth.session_token={bad}");
        app.visitor().get("/dashboard").header("cookie", &cookie).await.assert_redirect("/sign-in");
    }
    let cookie = format!("better-auth.session_token={good}");
    app.visitor().get("/dashboard").header("cookie", &cookie).await.assert_ok();
    other.get("/dashboard").header("cookie", &cookie).await.assert_redirect("/sign-in");
}

// spec: CFG-6, ERR-1
#[tokio::test]
async fn what_the_configuration_does_not_turn_on_is_not_there() {
    fn routes(route: &mut Routes) {
        route.get("/with/{name}", async || "here").middleware("offers:password");
        route.get("/sign-up", async || "sign up").middleware("offers:sign-up");
        route.get("/forgot", async || "forgot").middleware("offers:password-reset");
        route.get("/email", async || "email").middleware("offers:change-email");
        route.get("/leave", async || "leave").middleware(["offers:delete-account", "auth"]);
        route.get("/two-factor", async || "two-factor").middleware(["offers:two-factor", "auth"]);
        route.get("/passkeys", async || "passkeys").middleware(["offers:passkeys", "auth"]);
        route.get("/offered", async || {
            Feature::ALL
                .into_iter()
                .filter(|feature| offers(*feature))
                .map(Feature::name)
                .collect::<Vec<_>>()
                .join(" ")
        });
    }
    let plain = test_app(|_| (), routes).await;
    for (path, status) in [
        ("/with/x", 200),
        ("/sign-up", 200),
        ("/forgot", 200),
        ("/email", 200),
        ("/leave", 404),
        ("/two-factor", 404),
        ("/passkeys", 404),
    ] {
        plain.get(path).await.assert_status(status);
    }
    plain.get("/two-factor").accept_json().await.assert_status(404);
    plain.get("/offered").await.assert_see("password sign-up password-reset change-email");

    let closed = test_app(|auth| auth.engine.email_and_password.disable_sign_up = true, routes).await;
    closed.get("/sign-up").await.assert_status(404);
    closed.get("/with/x").await.assert_status(200);
    let none = test_app(|auth| auth.engine.email_and_password.enabled = false, routes).await;
    for path in ["/with/x", "/sign-up", "/forgot"] {
        none.get(path).await.assert_status(404);
    }
    let all = test_app(
        |auth| {
            auth.engine.user.delete_user.enabled = true;
            auth.plugins =
                [two_factor(Default::default()), passkey(Default::default())].into_iter().collect();
        },
        routes,
    )
    .await;
    for path in ["/leave", "/two-factor", "/passkeys"] {
        all.get(path).await.assert_redirect("/sign-in");
    }
}

// spec: CFG-1, CFG-6
#[tokio::test]
async fn what_needs_the_engines_endpoints_is_not_offered_without_them() {
    fn routes(route: &mut Routes) {
        route.get("/passkeys", async || "passkeys").middleware("offers:passkeys");
        route.get("/two-factor", async || "two-factor").middleware("offers:two-factor");
        route.get("/offered", async || if offers(Feature::Passkeys) { "with passkeys" } else { "without" });
    }
    for mount in [true, false] {
        let app = test_app(
            move |auth| {
                auth.mount = mount;
                auth.plugins =
                    [two_factor(Default::default()), passkey(Default::default())].into_iter().collect();
            },
            routes,
        )
        .await;
        app.get("/passkeys").await.assert_status(if mount { 200 } else { 404 });
        app.get("/offered").await.assert_see(if mount { "with passkeys" } else { "without" });
        app.get("/two-factor").await.assert_ok();
    }
}

#[tokio::test]
async fn a_feature_that_does_not_exist_fails_at_boot() {
    fn routes(route: &mut Routes) {
        route.get("/", async || "home").middleware("offers:pass-keys");
    }
    let folder = tempfile::tempdir().unwrap();
    let app = app_with(config(), routes);
    let app = app.env(housekey_core::Env::empty()).root(folder.path()).configure(|config| {
        config.update::<housekey_core::AppConfig>(|app| app.env = housekey_core::Environment::Development);
    });
    let error = app.boot().unwrap_err().source_chain().join("\n");
    assert!(error.contains("pass-keys") && error.contains("two-factor"), "{error}");
}
