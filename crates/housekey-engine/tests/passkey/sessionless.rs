//! Registration for someone who is not signed in.

use housekey_engine::plugins::passkey::{
    PasskeyOptions, PasskeyRegistration, PasskeyUser, RegistrationRequest, passkey,
};
use housekey_engine::plugins::{TwoFactorOptions, two_factor};
use housekey_engine::{ApiError, Callback};
use http::StatusCode;
use serde_json::json;

use crate::passkey::{CREATE, challenge, device, register, send_registration, sign_in, with};
use crate::support::{PASSWORD, TestEngine};

fn test_engine(resolve_user: Callback<RegistrationRequest, Option<PasskeyUser>>) -> TestEngine {
    let registration = PasskeyRegistration { require_session: false, resolve_user, ..Default::default() };
    TestEngine::new(with(PasskeyOptions { registration, ..PasskeyOptions::default() }))
}

/// An app that takes the id of a user for a proof. A real one would take a token.
fn naive() -> Callback<RegistrationRequest, Option<PasskeyUser>> {
    Callback::new(|request: RegistrationRequest| async move {
        let named = request.context.map(|id| PasskeyUser { id, name: "Ada".into(), display_name: None });
        Ok::<_, ApiError>(named)
    })
}

#[tokio::test]
async fn the_app_names_the_user_and_a_session_can_follow() {
    let test = test_engine(naive());
    let user = test.ada().await.session().await["user"]["id"].as_str().unwrap().to_owned();
    let (mut browser, device) = (test.browser(), device());
    let options = browser.get(&format!("{CREATE}?context={user}")).await.assert(StatusCode::OK).json();
    assert_eq!(options["user"]["displayName"], "Ada");
    let response = device.create(options["challenge"].as_str().unwrap());
    let body = json!({ "response": response, "createSession": true });
    let answer = browser.post("/passkey/verify-registration", body).await.assert(StatusCode::OK).json();
    assert_eq!((&answer["userId"], &answer["user"]["id"]), (&json!(user), &json!(user)));
    assert_eq!(browser.session().await["user"]["id"], json!(user));
    sign_in(&mut test.browser(), &device).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn without_a_name_nothing_begins() {
    test_engine(Callback::unset()).browser().get(CREATE).await.refused(400, "RESOLVE_USER_REQUIRED");
    test_engine(naive()).browser().get(CREATE).await.refused(400, "RESOLVED_USER_INVALID");
}

#[tokio::test]
async fn a_user_who_does_not_exist_gets_no_passkey() {
    let test = test_engine(naive());
    let mut browser = test.browser();
    let asked = challenge(&mut browser, &format!("{CREATE}?context=nobody")).await;
    send_registration(&mut browser, device().create(&asked)).await.refused(400, "RESOLVED_USER_INVALID");
    assert!(test.rows("passkey").await.is_empty());
}

#[tokio::test]
async fn someone_signed_in_registers_for_themselves() {
    let test = test_engine(naive());
    let mut browser = test.ada().await;
    test.advance(100_000);
    let passkey = register(&mut browser, &device()).await.assert(StatusCode::OK).json();
    assert_eq!(passkey["userId"], browser.session().await["user"]["id"]);
}

#[tokio::test]
// spec: SEC-3
async fn a_session_that_follows_meets_the_second_factor() {
    let registration =
        PasskeyRegistration { require_session: false, resolve_user: naive(), ..Default::default() };
    let passkeys = PasskeyOptions { registration, ..PasskeyOptions::default() };
    let at_once = TwoFactorOptions { skip_verification_on_enable: true, ..TwoFactorOptions::default() };
    let plugins = [passkey(passkeys), two_factor(at_once)];
    let test = TestEngine::new(with(PasskeyOptions::default()).plugins(plugins));
    let mut ada = test.ada().await;
    ada.post("/two-factor/enable", json!({ "password": PASSWORD })).await.assert(StatusCode::OK);
    let user = ada.session().await["user"]["id"].as_str().unwrap().to_owned();
    let mut browser = test.browser();
    let asked = challenge(&mut browser, &format!("{CREATE}?context={user}")).await;
    let body = json!({ "response": device().create(&asked), "createSession": true });
    let answer = browser.post("/passkey/verify-registration", body).await.assert(StatusCode::OK).json();
    assert_eq!(answer["twoFactorRedirect"], true);
    assert!(answer.get("session").is_none());
    assert_eq!(browser.session().await, json!(null));
}
