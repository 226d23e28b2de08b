//! By whatever method somebody signs in, the visitor they were is linked.

use housekey_engine::options::{EmailVerification, LinkMail};
use housekey_engine::plugins::anonymous::anonymous;
use housekey_engine::plugins::two_factor::{TwoFactorOptions, totp_code};
use housekey_engine::plugins::{two_factor, username};
use housekey_engine::{Callback, Endpoint, Engine, Plugin, Reply, SignIn, SignInEmail};
use http::StatusCode;
use serde_json::json;

use crate::anonymous::{Links, exists, linked, options, test_engine, visitor};
use crate::support::{PASSWORD, TestEngine};

const ADA: &str = "ada@example.com";

#[tokio::test]
// spec: KEY-2
async fn a_password() {
    let (test, links) = test_engine();
    test.ada().await;
    let (mut browser, id) = visitor(&test).await;
    browser.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
    assert_eq!(links.all(), linked(&id, ADA));
}

#[tokio::test]
async fn a_username() {
    let links = Links::default();
    let plugins = [anonymous(links.options()), username(Default::default())];
    let test = TestEngine::new(Engine::builder(options()).plugins(plugins));
    let body = json!({ "name": "A", "email": ADA, "password": PASSWORD, "username": "ada" });
    test.browser().post("/sign-up/email", body).await.assert(StatusCode::OK);
    let (mut browser, id) = visitor(&test).await;
    let body = json!({ "username": "ada", "password": PASSWORD });
    browser.post("/sign-in/username", body).await.assert(StatusCode::OK);
    assert_eq!(links.all(), linked(&id, ADA));
}

/// While the code is waited for nobody is signed in; with it the visitor is linked all the same.
#[tokio::test]
// spec: KEY-2
async fn a_password_and_a_second_factor() {
    for revoke_on_sign_in in [false, true] {
        let links = Links::default();
        let at_once = TwoFactorOptions { skip_verification_on_enable: true, ..TwoFactorOptions::default() };
        let plugins = [two_factor(at_once), anonymous(links.options())];
        let mut options = options();
        options.session.revoke_on_sign_in = revoke_on_sign_in;
        let test = TestEngine::new(Engine::builder(options).plugins(plugins));
        test.ada()
            .await
            .post("/two-factor/enable", json!({ "password": PASSWORD }))
            .await
            .assert(StatusCode::OK);
        let (mut browser, id) = visitor(&test).await;
        let asked = browser.sign_in(ADA, PASSWORD).await.assert(StatusCode::OK);
        assert_eq!(asked.json()["twoFactorRedirect"], true);
        assert!(links.all().is_empty() && exists(&test, &id).await, "not before");
        let api = test.engine.api();
        let user = api.user_by_email(ADA).await.unwrap().unwrap();
        let code = totp_code(&api, &user).await.unwrap();
        browser.post("/two-factor/verify-totp", json!({ "code": code })).await.assert(StatusCode::OK);
        assert_eq!(links.all(), linked(&id, ADA));
        assert!(!exists(&test, &id).await);
        assert!(!browser.cookies.contains_key("better-auth.anonymous_session"));
    }
}

#[tokio::test]
async fn a_link_that_proves_an_address() {
    let links = Links::default();
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.email_and_password.require_email_verification = true;
        let send: Callback<LinkMail> = mailbox.link("verify");
        options.email_verification = EmailVerification {
            send_verification_email: send,
            auto_sign_in_after_verification: true,
            ..EmailVerification::default()
        };
        Engine::builder(options).plugins([anonymous(links.options())])
    });
    let (mut browser, id) = visitor(&test).await;
    browser.sign_up(ADA).await.assert(StatusCode::OK);
    assert!(links.all().is_empty(), "not signed in yet");
    let link = test.mailbox.take().url;
    browser.open(&link).await;
    assert_eq!(browser.session().await["user"]["email"], ADA);
    assert_eq!(links.all(), linked(&id, ADA));
}

/// A method of a third party, which ends as all do, in `Api::sign_in_user`: magic links, providers and passkeys are no different.
#[tokio::test]
// spec: KEY-2
async fn any_method_of_a_plugin() {
    let links = Links::default();
    let knock = Endpoint::post("/knock", |api| {
        Box::pin(async move {
            let user = api.user_by_email(ADA).await?.unwrap();
            api.sign_in_user(user, None).await?;
            Reply::json(&())
        })
    });
    let plugins = [Plugin::new("knock").endpoint(knock), anonymous(links.options())];
    let test = TestEngine::new(Engine::builder(options()).plugins(plugins));
    test.ada().await;
    let (mut browser, id) = visitor(&test).await;
    browser.post("/knock", json!({})).await.assert(StatusCode::OK);
    assert_eq!(links.all(), linked(&id, ADA));
}

#[tokio::test]
async fn a_page_of_the_app_s_own() {
    let (test, links) = test_engine();
    test.ada().await;
    let (browser, id) = visitor(&test).await;
    let (mut api, begun) = test.engine.begin_request(browser.cookie_header(), None).await;
    begun.unwrap();
    let input = SignInEmail { email: ADA.into(), password: PASSWORD.into(), ..SignInEmail::default() };
    assert!(matches!(api.sign_in_email(input).await.unwrap(), SignIn::Done(_)));
    test.engine.finish_request(api, false).await.unwrap();
    assert_eq!(links.all(), linked(&id, ADA));
    assert!(!exists(&test, &id).await);
}
