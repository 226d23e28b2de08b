//! What the pages ask for.

use std::time::Duration;

use housekey::auth::config::{CaptchaOptions, Provider, SocialProviders, captcha};
use housekey::auth::engine::plugins::two_factor::totp_code;
use housekey::auth::{Auth, AuthConfig};
use housekey::axum::http::Method;
use housekey::database::{Factory, record};
use housekey::serde_json::{Value, json};
use housekey::testing::{TestApp, TestResponse};

use {{crate}}::factories::UserFactory;
use {{crate}}::models::User;

const PASSWORD: &str = UserFactory::PASSWORD;

async fn somebody(app: &TestApp) -> User {
    app.within(UserFactory::create()).await.unwrap()
}

/// Somebody signed in whose password is confirmed.
async fn sure_of(app: &TestApp, user: &User) -> TestApp {
    let visitor = app.signed_in(user).await;
    visitor.post("/confirm-password").json(&json!({ "password": PASSWORD })).await.assert_ok();
    visitor
}

/// JSON that nothing keeps.
fn assert_private_json(answer: &TestResponse) {
    answer.assert_header("content-type", "application/json").assert_header("cache-control", "no-store");
}

// spec: RTE-11, ERR-2, SVC-6
#[housekey::test]
async fn the_session_is_for_everybody_and_says_who_is_there(app: TestApp) {
    let guest = app.get("/api/session").await;
    guest.assert_status(200).assert_json_path("user", Value::Null).assert_json_path("expired", false);
    guest.assert_json_path("challenged", false).assert_json_path("accounts.signUpOpen", true);
    assert_private_json(&guest);
    let token: Value = guest.json();
    assert!(token["accounts"]["offers"].as_array().unwrap().contains(&json!("passkeys")), "{token}");
    assert!(token["csrf"].as_str().is_some_and(|token| token.len() >= 32), "{token}");

    let ada = somebody(&app).await;
    let member = app.signed_in(&ada).await.get("/api/session").await;
    // Nothing else about them leaves the server.
    member.assert_json_path(
        "user",
        json!({ "id": ada.id, "name": ada.name, "email": ada.email, "emailVerified": true }),
    );
    assert_private_json(&member);
}

// spec: CFG-1
#[housekey::test]
async fn without_the_engines_endpoints_pages_are_told_of_no_passkeys(app: TestApp) {
    let unmounted = app.with_config(|config| config.update::<AuthConfig>(|auth| auth.mount = false));
    let session: Value = unmounted.get("/api/session").await.assert_ok().json();
    let offers = session["accounts"]["offers"].as_array().unwrap();
    assert!(!offers.contains(&json!("passkeys")) && offers.contains(&json!("password")), "{session}");
    let ada = somebody(&unmounted).await;
    let sign_in = json!({ "email": ada.email, "password": PASSWORD });
    unmounted.post("/sign-in").json(&sign_in).await.assert_json_path("redirect", "/dashboard");
    unmounted.get("/api/settings/passkeys").await.assert_not_found();
    unmounted.get("/.well-known/passkey-endpoints").await.assert_not_found();
}

// spec: KEY-1
#[housekey::test]
async fn pages_are_told_of_a_captcha_where_there_is_one_and_may_load_it(app: TestApp) {
    let host = "https://challenges.cloudflare.com";
    let without = app.get("/api/session").await;
    without.assert_json_path("accounts.captchas", Value::Null);
    let page = app.get("/auth/sign-in").await;
    assert!(!page.header("content-security-policy").unwrap().contains(host));

    let app = app.with_config(|config| {
        config.update::<AuthConfig>(|auth| {
            auth.plugins.push(captcha(CaptchaOptions {
                site_key: Some("the-site-key".into()),
                endpoints: vec!["/sign-up/email".into()],
                ..CaptchaOptions::turnstile("the secret")
            }));
        });
    });
    let session = app.get("/api/session").await;
    session.assert_json_path("accounts.captchas.signUp.siteKey", "the-site-key");
    session.assert_json_path("accounts.captchas.signUp.field", "cf-turnstile-response");
    session.assert_json_path("accounts.captchas.signIn", Value::Null).assert_dont_see("the secret");
    let page = app.get("/auth/sign-in").await;
    let policy = page.header("content-security-policy").unwrap();
    for directive in ["script-src", "frame-src"] {
        let sources = policy.split("; ").find(|part| part.starts_with(directive)).unwrap();
        assert!(sources.contains(host) && !sources.contains("unsafe"), "{sources}");
    }
    // Where it stands before nothing, nothing is asked for.
    let ada = somebody(&app).await;
    app.post("/sign-in").json(&json!({ "email": ada.email, "password": PASSWORD })).await.assert_ok();
    let member = app.get("/dashboard").await;
    assert!(!member.header("content-security-policy").unwrap().contains(host));
    let new = json!({ "name": "Eve", "email": "eve@example.com", "password": PASSWORD });
    app.visitor().post("/sign-up").json(&new).await.assert_status(422).assert_invalid("captcha");
}

