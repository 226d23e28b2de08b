use http::{Method, StatusCode};
use serde_json::json;

use crate::elsewhere;
use crate::magic_link::{ADA, MagicLinkOptions, ask, assert_leads, assert_refused, built, link, test_engine};
use crate::support::{PASSWORD, TestEngine, options};

#[tokio::test]
// spec: KEY-2
async fn of_twenty_who_open_a_link_at_the_same_time_one_is_in() {
    let test = elsewhere::test_engine(|mailbox| built(mailbox, options(), MagicLinkOptions::default()));
    for known in [false, true] {
        let url = link(&test, ADA).await.url;
        let sent: Vec<_> = (0..20)
            .map(|_| {
                let (mut browser, url) = (test.browser(), url.clone());
                tokio::spawn(async move { browser.open(&url).await })
            })
            .collect();
        let mut welcomed = 0;
        for answer in sent {
            let answer = answer.await.unwrap();
            if answer.cookie("session_token").is_some() {
                assert_leads(&answer, "/in");
                welcomed += 1;
            } else {
                assert_refused(&answer, "INVALID_TOKEN");
            }
        }
        assert_eq!(welcomed, 1, "known: {known}");
        assert_eq!(test.rows("session").await.len(), 1 + usize::from(known));
        assert_eq!(test.rows("user").await.len(), 1);
    }
}

#[tokio::test]
async fn two_links_for_somebody_new_opened_at_the_same_time_make_one_account() {
    let test = elsewhere::test_engine(|mailbox| built(mailbox, options(), MagicLinkOptions::default()));
    let urls = [link(&test, ADA).await.url, link(&test, ADA).await.url];
    let sent = urls.map(|url| {
        let mut browser = test.browser();
        tokio::spawn(async move { browser.open(&url).await })
    });
    for answer in sent {
        assert_leads(&answer.await.unwrap(), "/in");
    }
    assert_eq!(test.rows("user").await.len(), 1);
    assert_eq!(test.rows("session").await.len(), 2);
}

#[tokio::test]
// spec: KEY-2
async fn a_token_that_is_not_whole_is_worth_nothing() {
    let test = test_engine();
    let token = link(&test, ADA).await.token;
    let mut changed = token.clone();
    changed.replace_range(0..1, if token.starts_with('a') { "b" } else { "a" });
    let cases = [
        &token[..31],
        &format!("{token}a"),
        &changed,
        &token.to_uppercase(),
        &token.to_lowercase(),
        "",
        "%00",
    ];
    for case in cases.into_iter().filter(|case| **case != *token) {
        let answer = test.browser().get(&format!("/magic-link/verify?token={case}&callbackURL=/in")).await;
        assert!(answer.cookie("session_token").is_none(), "{case}");
        assert_ne!(answer.header("location"), Some("http://localhost:3000/in"), "{case}");
    }
    let twice = test.browser().get(&format!("/magic-link/verify?token={token}&token={token}")).await;
    twice.refused(400, "VALIDATION_ERROR");
    let answer = test.browser().get(&format!("/magic-link/verify?token={token}&callbackURL=/in")).await;
    assert_leads(&answer, "/in");
}

#[tokio::test]
// spec: KEY-1
async fn no_address_of_a_link_leads_to_another_site() {
    let test = test_engine();
    let bad = [
        "https://evil.test",
        "//evil.test",
        "/\\evil.test",
        "javascript:alert(1)",
        "https://localhost:3000@evil.test",
    ];
    let names = ["callbackURL", "newUserCallbackURL", "errorCallbackURL"];
    for (target, name) in bad.iter().flat_map(|target| names.iter().map(move |name| (target, name))) {
        let mut body = json!({ "email": ADA });
        body[*name] = json!(target);
        let asked = test.browser().post("/sign-in/magic-link", body).await;
        assert_eq!(asked.status, StatusCode::FORBIDDEN, "{name} {target}");
        let token = link(&test, ADA).await.token;
        let target = housekey_engine::encode_component(target).to_string();
        let query = format!("/magic-link/verify?token={token}&{name}={target}");
        let opened = test.browser().get(&query).await.refused(403, "INVALID_CALLBACK_URL");
        assert!(opened.header("location").is_none() && opened.cookies.is_empty());
        // Refused before anything was spent.
        let again = test.browser().get(&format!("/magic-link/verify?token={token}&callbackURL=/in")).await;
        assert_leads(&again, "/in");
    }
}

