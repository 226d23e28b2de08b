use housekey_engine::plugins::two_factor::{TwoFactorOptions, totp_code, two_factor};
use housekey_engine::{EmailLink, Engine};
use http::StatusCode;
use serde_json::json;

use crate::support::{Browser, Mailbox, ORIGIN, PASSWORD, TestEngine, options};

fn configured(mailbox: &Mailbox) -> housekey_engine::options::EngineOptions {
    let mut options = options();
    options.email_verification.send_verification_email = mailbox.link("verify");
    options.user.change_email.enabled = true;
    options.user.change_email.send_change_email_confirmation = mailbox.change_email();
    options.user.change_email.update_email_without_verification = true;
    options
}

#[tokio::test]
async fn opening_the_link_proves_the_address_and_may_be_repeated() {
    let test = TestEngine::with(configured);
    let mut browser = test.ada().await;
    let ask = json!({ "email": "ada@example.com", "callbackURL": "/welcome" });
    browser.post("/send-verification-email", ask).await.assert(StatusCode::OK);
    let mail = test.mailbox.take();
    let opened = test.browser().open(&mail.url).await.assert(StatusCode::FOUND);
    assert_eq!(opened.header("location"), Some("/welcome"));
    let again =
        test.browser().get(&format!("/verify-email?token={}", mail.token)).await.assert(StatusCode::OK);
    assert_eq!(again.json(), json!({ "status": true, "user": null }));
    assert_eq!(browser.session().await["user"]["emailVerified"], true);
    let again = json!({ "email": "ada@example.com" });
    browser.post("/send-verification-email", again).await.refused(400, "EMAIL_ALREADY_VERIFIED");
    browser
        .post("/send-verification-email", json!({ "email": "bob@example.com" }))
        .await
        .refused(400, "EMAIL_MISMATCH");
}

#[tokio::test]
async fn proving_an_address_while_signed_in_renews_the_copy_and_not_the_session() {
    let test = TestEngine::with(|mailbox| {
        let mut options = configured(mailbox);
        options.session.cookie_cache.enabled = true;
        options
    });
    let mut browser = test.ada().await;
    browser
        .post("/send-verification-email", json!({ "email": "ada@example.com" }))
        .await
        .assert(StatusCode::OK);
    let opened = browser.open(&test.mailbox.take().url).await;
    assert!(opened.cookie("session_token").is_none());
    assert!(!opened.cookie("session_data").unwrap().is_cleared());
    assert_eq!(browser.session().await["user"]["emailVerified"], true);
}

#[tokio::test]
async fn redirects_are_written_as_a_browser_would_write_them() {
    let test = TestEngine::with(configured);
    for (callback, location) in [
        ("/a%20b", "/a%20b?error=INVALID_TOKEN"),
        ("/%C3%BC", "/%C3%BC?error=INVALID_TOKEN"),
        ("/%22%3C%3E", "/%22%3C%3E?error=INVALID_TOKEN"),
        ("HTTP://LOCALHOST:3000/x", "http://localhost:3000/x?error=INVALID_TOKEN"),
        ("http://localhost:3000", "http://localhost:3000/?error=INVALID_TOKEN"),
    ] {
        let opened = test.browser().get(&format!("/verify-email?token=x&callbackURL={callback}")).await;
        assert_eq!(opened.header("location"), Some(location), "{callback}");
    }
}

#[tokio::test]
async fn a_stranger_cannot_tell_which_addresses_are_known() {
    let test = TestEngine::with(configured);
    test.ada().await;
    let known = test.browser().post("/send-verification-email", json!({ "email": "ada@example.com" })).await;
    let unknown =
        test.browser().post("/send-verification-email", json!({ "email": "bob@example.com" })).await;
    assert_eq!((known.status, known.body), (unknown.status, unknown.body));
    assert_eq!(test.mailbox.all().len(), 1);
}