/// The app with one provider.
fn with_github(app: &TestApp) -> TestApp {
    app.with_config(|config| {
        config.update::<AuthConfig>(|auth| {
            auth.engine.social_providers = SocialProviders::from([Provider::github("id", "secret")]);
        });
    })
}

// spec: SOC-1
#[housekey::test]
async fn the_session_names_the_providers_that_are_configured(app: TestApp) {
    let without: Value = app.get("/api/session").await.assert_ok().json();
    assert_eq!(without["accounts"]["providers"], json!([]), "{without}");
    assert!(!without["accounts"]["offers"].as_array().unwrap().contains(&json!("social")), "{without}");
    let question = json!({ "error": "access_denied" });
    app.post("/api/social-refusal").json(&question).await.assert_not_found();

    let with: Value = with_github(&app).get("/api/session").await.assert_ok().json();
    assert_eq!(with["accounts"]["providers"], json!([{ "id": "github", "name": "GitHub" }]), "{with}");
    assert!(with["accounts"]["offers"].as_array().unwrap().contains(&json!("social")), "{with}");
}

// spec: SOC-5, SOC-8
#[housekey::test]
async fn every_refusal_of_a_provider_has_words_and_none_of_them_come_from_the_address(app: TestApp) {
    // What the engine may leave in the address, what a provider may, and what nobody would.
    let codes = [
        "state_not_found",
        "state_mismatch",
        "state_invalid",
        "invalid_callback_request",
        "no_code",
        "oauth_provider_not_found",
        "issuer_mismatch",
        "nonce_binding_missing",
        "invalid_code",
        "unable_to_get_user_info",
        "no_callback_url",
        "email_not_found",
        "email_not_verified",
        "signup_disabled",
        "account_not_linked",
        "unable_to_link_account",
        "email_does_not_match",
        "account_already_linked_to_different_user",
        "unable_to_create_user",
        "unable_to_create_session",
        "unable_to_update_account",
        "internal_server_error",
        "BANNED_USER",
        "access_denied",
        "login_required",
        "server_error",
        "temporarily_unavailable",
        "call_0900_for_help",
    ];
    let app = with_github(&app);
    for code in codes {
        let question = json!({ "error": code, "provider": "0900" });
        let answer: Value = app.post("/api/social-refusal").json(&question).await.assert_ok().json();
        let sentence = answer["sentence"].as_str().unwrap();
        assert!(sentence.len() > 20 && !sentence.contains("0900") && !sentence.contains(code), "{answer}");
    }
    let question = json!({ "error": "account_not_linked", "provider": "github" });
    let answer: Value = app.post("/api/social-refusal").json(&question).await.assert_ok().json();
    let sentence = answer["sentence"].as_str().unwrap();
    assert!(sentence.contains("password") && sentence.contains("connect GitHub"), "{answer}");
}

// spec: SOC-6
#[housekey::test]
async fn the_ways_to_sign_in_are_what_there_is_and_what_could_be(app: TestApp) {
    let app = with_github(&app);
    let ada = somebody(&app).await;
    let ways: Value = app.signed_in(&ada).await.get("/api/settings/accounts").await.assert_ok().json();
    let providers = json!([{ "id": "github", "name": "GitHub" }]);
    assert_eq!(ways, json!({ "hasPassword": true, "accounts": [], "providers": providers }));
}

