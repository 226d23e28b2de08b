//! The person with the other device.

use housekey_engine::plugins::device_authorization::{self as devices, DeviceStatus};
use housekey_engine::plugins::two_factor;
use housekey_engine::plugins::two_factor::TwoFactorOptions;

use super::*;
use crate::sink::Events;
use crate::support::PASSWORD;

#[tokio::test]
async fn whoever_is_signed_in_sees_who_asks_for_what_and_nobody_else_does() {
    let test = test_engine();
    let codes = ask(&mut test.browser()).await;
    let user_code = codes.user.as_str();
    let stranger = look(&mut test.browser(), user_code).await.assert(StatusCode::OK).json();
    assert_eq!(stranger, json!({ "user_code": user_code, "status": "pending" }));
    let own = look(&mut test.ada().await, user_code).await.assert(StatusCode::OK).json();
    let expected = json!({
        "user_code": user_code, "status": "pending", "client_id": CLIENT, "scope": "read write",
    });
    assert_eq!(own, expected);
}

#[tokio::test]
async fn a_code_may_be_typed_as_people_type() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let codes = ask(&mut test.browser()).await;
    let (front, back) = codes.user.split_at(4);
    let typed = format!("{}-{}", front.to_lowercase(), back.to_lowercase());
    look(&mut ada, &typed).await.assert(StatusCode::OK);
    approve(&mut ada, &format!("%{typed}")).await.assert(StatusCode::OK);
}

// What the page shows, so that somebody who was talked into entering a code can tell.
#[tokio::test]
async fn server_code_tells_the_page_from_where_and_when_the_device_asked() {
    let test = test_engine();
    let ada = test.ada().await;
    let mut device = test.browser();
    device.headers.insert("x-forwarded-for", "203.0.113.7".parse().unwrap());
    device.headers.insert("user-agent", "tool/1.0".parse().unwrap());
    let asked_at = test.clock.now();
    let codes = ask(&mut device).await;
    test.advance(60);
    let mut api = test.engine.api_for(&ada.cookie_header());
    let found = devices::inspect(&mut api, &codes.user).await.unwrap();
    assert_eq!(found.status, DeviceStatus::Pending);
    let request = found.request.unwrap();
    assert_eq!(request.client_id.as_deref(), Some(CLIENT));
    assert_eq!(request.scope.as_deref(), Some("read write"));
    assert_eq!(request.ip_address.as_deref(), Some("203.0.113.7"));
    assert_eq!(request.user_agent.as_deref(), Some("tool/1.0"));
    assert_eq!(request.asked_at.map(|at| at.unix_timestamp()), Some(asked_at.unix_timestamp()));
    devices::approve(&mut api, &codes.user).await.unwrap();
    let poll = devices::RedeemDeviceCode { device_code: codes.device.into(), client_id: CLIENT.into() };
    let token = devices::redeem(&mut test.engine.api(), poll).await.unwrap();
    assert_eq!(token.signed_in.user.email, "ada@example.com");
    assert!(!format!("{token:?}").contains(&token.signed_in.session.token));
}

#[tokio::test]
async fn nobody_approves_what_they_have_not_looked_at() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let codes = ask(&mut test.browser()).await;
    approve(&mut ada, &codes.user).await.says(400, "invalid_request");
    deny(&mut ada, &codes.user).await.says(400, "invalid_request");
    // Nor does a look of somebody who is not signed in count.
    look(&mut test.browser(), &codes.user).await.assert(StatusCode::OK);
    approve(&mut ada, &codes.user).await.says(400, "invalid_request");
    approve(&mut test.browser(), &codes.user).await.says(401, "unauthorized");
    deny(&mut test.browser(), &codes.user).await.says(401, "unauthorized");
}

