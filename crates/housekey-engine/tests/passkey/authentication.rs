use housekey_engine::plugins::passkey::{
    AuthenticatorSelection, PasskeyOptions, Requirement, passkey, verify_owner,
};
use housekey_engine::plugins::two_factor::totp_code;
use housekey_engine::plugins::{TwoFactorOptions, two_factor};
use http::StatusCode;
use serde_json::{Value, json};

use crate::passkey::authenticator::{Device, USER_PRESENT, USER_VERIFIED};
use crate::passkey::{
    CREATE, SIGN, ada_with_device, bob, challenge, device, register, send_assertion, sign_in, test_engine,
    with,
};
use crate::support::{ORIGIN, PASSWORD, TestEngine};

#[tokio::test]
async fn a_stranger_is_asked_for_any_passkey_and_its_owner_for_theirs() {
    let test = test_engine();
    let (mut ada, device) = ada_with_device(&test).await;
    let answer = test.browser().get(SIGN).await.assert(StatusCode::OK);
    assert!(answer.cookie("better-auth-passkey").is_some());
    let mut options = answer.json();
    options["challenge"].take();
    assert_eq!(
        options,
        json!({ "rpId": "localhost", "challenge": null, "timeout": 60000, "userVerification": "preferred" })
    );
    let known =
        json!([{ "id": device.credential_id(), "transports": ["internal", "hybrid"], "type": "public-key" }]);
    assert_eq!(ada.get(SIGN).await.json()["allowCredentials"], known);
}

#[tokio::test]
// spec: KIT-7
async fn a_passkey_signs_its_owner_in() {
    let test = test_engine();
    let (_, device) = ada_with_device(&test).await;
    let mut browser = test.browser();
    let answer = sign_in(&mut browser, &device).await.assert(StatusCode::OK);
    assert!(answer.cookie("session_token").is_some());
    assert!(answer.cookie("better-auth-passkey").is_none(), "the challenge's cookie is left alone");
    let signed_in = answer.json();
    assert_eq!(signed_in["user"]["email"], "ada@example.com");
    assert_eq!(browser.session().await["session"]["token"], signed_in["session"]["token"]);
}

#[tokio::test]
async fn when_it_was_used_last_is_kept_where_that_is_wanted_and_nowhere_else() {
    for track_last_use in [true, false] {
        let test = TestEngine::new(with(PasskeyOptions { track_last_use, ..PasskeyOptions::default() }));
        let has_column = test.engine.schema().table("passkey").unwrap().column("lastUsedAt").is_some();
        assert_eq!(has_column, track_last_use);
        let (mut ada, device) = ada_with_device(&test).await;
        let list = "/passkey/list-user-passkeys";
        assert!(ada.get(list).await.json()[0].get("lastUsedAt").is_none(), "registering is no use");

        test.advance(60);
        let mut forger = test.browser();
        challenge(&mut forger, SIGN).await;
        send_assertion(&mut forger, device.sign("b3RoZXI")).await.refused(400, "AUTHENTICATION_FAILED");
        assert!(ada.get(list).await.json()[0].get("lastUsedAt").is_none(), "nor is failing");

        test.advance(60);
        sign_in(&mut test.browser(), &device).await.assert(StatusCode::OK);
        let used = ada.get(list).await.json()[0].get("lastUsedAt").cloned();
        let now = serde_json::to_value(housekey_engine::Value::Date(test.clock.now())).unwrap();
        assert_eq!(used, track_last_use.then_some(now));
    }
}

#[tokio::test]
async fn asking_somebody_who_is_there_once_more_is_a_use_too() {
    let test = TestEngine::new(with(PasskeyOptions { track_last_use: true, ..PasskeyOptions::default() }));
    let (_, device) = ada_with_device(&test).await;
    let mut browser = test.browser();
    let asked = challenge(&mut browser, SIGN).await;
    let mut headers = browser.cookie_header();
    headers.insert("origin", ORIGIN.parse().unwrap());
    let mut api = test.engine.api_for(&headers);
    verify_owner(&mut api, &device.sign(&asked)).await.unwrap();
    let used = test.rows("passkey").await[0].get("lastUsedAt").and_then(housekey_engine::Value::as_date);
    assert_eq!(used, Some(test.clock.now()));
}

/// Ada with a second factor and a device; and the engine.
async fn with_second_factor() -> (TestEngine, Device) {
    let at_once = TwoFactorOptions { skip_verification_on_enable: true, ..TwoFactorOptions::default() };
    let plugins = [passkey(PasskeyOptions::default()), two_factor(at_once)];
    let test = TestEngine::new(with(PasskeyOptions::default()).plugins(plugins));
    let (mut browser, device) = ada_with_device(&test).await;
    let body = json!({ "password": PASSWORD, "method": "totp" });
    browser.post("/two-factor/enable", body).await.assert(StatusCode::OK);
    (test, device)
}