// spec: RTE-11
#[housekey::test]
async fn the_session_says_what_a_guest_was_about(app: TestApp) {
    let (ada, codes) = app.within(UserFactory::create_with_two_factor(record! {})).await.unwrap();
    let visitor = app.visitor();
    let sign_in = json!({ "email": ada.email, "password": PASSWORD });
    visitor.post("/sign-in").json(&sign_in).await.assert_json_path("redirect", "/auth/two-factor-challenge");
    visitor
        .get("/api/session")
        .await
        .assert_json_path("challenged", true)
        .assert_json_path("user", Value::Null);
    visitor.post("/two-factor-challenge/recovery").json(&json!({ "code": codes[0] })).await.assert_ok();
    visitor
        .get("/api/session")
        .await
        .assert_json_path("challenged", false)
        .assert_json_path("expired", false);

    // Signed in for long enough. Said once: the cookie that tells it is taken away with the answer.
    app.advance(Duration::from_hours(24 * 30));
    visitor.get("/api/session").await.assert_json_path("user", Value::Null).assert_json_path("expired", true);
    visitor.get("/api/session").await.assert_json_path("expired", false);

    // A page that was asked for finds it out first, and leaves word.
    visitor.post("/sign-in").json(&sign_in).await.assert_ok();
    visitor.post("/two-factor-challenge/recovery").json(&json!({ "code": codes[1] })).await.assert_ok();
    app.advance(Duration::from_hours(24 * 30));
    visitor.get("/settings/profile").await.assert_redirect("/auth/sign-in");
    visitor.get("/api/session").await.assert_json_path("expired", true);
    visitor.get("/api/session").await.assert_json_path("expired", false);

    // Cookies that nobody here has signed say nothing.
    let forged = "better-auth.two_factor=2fa-abcdefghijklmnopqrst.c2ln; better-auth.session_token=abc.c2ln";
    let answer = app.visitor().get("/api/session").header("cookie", forged).await;
    answer.assert_json_path("challenged", false).assert_json_path("expired", false);
}

// spec: RTE-12, MID-1
#[housekey::test]
async fn settings_are_read_by_their_owner_only(app: TestApp) {
    let ada = somebody(&app).await;
    let member = app.signed_in(&ada).await;
    for path in ["profile", "sessions", "history", "accounts", "passkeys", "two-factor"] {
        let path = format!("/api/settings/{path}");
        for visitor in [app.visitor(), app.visitor().with_header("accept", "text/html")] {
            let refused = visitor.get(&path).await;
            refused.assert_status(401).assert_header("content-type", "application/json");
        }
        let answer = member.get(&path).await;
        answer.assert_status(200);
        assert_private_json(&answer);
    }
}

// spec: RTE-12
#[housekey::test]
async fn the_profile_has_name_and_address_and_where_it_is_moving(app: TestApp) {
    let ada = somebody(&app).await;
    let member = sure_of(&app, &ada).await;
    let profile = member.get("/api/settings/profile").await;
    profile.assert_json(&json!({
        "name": ada.name, "username": null, "email": ada.email, "emailVerified": true, "pendingEmail": null
    }));
    member.post("/settings/profile/email").json(&json!({ "email": "new@example.com" })).await.assert_ok();
    member.get("/api/settings/profile").await.assert_json_path("pendingEmail", "new@example.com");
}

// spec: RTE-12
#[housekey::test]
async fn sessions_are_listed_in_words_with_this_device_first_and_no_token(app: TestApp) {
    let ada = somebody(&app).await;
    let phone = app.visitor().with_header("user-agent", "Mozilla/5.0 (iPhone) Version/17.5 Safari/604.1");
    let sign_in = json!({ "email": ada.email, "password": PASSWORD });
    phone.post("/sign-in").json(&sign_in).await.assert_ok();
    app.advance(Duration::from_mins(5));
    let laptop = app.visitor().with_header("user-agent", "Mozilla/5.0 (X11; Linux x86_64) Firefox/128.0");
    laptop.post("/sign-in").json(&sign_in).await.assert_ok();

    let answer = phone.get("/api/settings/sessions").await;
    let listed: Value = answer.json();
    assert_eq!(listed["sessions"].as_array().map(Vec::len), Some(2));
    answer.assert_json_path("sessions.0.current", true).assert_json_path("sessions.0.mobile", true);
    answer.assert_json_path("sessions.0.device", "Safari on iPhone");
    answer
        .assert_json_path("sessions.1.current", false)
        .assert_json_path("sessions.1.device", "Firefox on Linux");
    let token = phone.cookie("better-auth.session_token").unwrap();
    answer.assert_dont_see(token.split('.').next().unwrap());

    // Nobody else's are among them.
    let bob = app.signed_in(&somebody(&app).await).await;
    let theirs: Value = bob.get("/api/settings/sessions").await.json();
    assert_eq!(theirs["sessions"].as_array().map(Vec::len), Some(1));
}