#[tokio::test]
async fn only_whoever_looked_first_decides() {
    let test = test_engine();
    let (mut ada, mut eve) = (test.ada().await, test.browser());
    eve.sign_up("eve@example.com").await.assert(StatusCode::OK);
    let codes = ask(&mut test.browser()).await;
    look(&mut ada, &codes.user).await.assert(StatusCode::OK);
    let seen = look(&mut eve, &codes.user).await.assert(StatusCode::OK).json();
    assert!(seen.get("client_id").is_none(), "{seen}");
    approve(&mut eve, &codes.user).await.says(403, "access_denied");
    deny(&mut eve, &codes.user).await.says(403, "access_denied");
    approve(&mut ada, &codes.user).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn a_decision_is_made_once() {
    let test = test_engine();
    let mut ada = test.ada().await;
    let codes = approved(&test, &mut ada).await;
    deny(&mut ada, &codes.user).await.says(400, "invalid_request");
    approve(&mut ada, &codes.user).await.says(400, "invalid_request");
    assert_eq!(look(&mut ada, &codes.user).await.json()["status"], "approved");
}

#[tokio::test]
async fn of_two_people_who_look_at_once_one_may_decide() {
    let test = distant();
    let (ada, mut eve) = (test.ada().await, test.browser());
    eve.sign_up("eve@example.com").await.assert(StatusCode::OK);
    for _ in 0..8 {
        let codes = ask(&mut test.browser()).await;
        let [one, other] = [ada.clone(), eve.clone()].map(|mut browser| {
            let code = codes.user.clone();
            tokio::spawn(async move {
                let is_theirs = look(&mut browser, &code).await.json().get("client_id").is_some();
                (is_theirs, approve(&mut browser, &code).await.status == StatusCode::OK)
            })
        });
        let mut decided = [one.await.unwrap(), other.await.unwrap()];
        decided.sort_unstable();
        assert_eq!(
            decided,
            [(false, false), (true, true)],
            "whoever sees the request decides, and nobody else"
        );
    }
}

#[tokio::test]
async fn of_yes_and_no_at_once_one_is_heard() {
    let test = distant();
    let mut ada = test.ada().await;
    let codes = ask(&mut test.browser()).await;
    look(&mut ada, &codes.user).await.assert(StatusCode::OK);
    let (mut yes, mut no, code) = (ada.clone(), ada, codes.user.clone());
    let no = tokio::spawn(async move { deny(&mut no, &code).await.status });
    let yes = approve(&mut yes, &codes.user).await.status;
    let mut heard = [yes, no.await.unwrap()];
    heard.sort_unstable();
    assert_eq!(heard, [StatusCode::OK, StatusCode::BAD_REQUEST]);
}

#[tokio::test]
async fn a_device_can_say_who_is_to_approve() {
    let test = test_engine();
    let (mut ada, mut eve) = (test.ada().await, test.browser());
    eve.sign_up("eve@example.com").await.assert(StatusCode::OK);
    let id = ada.session().await["user"]["id"].clone();
    let body = json!({ "client_id": CLIENT, "user_id": id });
    let codes = test.browser().post("/device/code", body).await.assert(StatusCode::OK).json();
    let user_code = codes["user_code"].as_str().unwrap();
    look(&mut eve, user_code).await.assert(StatusCode::OK);
    approve(&mut eve, user_code).await.says(403, "access_denied");
    approve(&mut ada, user_code).await.assert(StatusCode::OK);
}

// spec: KEY-2
#[tokio::test]
async fn the_second_factor_is_with_whoever_approves() {
    let second = TwoFactorOptions { skip_verification_on_enable: true, ..Default::default() };
    let plugins = [device_authorization(Default::default()), two_factor(second)];
    let test = TestEngine::new(Engine::builder(options()).plugins(plugins));
    let mut ada = test.ada().await;
    ada.post("/two-factor/enable", json!({ "password": PASSWORD })).await.assert(StatusCode::OK);
    // Whoever has only the password can neither see nor approve.
    let codes = ask(&mut test.browser()).await;
    let mut half = test.browser();
    half.sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
    assert!(look(&mut half, &codes.user).await.json().get("client_id").is_none());
    approve(&mut half, &codes.user).await.says(401, "unauthorized");
    look(&mut ada, &codes.user).await.assert(StatusCode::OK);
    approve(&mut ada, &codes.user).await.assert(StatusCode::OK);
    poll(&mut test.browser(), &codes.device).await.assert(StatusCode::OK);
}

// spec: SEC-9
#[tokio::test]
async fn what_happens_is_told_without_a_code() {
    let events = Events::default();
    let options = EngineOptions { on_security_event: events.sink(), ..options() };
    let test = built(options, DeviceAuthorizationOptions::default());
    let mut ada = test.ada().await;
    events.take();
    let codes = approved(&test, &mut ada).await;
    poll(&mut test.browser(), &codes.device).await.assert(StatusCode::OK);
    let told = events.all();
    let kinds: Vec<_> = told.iter().map(|event| event.kind.name()).collect();
    assert_eq!(kinds, ["device-approved", "sign-in"]);
    assert_eq!(told[1].detail.text("method"), Some("device-authorization"));
    assert_eq!(told[1].detail.text("client"), Some(CLIENT));
    assert!(told[1].session_id.is_some() && told[1].session_id != told[0].session_id);
    let text = format!("{told:?}");
    assert!(!text.contains(&codes.device) && !text.contains(&codes.user));
    events.take();
    let codes = ask(&mut test.browser()).await;
    look(&mut ada, &codes.user).await.assert(StatusCode::OK);
    deny(&mut ada, &codes.user).await.assert(StatusCode::OK);
    assert_eq!(events.take()[0].split(' ').next(), Some("device-denied"));
}
