//! Signing in with others, as the pages show it.

use housekey::prelude::*;
use housekey::testing::{TestApp, TestResponse};

use {{crate}}::models::User;

use crate::support::{OF_MEMBERS, sign_in, somebody, sure_of, value_of};

/// What the engine, or a provider, may send back to the sign-in page.
const CODES: [&str; 30] = [
    "access_denied",
    "account_already_linked_to_different_user",
    "account_not_linked",
    "account_selection_required",
    "consent_required",
    "email_does_not_match",
    "email_not_found",
    "email_not_verified",
    "interaction_required",
    "internal_server_error",
    "invalid_callback_request",
    "invalid_code",
    "issuer_mismatch",
    "login_required",
    "no_callback_url",
    "no_code",
    "nonce_binding_missing",
    "oauth_provider_not_found",
    "server_error",
    "signup_disabled",
    "state_invalid",
    "state_mismatch",
    "state_not_found",
    "temporarily_unavailable",
    "unable_to_create_session",
    "unable_to_create_user",
    "unable_to_get_user_info",
    "unable_to_link_account",
    "unable_to_update_account",
    "BANNED_USER",
];

const GENERAL: &str = "That did not work. Please try again, or use another way.";

fn with_providers(app: &TestApp) -> TestApp {
    let app = app.with_env("GOOGLE_CLIENT_ID", "an id").with_env("GOOGLE_CLIENT_SECRET", "a secret");
    app.with_env("GITHUB_CLIENT_ID", "another id").with_env("GITHUB_CLIENT_SECRET", "another secret")
}

/// Somebody whose only way in is an account elsewhere.
async fn only_with(app: &TestApp, provider: &str) -> User {
    let user = somebody(app).await;
    let row = record! {
        "id" => format!("{provider}-{}", user.id),
        "accountId" => "4711",
        "providerId" => provider,
        "userId" => user.id.as_str(),
        "createdAt" => app.clock().now(),
        "updatedAt" => app.clock().now(),
    };
    app.within(async {
        db()?.table("account").where_eq("userId", user.id.as_str()).delete().await?;
        db()?.table("account").insert(row).await
    })
    .await
    .unwrap();
    user
}

/// The text of what is read out at once.
fn alert(page: &TestResponse) -> Option<String> {
    let html = page.text();
    let (_, rest) = html.split_once("role=\"alert\"")?;
    let (_, text) = rest.split_once("<span class=\"min-w-0\">")?;
    Some(text.split('<').next().unwrap_or_default().to_owned())
}