// spec: RTE-12, SEC-9
#[housekey::test]
async fn what_happened_is_listed_in_words_and_to_nobody_else(app: TestApp) {
    let (ada, bob) = (somebody(&app).await, somebody(&app).await);
    let phone = app.visitor().with_header("user-agent", "Mozilla/5.0 (iPhone) Version/17.5 Safari/604.1");
    phone.post("/sign-in").json(&json!({ "email": ada.email, "password": PASSWORD })).await.assert_ok();
    app.advance(Duration::from_mins(5));
    let guess = json!({ "email": ada.email, "password": "a guess of bob's" });
    app.from("203.0.113.9").post("/sign-in").json(&guess).await.assert_status(422);

    let answer = phone.get("/api/settings/history").await;
    let listed: Value = answer.json();
    assert_eq!(listed["history"].as_array().map(Vec::len), Some(2), "{listed}");
    answer.assert_json_path("history.0.what", "Sign-in with a wrong password");
    answer.assert_json_path("history.0.ip", "203.0.113.9");
    answer.assert_json_path("history.1.what", "Signed in with the password");
    answer.assert_json_path("history.1.device", "Safari on iPhone");
    let theirs: Value = app.signed_in(&bob).await.get("/api/settings/history").await.json();
    assert_eq!(theirs["history"].as_array().map(Vec::len), Some(1), "{theirs}");
}

// spec: RTE-12, KIT-7
#[housekey::test]
async fn passkeys_are_listed_without_their_keys(app: TestApp) {
    let member = app.signed_in(&somebody(&app).await).await;
    member
        .get("/api/settings/passkeys")
        .await
        .assert_json(&json!({ "passkeys": [], "lastCredential": false }));
}

// spec: RTE-12
#[housekey::test]
async fn the_second_factor_shows_its_secret_only_while_it_is_being_set_up(app: TestApp) {
    let ada = somebody(&app).await;
    let member = sure_of(&app, &ada).await;
    member.get("/api/settings/two-factor").await.assert_json(&json!({ "state": "off" }));

    member.post("/settings/two-factor").json(&json!({})).await.assert_ok();
    let pending = member.get("/api/settings/two-factor").await;
    pending.assert_json_path("state", "pending");
    assert_private_json(&pending);
    let shown: Value = pending.json();
    assert!(shown["qr"].as_str().unwrap().starts_with("<svg"), "{shown}");
    assert!(shown["key"].as_str().unwrap().len() >= 16, "{shown}");

    let code = code_of(&app, &ada).await;
    member.post("/settings/two-factor/confirm").json(&json!({ "code": code })).await.assert_ok();
    member.get("/api/settings/two-factor").await.assert_json(&json!({ "state": "on", "codesLeft": 10 }));
}

// spec: SEC-1
#[housekey::test]
async fn a_secret_that_was_not_confirmed_yet_is_shown_only_to_who_entered_the_password(app: TestApp) {
    let ada = somebody(&app).await;
    sure_of(&app, &ada).await.post("/settings/two-factor").json(&json!({})).await.assert_ok();
    let elsewhere = app.signed_in(&ada).await;
    elsewhere.get("/api/settings/two-factor").await.assert_json(&json!({ "state": "off" }));
}

/// The code that somebody's authenticator app shows.
async fn code_of(app: &TestApp, user: &User) -> String {
    let auth = app.services().require::<Auth>().unwrap();
    let api = auth.engine().api();
    let account = api.user(&user.id).await.unwrap().unwrap();
    totp_code(&api, &account).await.unwrap()
}

