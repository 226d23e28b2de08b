use housekey_engine::Engine;
use housekey_engine::plugins::two_factor::{TwoFactorOptions, totp_code};
use housekey_engine::plugins::{MultiSessionOptions, multi_session, two_factor};
use http::StatusCode;
use serde_json::json;

use crate::multi_session::{active, browser_of, email, joins, list, options, switch};
use crate::support::{PASSWORD, TestEngine};

/// Somebody who has not passed the second factor is in no list, and those who were there stay.
#[tokio::test]
// spec: KEY-2
async fn a_session_counts_when_the_second_factor_was_passed() {
    for ends in [false, true] {
        let mut options = options();
        options.session.revoke_on_sign_in = ends;
        let at_once = TwoFactorOptions { skip_verification_on_enable: true, ..TwoFactorOptions::default() };
        let plugins = [two_factor(at_once), multi_session(MultiSessionOptions::default())];
        let test = TestEngine::new(Engine::builder(options).plugins(plugins));
        let mut ada = test.browser();
        joins(&mut ada, "ada").await;
        ada.post("/two-factor/enable", json!({ "password": PASSWORD })).await.assert(StatusCode::OK);

        let (mut browser, [bob]) = browser_of(&test, ["bob"]).await;
        let asked = browser.sign_in(&email("ada"), PASSWORD).await.assert(StatusCode::OK);
        assert_eq!(asked.json()["twoFactorRedirect"], true);
        assert_eq!(list(&mut browser).await, ["bob"]);
        assert_eq!(active(&mut browser).await, None, "nobody, until the code is there");

        let mut gives_up = browser.clone();
        switch(&mut gives_up, &bob).await.assert(StatusCode::OK);
        assert_eq!(active(&mut gives_up).await.as_deref(), Some("bob"));

        let api = test.engine.api();
        let user = api.user_by_email(&email("ada")).await.unwrap().unwrap();
        let code = totp_code(&api, &user).await.unwrap();
        browser.post("/two-factor/verify-totp", json!({ "code": code })).await.assert(StatusCode::OK);
        assert_eq!(active(&mut browser).await.as_deref(), Some("ada"));
        assert_eq!(list(&mut browser).await, ["bob", "ada"]);
    }
}