#[tokio::test]
async fn a_link_that_is_forged_or_old_says_so_in_the_way_the_browser_came() {
    let test = TestEngine::with(configured);
    test.ada().await;
    test.browser().get("/verify-email?token=forged").await.refused(401, "INVALID_TOKEN");
    let led =
        test.browser().get("/verify-email?token=forged&callbackURL=/welcome").await.assert(StatusCode::FOUND);
    assert_eq!(led.header("location"), Some("/welcome?error=INVALID_TOKEN"));
    test.browser()
        .post("/send-verification-email", json!({ "email": "ada@example.com" }))
        .await
        .assert(StatusCode::OK);
    let mail = test.mailbox.take();
    test.advance(3600);
    test.browser().get(&format!("/verify-email?token={}", mail.token)).await.refused(401, "TOKEN_EXPIRED");
    test.browser().get("/verify-email?token=x&callbackURL=/%00").await.refused(403, "INVALID_CALLBACK_URL");
    test.browser()
        .get("/verify-email?token=x&callbackURL=//evil.test")
        .await
        .refused(403, "INVALID_CALLBACK_URL");
}

#[tokio::test]
// spec: SEC-3
async fn proving_an_address_does_not_walk_around_the_second_factor() {
    let test = TestEngine::with(|mailbox| {
        let mut options = configured(mailbox);
        options.email_verification.auto_sign_in_after_verification = true;
        let at_once = TwoFactorOptions { skip_verification_on_enable: true, ..TwoFactorOptions::default() };
        Engine::builder(options).plugins([two_factor(at_once)])
    });
    let mut ada = test.ada().await;
    ada.post("/two-factor/enable", json!({ "password": PASSWORD })).await.assert(StatusCode::OK);
    let ask = json!({ "email": "ada@example.com" });
    ada.post("/send-verification-email", ask).await.assert(StatusCode::OK);
    let token = test.mailbox.take().token;
    let mut browser = test.browser();
    let answer = browser.get(&format!("/verify-email?token={token}")).await.assert(StatusCode::OK);
    assert_eq!(answer.json()["twoFactorRedirect"], true);
    assert_eq!(browser.session().await, json!(null));
    assert_eq!(ada.session().await["user"]["emailVerified"], true);

    let api = test.engine.api();
    let user = api.user_by_email("ada@example.com").await.unwrap().unwrap();
    let code = json!({ "code": totp_code(&api, &user).await.unwrap() });
    browser.post("/two-factor/verify-totp", code).await.assert(StatusCode::OK);
    assert_eq!(browser.session().await["user"]["email"], "ada@example.com");
}

#[tokio::test]
async fn proving_an_address_can_sign_in() {
    let test = TestEngine::with(|mailbox| {
        let mut options = configured(mailbox);
        options.email_and_password.require_email_verification = true;
        options.email_verification.auto_sign_in_after_verification = true;
        options
    });
    test.browser().sign_up("ada@example.com").await.assert(StatusCode::OK);
    let mut browser = test.browser();
    browser.open(&test.mailbox.take().url).await.assert(StatusCode::FOUND);
    assert_eq!(browser.session().await["user"]["emailVerified"], true);
}

#[tokio::test]
// spec: STA-5, ENG-3
async fn an_unproven_address_is_replaced_at_once() {
    let test = TestEngine::with(configured);
    let mut browser = test.ada().await;
    let answer =
        browser.post("/change-email", json!({ "newEmail": "New@example.com" })).await.assert(StatusCode::OK);
    assert!(answer.cookie("session_token").is_some());
    let user = browser.session().await["user"].clone();
    assert_eq!((&user["email"], &user["emailVerified"]), (&json!("new@example.com"), &json!(false)));
    assert_eq!(test.mailbox.take().to, "new@example.com");
}

