//! What strangers try.

use housekey_engine::Record;
use housekey_engine::options::RateLimitOptions;
use housekey_engine::plugins::{admin, bearer};
use housekey_engine::storage::Filter;

use super::*;
use crate::support::PASSWORD;

fn limited() -> EngineOptions {
    EngineOptions { rate_limit: RateLimitOptions { enabled: Some(true), ..Default::default() }, ..options() }
}

fn at(browser: &mut Browser, address: &str) {
    browser.headers.insert("x-forwarded-for", address.parse().unwrap());
}

// spec: SEC-4
#[tokio::test]
async fn codes_cannot_be_guessed_from_one_address() {
    let test = built(limited(), DeviceAuthorizationOptions::default());
    let mut eve = test.browser();
    at(&mut eve, "203.0.113.7");
    for _ in 0..5 {
        look(&mut eve, "AAAAAAAA").await.says(400, "invalid_request");
    }
    look(&mut eve, "AAAAAAAA").await.assert(StatusCode::TOO_MANY_REQUESTS);
}

// spec: SEC-4
#[tokio::test]
async fn codes_cannot_be_guessed_by_one_person_from_many_addresses_nor_at_another_door() {
    let test = built(limited(), DeviceAuthorizationOptions::default());
    let mut eve = test.ada().await;
    let mut tries = 0;
    for number in 0..30 {
        at(&mut eve, &format!("198.51.100.{number}"));
        let answer = match number % 3 {
            0 => look(&mut eve, "AAAAAAAA").await,
            1 => approve(&mut eve, "AAAAAAAA").await,
            _ => deny(&mut eve, "AAAAAAAA").await,
        };
        if answer.status == StatusCode::TOO_MANY_REQUESTS {
            break;
        }
        answer.says(400, "invalid_request");
        tries += 1;
    }
    assert_eq!(tries, 20);
    // A code of one's own does not start the count anew.
    at(&mut eve, "192.0.2.1");
    let codes = ask(&mut test.browser()).await;
    look(&mut eve, &codes.user).await.assert(StatusCode::TOO_MANY_REQUESTS);
}

// spec: SEC-4
#[tokio::test]
async fn guesses_that_come_at_once_are_counted_before_they_are_looked_at() {
    let test = built(limited(), DeviceAuthorizationOptions::default());
    let eve = test.ada().await;
    let tries = (0..60).map(|number| {
        let mut eve = eve.clone();
        at(&mut eve, &format!("198.51.100.{number}"));
        tokio::spawn(async move { approve(&mut eve, "AAAAAAAA").await.status })
    });
    let mut looked_at = 0;
    for one in tries.collect::<Vec<_>>() {
        looked_at += u32::from(one.await.unwrap() == StatusCode::BAD_REQUEST);
    }
    assert_eq!(looked_at, 20);
}

// spec: SEC-2
#[tokio::test]
async fn what_was_approved_and_not_picked_up_ends_with_the_session_that_approved_it() {
    let test = test_engine();
    let mut thief = test.ada().await;
    let codes = approved(&test, &mut thief).await;
    let mut owner = test.browser();
    owner.sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
    owner.post("/revoke-other-sessions", json!({})).await.assert(StatusCode::OK);
    poll(&mut test.browser(), &codes.device).await.says(400, "access_denied");
    assert_eq!(test.rows("session").await.len(), 1);
    assert!(test.rows("deviceCode").await.is_empty());
}

// spec: SEC-2
#[tokio::test]
async fn a_password_reset_ends_what_was_approved() {
    let test = TestEngine::with(|mailbox| {
        let mut options = options();
        options.email_and_password.send_reset_password = mailbox.link("reset");
        options.email_and_password.revoke_sessions_on_password_reset = true;
        Engine::builder(options).plugins([device_authorization(Default::default())])
    });
    let codes = approved(&test, &mut test.ada().await).await;
    let ask = json!({ "email": "ada@example.com" });
    test.browser().post("/request-password-reset", ask).await.assert(StatusCode::OK);
    let reset = json!({ "token": test.mailbox.take().token, "newPassword": "another good one" });
    test.browser().post("/reset-password", reset).await.assert(StatusCode::OK);
    let refused = poll(&mut test.browser(), &codes.device).await;
    assert!(refused.status == StatusCode::BAD_REQUEST, "{:?}", refused.body);
    assert!(test.rows("session").await.is_empty());
}

