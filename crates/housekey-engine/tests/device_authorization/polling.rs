//! A device that waits.

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
    let test = test_engine();
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
    let test = test_engine();
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
