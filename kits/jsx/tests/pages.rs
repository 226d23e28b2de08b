//! The pages, as a browser without script gets them.

use housekey::auth::engine::{Plugins, plugins::two_factor::totp_code};
use housekey::auth::{Auth, AuthConfig};
use housekey::mail::Mailer;
use housekey::prelude::*;
use housekey::serde_json::{from_value, json};
use housekey::testing::{TestApp, TestResponse};

use {{crate}}::factories::UserFactory;
use {{crate}}::models::User;
use {{crate}}::places;

const PASSWORD: &str = UserFactory::PASSWORD;

const OF_MEMBERS: [&str; 10] = [
    "/dashboard",
    "/verify-email",
    "/confirm-password",
    "/settings/profile",
    "/settings/password",
    "/settings/two-factor",
    "/settings/passkeys",
    "/settings/sessions",
    "/settings/appearance",
    "/settings/account",
];

async fn somebody(app: &TestApp) -> User {
    app.within(UserFactory::new().create()).await.unwrap()
}

async fn sign_in(visitor: &TestApp, user: &User) -> TestResponse {
    visitor.post("/sign-in").form(&[("email", user.email.as_str()), ("password", PASSWORD)]).await
}

/// What stands in a field of a form.
fn value_of(page: &TestResponse, field: &str) -> String {
    let html = page.text();
    let rest = html
        .split(&format!("name=\"{field}\""))
        .nth(1)
        .unwrap_or_else(|| panic!("no field {field} in {html}"));
    let value = rest.split('>').next().and_then(|tag| tag.split("value=\"").nth(1)).unwrap_or_default();
    value.split('"').next().unwrap_or_default().to_owned()
}