#[tokio::test]
// spec: STA-5, ENG-3
async fn a_proven_address_is_asked_first_and_then_the_new_one() {
    let test = TestEngine::with(configured);
    let mut browser = test.ada().await;
    browser
        .post("/send-verification-email", json!({ "email": "ada@example.com" }))
        .await
        .assert(StatusCode::OK);
    browser.open(&test.mailbox.take().url).await.assert(StatusCode::FOUND);

    browser.post("/change-email", json!({ "newEmail": "new@example.com" })).await.assert(StatusCode::OK);
    assert_eq!(browser.session().await["user"]["email"], "ada@example.com");
    let confirm = test.mailbox.take();
    assert_eq!((confirm.kind, confirm.to.as_str()), ("confirm-change", "ada@example.com"));

    let confirmed =
        test.browser().get(&format!("/verify-email?token={}", confirm.token)).await.assert(StatusCode::OK);
    assert_eq!(confirmed.json(), json!({ "status": true }));
    assert_eq!(browser.session().await["user"]["email"], "ada@example.com");
    let verify = test.mailbox.take();
    assert_eq!((verify.kind, verify.to.as_str()), ("verify", "new@example.com"));

    let changed = browser.get(&format!("/verify-email?token={}", verify.token)).await.assert(StatusCode::OK);
    assert_eq!(changed.json()["user"]["email"], "new@example.com");
    let user = browser.session().await["user"].clone();
    assert_eq!((&user["email"], &user["emailVerified"]), (&json!("new@example.com"), &json!(true)));
    browser.get(&format!("/verify-email?token={}", verify.token)).await.refused(401, "INVALID_TOKEN");
}

#[tokio::test]
async fn someone_else_s_address_or_session_changes_nothing() {
    let test = TestEngine::with(configured);
    let mut ada = test.ada().await;
    let mut bob = test.browser();
    bob.sign_up("bob@example.com").await.assert(StatusCode::OK);
    ada.post("/change-email", json!({ "newEmail": "BOB@example.com" })).await.assert(StatusCode::OK);
    assert!(test.mailbox.all().is_empty());
    assert_eq!(ada.session().await["user"]["email"], "ada@example.com");
    let same = ada
        .post("/change-email", json!({ "newEmail": "ADA@example.com" }))
        .await
        .assert(StatusCode::BAD_REQUEST);
    assert_eq!(same.json(), json!({ "message": "Email is the same" }));

    ada.post("/send-verification-email", json!({ "email": "ada@example.com" })).await.assert(StatusCode::OK);
    ada.open(&test.mailbox.take().url).await.assert(StatusCode::FOUND);
    ada.post("/change-email", json!({ "newEmail": "new@example.com" })).await.assert(StatusCode::OK);
    let token = test.mailbox.take().token;
    bob.get(&format!("/verify-email?token={token}")).await.refused(401, "INVALID_USER");
}

#[tokio::test]
// spec: STA-5
async fn the_generic_update_refuses_an_address() {
    let test = TestEngine::with(configured);
    let mut browser = test.ada().await;
    browser
        .post("/update-user", json!({ "email": "new@example.com" }))
        .await
        .refused(400, "EMAIL_CAN_NOT_BE_UPDATED");
}

/// Ada, whose address is proven, in an engine where a change of it can be called off.
async fn proven_ada() -> (TestEngine, Browser) {
    let test = TestEngine::with(|mailbox| {
        let mut options = configured(mailbox);
        options.user.change_email.cancellable = true;
        options
    });
    let mut ada = test.ada().await;
    ada.post("/send-verification-email", json!({ "email": "ada@example.com" })).await.assert(StatusCode::OK);
    ada.open(&test.mailbox.take().url).await.assert(StatusCode::FOUND);
    (test, ada)
}

/// Asks for a change and gives the token of the mail to the old address.
async fn ask_for(test: &TestEngine, ada: &mut Browser, email: &str) -> String {
    ada.post("/change-email", json!({ "newEmail": email })).await.assert(StatusCode::OK);
    test.mailbox.take().token
}

async fn cancel(test: &TestEngine, browser: &Browser) {
    let mut headers = browser.cookie_header();
    headers.insert("origin", ORIGIN.parse().unwrap());
    test.engine.api_for(&headers).cancel_change_email().await.unwrap();
}

