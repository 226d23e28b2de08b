//! A second factor is asked after a sign-in with a provider, unless the provider is trusted for it.

use housekey_engine::options::EngineOptions;
use housekey_engine::plugins::two_factor::totp_code;
use housekey_engine::plugins::{TwoFactorOptions, two_factor};
use http::StatusCode;
use serde_json::{Value, json};

use crate::social::imitation::Person;
use crate::social::{Social, social_built};
use crate::support::{Answer, PASSWORD};

/// Ada with a password, a proven address and a second factor.
async fn with_second_factor(
    change: impl FnOnce(&mut EngineOptions),
    providers: impl FnOnce(&mut Value),
) -> Social {
    let at_once = TwoFactorOptions { skip_verification_on_enable: true, ..TwoFactorOptions::default() };
    let social = social_built(change, providers, |builder| builder.plugins([two_factor(at_once)]));
    let mut ada = social.with_password("ada@example.com", true).await;
    let body = json!({ "password": PASSWORD, "method": "totp" });
    ada.post("/two-factor/enable", body).await.assert(StatusCode::OK);
    social
}

fn assert_asked(answer: &Answer) {
    assert!(answer.cookie("session_token").is_none_or(|cookie| cookie.is_cleared()), "{answer:?}");
    assert!(answer.cookie("two_factor").is_some(), "{answer:?}");
}

#[tokio::test]
// spec: SOC-9
async fn a_second_factor_is_asked_after_a_sign_in_with_a_provider() {
    let social = with_second_factor(|_| {}, |_| {}).await;
    let sessions = social.test.rows("session").await.len();
    let mut browser = social.browser();
    let answer = social.sign_in(&mut browser, &Person::ada()).await;
    assert_eq!(answer.location(), "/in?twoFactorRedirect=true");
    assert_asked(&answer);
    assert_eq!(browser.session().await, Value::Null);
    assert_eq!(social.test.rows("session").await.len(), sessions);

    let api = social.test.engine.api();
    let ada = api.user_by_email("ada@example.com").await.unwrap().unwrap();
    let code = json!({ "code": totp_code(&api, &ada).await.unwrap() });
    browser.post("/two-factor/verify-totp", code).await.assert(StatusCode::OK);
    assert_eq!(browser.session().await["user"]["email"], "ada@example.com");
}

#[tokio::test]
// spec: SOC-9
async fn the_app_says_where_the_second_factor_is_asked() {
    let page = |options: &mut EngineOptions| options.social.second_factor_url = Some("/two-factor".into());
    let social = with_second_factor(page, |_| {}).await;
    let answer = social.sign_in(&mut social.browser(), &Person::ada()).await;
    assert!(answer.location().starts_with("/two-factor"), "{answer:?}");
    assert_asked(&answer);
}

#[tokio::test]
// spec: SOC-9
async fn a_provider_that_is_trusted_for_it_is_not_asked_after() {
    let trusted = |providers: &mut Value| providers["acme"]["trustedForTwoFactor"] = json!(true);
    let social = with_second_factor(|_| {}, trusted).await;
    social.sign_in(&mut social.browser(), &Person::ada()).await.assert_leads_in();
    // Trust in one is no trust in another.
    let answer = social.visit(&mut social.browser(), &social.other, &Person::ada()).await;
    assert_asked(&answer);
}

#[tokio::test]
// spec: SOC-9
async fn a_second_factor_is_asked_after_an_id_token_too() {
    let social = with_second_factor(|_| {}, |_| {}).await;
    let token = social.acme.id_token(&Person::ada(), None);
    let body = json!({ "provider": "acme", "idToken": { "token": token } });
    let answer = social.browser().post("/sign-in/social", body).await.assert(StatusCode::OK);
    assert_eq!(answer.json()["twoFactorRedirect"], true, "{answer:?}");
    assert!(answer.json().get("token").is_none_or(Value::is_null));
    assert_asked(&answer);
}

#[tokio::test]
// spec: SOC-9
async fn who_has_no_second_factor_is_not_asked_for_one() {
    let social = with_second_factor(|_| {}, |_| {}).await;
    social.sign_in(&mut social.browser(), &Person::new("Bob", "bob@example.com")).await.assert_leads_in();
}