// spec: RTE-2
#[housekey::test]
async fn the_sign_in_page_is_drawn_by_the_server_and_offers_passkeys_in_its_field(app: TestApp) {
    let page = app.get("/sign-in").await;
    page.assert_status(200).assert_header("content-type", "text/html; charset=utf-8");
    page.assert_see(r#"autocomplete="username webauthn""#).assert_see(r#"autocomplete="current-password""#);
    page.assert_see(r#"action="/sign-in""#).assert_see(r#"name="_token""#);
}

// spec: MID-2
#[housekey::test]
async fn pages_for_guests_send_members_to_the_dashboard(app: TestApp) {
    let ada = somebody(&app).await;
    for path in ["/sign-in", "/sign-up", "/forgot-password"] {
        app.get(path).await.assert_status(200);
        app.signed_in(&ada).await.get(path).await.assert_status(302).assert_redirect(places::DASHBOARD);
    }
}

// spec: RTE-3, MID-1
#[housekey::test]
async fn pages_of_members_open_for_members_only(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    for path in OF_MEMBERS {
        app.get(path).await.assert_status(302).assert_redirect(places::SIGN_IN);
        app.get(path).accept_json().await.assert_status(401);
        visitor.get(path).await.assert_status(200).assert_header("cache-control", "no-store");
    }
    visitor.get("/settings").await.assert_redirect(places::PROFILE);
}

// spec: MID-3
#[housekey::test]
async fn the_dashboard_waits_until_the_address_is_confirmed(app: TestApp) {
    let eve = app.within(UserFactory::new().unverified().create()).await.unwrap();
    let visitor = app.signed_in(&eve).await;
    visitor.get(places::DASHBOARD).await.assert_status(302).assert_redirect(places::VERIFY_EMAIL);
    visitor.get(places::DASHBOARD).accept_json().await.assert_status(403);
    visitor.get(places::VERIFY_EMAIL).await.assert_status(200).assert_see(&eve.email);
}

#[housekey::test]
async fn who_was_asked_to_sign_in_goes_on_where_they_wanted_to(app: TestApp) {
    let ada = somebody(&app).await;
    app.get("/settings/sessions?from=mail").await.assert_redirect(places::SIGN_IN);
    sign_in(&app, &ada).await.assert_redirect("/settings/sessions?from=mail");

    // Once: the next sign-in leads where it always does.
    app.post("/sign-out").form(&[("a", "b")]).await.assert_status(303);
    sign_in(&app, &ada).await.assert_redirect(places::DASHBOARD);
}

#[housekey::test]
async fn no_address_that_was_asked_for_leads_to_another_site(app: TestApp) {
    let ada = somebody(&app).await;
    for lure in ["//evil.example/dashboard", "/%5Cevil.example", "//evil.example/%2e%2e/settings/profile"] {
        let visitor = app.visitor();
        visitor.get(lure).await;
        sign_in(&visitor, &ada).await.assert_redirect(places::DASHBOARD);
        app.advance(std::time::Duration::from_secs(60));
    }
    let visitor = app.visitor();
    visitor.get("/dashboard").header("host", "evil.example").await.assert_redirect(places::SIGN_IN);
    let answer = sign_in(&visitor, &ada).await;
    assert_eq!(answer.header("location"), Some(places::DASHBOARD), "a path, whatever host was asked for");
}

// spec: RTE-5
#[housekey::test]
async fn a_new_password_is_not_asked_for_without_a_token(app: TestApp) {
    for path in
        ["/reset-password", "/reset-password?token=", "/verify-email/confirm", "/change-email/confirm"]
    {
        app.get(path).await.assert_status(302).assert_redirect(places::SIGN_IN);
    }
}

#[housekey::test]
async fn pages_that_hold_a_token_are_kept_by_nobody_and_told_to_nobody(app: TestApp) {
    for path in
        ["/reset-password?token=abc", "/verify-email/confirm?token=abc", "/change-email/confirm?token=abc"]
    {
        let page = app.get(path).await;
        page.assert_status(200);
        page.assert_header("cache-control", "no-store").assert_header("referrer-policy", "same-origin");
    }
    let script = app.get("/verify-email/confirm?token=%22%3E%3Cscript%3Ealert(1)%3C/script%3E").await;
    script.assert_dont_see("<script>alert");
}

#[housekey::test]
async fn a_mail_scanner_that_opens_every_link_changes_nothing(app: TestApp) {
    let mails = app.services().require::<Mailer>().unwrap().fake();
    let form = [("name", "Ada"), ("email", "ada@example.com"), ("password", PASSWORD)];
    app.post("/sign-up").form(&form).await.assert_status(303);
    let link = mails.link_to("ada@example.com");
    let path = link.split_once("localhost:3000").map_or(link.as_str(), |(_, path)| path).to_owned();
    app.visitor().get(&path).await.assert_status(200);
    app.visitor().head(&path).await.assert_status(200);
    app.get(places::DASHBOARD).await.assert_redirect(places::VERIFY_EMAIL);

    let token = value_of(&app.get(&path).await, "token");
    app.post(places::CONFIRM_EMAIL)
        .form(&[("token", token.as_str())])
        .await
        .assert_redirect(places::DASHBOARD);
    app.get(places::DASHBOARD).await.assert_status(200);
}

#[housekey::test]
async fn the_page_of_a_reset_link_tells_whether_it_still_works(app: TestApp) {
    let mails = app.services().require::<Mailer>().unwrap().fake();
    let ada = somebody(&app).await;
    app.post("/forgot-password").form(&[("email", ada.email.as_str())]).await.assert_status(303);
    let link = mails.link_to(ada.email.as_str());
    let path = link.split_once("localhost:3000").map_or(link.as_str(), |(_, path)| path).to_owned();
    app.get(&path).await.assert_status(200).assert_see(r#"name="password_confirmation""#);
    app.get("/reset-password?token=spent")
        .await
        .assert_status(200)
        .assert_dont_see(r#"name="password_confirmation""#);
}

// spec: RTE-6, MID-6
#[housekey::test]
async fn the_challenge_is_a_page_for_who_gave_the_password_with_recovery_on_a_page_of_its_own(app: TestApp) {
    for path in ["/two-factor-challenge", "/two-factor-challenge/recovery"] {
        app.get(path).await.assert_status(302).assert_redirect(places::SIGN_IN);
    }
    let (ada, _) = app.within(UserFactory::new().create_with_two_factor()).await.unwrap();
    sign_in(&app, &ada).await.assert_redirect(places::TWO_FACTOR_CHALLENGE);
    let page = app.get("/two-factor-challenge").await;
    page.assert_status(200)
        .assert_see(r#"action="/two-factor-challenge""#)
        .assert_see(r#"autocomplete="one-time-code""#);
    page.assert_see(r#"href="/two-factor-challenge/recovery""#);
    let recovery = app.get("/two-factor-challenge/recovery").await;
    recovery.assert_status(200).assert_see(r#"action="/two-factor-challenge/recovery""#);

    let member = app.signed_in(&ada).await;
    member.get("/two-factor-challenge").await.assert_redirect(places::DASHBOARD);
}

// spec: RTE-6, MID-6
#[housekey::test]
async fn the_challenge_page_has_a_throttle_of_its_own(app: TestApp) {
    let mut waits = None;
    for _ in 0..31 {
        waits = app.get("/two-factor-challenge").await.header("retry-after").map(str::to_owned);
    }
    assert!(waits.is_some(), "the thirty-first within a minute has to wait");
    app.get("/sign-in").await.assert_status(200);
}

// spec: RTE-7, STA-1, ERR-2
#[housekey::test]
async fn enrolment_shows_a_picture_and_a_key_and_then_ten_codes_once(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    visitor.get(places::TWO_FACTOR).await.assert_dont_see("<svg width=");
    visitor.post("/confirm-password").form(&[("password", PASSWORD)]).await.assert_status(303);
    visitor.post("/settings/two-factor").form(&[("a", "b")]).await.assert_redirect(places::TWO_FACTOR);

    let pending = visitor.get(places::TWO_FACTOR).await;
    pending
        .assert_status(200)
        .assert_header("cache-control", "no-store")
        .assert_see("<svg")
        .assert_see(r#"role="img""#);
    assert!(longest_key(&pending.text()) >= 16, "a key in base 32 stands on the page");

    let auth = app.services().require::<Auth>().unwrap();
    let api = auth.engine().api();
    let code = totp_code(&api, &api.user(&ada.id).await.unwrap().unwrap()).await.unwrap();
    visitor
        .post("/settings/two-factor/confirm")
        .form(&[("code", code.as_str())])
        .await
        .assert_redirect(places::TWO_FACTOR);
    let codes: Vec<String> = from_value(visitor.session().await["recovery_codes"].clone()).unwrap();
    assert_eq!(codes.len(), 10);
    let (now, later) = (visitor.get(places::TWO_FACTOR).await, visitor.get(places::TWO_FACTOR).await);
    for code in &codes {
        now.assert_see(code);
        later.assert_dont_see(code);
    }
}

/// The length of the longest run of base 32 on a page, in groups or not.
fn longest_key(html: &str) -> usize {
    let text: String =
        html.split('<').filter_map(|part| part.split_once('>')).map(|(_, text)| text).collect();
    let text: String = text.chars().filter(|c| !c.is_whitespace()).collect();
    let is_key = |c: char| c.is_ascii_uppercase() || ('2'..='7').contains(&c);
    text.split(|c| !is_key(c)).map(str::len).max().unwrap_or_default()
}

// spec: RTE-9
#[housekey::test]
async fn light_dark_and_system_are_offered_and_chosen_in_the_browser(app: TestApp) {
    let ada = somebody(&app).await;
    let page = app.signed_in(&ada).await.get("/settings/appearance").await;
    page.assert_status(200);
    for choice in ["light", "dark", "system"] {
        page.assert_see(&format!(r#"name="theme" value="{choice}""#));
    }
    page.assert_dont_see(r#"action="/settings/appearance""#);
}

// spec: KIT-3
#[housekey::test]
async fn html_in_a_name_is_text_on_every_page(app: TestApp) {
    let name = r#""><img src=x onerror=alert(1)>"#;
    let eve = app.within(UserFactory::new().named(name).create()).await.unwrap();
    let visitor = app.signed_in(&eve).await;
    for path in OF_MEMBERS.iter().chain(&["/"]) {
        visitor.get(path).await.assert_status(200).assert_dont_see("<img src=x");
    }
    visitor.get(places::PROFILE).await.assert_see("&lt;img src=x");
    visitor
        .get("/dashboard")
        .header("user-agent", "<script>alert(1)</script>")
        .await
        .assert_dont_see("<script>alert");
}

// spec: STA-8, MID-4
#[housekey::test]
async fn a_form_that_needs_the_password_is_carried_out_after_it_is_given(app: TestApp) {
    let ada = somebody(&app).await;
    let (visitor, elsewhere) = (app.signed_in(&ada).await, app.signed_in(&ada).await);
    let asked =
        visitor.post("/settings/sessions").form(&[("_method", "DELETE")]).referer("/settings/sessions").await;
    asked.assert_status(423).assert_see(r#"action="/confirm-password""#);
    let replay = value_of(&asked, "replay");
    elsewhere.get("/settings/profile").await.assert_status(200);

    let wrong = visitor.post("/confirm-password").form(&[("password", "not it"), ("replay", &replay)]).await;
    wrong.assert_status(422);
    assert!(!value_of(&wrong, "replay").is_empty(), "the request is still there");
    let done = visitor.post("/confirm-password").form(&[("password", PASSWORD), ("replay", &replay)]).await;
    done.assert_status(303).assert_redirect("/settings/sessions");
    elsewhere.get("/settings/profile").await.assert_redirect(places::SIGN_IN);
    visitor.get("/settings/profile").await.assert_status(200);
}

// spec: ERR-1
#[housekey::test]
async fn errors_are_pages_for_people(app: TestApp) {
    let html = "text/html; charset=utf-8";
    app.get("/nowhere").await.assert_status(404).assert_header("content-type", html);
    let form = [("email", "ada@example.com"), ("password", "x")];
    let stale = app.post("/sign-in").form(&form).without_csrf().await;
    stale.assert_status(419).assert_header("content-type", html);
    for _ in 0..7 {
        app.post("/sign-in").form(&form).await;
    }
    let busy = app.post("/sign-in").form(&form).await;
    busy.assert_status(429).assert_header("content-type", html);
    assert!(busy.header("retry-after").is_some());
    app.get("/nowhere").header("accept", "text/html").await.assert_see("Nobody lives at this address.");
    app.get("/api/nowhere")
        .accept_json()
        .await
        .assert_status(404)
        .assert_header("content-type", "application/json");
}

// spec: CFG-6
#[housekey::test]
async fn where_sign_up_is_closed_there_is_no_page_for_it(app: TestApp) {
    app.get("/sign-in").await.assert_see(r#"href="/sign-up""#);
    let closed = app.with_config(|config| {
        config.update::<AuthConfig>(|auth| auth.engine.email_and_password.disable_sign_up = true);
    });
    closed.get("/sign-up").await.assert_not_found();
    closed.get("/sign-in").await.assert_status(200).assert_dont_see(r#"href="/sign-up""#);
}

// spec: KIT-7
#[housekey::test]
async fn password_managers_learn_where_passkeys_are_looked_after(app: TestApp) {
    let answer = app.get("/.well-known/passkey-endpoints").await;
    let page = format!("{}/settings/passkeys", app.config().get::<AppConfig>().url);
    answer.assert_status(200).assert_json(&json!({ "enroll": page, "manage": page }));
}

/// A mail's link, as a browser opens it.
fn path_of(link: &str) -> String {
    link.split_once("localhost:3000").map_or(link, |(_, path)| path).to_owned()
}

/// Sends a form from its page until it is too often.
async fn until_refused(visitor: &TestApp, page: &str, path: &str, form: &[(&str, &str)]) -> TestResponse {
    for _ in 0..8 {
        let answer = visitor.post(path).form(form).referer(page).await;
        if answer.status() == 429 {
            return answer;
        }
        // What an attempt before it left to be said is said on its page.
        visitor.get(page).await;
    }
    panic!("{path} never says that it is enough")
}

// spec: MID-6, ERR-1
#[housekey::test]
async fn a_form_that_was_sent_too_often_is_still_there_with_what_was_typed_and_the_time_to_wait(
    app: TestApp,
) {
    let wrong = "not the password";
    let eve = app.within(UserFactory::new().unverified().create()).await.unwrap();
    let forms: [(&str, &str, &[(&str, &str)], Option<&User>); 9] = [
        ("/sign-in", "/sign-in", &[("email", "typed@example.com"), ("password", wrong)], None),
        ("/sign-up", "/sign-up", &[("name", "Typed"), ("email", "typed"), ("password", wrong)], None),
        ("/forgot-password", "/forgot-password", &[("email", "typed@example.com")], None),
        ("/settings/profile", "/settings/profile/email", &[("email", "typed")], Some(&eve)),
        (
            "/settings/password",
            "/settings/password",
            &[
                ("_method", "PUT"),
                ("current_password", wrong),
                ("password", wrong),
                ("password_confirmation", wrong),
            ],
            Some(&eve),
        ),
        ("/verify-email", "/verify-email/resend", &[("a", "b")], Some(&eve)),
        ("/settings/profile", "/verify-email/resend", &[("a", "b")], Some(&eve)),
        ("/confirm-password", "/confirm-password", &[("password", wrong), ("replay", "sealed")], Some(&eve)),
        ("/verify-email/confirm?token=abc", "/verify-email/confirm", &[("token", "abc")], None),
    ];
    for (page, path, form, member) in forms {
        app.advance(std::time::Duration::from_secs(60));
        let visitor = match member {
            Some(member) => app.signed_in(member).await,
            None => app.visitor(),
        };
        visitor.get(page).await.assert_status(200).assert_dont_see("data-countdown");
        let answer = until_refused(&visitor, page, path, form).await;
        answer.assert_header("content-type", "text/html; charset=utf-8").assert_dont_see(wrong);
        let wait: u64 = answer.header("retry-after").expect("how long").parse().unwrap();
        if path == "/verify-email/confirm" {
            // A link that is spent has no form to show again.
            continue;
        }
        answer.assert_see(&format!("data-countdown=\"{wait}\"")).assert_see(&format!("action=\"{path}\""));
        for (name, typed) in form.iter().filter(|(name, _)| ["name", "email", "replay"].contains(name)) {
            assert_eq!(value_of(&answer, name), *typed, "{path}");
        }
        assert_eq!(answer.text().matches("data-countdown").count(), 1, "{path}: at its own form only");
        // The page is as it always was.
        visitor.get(page).await.assert_status(200).assert_dont_see("data-countdown").assert_dont_see("typed");
    }
}

// spec: MID-6, RTE-7
#[housekey::test]
async fn setting_up_a_second_factor_goes_on_after_too_many_wrong_codes(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    visitor.post("/confirm-password").form(&[("password", PASSWORD)]).await.assert_status(303);
    visitor.post("/settings/two-factor").form(&[("a", "b")]).await.assert_redirect(places::TWO_FACTOR);
    let form = [("code", "12345")];
    let answer = until_refused(&visitor, places::TWO_FACTOR, "/settings/two-factor/confirm", &form).await;
    answer.assert_see("data-countdown").assert_see("<svg").assert_dont_see("12345");
    answer.assert_header("cache-control", "no-store");
    assert!(longest_key(&answer.text()) >= 16, "the key is still on the page");
}

#[housekey::test]
async fn what_was_typed_into_one_form_of_a_page_empties_no_other(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    let bad =
        visitor.post("/settings/profile/email").form(&[("email", "typed")]).referer(places::PROFILE).await;
    bad.assert_redirect(places::PROFILE);
    let page = visitor.get(places::PROFILE).await;
    assert_eq!((value_of(&page, "email"), value_of(&page, "name")), ("typed".into(), ada.name));

    // A box that comes ticked and was left empty stays empty.
    let form = [("_method", "PUT"), ("username", "x"), ("current_password", ""), ("password", "")];
    visitor.post("/settings/password").form(&form).referer("/settings/password").await.assert_status(303);
    let page = visitor.get("/settings/password").await.text();
    let (_, rest) = page.split_once("name=\"sign_out_others\"").unwrap();
    assert!(!rest.split('>').next().unwrap().contains(" checked "), "{rest}");
    let fresh = visitor.get("/settings/password").await.text();
    let (_, rest) = fresh.split_once("name=\"sign_out_others\"").unwrap();
    assert!(rest.split('>').next().unwrap().contains(" checked "));
}

// spec: CFG-6
#[housekey::test]
async fn what_is_turned_off_has_no_page_and_no_link(app: TestApp) {
    let off = app.with_config(|config| {
        config.update::<AuthConfig>(|auth| {
            auth.engine.plugins = Plugins::default();
            auth.engine.user.delete_user.enabled = false;
            auth.engine.user.change_email.enabled = false;
        });
    });
    let visitor = off.signed_in(&somebody(&off).await).await;
    let gone = ["/settings/two-factor", "/settings/passkeys", "/settings/account"];
    for path in gone {
        visitor.get(path).await.assert_not_found();
    }
    for path in OF_MEMBERS.iter().filter(|path| !gone.contains(path)) {
        let page = visitor.get(path).await;
        page.assert_status(200).assert_dont_see("data-passkey=");
        for path in gone {
            page.assert_dont_see(path);
        }
    }
    visitor.get(places::PROFILE).await.assert_dont_see("/settings/profile/email");
    visitor
        .delete("/settings/sessions")
        .form(&[("a", "b")])
        .await
        .assert_status(423)
        .assert_see("/confirm-password");
    off.get("/sign-in").await.assert_see("action=\"/sign-in\"").assert_dont_see("data-passkey=");
    for path in ["/two-factor-challenge", "/change-email/confirm?token=x", "/.well-known/passkey-endpoints"] {
        off.get(path).await.assert_not_found();
    }

    let keys_only = app.with_config(|config| {
        config.update::<AuthConfig>(|auth| auth.engine.email_and_password.enabled = false);
    });
    let page = keys_only.get("/sign-in").await;
    page.assert_status(200).assert_see("data-passkey=\"sign-in\"").assert_dont_see("type=\"password\"");
    page.assert_dont_see("/forgot-password").assert_dont_see("/sign-up");
    for path in ["/sign-up", "/forgot-password", "/reset-password?token=x"] {
        keys_only.get(path).await.assert_not_found();
    }
}

// spec: RTE-8
#[housekey::test]
async fn the_list_of_passkeys_tells_who_keeps_each_and_when_it_was_used(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    let now = app.clock().now();
    let row = |id: &str, name: &str, aaguid: Option<&str>, used: Option<time::OffsetDateTime>| {
        record! {
            "id" => id, "name" => name, "publicKey" => "pQECAyYgASFYIA", "userId" => ada.id.as_str(),
            "credentialID" => format!("credential-{id}"), "counter" => 0, "deviceType" => "multiDevice",
            "backedUp" => aaguid.is_some(), "createdAt" => now - time::Duration::days(3), "aaguid" => aaguid,
            "lastUsedAt" => used,
        }
    };
    let google = Some("ea9b8d66-4d01-1d21-3ce4-b6b48cb575d4");
    let unknown = Some("00000000-0000-0000-0000-000000000000");
    app.within(async {
        let passkeys = || db().map(|db| db.table("passkey"));
        passkeys()?.insert(row("one", "Phone", google, Some(now - time::Duration::hours(2)))).await?;
        passkeys()?.insert(row("two", "<b>Key</b>", unknown, None)).await?;
        passkeys()?.insert(row("three", "Old", None, None)).await
    })
    .await
    .unwrap();
    let page = visitor.get("/settings/passkeys").await;
    page.assert_status(200).assert_see("Google Password Manager").assert_see("2 hours ago");
    page.assert_see("&lt;b&gt;Key&lt;/b&gt;").assert_dont_see("<b>Key").assert_dont_see("00000000-0000");
    let html = page.text();
    assert_eq!(html.matches("Last used").count(), 1);
    assert_eq!(html.matches("3 days ago").count(), 3);
    assert_eq!((html.matches(">Synced<").count(), html.matches(">This device only<").count()), (2, 1));
}

// spec: STA-5
#[housekey::test]
async fn the_pages_of_a_change_of_address_say_where_it_leads_and_when_it_is_over(app: TestApp) {
    let mails = app.services().require::<Mailer>().unwrap().fake();
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    let new = "new.address@example.com";
    visitor.post("/settings/profile/email").form(&[("email", new)]).referer(places::PROFILE).await;
    visitor.get(places::PROFILE).await.assert_see(new).assert_see("name=\"_method\" value=\"DELETE\"");

    let consent = path_of(&mails.link_to(ada.email.as_str()));
    let page = visitor.get(&consent).await;
    page.assert_status(200).assert_see("Move your account?").assert_see(new);
    let token = value_of(&page, "token");
    visitor.post("/change-email/confirm").form(&[("token", token.as_str())]).await.assert_status(303);
    visitor.get(&consent).await.assert_see("This link is spent").assert_dont_see("name=\"token\"");

    let proof = path_of(&mails.link_to(new));
    visitor.get(&proof).await.assert_see("Confirm your new address").assert_see("Use this address");
    visitor.post("/settings/profile/email").form(&[("_method", "DELETE")]).await.assert_status(303);
    visitor.get(&proof).await.assert_see("This link is spent").assert_dont_see("name=\"token\"");
    visitor.get(places::PROFILE).await.assert_dont_see(new);
}

// spec: MID-8, ERR-1
#[housekey::test]
async fn a_form_that_was_open_too_long_says_so_and_leads_back_to_itself(app: TestApp) {
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    let forms = [
        ("/sign-in", "POST", "/sign-in", None),
        ("/sign-up", "POST", "/sign-up", None),
        ("/forgot-password", "POST", "/forgot-password", None),
        ("/reset-password?token=abc", "POST", "/reset-password", None),
        ("/settings/profile", "POST", "/settings/profile", Some(&visitor)),
        ("/settings/profile", "POST", "/settings/profile/email", Some(&visitor)),
        ("/settings/password", "PUT", "/settings/password", Some(&visitor)),
        ("/settings/two-factor", "POST", "/settings/two-factor/confirm", Some(&visitor)),
        ("/settings/passkeys", "PATCH", "/settings/passkeys/one", Some(&visitor)),
        ("/settings/account", "DELETE", "/settings/account", Some(&visitor)),
        ("/confirm-password", "POST", "/confirm-password", Some(&visitor)),
    ];
    for (page, method, path, member) in forms {
        let visitor = member.unwrap_or(&app);
        let mut stale = vec![("name", "Typed"), ("email", "typed@example.com"), ("_token", "stale")];
        stale.extend((method != "POST").then_some(("_method", method)));
        let answer = visitor.post(path).form(&stale).referer(page).without_csrf().await;
        answer.assert_status(419).assert_see("This page was open too long.").assert_see("data-keeps-forms");
        answer.assert_see(&format!("href=\"{page}\""));
        // Whoever made the browser send it must not get to fill in the form.
        answer.assert_dont_see("typed@example.com");
    }
}
