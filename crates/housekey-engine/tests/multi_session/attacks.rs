use http::StatusCode;
use serde_json::json;

use crate::multi_session::{active, browser_of, cookie_name, joins, list, revoke, switch, test_engine};

/// A token is not enough: the browser must hold its signed cookie.
#[tokio::test]
async fn a_token_that_was_found_somewhere_opens_nothing() {
    let test = test_engine();
    let (_, [stolen]) = browser_of(&test, ["ada"]).await;
    let (mut mallory, [own]) = browser_of(&test, ["mallory"]).await;
    switch(&mut mallory, &stolen).await.refused(401, "INVALID_SESSION_TOKEN");
    revoke(&mut mallory, &stolen).await.refused(401, "INVALID_SESSION_TOKEN");
    let mut nobody = test.browser();
    switch(&mut nobody, &stolen).await.refused(401, "INVALID_SESSION_TOKEN");
    assert_eq!(active(&mut mallory).await.as_deref(), Some("mallory"));

    // Nor with a cookie that is not signed, is signed for something else, or is cut short.
    let signature = mallory.cookies[&cookie_name(&own)].split_once('.').unwrap().1.to_owned();
    let whole = mallory.cookies[&cookie_name(&own)].clone();
    for forged in [
        stolen.clone(),
        format!("{stolen}."),
        format!("{stolen}.{signature}"),
        whole[..whole.len() - 4].to_owned(),
    ] {
        mallory.cookies.insert(cookie_name(&stolen), forged);
        switch(&mut mallory, &stolen).await.refused(401, "INVALID_SESSION_TOKEN");
        assert_eq!(list(&mut mallory).await, ["mallory"]);
    }
    assert_eq!(test.rows("session").await.len(), 2, "and nothing ended");
}

/// Mallory's own cookie under the name of Ada's session is not Ada's, and not Mallory's.
#[tokio::test]
async fn a_cookie_under_another_s_name_is_not_believed() {
    let test = test_engine();
    let (mut ada, [of_ada]) = browser_of(&test, ["ada"]).await;
    let (mallory, [of_mallory]) = browser_of(&test, ["mallory"]).await;
    let signed = mallory.cookies[&cookie_name(&of_mallory)].clone();
    ada.cookies.insert(cookie_name(&of_ada), signed.clone());
    switch(&mut ada, &of_ada).await.refused(401, "INVALID_SESSION_TOKEN");
    ada.cookies.insert(cookie_name("somethingelse"), signed);
    assert!(list(&mut ada).await.is_empty());
    assert_eq!(active(&mut ada).await.as_deref(), Some("ada"));
    ada.post("/sign-out", json!({})).await.assert(StatusCode::OK);
    assert_eq!(test.rows("session").await.len(), 1, "signing out ends nothing of Mallory's");
}

/// Values that we signed for another purpose are no sessions.
#[tokio::test]
async fn another_signed_cookie_of_ours_is_no_session() {
    let test = test_engine();
    test.ada().await;
    let mut browser = test.browser();
    let body = json!({ "email": "ada@example.com", "password": crate::multi_session::PASSWORD, "rememberMe": false });
    browser.post("/sign-in/email", body).await.assert(StatusCode::OK);
    let signed = browser.cookies["better-auth.dont_remember"].clone();
    browser.cookies.insert(cookie_name("true"), signed);
    assert_eq!(list(&mut browser).await, ["ada"]);
    switch(&mut browser, "true").await.refused(401, "INVALID_SESSION_TOKEN");
}

/// A session that somebody planted before sign-in is not the one that signing in gives.
#[tokio::test]
async fn signing_in_never_goes_on_with_a_planted_session() {
    let test = test_engine();
    let (mallory, [planted]) = browser_of(&test, ["mallory"]).await;
    let mut victim = test.browser();
    victim.cookies = mallory.cookies.clone();
    let own = joins(&mut victim, "ada").await;
    assert_ne!(own, planted);
    assert_eq!(active(&mut victim).await.as_deref(), Some("ada"));
    let mut mallory = mallory;
    assert_eq!(
        active(&mut mallory).await.as_deref(),
        Some("mallory"),
        "what was planted became nobody else's"
    );
    assert_eq!(list(&mut mallory).await, ["mallory"]);
}

/// Rubbish under our names keeps nobody from having accounts.
#[tokio::test]
async fn tossed_cookies_do_not_fill_the_places() {
    let test = test_engine();
    let mut browser = test.browser();
    for number in 0..20 {
        browser.cookies.insert(cookie_name(&format!("rubbish{number}")), format!("rubbish{number}.x"));
    }
    joins(&mut browser, "ada").await;
    test.advance(1);
    joins(&mut browser, "bob").await;
    assert_eq!(list(&mut browser).await, ["ada", "bob"]);
}

#[tokio::test]
async fn a_foreign_page_can_neither_switch_nor_sign_out() {
    let test = test_engine();
    let (mut browser, [ada, bob]) = browser_of(&test, ["ada", "bob"]).await;
    browser.headers.insert("origin", "https://evil.example".parse().unwrap());
    switch(&mut browser, &ada).await.refused(403, "INVALID_ORIGIN");
    revoke(&mut browser, &bob).await.refused(403, "INVALID_ORIGIN");
    assert_eq!(active(&mut browser).await.as_deref(), Some("bob"));
}
