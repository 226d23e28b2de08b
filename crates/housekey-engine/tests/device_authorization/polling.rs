//! A device that waits.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use housekey_engine::hooks::{BeforeWrite, DatabaseHooks};
use housekey_engine::{ApiError, Callback};
use housekey_test_support::in_time;
use tokio::sync::Notify;

use super::*;

// spec: KEY-1
#[tokio::test]
async fn a_device_that_was_approved_gets_a_session_of_its_own() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let mut device = test.browser();
    device.headers.insert("user-agent", "tool/1.0".parse().unwrap());
    let codes = ask(&mut device).await;
    let pending = poll(&mut device, &codes.device).await;
    assert_eq!(pending.header("pragma"), Some("no-cache"), "a refusal is nothing to keep either");
    assert_eq!(pending.says(400, "authorization_pending"), "Authorization pending");

    look(&mut ada, &codes.user).await.assert(StatusCode::OK);
    approve(&mut ada, &codes.user).await.assert(StatusCode::OK);
    test.advance(5);
    let answer = poll(&mut device, &codes.device).await.assert(StatusCode::OK);
    assert_eq!(answer.header("cache-control"), Some("no-store"));
    assert_eq!(answer.header("pragma"), Some("no-cache"));
    assert!(answer.cookies.is_empty(), "a device has no use for a cookie");
    let token = answer.json();
    assert_eq!((token["token_type"].as_str(), token["scope"].as_str()), (Some("Bearer"), Some("read write")));
    assert_eq!(token["expires_in"], 604_800);
    let sessions = test.rows("session").await;
    assert_eq!(sessions.len(), 2);
    let own = sessions.iter().find(|row| row.text("token") == token["access_token"].as_str()).unwrap();
    assert_eq!(own.text("userAgent"), Some("tool/1.0"));
    assert!(test.rows("deviceCode").await.is_empty(), "the codes are spent");
}

#[tokio::test]
async fn a_device_that_asks_too_often_is_told_to_slow_down() {
    let test = test_engine();
    let mut device = test.browser();
    let codes = ask(&mut device).await;
    poll(&mut device, &codes.device).await.says(400, "authorization_pending");
    for _ in 0..3 {
        test.advance(1);
        poll(&mut device, &codes.device).await.says(400, "slow_down");
    }
    test.advance(2);
    poll(&mut device, &codes.device).await.says(400, "authorization_pending");
}

#[tokio::test]
async fn of_many_polls_at_once_one_is_answered() {
    let test = distant();
    let codes = ask(&mut test.browser()).await;
    let polls = (0..16).map(|_| {
        let (mut device, code) = (test.browser(), codes.device.clone());
        tokio::spawn(async move { poll(&mut device, &code).await.json()["error"].clone() })
    });
    let mut answered = 0;
    for one in polls.collect::<Vec<_>>() {
        match one.await.unwrap().as_str() {
            Some("authorization_pending") => answered += 1,
            other => assert_eq!(other, Some("slow_down")),
        }
    }
    assert_eq!(answered, 1);
}

#[tokio::test]
async fn of_many_who_bring_an_approved_code_at_once_one_gets_a_session() {
    let test = distant();
    let mut ada = test.ada().await;
    let codes = approved(&test, &mut ada).await;
    let polls = (0..16).map(|_| {
        let (mut device, code) = (test.browser(), codes.device.clone());
        tokio::spawn(async move { poll(&mut device, &code).await.status })
    });
    let mut let_in = 0;
    for one in polls.collect::<Vec<_>>() {
        let_in += u32::from(one.await.unwrap() == StatusCode::OK);
    }
    assert_eq!(let_in, 1);
    assert_eq!(test.rows("session").await.len(), 2);
}

#[tokio::test]
async fn a_code_is_spent_by_the_session_that_it_gave() {
    let test = test_engine();
    let codes = approved(&test, &mut test.ada().await).await;
    let mut device = test.browser();
    poll(&mut device, &codes.device).await.assert(StatusCode::OK);
    test.advance(5);
    poll(&mut device, &codes.device).await.says(400, "invalid_grant");
}

#[tokio::test]
async fn a_device_that_was_denied_hears_so_once() {
    let test = test_engine();
    let (mut ada, mut device) = (test.ada().await, test.browser());
    let codes = ask(&mut device).await;
    look(&mut ada, &codes.user).await.assert(StatusCode::OK);
    deny(&mut ada, &codes.user).await.assert(StatusCode::OK);
    poll(&mut device, &codes.device).await.says(400, "access_denied");
    poll(&mut device, &codes.device).await.says(400, "invalid_grant");
    assert_eq!(test.rows("session").await.len(), 1);
}

#[tokio::test]
async fn codes_live_for_half_an_hour() {
    let test = test_engine();
    let (mut ada, mut device) = (test.ada().await, test.browser());
    let (first, second) = (ask(&mut device).await, ask(&mut device).await);
    look(&mut ada, &second.user).await.assert(StatusCode::OK);
    approve(&mut ada, &second.user).await.assert(StatusCode::OK);
    test.advance(1801);
    poll(&mut device, &first.device).await.says(400, "expired_token");
    poll(&mut device, &first.device).await.says(400, "invalid_grant");
    look(&mut ada, &second.user).await.says(400, "expired_token");
    approve(&mut ada, &second.user).await.says(400, "expired_token");
    poll(&mut device, &second.device).await.says(400, "expired_token");
    assert_eq!(test.rows("session").await.len(), 1, "approved too early is too late");
}

