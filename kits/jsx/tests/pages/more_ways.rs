//! Pages of the ways in that `config/auth.rs` can turn on: shown when they are, and calm.

use std::sync::Arc;

use housekey::auth::config::{
    CaptchaOptions, CaptchaProvider, Plugin, captcha, email_otp, magic_link, multi_session, secure, username,
};
use housekey::auth::engine::http_client::FakeHttpClient;
use housekey::auth::engine::options::Shared;
use housekey::auth::schema::Plan;
use housekey::auth::{Auth, AuthConfig};
use housekey::mail::Mailer;
use housekey::prelude::*;
use housekey::serde_json::json;
use housekey::testing::TestApp;

use crate::support::{PASSWORD, path_of, sign_in, somebody, value_of, without_password};

fn with(app: &TestApp, plugins: fn() -> Vec<Plugin>) -> TestApp {
    app.with_config(move |config| {
        config.update::<AuthConfig>(|auth| auth.plugins.extend(plugins()));
    })
}

// spec: CFG-6
#[housekey::test]
async fn the_sign_in_page_offers_what_is_turned_on_and_nothing_else(app: TestApp) {
    let page = app.get("/sign-in").await;
    page.assert_dont_see("/sign-in/link").assert_dont_see("/sign-in/code").assert_see(r#"type="email""#);
    for path in ["/sign-in/link", "/sign-in/code", "/magic-link?token=x"] {
        app.get(path).await.assert_status(404);
    }
    let app = with(&app, || vec![magic_link(secure()), email_otp(secure())]);
    let page = app.get("/sign-in").await;
    page.assert_see(r#"formaction="/sign-in/link""#).assert_see(r#"formaction="/sign-in/code""#);
    page.assert_see("E-mail me a link").assert_see("E-mail me a code");
    // One field for all of them, and the password is still the button that the enter key presses.
    let html = page.text();
    assert_eq!(html.matches(r#"name="email""#).count(), 1);
    let (before, _) = html.split_once("formaction").unwrap();
    assert!(before.contains("Sign in</button>"), "{before}");
}

// spec: KEY-1
#[housekey::test]
async fn without_passwords_the_page_is_one_field_and_a_button(app: TestApp) {
    let app = with(&app, || vec![magic_link(secure())]);
    let app = app.with_config(|config| {
        config.update::<AuthConfig>(|auth| auth.engine.email_and_password.enabled = false);
    });
    let page = app.get("/sign-in").await;
    page.assert_see("E-mail me a link").assert_dont_see(r#"type="password""#);
}

// spec: KEY-3
#[housekey::test]
async fn a_mail_scanner_that_opens_the_link_spends_nothing(app: TestApp) {
    let app = with(&app, || vec![magic_link(secure())]);
    let mails = app.services().require::<Mailer>().unwrap().fake();
    let ada = somebody(&app).await;
    let asked = app.post("/sign-in/link").form(&[("email", ada.email.as_str())]).referer("/sign-in").await;
    asked.assert_status(303).assert_redirect("/sign-in/link");
    app.get("/sign-in/link").await.assert_ok().assert_see("Look into your mail");
    let path = path_of(&mails.link_to(&ada.email));
    for _ in 0..2 {
        app.visitor().get(&path).await.assert_ok();
        app.visitor().head(&path).await.assert_ok();
    }
    let page = app.get(&path).await;
    page.assert_see(&ada.email).assert_header("cache-control", "no-store");
    page.assert_header("referrer-policy", "same-origin");
    let token = value_of(&page, "token");
    app.post("/magic-link").form(&[("token", token.as_str())]).await.assert_redirect("/dashboard");
    app.get("/dashboard").await.assert_ok().assert_see(&ada.email);
    app.visitor().get(&path).await.assert_see("This link is spent").assert_dont_see(r#"name="token""#);
}

#[housekey::test]
async fn a_link_that_is_none_leads_nowhere(app: TestApp) {
    let app = with(&app, || vec![magic_link(secure())]);
    for path in ["/magic-link", "/magic-link?token="] {
        app.get(path).await.assert_status(302).assert_redirect("/sign-in");
    }
    let page = app.get("/magic-link?token=%22%3E%3Cscript%3Ealert(1)%3C/script%3E").await;
    page.assert_ok().assert_see("This link is spent").assert_dont_see("<script>alert");
}

// spec: KEY-1
#[housekey::test]
async fn a_code_is_one_field_and_a_wrong_one_is_said_there(app: TestApp) {
    let app = with(&app, || vec![email_otp(secure())]);
    let ada = somebody(&app).await;
    app.get("/sign-in/code").await.assert_status(302).assert_redirect("/sign-in");
    let asked = app.post("/sign-in/code").form(&[("email", ada.email.as_str())]).referer("/sign-in").await;
    asked.assert_status(303).assert_redirect("/sign-in/code");
    let page = app.get("/sign-in/code").await;
    page.assert_see(&ada.email)
        .assert_see(r#"autocomplete="one-time-code""#)
        .assert_see(r#"inputmode="numeric""#);
    assert_eq!(page.text().matches(r#"name="code""#).count(), 1);
    page.assert_header("cache-control", "no-store");
    let code = code_to(&app, &ada.email);
    let wrong = format!("{:06}", (code.parse::<u32>().unwrap() + 1) % 1_000_000);
    let form = |code: &str| app.post("/sign-in/code/enter").form(&[("code", code)]).referer("/sign-in/code");
    form(&wrong).await.assert_redirect("/sign-in/code");
    app.get("/sign-in/code").await.assert_see(r#"aria-invalid="true""#);
    form(&code).await.assert_redirect("/dashboard");
}

/// Makes the columns that `config/auth.rs` asks for and the migrations do not have yet, as `auth:schema --diff` would.
async fn make_columns(app: &TestApp) {
    app.get("/health").await.assert_ok();
    let auth = app.services().require::<Auth>().unwrap();
    app.within(async {
        let database = auth.database()?;
        let present = database.introspect().await?;
        let plan = Plan::missing(auth.engine().schema(), &present, database.driver()).unwrap();
        database.schema(|schema| plan.up(schema)).await
    })
    .await
    .unwrap();
}

fn code_to(app: &TestApp, email: &str) -> String {
    let mails = app.services().require::<Mailer>().unwrap().fake();
    let text = mails.last_to(email).text().to_owned();
    let is_code = |line: &&str| line.len() == 6 && line.bytes().all(|byte| byte.is_ascii_digit());
    text.lines().map(str::trim).find(is_code).unwrap_or_else(|| panic!("no code in {text}")).to_owned()
}

// spec: KEY-1
#[housekey::test]
async fn names_are_spoken_of_only_where_people_have_them(app: TestApp) {
    app.get("/sign-up").await.assert_dont_see(r#"name="username""#);
    let app = with(&app, || vec![username(secure())]);
    app.get("/sign-in").await.assert_see("E-mail or username").assert_dont_see(r#"type="email""#);
    app.get("/sign-up").await.assert_see(r#"name="username""#);
}

// spec: KEY-1
#[housekey::test]
async fn the_menu_has_the_other_accounts_and_the_ways_out(app: TestApp) {
    let plain = app.signed_in(&somebody(&app).await).await;
    plain.get("/dashboard").await.assert_dont_see("/accounts/add").assert_see(r#"action="/sign-out""#);

    let app = with(&app, || vec![multi_session(secure())]);
    let (ada, bob) = (somebody(&app).await, somebody(&app).await);
    sign_in(&app, &ada).await.assert_status(303);
    app.get("/dashboard").await.assert_see(r#"action="/accounts/add""#).assert_dont_see("Sign out of all");
    app.post("/accounts/add").form(&[("a", "b")]).await.assert_redirect("/sign-in");
    app.get("/sign-in").await.assert_ok().assert_see("Add an account").assert_see(r#"href="/dashboard""#);
    sign_in(&app, &bob).await.assert_status(303);
    let page = app.get("/dashboard").await;
    page.assert_see(&ada.email).assert_see(&bob.email).assert_see("Sign out of all");
    let html = page.text();
    let (_, rest) = html.split_once("/accounts/").unwrap();
    let id = rest.split("/switch").next().unwrap().to_owned();
    assert!(id.len() < 64 && !html.contains("session_token"), "no token stands in a page: {id}");
    app.post(&format!("/accounts/{id}/switch")).form(&[("a", "b")]).await.assert_redirect("/dashboard");
    app.get("/settings/profile").await.assert_see(&ada.email);
}

// spec: SEC-1, STA-8
#[housekey::test]
async fn who_has_no_password_confirms_with_a_mail_and_is_led_back(app: TestApp) {
    let app = with(&app, || vec![magic_link(secure()), email_otp(secure())]);
    let ada = somebody(&app).await;
    without_password(&app, &ada).await;
    let visitor = app.signed_in(&ada).await;
    app.advance(std::time::Duration::from_mins(15));
    let page = "/settings/account";
    let asked = visitor.delete("/settings/account").form(&[("a", "b")]).referer(page).await;
    asked.assert_status(423).assert_dont_see(r#"type="password""#);
    asked.assert_see(r#"action="/confirm-password/link""#).assert_see(r#"action="/confirm-password/code""#);
    assert_eq!(value_of(&asked, "return_to"), page);

    let form = [("return_to", page)];
    let sent = visitor.post("/confirm-password/code").form(&form).referer(page).await;
    sent.assert_status(303).assert_redirect("/sign-in/code");
    let waits = visitor.get("/sign-in/code").await;
    waits.assert_ok().assert_see(&ada.email).assert_see(r#"action="/confirm-password/code""#);
    waits.assert_see("Not now").assert_dont_see(r#"action="/sign-in/code""#);
    let code = code_to(&app, &ada.email);
    let entered = visitor.post("/sign-in/code/enter").form(&[("code", code.as_str())]).await;
    entered.assert_status(303).assert_redirect(page);
    visitor.get(page).await.assert_ok().assert_see("Now do again what you were about to do.");
    visitor.delete("/settings/account").form(&[("a", "b")]).referer(page).await.assert_status(303);
    visitor.get("/dashboard").await.assert_redirect("/sign-in");
}

#[housekey::test]
async fn the_last_passkey_may_go_where_a_mail_is_a_way_in(app: TestApp) {
    let with_mail = with(&app, || vec![magic_link(secure())]);
    for (app, is_only_way) in [(&app, true), (&with_mail, false)] {
        let ada = somebody(app).await;
        without_password(app, &ada).await;
        let row = record! {
            "id" => "one", "name" => "Phone", "publicKey" => "pQECAyYgASFYIA", "userId" => ada.id.as_str(),
            "credentialID" => "credential-one", "counter" => 0, "deviceType" => "multiDevice",
            "backedUp" => true, "createdAt" => app.clock().now(),
        };
        app.within(async { db()?.table("passkey").insert(row).await }).await.unwrap();
        let visitor = app.signed_in(&ada).await;
        let page = visitor.get("/settings/passkeys").await;
        assert_eq!(page.text().contains("Your only way in"), is_only_way);
        if !is_only_way {
            let gone = visitor.delete("/settings/passkeys/one").form(&[("a", "b")]).await;
            gone.assert_status(303);
            visitor.get("/settings/passkeys").await.assert_dont_see("Phone");
        }
    }
}

#[housekey::test]
async fn the_profile_has_a_name_to_sign_in_with_where_people_have_one(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    visitor.get("/settings/profile").await.assert_dont_see(r#"name="username""#);
    let app = with(&app, || vec![username(secure())]);
    make_columns(&app).await;
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    let page = "/settings/profile";
    let send = async |name: &str| {
        visitor.post("/settings/profile/username").form(&[("username", name)]).referer(page).await
    };
    send("no").await.assert_redirect(page);
    visitor.get(page).await.assert_see(r#"id="username-error""#);
    send("Countess").await.assert_redirect(page);
    let shown = visitor.get(page).await;
    shown.assert_see("Saved.");
    assert_eq!(value_of(&shown, "username"), "Countess");
}

const TURNSTILE: &str = "https://challenges.cloudflare.com/turnstile/v0/siteverify";

/// The app with a captcha of each provider, which believes everybody.
fn with_captcha(
    app: &TestApp,
    provider: CaptchaProvider,
    verify: &'static str,
    endpoints: &'static [&'static str],
) -> (TestApp, FakeHttpClient) {
    let fake = FakeHttpClient::new().json(verify, json!({ "success": true }));
    let client = fake.clone();
    let app = app.with_config(move |config| {
        config.update::<AuthConfig>(|auth| {
            auth.plugins.push(captcha(CaptchaOptions {
                provider,
                secret_key: "the secret".into(),
                site_key: Some("the-site-key".into()),
                endpoints: endpoints.iter().map(|endpoint| (*endpoint).to_owned()).collect(),
                http_client: Shared::new(Arc::new(client.clone())),
                ..default()
            }));
        });
    });
    (app, fake)
}

// spec: KEY-1
#[housekey::test]
async fn a_captcha_stands_in_the_forms_that_it_is_for_and_the_policy_lets_it_load(app: TestApp) {
    for path in ["/sign-in", "/sign-up", "/forgot-password"] {
        let page = app.get(path).await;
        page.assert_dont_see("data-sitekey").assert_dont_see("https://challenges.cloudflare.com");
        assert!(!page.header("content-security-policy").unwrap().contains("frame-src"));
    }
    for (provider, verify, class, host) in [
        (
            CaptchaProvider::CloudflareTurnstile,
            TURNSTILE,
            "cf-turnstile",
            "https://challenges.cloudflare.com",
        ),
        (
            CaptchaProvider::HCaptcha,
            "https://api.hcaptcha.com/siteverify",
            "h-captcha",
            "https://*.hcaptcha.com",
        ),
        (
            CaptchaProvider::GoogleRecaptcha,
            "https://www.google.com/recaptcha/api/siteverify",
            "g-recaptcha",
            "https://www.google.com/recaptcha/",
        ),
    ] {
        let (app, _) = with_captcha(&app, provider, verify, &[]);
        for path in ["/sign-in", "/sign-up", "/forgot-password"] {
            let page = app.get(path).await;
            page.assert_see(r#"data-sitekey="the-site-key""#).assert_see(class);
            let policy = page.header("content-security-policy").unwrap();
            for directive in ["script-src", "frame-src"] {
                let sources = policy.split("; ").find(|part| part.starts_with(directive)).unwrap();
                assert!(sources.contains(host), "{path}: {sources}");
            }
            assert!(!policy.contains("unsafe"), "{policy}");
        }
        let ada = somebody(&app).await;
        let page = app.signed_in(&ada).await.get("/dashboard").await;
        assert!(!page.header("content-security-policy").unwrap().contains(host), "only where it is needed");
    }
}

// spec: KEY-1
#[housekey::test]
async fn nobody_signs_up_in_or_asks_for_a_mail_past_a_captcha(app: TestApp) {
    let (app, provider) = with_captcha(&app, CaptchaProvider::CloudflareTurnstile, TURNSTILE, &[]);
    let ada = somebody(&app).await;
    let (email, answer) = (("email", ada.email.as_str()), ("cf-turnstile-response", "an answer"));
    for (path, form) in [
        ("/sign-up", &[("name", "Eve"), ("email", "eve@example.com"), ("password", PASSWORD)][..]),
        ("/sign-in", &[email, ("password", PASSWORD)]),
        ("/forgot-password", &[email]),
    ] {
        let visitor = app.visitor();
        visitor.post(path).form(form).referer(path).await.assert_redirect(path);
        visitor.get(path).await.assert_see("Please show that you are not a robot.");
        assert!(provider.requests().is_empty(), "{path}: nobody is asked about nothing");
    }
    for (path, form, to) in [
        (
            "/sign-up",
            &[("name", "Eve"), ("email", "eve@example.com"), ("password", PASSWORD), answer][..],
            "/dashboard",
        ),
        ("/sign-in", &[email, ("password", PASSWORD), answer], "/dashboard"),
        ("/forgot-password", &[email, answer], "/forgot-password"),
    ] {
        app.visitor().post(path).form(form).referer(path).await.assert_status(303).assert_redirect(to);
    }
    assert_eq!(provider.requests().len(), 3, "once for each form");
}

// spec: KEY-1
#[housekey::test]
async fn what_sends_another_mail_asks_too_where_it_is_told_to(app: TestApp) {
    let endpoints = &["/email-otp/send-verification-otp", "/send-verification-email", "/sign-in/username"];
    let app = with(&app, || vec![email_otp(secure()), username(secure())]);
    let (app, _) = with_captcha(&app, CaptchaProvider::CloudflareTurnstile, TURNSTILE, endpoints);
    make_columns(&app).await;
    let ada = somebody(&app).await;
    let (email, answer) = (("email", ada.email.as_str()), ("cf-turnstile-response", "an answer"));
    app.post("/sign-in/code").form(&[email]).referer("/sign-in").await.assert_redirect("/sign-in");
    app.post("/sign-in/code").form(&[email, answer]).await.assert_redirect("/sign-in/code");
    app.get("/sign-in/code").await.assert_ok().assert_see("data-sitekey");
    app.get("/verify-email/sent").await.assert_ok().assert_see("data-sitekey");
    let again = app.post("/verify-email/send").form(&[email]).referer("/verify-email/sent").await;
    again.assert_redirect("/verify-email/sent");
    app.get("/verify-email/sent").await.assert_see("Please show that you are not a robot.");
    // A name and an address go through the same form.
    let form = [email, ("password", PASSWORD)];
    app.post("/sign-in").form(&form).referer("/sign-in").await.assert_redirect("/sign-in");
    app.get("/sign-up").await.assert_dont_see("data-sitekey");
}