#[tokio::test]
// spec: KEY-1
async fn a_foreign_page_cannot_ask_for_a_link() {
    let test = test_engine();
    let mut browser = test.browser();
    browser.headers.insert("origin", "https://evil.test".parse().unwrap());
    ask(&mut browser, ADA).await.refused(403, "INVALID_ORIGIN");
    let mut browser = test.browser();
    browser.headers.insert("sec-fetch-site", "cross-site".parse().unwrap());
    browser.headers.insert("sec-fetch-mode", "navigate".parse().unwrap());
    ask(&mut browser, ADA).await.refused(403, "CROSS_SITE_NAVIGATION_LOGIN_BLOCKED");
    let form = "email=ada%40example.com".into();
    let kind = Some("application/x-www-form-urlencoded");
    let form = test.browser().send(Method::POST, "/sign-in/magic-link", form, kind).await;
    form.assert(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    assert!(test.mailbox.all().is_empty());
}

#[tokio::test]
async fn a_row_of_another_kind_opens_nothing() {
    let test = test_engine();
    let api = test.engine.api();
    for value in [
        r#"{"type":"other","email":"ada@example.com"}"#,
        r#"{"email":"ada@example.com"}"#,
        "user-id",
        r#"{"type":"magic-link","email":"nobody"}"#,
    ] {
        // The identifier of the token `abc`.
        let identifier = "magic-link:ungWv48Bz-pBQUDeXa4iI7ADYaOWF3qctBD_YfIAFa0";
        api.verifications().replace(identifier, value, 300).await.unwrap();
        let answer = test.browser().get("/magic-link/verify?token=abc").await;
        assert_refused(&answer, "INVALID_TOKEN");
    }
}

/// Somebody with a moment in the mailbox asks for a link; the owner sees it and changes the password at once.
#[tokio::test]
// spec: SEC-2, KEY-2
async fn a_link_that_is_on_its_way_ends_with_the_password() {
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.email_and_password.send_reset_password = mailbox.link("reset");
        built(mailbox, options, MagicLinkOptions::default())
    });
    let mut ada = test.ada().await;
    let seen = link(&test, ADA).await;
    let bobs = link(&test, "bob@example.com").await;
    let body = json!({ "currentPassword": PASSWORD, "newPassword": "a new password" });
    ada.post("/change-password", body).await.assert(StatusCode::OK);
    assert_refused(&test.browser().open(&seen.url).await, "INVALID_TOKEN");

    let seen = link(&test, ADA).await;
    ada.post("/request-password-reset", json!({ "email": ADA })).await.assert(StatusCode::OK);
    let body = json!({ "newPassword": "another password", "token": test.mailbox.take().token });
    ada.post("/reset-password", body).await.assert(StatusCode::OK);
    assert_refused(&test.browser().open(&seen.url).await, "INVALID_TOKEN");
    assert_leads(&test.browser().open(&bobs.url).await, "/in");
    assert_leads(&test.browser().open(&link(&test, ADA).await.url).await, "/in");
}

#[tokio::test]
// spec: SEC-2
async fn a_new_password_ends_no_link_of_an_address_that_ends_like_this_one() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let other = link(&test, &format!("b{ADA}")).await;
    let body = json!({ "currentPassword": PASSWORD, "newPassword": "a new password" });
    ada.post("/change-password", body).await.assert(StatusCode::OK);
    assert_leads(&test.browser().open(&other.url).await, "/in");
}