#[tokio::test]
async fn another_client_than_the_one_that_asked_gets_nothing() {
    let test = test_engine();
    let codes = approved(&test, &mut test.ada().await).await;
    let body = json!({ "grant_type": GRANT, "device_code": codes.device, "client_id": "other" });
    let refused = test.browser().post("/device/token", body).await;
    assert_eq!(refused.says(400, "invalid_grant"), "Client ID mismatch");
    poll(&mut test.browser(), &codes.device).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn a_poll_may_be_a_form_and_must_say_what_it_is() {
    let test = test_engine();
    let unknown =
        "grant_type=urn%3Aietf%3Aparams%3Aoauth%3Agrant-type%3Adevice_code&device_code=x&client_id=tool";
    form(&mut test.browser(), "/device/token", unknown).await.says(400, "invalid_grant");
    for body in [
        json!({ "device_code": "x", "client_id": CLIENT }),
        json!({ "grant_type": "password", "device_code": "x", "client_id": CLIENT }),
        json!({ "grant_type": GRANT, "client_id": CLIENT }),
        json!({ "grant_type": GRANT, "device_code": "a\u{0}b", "client_id": CLIENT }),
    ] {
        test.browser().post("/device/token", body).await.refused(400, "VALIDATION_ERROR");
    }
}

/// The first is so slow that the device may ask again, and does.
// spec: KEY-2
#[tokio::test]
async fn a_code_that_is_being_spent_gives_no_second_session() {
    let (inside, go) = (Arc::new(Notify::new()), Arc::new(Notify::new()));
    let armed = Arc::new(AtomicBool::new(false));
    let mut options = options();
    options.database_hooks = {
        let (inside, go, armed) = (Arc::clone(&inside), Arc::clone(&go), Arc::clone(&armed));
        DatabaseHooks::new().before_create("session", move |_| {
            let (inside, go, armed) = (Arc::clone(&inside), Arc::clone(&go), Arc::clone(&armed));
            async move {
                if armed.swap(false, Ordering::SeqCst) {
                    inside.notify_one();
                    go.notified().await;
                }
                Ok::<_, ApiError>(BeforeWrite::Proceed)
            }
        })
    };
    let test = built(options, DeviceAuthorizationOptions::default());
    let codes = approved(&test, &mut test.ada().await).await;
    armed.store(true, Ordering::SeqCst);
    let (mut slow, code) = (test.browser(), codes.device.clone());
    let slow = tokio::spawn(async move { poll(&mut slow, &code).await });
    in_time("the step inside", inside.notified()).await;
    test.advance(5);
    poll(&mut test.browser(), &codes.device).await.assert(StatusCode::OK);
    go.notify_one();
    slow.await.unwrap().says(400, "invalid_grant");
    assert_eq!(test.rows("session").await.len(), 2);
}

#[tokio::test]
async fn a_client_that_is_no_client_any_more_gets_nothing_for_its_code() {
    let known = Arc::new(AtomicBool::new(true));
    let asked = Arc::clone(&known);
    let validate_client = Callback::new(move |_| {
        let known = asked.load(Ordering::SeqCst);
        async move { Ok::<_, ApiError>(known) }
    });
    let test = built(options(), DeviceAuthorizationOptions { validate_client, ..Default::default() });
    let codes = approved(&test, &mut test.ada().await).await;
    known.store(false, Ordering::SeqCst);
    poll(&mut test.browser(), &codes.device).await.says(400, "invalid_grant");
    known.store(true, Ordering::SeqCst);
    poll(&mut test.browser(), &codes.device).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn nobody_gets_codes_or_sessions_while_clients_cannot_be_checked() {
    let down = Arc::new(AtomicBool::new(false));
    let asked = Arc::clone(&down);
    let validate_client = Callback::new(move |_| {
        let down = asked.load(Ordering::SeqCst);
        async move { if down { Err("the list of clients is gone") } else { Ok(true) } }
    });
    let test = built(options(), DeviceAuthorizationOptions { validate_client, ..Default::default() });
    let codes = approved(&test, &mut test.ada().await).await;
    down.store(true, Ordering::SeqCst);
    let refused = test.browser().post("/device/code", json!({ "client_id": CLIENT })).await;
    refused.assert(StatusCode::INTERNAL_SERVER_ERROR);
    poll(&mut test.browser(), &codes.device).await.assert(StatusCode::INTERNAL_SERVER_ERROR);
    assert_eq!((test.rows("deviceCode").await.len(), test.rows("session").await.len()), (1, 1));
}

#[tokio::test]
async fn clearing_away_old_codes_leaves_those_that_live() {
    let test = test_engine();
    let mut device = test.browser();
    ask(&mut device).await;
    test.advance(3000);
    let living = ask(&mut device).await;
    test.advance(601);
    ask(&mut device).await;
    poll(&mut device, &living.device).await.says(400, "authorization_pending");
    test.advance(3601);
    ask(&mut device).await;
    assert_eq!(test.rows("deviceCode").await.len(), 3, "the first of four is gone");
}
