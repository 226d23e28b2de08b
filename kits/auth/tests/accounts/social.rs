//! Signing in with others, with providers that answer from memory.

use std::sync::Arc;

use housekey::auth::AuthConfig;
use housekey::auth::engine::options::Shared;
use housekey::auth::engine::social::{FakePerson, FakeProviders, Provider, SocialProviders};
use housekey::database::Factory;
use housekey::prelude::*;
use housekey::serde_json::{Value, json};
use housekey::testing::{TestApp, TestResponse};

use {{crate}}::factories::UserFactory;

use crate::support::{
    PASSWORD, code_of, confirm_password, mails, rows_of, sign_in, signed_in_as, somebody,
    somebody_unverified, stored, stored_with,
};

/// The app with one provider, and somebody at its other side. The fake is where they say yes.
fn with_person(app: &TestApp, person: FakePerson) -> (TestApp, FakeProviders) {
    let provider = Provider::oidc("work", "https://id.example", "an id", "a secret").with_name("Work");
    let fakes = FakeProviders::new().person(&provider, person);
    let client = fakes.clone();
    let app = app.with_config(move |config| {
        config.update::<AuthConfig>(|auth| {
            auth.engine.social_providers = SocialProviders::from([provider.clone()]);
            auth.engine.social.http_client = Shared::new(Arc::new(client.clone()));
        });
    });
    (app, fakes)
}

fn ada_with(email: &str) -> FakePerson {
    FakePerson::new("4711", "Ada Lovelace", email)
}

/// Begins at one of our routes.
async fn begin(visitor: &TestApp, path: &str) -> String {
    let answer: Value = visitor.post(path).json(&json!({})).await.json();
    answer["redirect"].as_str().unwrap_or_else(|| panic!("{path}: {answer}")).to_owned()
}

/// Where the browser comes back to after the person said yes.
fn path_back(fakes: &FakeProviders, to: &str) -> String {
    let back = fakes.approve(to);
    back.strip_prefix("http://localhost:3000").unwrap_or(&back).to_owned()
}

/// The whole way, up to the engine's answer.
async fn come_back(visitor: &TestApp, fakes: &FakeProviders) -> TestResponse {
    let to = begin(visitor, "/auth/social/work").await;
    visitor.get(&path_back(fakes, &to)).await
}

// spec: SOC-2, SOC-7
#[housekey::test]
async fn who_is_new_gets_an_account_and_goes_on_where_they_wanted_to(app: TestApp) {
    let (app, fakes) = with_person(&app, ada_with("ada@example.com"));
    app.get("/settings/sessions?from=mail").await.assert_status(302);
    come_back(&app, &fakes).await.assert_status(302).assert_redirect("/signed-in");
    app.get("/signed-in").await.assert_status(303).assert_redirect("/settings/sessions?from=mail");
    assert_eq!(signed_in_as(&app).await.as_deref(), Some("ada@example.com"));

    let ada = stored_with(&app, "ada@example.com").await.expect("an account");
    assert!(ada.email_verified && ada.name == "Ada Lovelace");
    let token: Option<String> = app
        .within(async {
            db()?.table("account").where_eq("userId", ada.id.as_str()).value("accessToken").await
        })
        .await
        .unwrap();
    let token = token.expect("a token");
    assert!(token.len() > 40 && token.bytes().all(|byte| byte.is_ascii_hexdigit()), "in clear: {token}");

    // The same person is the same account.
    let again = app.visitor();
    come_back(&again, &fakes).await.assert_redirect("/signed-in");
    assert_eq!(signed_in_as(&again).await.as_deref(), Some("ada@example.com"));
    assert_eq!(rows_of(&app, "account", &ada).await, 1);
}

// spec: SOC-5
#[housekey::test]
async fn an_address_that_was_never_confirmed_here_or_there_opens_no_account(app: TestApp) {
    for (here, there) in [(false, true), (true, false), (false, false)] {
        let person = |email: &str| match there {
            true => ada_with(email),
            false => ada_with(email).unverified(),
        };
        let email = format!("ada.{here}.{there}@example.com");
        let (app, fakes) = with_person(&app, person(&email));
        let columns = record! { "email" => email.as_str(), "emailVerified" => here };
        let ada = app.within(UserFactory::create_with(columns)).await.unwrap();
        let visitor = app.visitor();
        let refused = come_back(&visitor, &fakes).await;
        let to = refused.assert_status(302).header("location").unwrap_or_default().to_owned();
        assert!(to.contains("/sign-in?provider=work&error=account_not_linked"), "{to}");
        assert_eq!(signed_in_as(&visitor).await, None);
        assert_eq!(rows_of(&app, "account", &ada).await, 1);
    }
}

// spec: SOC-5
#[housekey::test]
async fn an_address_that_both_have_confirmed_is_the_same_person(app: TestApp) {
    let email = "ada@example.com";
    let (app, fakes) = with_person(&app, ada_with(email));
    let ada = app.within(UserFactory::create_with(record! { "email" => email })).await.unwrap();
    let visitor = app.visitor();
    come_back(&visitor, &fakes).await.assert_redirect("/signed-in");
    assert_eq!(signed_in_as(&visitor).await.as_deref(), Some(email));
    assert_eq!(rows_of(&app, "account", &ada).await, 2);
    sign_in(&app.visitor(), email, PASSWORD).await.assert_ok();
}

