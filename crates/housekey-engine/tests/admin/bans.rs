//! Bans: at every door, until they end.

use housekey_engine::Record;
use housekey_engine::plugins::admin::BannedMessage;
use housekey_engine::plugins::{AdminOptions, TwoFactorOptions, admin, two_factor};
use housekey_engine::{Callback, Engine, User};
use http::StatusCode;
use serde_json::{Value, json};

use crate::admin::{alice_and_bob, does, email, row, set, signs_in, test_engine, with};
use crate::support::{PASSWORD, TestEngine, options};

#[tokio::test]
// spec: ADM-1
async fn a_ban_ends_the_sessions_and_closes_the_door() {
    let test = test_engine();
    let (mut alice, mut bob) = alice_and_bob(&test).await;
    let why = json!({ "banReason": "spam", "banExpiresIn": 3600 });
    let user = does(&mut alice, &test, "ban-user", "bob", why).await.assert(StatusCode::OK).json();
    assert_eq!((&user["user"]["banned"], &user["user"]["banReason"]), (&json!(true), &json!("spam")));
    assert!(user["user"]["banExpires"].is_string());
    assert_eq!(bob.session().await, Value::Null);
    let answer = signs_in(&test, "bob").await.refused(403, "BANNED_USER");
    let said = answer.json()["message"].as_str().unwrap().to_owned();
    assert!(said.starts_with("You have been banned from this application. Please contact support"), "{said}");
    assert!(answer.cookies.is_empty(), "{answer:?}");
    let wrong = test.browser().sign_in(&email("bob"), "wrong horse").await;
    wrong.refused(401, "INVALID_EMAIL_OR_PASSWORD");
}

#[tokio::test]
// spec: ADM-1
async fn a_ban_that_has_run_out_is_cleared() {
    let test = test_engine();
    let (mut alice, _) = alice_and_bob(&test).await;
    does(&mut alice, &test, "ban-user", "bob", json!({ "banExpiresIn": 60 })).await.assert(StatusCode::OK);
    signs_in(&test, "bob").await.refused(403, "BANNED_USER");
    test.advance(61);
    signs_in(&test, "bob").await.assert(StatusCode::OK);
    let bob = row(&test, "bob").await.unwrap();
    assert_eq!(bob.get("banned").and_then(housekey_engine::Value::as_bool), Some(false));
    assert!(bob.get("banReason").unwrap().is_null() && bob.get("banExpires").unwrap().is_null());
}

#[tokio::test]
// spec: ADM-1
async fn a_ban_is_taken_back() {
    let test = test_engine();
    let (mut alice, _) = alice_and_bob(&test).await;
    let banned = does(&mut alice, &test, "ban-user", "bob", json!({})).await.assert(StatusCode::OK).json();
    assert_eq!(
        (&banned["user"]["banReason"], &banned["user"]["banExpires"]),
        (&json!("No reason"), &Value::Null)
    );
    let freed = does(&mut alice, &test, "unban-user", "bob", json!({})).await.assert(StatusCode::OK).json();
    assert_eq!((&freed["user"]["banned"], &freed["user"]["banReason"]), (&json!(false), &Value::Null));
    signs_in(&test, "bob").await.assert(StatusCode::OK);
}

#[tokio::test]
async fn the_options_say_why_how_long_and_what_is_told() {
    let message =
        Callback::new(|user: User| async move { Ok::<_, std::io::Error>(format!("Not you, {}", user.name)) });
    let test = with(AdminOptions {
        default_ban_reason: Some("house rules".into()),
        default_ban_expires_in: Some(60),
        banned_user_message: BannedMessage::Function(message),
        ..AdminOptions::default()
    });
    let (mut alice, _) = alice_and_bob(&test).await;
    let banned = does(&mut alice, &test, "ban-user", "bob", json!({})).await.assert(StatusCode::OK).json();
    assert_eq!(banned["user"]["banReason"], "house rules");
    let answer = signs_in(&test, "bob").await.refused(403, "BANNED_USER");
    assert_eq!(answer.json()["message"], "Not you, Ada");
    test.advance(61);
    signs_in(&test, "bob").await.assert(StatusCode::OK);
}