#[housekey::test]
async fn a_reset_token_says_whose_it_is_and_is_not_spent_by_asking(app: TestApp) {
    let ada = somebody(&app).await;
    let mails = app.services().require::<housekey::mail::Mailer>().unwrap().fake();
    app.post("/forgot-password").json(&json!({ "email": ada.email })).await.assert_ok();
    let link = mails.link_to(ada.email.as_str());
    let token = link.split_once("token=").unwrap().1;
    for _ in 0..2 {
        let answer = app.post("/api/password-reset").json(&json!({ "token": token })).await;
        answer.assert_ok().assert_json(&json!({ "email": ada.email }));
        assert_private_json(&answer);
    }
    app.post("/api/password-reset").json(&json!({ "token": "forged" })).await.assert_status(404);
    app.post("/api/password-reset").json(&json!({})).await.assert_status(422).assert_invalid("token");
}

#[housekey::test]
async fn a_link_about_an_address_says_what_it_does_and_is_not_spent_by_asking(app: TestApp) {
    let new = "new.address@example.com";
    let ada = somebody(&app).await;
    let mails = app.services().require::<housekey::mail::Mailer>().unwrap().fake();
    let token_to = |email: &str| mails.link_to(email).split_once("token=").unwrap().1.to_owned();
    let look = async |token: &str| app.post("/api/email-link").json(&json!({ "token": token })).await;

    let member = sure_of(&app, &ada).await;
    member.post("/settings/profile/email").json(&json!({ "email": new })).await.assert_ok();
    let consent = token_to(&ada.email);
    for _ in 0..2 {
        let answer = look(&consent).await;
        answer.assert_ok().assert_json(&json!({ "purpose": "agreesTo", "email": new }));
        assert_private_json(&answer);
    }
    member.post("/change-email/confirm").json(&json!({ "token": consent })).await.assert_ok();
    let proof = token_to(new);
    look(&proof).await.assert_ok().assert_json(&json!({ "purpose": "movesTo", "email": new }));
    member.post("/verify-email/confirm").json(&json!({ "token": proof })).await.assert_ok();
    for spent in [&consent, &proof, "forged"] {
        look(spent).await.assert_status(404);
    }
    app.post("/api/email-link").json(&json!({})).await.assert_status(422).assert_invalid("token");

    let eve = app.within(UserFactory::unverified()).await.unwrap();
    app.signed_in(&eve).await.post("/verify-email/resend").json(&json!({})).await.assert_ok();
    look(&token_to(&eve.email)).await.assert_ok().assert_json(&json!({ "purpose": "proves" }));
}

#[housekey::test]
async fn after_a_passkey_the_way_goes_on_to_what_the_guest_wanted(app: TestApp) {
    app.post("/api/signed-in").json(&json!({})).await.assert_status(401);
    let ada = somebody(&app).await;
    let visitor = app.visitor();
    visitor.get("/settings/sessions").await.assert_redirect("/auth/sign-in");
    // The sign-in of a passkey goes to the engine, as this one does.
    let credentials = json!({ "email": ada.email, "password": PASSWORD });
    let sign_in = visitor.post("/api/auth/sign-in/email").header("origin", "http://localhost:3000");
    sign_in.json(&credentials).await.assert_ok();
    let led = visitor.post("/api/signed-in").json(&json!({})).await;
    led.assert_ok().assert_json_path("redirect", "/settings/sessions");
}

// spec: RTE-13, ERR-2
#[housekey::test]
async fn an_unknown_address_below_api_is_json_whatever_the_method(app: TestApp) {
    let member = app.signed_in(&somebody(&app).await).await;
    for visitor in [&app.visitor().with_header("accept", "text/html"), &member] {
        for path in ["/api/nothing", "/api/no/such/thing", "/api/", "/api", "/api/settings", "/api/session/x"]
        {
            for method in [Method::GET, Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
                let answer = visitor.request(method.clone(), path).without_csrf().await;
                assert_eq!(answer.status(), 404, "{method} {path}");
                answer.assert_header("content-type", "application/json").assert_dont_see("data-spa-root");
            }
        }
    }
}