// spec: SOC-9
#[housekey::test]
async fn the_second_factor_is_asked_for_all_the_same(app: TestApp) {
    let email = "ada@example.com";
    let (app, fakes) = with_person(&app, ada_with(email));
    let columns = record! { "email" => email };
    let (ada, _) = app.within(UserFactory::create_with_two_factor(columns)).await.unwrap();
    let visitor = app.visitor();
    let asked = come_back(&visitor, &fakes).await;
    let to = asked.assert_status(302).header("location").unwrap_or_default();
    assert!(to.ends_with("/two-factor-challenge"), "{to}");
    assert_eq!(signed_in_as(&visitor).await, None);

    app.advance(std::time::Duration::from_secs(30));
    let code = code_of(&app, &stored(&app, &ada).await).await;
    visitor.post("/two-factor-challenge").json(&json!({ "code": code })).await.assert_ok();
    assert_eq!(signed_in_as(&visitor).await, Some(ada.email));
}

// spec: SOC-3
#[housekey::test]
async fn what_another_browser_began_signs_nobody_in(app: TestApp) {
    let (app, fakes) = with_person(&app, ada_with("eve@example.com"));
    let (eve, ada) = (app.visitor(), app.visitor());
    let lure = path_back(&fakes, &begin(&eve, "/auth/social/work").await);
    let refused = ada.get(&lure).await;
    let to = refused.assert_status(302).header("location").unwrap_or_default().to_owned();
    assert!(to.contains("error=state_mismatch"), "{to}");
    assert_eq!(signed_in_as(&ada).await, None);
}

// spec: SOC-3
#[housekey::test]
async fn two_tabs_that_begin_at_once_both_end_well(app: TestApp) {
    let (app, fakes) = with_person(&app, ada_with("ada@example.com"));
    let first = begin(&app, "/auth/social/work").await;
    let second = begin(&app, "/auth/social/work").await;
    for to in [first, second] {
        app.get(&path_back(&fakes, &to)).await.assert_status(302).assert_redirect("/signed-in");
    }
}

// spec: SOC-8
#[housekey::test]
async fn a_provider_out_of_reach_costs_a_page_with_a_reason_and_passwords_work(app: TestApp) {
    let (app, fakes) = with_person(&app, ada_with("ada@example.com"));
    let ada = somebody(&app).await;
    fakes.goes_down();
    let refused = app.post("/auth/social/work").form(&[("a", "b")]).await;
    let to = refused.assert_status(303).header("location").unwrap_or_default();
    assert!(to.ends_with("/sign-in?provider=work&error=temporarily_unavailable"), "{to}");
    let refused = app.post("/auth/social/work").json(&json!({})).await;
    refused.assert_status(503).assert_json_path(
        "message",
        "Right now we cannot reach Work. Please try again in a moment, or use another way.",
    );
    sign_in(&app, &ada.email, PASSWORD).await.assert_ok();
}

// spec: SOC-5, SOC-6
#[housekey::test]
async fn an_account_elsewhere_is_connected_by_who_is_signed_in(app: TestApp) {
    let (app, fakes) = with_person(&app, ada_with("ada@example.com"));
    let columns = record! { "email" => "ada@example.com", "emailVerified" => false };
    let ada = app.within(UserFactory::create_with(columns)).await.unwrap();
    let visitor = app.signed_in(&ada).await;
    visitor.post("/settings/accounts/work").json(&json!({})).await.assert_status(423);
    confirm_password(&visitor).await;
    let to = begin(&visitor, "/settings/accounts/work").await;
    let done = visitor.get(&path_back(&fakes, &to)).await;
    done.assert_status(302).assert_redirect("/settings/account?connected=work");
    assert_eq!(rows_of(&app, "account", &ada).await, 2);

    let elsewhere = app.visitor();
    come_back(&elsewhere, &fakes).await.assert_redirect("/signed-in");
    assert_eq!(signed_in_as(&elsewhere).await, Some(ada.email.clone()));

    // Somebody else cannot have it too.
    let eve = somebody_unverified(&app).await;
    let stranger = app.signed_in(&eve).await;
    confirm_password(&stranger).await;
    let to = begin(&stranger, "/settings/accounts/work").await;
    let refused = stranger.get(&path_back(&fakes, &to)).await;
    let to = refused.assert_status(302).header("location").unwrap_or_default().to_owned();
    assert!(to.starts_with("/settings/account?provider=work&error="), "{to}");
    assert_eq!(rows_of(&app, "account", &eve).await, 1);
}

// spec: SOC-2
#[housekey::test]
async fn signing_out_leads_on_to_the_provider_and_sends_no_mail(app: TestApp) {
    let (app, fakes) = with_person(&app, ada_with("ada@example.com"));
    let mails = mails(&app);
    come_back(&app, &fakes).await.assert_redirect("/signed-in");
    let left: Value = app.post("/sign-out").json(&json!({})).await.json();
    let to = left["redirect"].as_str().expect("the provider's page");
    assert!(to.starts_with("https://id.example/end-session?"), "{to}");
    assert!(to.contains("post_logout_redirect_uri=http%3A%2F%2Flocalhost%3A3000%2F"), "{to}");
    assert_eq!(signed_in_as(&app).await, None);
    // The provider has confirmed the address: there is no link to open.
    mails.assert_nothing_sent();
}