#[tokio::test]
// spec: SEC-3
async fn a_second_factor_is_not_asked_of_a_device_that_made_sure_who_uses_it() {
    let (test, device) = with_second_factor().await;
    let mut elsewhere = test.browser();
    let challenged = elsewhere.sign_in("ada@example.com", PASSWORD).await.json();
    assert_eq!(challenged["twoFactorRedirect"], true, "the factor is on");
    let signed_in = sign_in(&mut elsewhere, &device).await.assert(StatusCode::OK).json();
    assert!(signed_in["session"]["token"].is_string());
}

#[tokio::test]
// spec: SEC-3
async fn a_passkey_that_was_only_touched_meets_the_second_factor() {
    let (test, mut device) = with_second_factor().await;
    device.flags = USER_PRESENT;
    let mut browser = test.browser();
    let sessions = test.rows("session").await.len();
    let answer = sign_in(&mut browser, &device).await.assert(StatusCode::OK);
    assert_eq!(answer.json(), json!({ "twoFactorRedirect": true, "twoFactorMethods": ["totp"] }));
    assert!(answer.cookie("session_token").is_none_or(|cookie| cookie.is_cleared()));
    assert_eq!(browser.session().await, Value::Null);
    assert_eq!(test.rows("session").await.len(), sessions);

    let api = test.engine.api();
    let ada = api.user_by_email("ada@example.com").await.unwrap().unwrap();
    let code = json!({ "code": totp_code(&api, &ada).await.unwrap() });
    browser.post("/two-factor/verify-totp", code).await.assert(StatusCode::OK);
    assert_eq!(browser.session().await["user"]["email"], "ada@example.com");
}

#[tokio::test]
async fn who_has_no_second_factor_signs_in_with_a_touch() {
    let test = test_engine();
    let (_, mut device) = ada_with_device(&test).await;
    device.flags = USER_PRESENT;
    let answer = sign_in(&mut test.browser(), &device).await.assert(StatusCode::OK).json();
    assert!(answer["session"]["token"].is_string());
}

#[tokio::test]
// spec: SEC-3
async fn a_touch_does_not_stand_in_for_the_password_of_somebody_who_is_there() {
    let test = test_engine();
    let (_, mut device) = ada_with_device(&test).await;
    for (flags, confirms) in [(USER_PRESENT, false), (USER_PRESENT | USER_VERIFIED, true)] {
        device.flags = flags;
        let mut browser = test.browser();
        let asked = challenge(&mut browser, SIGN).await;
        let mut headers = browser.cookie_header();
        headers.insert("origin", ORIGIN.parse().unwrap());
        let mut api = test.engine.api_for(&headers);
        assert_eq!(verify_owner(&mut api, &device.sign(&asked)).await.is_ok(), confirms);
    }
}

/// Another host of the domain can ask for the same `rp_id`, and its browser says truly where it stands.
#[tokio::test]
async fn a_page_of_an_origin_that_is_not_trusted_cannot_have_a_passkey_confirm_for_it() {
    let test = test_engine();
    let (_, mut device) = ada_with_device(&test).await;
    device.flags = USER_PRESENT | USER_VERIFIED;
    for (origin, confirms) in [("http://other.localhost:3000", false), (ORIGIN, true)] {
        device.origin = origin.into();
        let mut browser = test.browser();
        let asked = challenge(&mut browser, SIGN).await;
        let mut headers = browser.cookie_header();
        headers.insert("origin", origin.parse().unwrap());
        let mut api = test.engine.api_for(&headers);
        assert_eq!(verify_owner(&mut api, &device.sign(&asked)).await.is_ok(), confirms, "{origin}");
    }
}