#[tokio::test]
async fn a_change_that_was_called_off_cannot_be_finished_by_either_link() {
    let (test, mut ada) = proven_ada().await;
    let consent = ask_for(&test, &mut ada, "new@example.com").await;
    cancel(&test, &ada).await;
    ada.get(&format!("/verify-email?token={consent}")).await.refused(401, "INVALID_TOKEN");
    assert!(test.mailbox.all().is_empty(), "the new address is not asked");

    let consent = ask_for(&test, &mut ada, "new@example.com").await;
    test.browser().get(&format!("/verify-email?token={consent}")).await.assert(StatusCode::OK);
    let proof = test.mailbox.take().token;
    cancel(&test, &ada).await;
    ada.get(&format!("/verify-email?token={proof}")).await.refused(401, "INVALID_TOKEN");
    assert_eq!(ada.session().await["user"]["email"], "ada@example.com");
    assert!(test.rows("verification").await.is_empty());
}

#[tokio::test]
async fn a_second_change_takes_the_place_of_the_first() {
    let (test, mut ada) = proven_ada().await;
    let first = ask_for(&test, &mut ada, "first@example.com").await;
    let second = ask_for(&test, &mut ada, "second@example.com").await;
    ada.get(&format!("/verify-email?token={first}")).await.refused(401, "INVALID_TOKEN");
    ada.get(&format!("/verify-email?token={second}")).await.assert(StatusCode::OK);
    let mail = test.mailbox.take();
    assert_eq!(mail.to, "second@example.com");
    // The first link is spent, whoever opens it again.
    ada.get(&format!("/verify-email?token={second}")).await.refused(401, "INVALID_TOKEN");
    ada.get(&format!("/verify-email?token={}", mail.token)).await.assert(StatusCode::OK);
    assert_eq!(ada.session().await["user"]["email"], "second@example.com");
    ada.get(&format!("/verify-email?token={}", mail.token)).await.refused(401, "INVALID_TOKEN");
}

#[tokio::test]
async fn what_is_seen_of_a_change_is_the_same_for_an_address_that_is_taken() {
    let (test, mut ada) = proven_ada().await;
    test.browser().sign_up("bob@example.com").await.assert(StatusCode::OK);
    let id = ada.session().await["user"]["id"].as_str().unwrap().to_owned();
    let pending = async || test.engine.api().pending_email(&id).await.unwrap();
    assert_eq!(pending().await, None);
    ask_for(&test, &mut ada, "new@example.com").await;
    assert_eq!(pending().await.as_deref(), Some("new@example.com"));
    ada.post("/change-email", json!({ "newEmail": "Bob@example.com" })).await.assert(StatusCode::OK);
    assert!(test.mailbox.all().is_empty());
    assert_eq!(pending().await.as_deref(), Some("bob@example.com"));
    test.advance(3601);
    assert_eq!(pending().await, None, "no longer than its links");
}

#[tokio::test]
async fn a_page_can_ask_what_a_link_is_for_without_following_it() {
    let (test, mut ada) = proven_ada().await;
    let purpose = async |token: &str| test.engine.api().email_link(token).await.unwrap();
    let consent = ask_for(&test, &mut ada, "new@example.com").await;
    let agrees = Some(EmailLink::AgreesTo("new@example.com".into()));
    assert_eq!((purpose(&consent).await, purpose(&consent).await), (agrees.clone(), agrees));
    ada.get(&format!("/verify-email?token={consent}")).await.assert(StatusCode::OK);
    assert_eq!(purpose(&consent).await, None, "spent");
    let proof = test.mailbox.take().token;
    assert_eq!(purpose(&proof).await, Some(EmailLink::MovesTo("new@example.com".into())));
    ada.get(&format!("/verify-email?token={proof}")).await.assert(StatusCode::OK);
    assert_eq!(purpose(&proof).await, None, "spent");
    assert_eq!(purpose("forged").await, None);
    let mut bob = test.browser();
    bob.sign_up("bob@example.com").await.assert(StatusCode::OK);
    bob.post("/send-verification-email", json!({ "email": "bob@example.com" })).await.assert(StatusCode::OK);
    let token = test.mailbox.take().token;
    assert_eq!(purpose(&token).await, Some(EmailLink::Proves));
    test.advance(3601);
    assert_eq!(purpose(&token).await, None, "too old");
}