// spec: ADM-1
#[tokio::test]
async fn somebody_who_was_shut_out_since_gets_no_session_on_a_device() {
    for reference_rows in [false, true] {
        let devices = DeviceAuthorizationOptions { reference_rows, ..Default::default() };
        let plugins = [device_authorization(devices), admin(Default::default())];
        let test = TestEngine::new(Engine::builder(options()).plugins(plugins));
        let mut ada = test.ada().await;
        let codes = approved(&test, &mut ada).await;
        let api = test.engine.api();
        let mut changes = api.changes();
        changes.update("user", Filter::all(), Record::new().with("banned", true)).await.unwrap();
        let _ = changes.commit().await.unwrap();
        let before = test.rows("session").await.len();
        let refused = poll(&mut test.browser(), &codes.device).await;
        assert!(refused.status.is_client_error(), "{:?}", refused.body);
        assert!(test.rows("session").await.len() <= before);
    }
}

#[tokio::test]
async fn an_admin_who_visits_somebody_leaves_no_device_behind() {
    let plugins = [device_authorization(Default::default()), admin(Default::default())];
    let test = TestEngine::new(Engine::builder(options()).plugins(plugins));
    let mut admin = test.browser();
    admin.sign_up("root@example.com").await.assert(StatusCode::OK);
    let api = test.engine.api();
    let mut changes = api.changes();
    changes.update("user", Filter::all(), Record::new().with("role", "admin")).await.unwrap();
    let _ = changes.commit().await.unwrap();
    let id = test.ada().await.session().await["user"]["id"].clone();
    admin.post("/admin/impersonate-user", json!({ "userId": id })).await.assert(StatusCode::OK);
    let codes = ask(&mut test.browser()).await;
    look(&mut admin, &codes.user).await.assert(StatusCode::OK);
    approve(&mut admin, &codes.user).await.says(403, "access_denied");
}

#[tokio::test]
async fn a_token_of_a_device_is_a_session_like_any_other() {
    let plugins = [
        device_authorization(Default::default()),
        bearer(housekey_engine::plugins::BearerOptions { require_signature: false }),
    ];
    let test = TestEngine::new(Engine::builder(options()).plugins(plugins));
    let codes = approved(&test, &mut test.ada().await).await;
    let mut device = test.browser();
    let token = poll(&mut device, &codes.device).await.assert(StatusCode::OK).json();
    let token = token["access_token"].as_str().unwrap();
    device.headers.insert("authorization", format!("Bearer {token}").parse().unwrap());
    assert_eq!(device.session().await["user"]["email"], "ada@example.com");
    device.post("/sign-out", json!({})).await.assert(StatusCode::OK);
    assert!(device.session().await.is_null());
}

#[tokio::test]
async fn forged_truncated_and_endless_codes_are_only_wrong() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let codes = ask(&mut test.browser()).await;
    for code in
        ["", "x", &codes.device[..39], &codes.device.to_lowercase(), &codes.user, &"x".repeat(100_000)]
    {
        poll(&mut test.browser(), code).await.says(400, "invalid_grant");
    }
    for code in ["", "x", &codes.user[..7], &codes.device, &"A".repeat(100_000), "\u{1F511}"] {
        approve(&mut ada, code).await.says(400, "invalid_request");
        deny(&mut ada, code).await.says(400, "invalid_request");
    }
    approve(&mut ada, "a\u{0}b").await.refused(400, "VALIDATION_ERROR");
    look(&mut ada, "%00").await.assert(StatusCode::BAD_REQUEST);
}

/// Somebody signed up with an address that is not theirs and approved a device; the owner takes the account over before it comes back.
// spec: SEC-2
#[tokio::test]
async fn the_first_proof_of_an_address_ends_what_was_approved_before() {
    for reference_rows in [false, true] {
        let test = TestEngine::with(|mailbox| {
            let mut options = options();
            options.email_and_password.send_reset_password = mailbox.link("reset");
            let devices = DeviceAuthorizationOptions { reference_rows, ..Default::default() };
            Engine::builder(options).plugins([device_authorization(devices)])
        });
        let codes = approved(&test, &mut test.ada().await).await;
        let ask = json!({ "email": "ada@example.com" });
        test.browser().post("/request-password-reset", ask).await.assert(StatusCode::OK);
        let reset = json!({ "token": test.mailbox.take().token, "newPassword": "another good one" });
        test.browser().post("/reset-password", reset).await.assert(StatusCode::OK);
        poll(&mut test.browser(), &codes.device).await.says(400, "invalid_grant");
        assert!(test.rows("session").await.is_empty() && test.rows("deviceCode").await.is_empty());
    }
}
