use housekey_engine::options::{CacheStrategy, CookieCache};
use housekey_engine::plugins::MultiSessionOptions;
use http::StatusCode;
use serde_json::json;

use crate::multi_session::{
    active, browser_of, built, email, joins, list, options, revoke, switch, test_engine,
};
use crate::support::PASSWORD;

#[tokio::test]
// spec: KEY-1
async fn any_of_them_can_be_made_active() {
    let test = test_engine();
    let (mut browser, [ada, bob, _]) = browser_of(&test, ["ada", "bob", "carl"]).await;
    for (token, name) in [(&ada, "ada"), (&bob, "bob"), (&ada, "ada")] {
        let answer = switch(&mut browser, token).await.assert(StatusCode::OK).json();
        assert_eq!(
            (&answer["session"]["token"], &answer["user"]["email"]),
            (&json!(token), &json!(email(name)))
        );
        assert_eq!(active(&mut browser).await.as_deref(), Some(name));
    }
    assert_eq!(list(&mut browser).await, ["ada", "bob", "carl"]);
}

/// The copy of the session in a cookie is that of whoever is active, at once.
#[tokio::test]
async fn the_copy_in_the_cookie_changes_with_the_account() {
    for strategy in [CacheStrategy::Compact, CacheStrategy::Jwt, CacheStrategy::Jwe] {
        let mut options = options();
        options.session.cookie_cache =
            CookieCache { enabled: true, strategy: Some(strategy), ..CookieCache::default() };
        let test = built(options, MultiSessionOptions::default());
        let (mut browser, [ada, bob]) = browser_of(&test, ["ada", "bob"]).await;
        let of_bob = browser.cookies["better-auth.session_data"].clone();
        let answer = switch(&mut browser, &ada).await.assert(StatusCode::OK);
        assert!(answer.cookie("session_data").is_some_and(|copy| !copy.is_cleared()));
        assert_eq!(active(&mut browser).await.as_deref(), Some("ada"), "{strategy:?}");

        browser.cookies.insert("better-auth.session_data".into(), of_bob);
        assert_eq!(active(&mut browser).await.as_deref(), Some("ada"), "an old copy is not believed");
        switch(&mut browser, &bob).await.assert(StatusCode::OK);
        revoke(&mut browser, &bob).await.assert(StatusCode::OK);
        assert_eq!(active(&mut browser).await.as_deref(), Some("ada"), "{strategy:?}");
    }
}

#[tokio::test]
async fn what_the_browser_was_told_about_remembering_is_each_account_s_own() {
    let test = test_engine();
    test.ada().await;
    let mut browser = test.browser();
    let bob = joins(&mut browser, "bob").await;
    let body = json!({ "email": email("ada"), "password": PASSWORD, "rememberMe": false });
    let ada = browser.post("/sign-in/email", body).await.json()["token"].as_str().unwrap().to_owned();
    let lives = |answer: &crate::multi_session::Answer| {
        answer.cookie("session_token").unwrap().attributes.contains("Max-Age")
    };
    let to_bob = switch(&mut browser, &bob).await.assert(StatusCode::OK);
    assert!(lives(&to_bob) && !browser.cookies.contains_key("better-auth.dont_remember"));
    let to_ada = switch(&mut browser, &ada).await.assert(StatusCode::OK);
    assert!(!lives(&to_ada) && browser.cookies.contains_key("better-auth.dont_remember"));
}

#[tokio::test]
async fn the_list_is_empty_for_whoever_has_no_cookies() {
    let test = test_engine();
    browser_of(&test, ["ada"]).await;
    assert!(list(&mut test.browser()).await.is_empty());
}