#[tokio::test]
async fn an_answer_from_elsewhere_is_refused() {
    let test = test_engine();
    let (_, mut device) = ada_with_device(&test).await;
    let lies: [fn(&mut Device); 4] = [
        |device| device.origin = "http://evil.example".into(),
        |device| device.rp_id = "evil.example".into(),
        |device| device.cross_origin = true,
        |device| device.flags = 0,
    ];
    let (origin, rp_id, flags) = (device.origin.clone(), device.rp_id.clone(), device.flags);
    for lie in lies {
        lie(&mut device);
        let mut browser = test.browser();
        let answer = sign_in(&mut browser, &device).await.refused(400, "AUTHENTICATION_FAILED");
        assert!(answer.cookie("session_token").is_none());
        (device.origin, device.rp_id, device.flags) = (origin.clone(), rp_id.clone(), flags);
        device.cross_origin = false;
    }
    sign_in(&mut test.browser(), &device).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn a_request_without_an_origin_is_refused() {
    let test = test_engine();
    let (_, device) = ada_with_device(&test).await;
    let mut browser = test.browser();
    let asked = challenge(&mut browser, SIGN).await;
    let mut bare = test.browser();
    bare.headers.remove("origin");
    let answer = send_assertion(&mut bare, device.sign(&asked)).await.assert(StatusCode::BAD_REQUEST);
    assert_eq!(answer.json(), json!({ "message": "origin missing" }));
}

#[tokio::test]
async fn a_challenge_serves_once_and_not_for_long() {
    let test = test_engine();
    let (mut ada, device) = ada_with_device(&test).await;
    let mut browser = test.browser();
    send_assertion(&mut browser, device.sign("none")).await.refused(400, "CHALLENGE_NOT_FOUND");

    let asked = challenge(&mut browser, SIGN).await;
    let response = device.sign(&asked);
    send_assertion(&mut browser, response.clone()).await.assert(StatusCode::OK);
    send_assertion(&mut browser, response).await.refused(400, "CHALLENGE_NOT_FOUND");

    let mut browser = test.browser();
    let asked = challenge(&mut browser, SIGN).await;
    send_assertion(&mut browser, device.sign("b3RoZXI")).await.refused(400, "AUTHENTICATION_FAILED");
    send_assertion(&mut browser, device.sign(&asked)).await.refused(400, "CHALLENGE_NOT_FOUND");

    let asked = challenge(&mut browser, SIGN).await;
    test.advance(301);
    send_assertion(&mut browser, device.sign(&asked)).await.refused(400, "CHALLENGE_NOT_FOUND");

    let of_registration = challenge(&mut ada, CREATE).await;
    send_assertion(&mut ada, device.sign(&of_registration)).await.refused(400, "CHALLENGE_NOT_FOUND");
}

#[tokio::test]
async fn an_answer_to_a_registration_is_none_to_a_sign_in() {
    let test = test_engine();
    let (_, device) = ada_with_device(&test).await;
    let mut browser = test.browser();
    let asked = challenge(&mut browser, SIGN).await;
    let (mut signed, created) = (device.sign(&asked), device.create(&asked));
    signed["response"]["clientDataJSON"] = created["response"]["clientDataJSON"].clone();
    send_assertion(&mut browser, signed).await.refused(400, "AUTHENTICATION_FAILED");
}

#[tokio::test]
async fn a_counter_that_goes_back_tells_of_a_copy() {
    let test = test_engine();
    let (_, mut device) = ada_with_device(&test).await;
    for (counter, good) in [(0, true), (0, true), (5, true), (5, false), (4, false), (0, false), (6, true)] {
        device.counter = counter;
        let answer = sign_in(&mut test.browser(), &device).await;
        let expected = if good { StatusCode::OK } else { StatusCode::BAD_REQUEST };
        assert_eq!(answer.status, expected, "counter {counter}");
        if !good {
            answer.refused(400, "AUTHENTICATION_FAILED");
        }
    }
    assert_eq!(test.rows("passkey").await[0].get("counter").unwrap().as_integer(), Some(6));
}

#[tokio::test]
async fn of_two_answers_with_one_counter_one_is_believed() {
    let test = test_engine();
    let (_, mut device) = ada_with_device(&test).await;
    device.counter = 9;
    let (mut one, mut two) = (test.browser(), test.browser());
    let (first, second) = (challenge(&mut one, SIGN).await, challenge(&mut two, SIGN).await);
    let (first, second) = tokio::join!(
        send_assertion(&mut one, device.sign(&first)),
        send_assertion(&mut two, device.sign(&second))
    );
    let good = [&first, &second].iter().filter(|answer| answer.status == StatusCode::OK).count();
    assert_eq!(good, 1);
}

#[tokio::test]
async fn a_credential_that_nobody_registered_is_refused() {
    let test = test_engine();
    let (_, known) = ada_with_device(&test).await;
    sign_in(&mut test.browser(), &device()).await.refused(401, "PASSKEY_NOT_FOUND");
    let mut impostor = device();
    impostor.id.clone_from(&known.id);
    sign_in(&mut test.browser(), &impostor).await.refused(401, "AUTHENTICATION_FAILED");
    let mut browser = test.browser();
    for odd in
        [json!({}), json!({ "id": 5 }), json!({ "id": null }), json!({ "id": "" }), json!({ "id": "\0" })]
    {
        challenge(&mut browser, SIGN).await;
        send_assertion(&mut browser, odd).await.refused(401, "PASSKEY_NOT_FOUND");
    }
}

#[tokio::test]
async fn the_key_of_another_user_opens_only_their_account() {
    let test = test_engine();
    let (_, of_ada) = ada_with_device(&test).await;
    let mut bob = bob(&test).await;
    let of_bob = device();
    register(&mut bob, &of_bob).await.assert(StatusCode::OK);
    let mut browser = test.browser();
    let asked = challenge(&mut browser, SIGN).await;
    let mut mixed = of_bob.sign(&asked);
    (mixed["id"], mixed["rawId"]) = (json!(of_ada.credential_id()), json!(of_ada.credential_id()));
    send_assertion(&mut browser, mixed).await.refused(401, "AUTHENTICATION_FAILED");
    let signed_in = sign_in(&mut browser, &of_bob).await.assert(StatusCode::OK).json();
    assert_eq!(signed_in["user"]["email"], "bob@example.com");
}

#[tokio::test]
async fn a_user_who_was_deleted_meanwhile_is_not_signed_in() {
    let mut builder = with(PasskeyOptions::default());
    builder.options.user.delete_user.enabled = true;
    let test = TestEngine::new(builder);
    let (mut ada, device) = ada_with_device(&test).await;
    let mut browser = test.browser();
    let asked = challenge(&mut browser, SIGN).await;
    ada.post("/delete-user", json!({})).await.assert(StatusCode::OK);
    assert!(test.rows("passkey").await.is_empty(), "their passkeys went with them");
    send_assertion(&mut browser, device.sign(&asked)).await.refused(401, "PASSKEY_NOT_FOUND");
}

#[tokio::test]
async fn user_verification_is_asked_for_and_checked_when_it_is_required() {
    let authenticator_selection =
        AuthenticatorSelection { user_verification: Requirement::Required, ..Default::default() };
    let test = TestEngine::new(with(PasskeyOptions { authenticator_selection, ..PasskeyOptions::default() }));
    let (mut ada, mut verifying) = ada_with_device(&test).await;
    let mut careless = device();
    careless.flags = USER_PRESENT;
    register(&mut ada, &careless).await.refused(400, "FAILED_TO_VERIFY_REGISTRATION");
    assert_eq!(ada.get(SIGN).await.json()["userVerification"], "required");
    sign_in(&mut test.browser(), &verifying).await.assert(StatusCode::OK);
    verifying.flags = USER_PRESENT;
    sign_in(&mut test.browser(), &verifying).await.refused(400, "AUTHENTICATION_FAILED");
}

#[tokio::test]
async fn a_body_of_another_form_is_named() {
    let test = test_engine();
    let mut browser = test.browser();
    for (body, received) in [
        (json!({}), "undefined"),
        (json!({ "response": [] }), "array"),
        (json!({ "response": "x" }), "string"),
    ] {
        let answer = browser.post("/passkey/verify-authentication", body).await;
        let message = answer.refused(400, "VALIDATION_ERROR").json()["message"].clone();
        assert_eq!(
            message,
            json!(format!("[body.response] Invalid input: expected record, received {received}"))
        );
    }
}

#[tokio::test]
async fn a_browser_that_is_to_forget_forgets_here_too() {
    let test = test_engine();
    let (_, device) = ada_with_device(&test).await;
    let mut browser = test.browser();
    let body = json!({ "email": "ada@example.com", "password": PASSWORD, "rememberMe": false });
    browser.post("/sign-in/email", body).await.assert(StatusCode::OK);
    let answer = sign_in(&mut browser, &device).await.assert(StatusCode::OK);
    assert!(!answer.cookie("session_token").unwrap().attributes.contains("Max-Age"));
}

#[tokio::test]
async fn a_page_of_another_site_is_stopped_before_anything_is_read() {
    let test = test_engine();
    let (_, device) = ada_with_device(&test).await;
    let mut browser = test.browser();
    let asked = challenge(&mut browser, SIGN).await;
    browser.headers.insert("origin", "http://evil.example".parse().unwrap());
    let answer = send_assertion(&mut browser, device.sign(&asked)).await;
    assert_eq!(answer.status, StatusCode::FORBIDDEN);
    browser.headers.insert("origin", ORIGIN.parse().unwrap());
    send_assertion(&mut browser, device.sign(&asked)).await.assert(StatusCode::OK);
    assert_ne!(browser.session().await, Value::Null);
}