// spec: SOC-1
#[housekey::test]
async fn a_provider_has_a_button_where_it_is_configured_and_nowhere_else(app: TestApp) {
    for path in ["/sign-in", "/sign-up"] {
        app.get(path).await.assert_status(200).assert_dont_see("/auth/social/");
    }
    let app = with_providers(&app);
    for path in ["/sign-in", "/sign-up"] {
        let page = app.get(path).await;
        page.assert_see(r#"action="/auth/social/google""#).assert_see("Continue with Google");
        page.assert_see(r#"action="/auth/social/github""#).assert_dont_see("/auth/social/openid");
    }
    // Some providers make no account unless somebody asked for one.
    app.get("/sign-up").await.assert_see(r#"name="sign_up""#);
    app.get("/sign-in").await.assert_dont_see(r#"name="sign_up""#);

    let own = app.with_env("OPENID_ISSUER", "https://id.example").with_env("OPENID_CLIENT_ID", "one");
    own.with_env("OPENID_NAME", "<b>Works</b>").get("/sign-in").await.assert_see("&lt;b&gt;Works&lt;/b&gt;");
}

// spec: SOC-5, SOC-8
#[housekey::test]
async fn the_sign_in_page_says_why_somebody_was_refused_and_what_to_do(app: TestApp) {
    let app = with_providers(&app);
    assert_eq!(alert(&app.get("/sign-in").await), None);
    for code in CODES {
        let page = app.get(&format!("/sign-in?provider=google&error={code}")).await;
        let said = alert(&page).unwrap_or_else(|| panic!("{code}: {}", page.text()));
        assert!(said.len() > 40 && said != GENERAL, "{code}: {said}");
    }
    let page = app.get("/sign-in?provider=github&error=account_not_linked").await;
    let said = alert(&page).unwrap();
    assert!(said.contains("Sign in with your password") && said.contains("connect GitHub"), "{said}");
}

// spec: SOC-5
#[housekey::test]
async fn what_stands_in_the_address_is_not_shown(app: TestApp) {
    let app = with_providers(&app);
    let lure = "%3Cscript%3Ealert(1)%3C/script%3E";
    let query = format!("error={lure}&provider={lure}&error_description={lure}");
    let page = app.get(&format!("/sign-in?{query}")).await;
    assert_eq!(alert(&page).as_deref(), Some(GENERAL));
    page.assert_dont_see("alert(1)");
    let visitor = app.signed_in(&somebody(&app).await).await;
    visitor.get(&format!("/settings/account?{query}&connected={lure}")).await.assert_dont_see("alert(1)");
    let page = visitor.get("/settings/account?connected=google").await;
    page.assert_dont_see("Google is connected.");
}

#[housekey::test]
async fn how_somebody_signed_in_last_is_marked(app: TestApp) {
    let app = with_providers(&app);
    let (password, other) = ("You used your password last time.", "Last used");
    app.get("/sign-in").await.assert_dont_see(password).assert_dont_see(other);

    let ada = somebody(&app).await;
    sign_in(&app, &ada).await.assert_status(303);
    app.post("/sign-out").form(&[("a", "b")]).await.assert_status(303);
    app.get("/sign-in").await.assert_see(password).assert_dont_see(other);

    app.post("/auth/social/github").form(&[("a", "b")]).await.assert_status(200);
    let page = app.get("/sign-in").await;
    page.assert_see(other).assert_dont_see(password);
    let html = page.text();
    let (_, button) = html.split_once("Continue with GitHub").unwrap();
    assert!(button.split("</button>").next().unwrap().contains(other), "beside its own name");
    app.get("/sign-in").header("cookie", "last_sign_in=<b>").await.assert_dont_see("<b>");
}

// spec: SOC-6
#[housekey::test]
async fn the_account_page_shows_the_ways_in(app: TestApp) {
    let app = with_providers(&app);
    let ada = somebody(&app).await;
    let page = app.signed_in(&ada).await.get("/settings/account").await;
    page.assert_see("Ways to sign in").assert_see("Change password").assert_see("Manage passkeys");
    page.assert_see(r#"action="/settings/accounts/google""#).assert_see("Connect GitHub");
    page.assert_dont_see("Disconnect");

    let eve = only_with(&app, "google").await;
    let visitor = app.signed_in(&eve).await;
    let page = visitor.get("/settings/account?connected=google").await;
    page.assert_see("Google is connected.").assert_see("Set a password").assert_see("Your only way in");
    page.assert_dont_see("Disconnect Google").assert_dont_see("Connect Google");
    let page = visitor.get("/settings/password").await;
    page.assert_see("Set password").assert_dont_see("current_password");
    assert_eq!(value_of(&page, "username"), eve.email);

    let new = [("password", "another good password"), ("password_confirmation", "another good password")];
    let done = visitor.post("/settings/password").form(&new).referer("/settings/password").await;
    done.assert_status(303).assert_redirect("/settings/password");
    visitor.get("/settings/password").await.assert_see("You can sign in with your password now.");
    let page = visitor.get("/settings/account").await;
    page.assert_see("Disconnect Google").assert_dont_see("Your only way in");
}

// spec: SOC-6, STA-8
#[housekey::test]
async fn who_has_no_password_shows_that_it_is_them_by_signing_in_again(app: TestApp) {
    let app = with_providers(&app);
    let visitor = app.signed_in(&only_with(&app, "google").await).await;
    app.advance(std::time::Duration::from_mins(11));
    let asked = visitor.delete("/settings/account").form(&[("a", "b")]).referer("/settings/account").await;
    asked.assert_status(423).assert_see(r#"action="/auth/social/google""#);
    asked.assert_dont_see(r#"action="/auth/social/github""#).assert_dont_see(r#"type="password""#);
    assert_eq!(value_of(&asked, "return_to"), "/settings/account");
    for path in OF_MEMBERS {
        visitor.get(path).await.assert_status(200);
    }
}

// spec: SOC-6
#[housekey::test]
async fn connecting_asks_for_the_password_and_goes_on_to_the_provider(app: TestApp) {
    let app = with_providers(&app);
    let ada = somebody(&app).await;
    let visitor = app.signed_in(&ada).await;
    let page = "/settings/account";
    let asked = visitor.post("/settings/accounts/github").form(&[("a", "b")]).referer(page).await;
    asked.assert_status(423).assert_see(r#"action="/confirm-password""#);

    let visitor = sure_of(&app, &ada).await;
    let left = visitor.post("/settings/accounts/github").form(&[("a", "b")]).referer(page).await;
    left.assert_status(200).assert_see("On to GitHub");
    assert!(left.header("refresh").is_some_and(|to| to.starts_with("0; url=https://github.com/")));
}