#[tokio::test]
async fn a_ban_needs_a_time_that_can_be() {
    let test = test_engine();
    let (mut alice, _) = alice_and_bob(&test).await;
    for seconds in [json!(-1), json!("60"), json!(1e300)] {
        let body = json!({ "banExpiresIn": seconds });
        does(&mut alice, &test, "ban-user", "bob", body).await.refused(400, "VALIDATION_ERROR");
    }
    does(&mut alice, &test, "ban-user", "alice", json!({})).await.refused(400, "YOU_CANNOT_BAN_YOURSELF");
}

#[tokio::test]
// spec: ADM-1
async fn an_update_that_bans_ends_the_sessions_too() {
    let test = test_engine();
    let (mut alice, mut bob) = alice_and_bob(&test).await;
    let data = json!({ "data": { "banned": true, "banReason": "spam" } });
    does(&mut alice, &test, "update-user", "bob", data).await.assert(StatusCode::OK);
    assert_eq!(bob.session().await, Value::Null);
    signs_in(&test, "bob").await.refused(403, "BANNED_USER");
}

#[tokio::test]
// spec: ADM-1
async fn nobody_who_is_banned_is_asked_for_a_second_factor() {
    let at_once = TwoFactorOptions { skip_verification_on_enable: true, ..TwoFactorOptions::default() };
    let plugins = [two_factor(at_once), admin(AdminOptions::default())];
    let test = TestEngine::new(Engine::builder(options()).plugins(plugins));
    let (mut alice, mut bob) = alice_and_bob(&test).await;
    bob.post("/two-factor/enable", json!({ "password": PASSWORD })).await.assert(StatusCode::OK);
    let mut phone = test.browser();
    phone.sign_in(&email("bob"), PASSWORD).await.assert(StatusCode::OK);
    let api = test.engine.api();
    let user = api.user_by_email(&email("bob")).await.unwrap().unwrap();
    does(&mut alice, &test, "ban-user", "bob", json!({})).await.assert(StatusCode::OK);
    let answer = signs_in(&test, "bob").await.refused(403, "BANNED_USER");
    assert!(answer.cookie("two_factor").is_none(), "{answer:?}");
    // A challenge from before the ban does not let him in either.
    let code = housekey_engine::plugins::two_factor::totp_code(&api, &user).await.unwrap();
    phone.post("/two-factor/verify-totp", json!({ "code": code })).await.refused(403, "BANNED_USER");
    assert_eq!(phone.session().await, Value::Null);
}

#[tokio::test]
// spec: ADM-1
async fn a_link_that_signs_in_does_not_let_a_banned_user_in() {
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.email_verification.send_verification_email = mailbox.link("verify");
        options.email_verification.auto_sign_in_after_verification = true;
        options.email_verification.send_on_sign_up = Some(true);
        Engine::builder(options).plugins([admin(AdminOptions::default())])
    });
    let (mut alice, _) = alice_and_bob(&test).await;
    let mail = test.mailbox.all().into_iter().find(|mail| mail.to == email("bob")).unwrap();
    does(&mut alice, &test, "ban-user", "bob", json!({})).await.assert(StatusCode::OK);
    let mut browser = test.browser();
    browser.open(&mail.url).await;
    assert_eq!(browser.session().await, Value::Null);
}

#[tokio::test]
// spec: ADM-1
async fn a_session_that_began_while_the_ban_was_written_ends_at_its_first_use() {
    let test = test_engine();
    let (_, mut bob) = alice_and_bob(&test).await;
    set(&test, "bob", Record::new().with("banned", true)).await;
    assert_eq!(bob.session().await, Value::Null);
    let sessions = test.rows("session").await;
    assert_eq!(sessions.len(), 1, "only the admin's is left");
}
