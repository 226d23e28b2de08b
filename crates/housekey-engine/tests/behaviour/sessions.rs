use housekey_engine::Engine;
use housekey_engine::options::AdditionalField;
use housekey_engine::plugins::{TwoFactorOptions, two_factor};
use http::{Method, StatusCode};
use serde_json::json;

use crate::support::{PASSWORD, TestEngine, options};

const DAY: u64 = 86_400;

#[tokio::test]
// spec: ENG-2
async fn get_session_tells_session_and_user_and_null_to_strangers() {
    let test = TestEngine::new(options());
    let mut browser = test.ada().await;
    let answer = browser.get("/get-session").await.assert(StatusCode::OK);
    let json = answer.json();
    assert_eq!(json["session"]["userId"], json["user"]["id"]);
    assert_eq!((&json["session"]["ipAddress"], &json["session"]["userAgent"]), (&json!(""), &json!("")));
    assert_eq!(
        (answer.header("cache-control"), answer.header("pragma")),
        (Some("no-store"), Some("no-cache"))
    );
    assert!(answer.cookies.is_empty());
    let stranger = test.browser().get("/get-session").await.assert(StatusCode::OK);
    assert_eq!(stranger.body, "null");
}

#[tokio::test]
async fn a_browser_s_name_may_have_any_character_that_a_header_can_carry() {
    let test = TestEngine::new(options());
    let mut browser = test.browser();
    browser.headers.insert("user-agent", http::HeaderValue::from_bytes(b"Caf\xe9/1").unwrap());
    browser.sign_up("ada@example.com").await.assert(StatusCode::OK);
    assert_eq!(browser.session().await["session"]["userAgent"], "Caf\u{e9}/1");
}

#[tokio::test]
async fn a_life_for_cookies_without_one_leaves_the_others_alone() {
    let mut options = options();
    options.advanced.default_cookie_attributes.max_age = Some(99);
    let test = TestEngine::new(options);
    let answer = test.browser().sign_up("ada@example.com").await;
    assert!(answer.cookie("session_token").unwrap().attributes.starts_with("Max-Age=604800;"));
    let body = json!({ "email": "ada@example.com", "password": PASSWORD, "rememberMe": false });
    let answer = test.browser().post("/sign-in/email", body).await;
    assert!(answer.cookie("dont_remember").unwrap().attributes.starts_with("Max-Age=99;"));
    assert!(answer.cookie("session_token").unwrap().attributes.starts_with("Path=/;"));
}

#[tokio::test]
async fn a_forged_altered_or_doubled_cookie_is_no_session() {
    let test = TestEngine::new(options());
    let good = test.ada().await;
    let (name, value) = good.cookies.iter().next().unwrap();
    let (token, signature) = value.split_once('.').unwrap();
    for forged in [
        token.to_owned(),
        format!("{token}."),
        format!("{token}.{}", &signature[1..]),
        format!("x{value}"),
        "%".into(),
        ".".into(),
        "x".repeat(8000),
    ] {
        let mut browser = test.browser();
        browser.cookies.insert(name.clone(), forged.clone());
        assert_eq!(browser.session().await, json!(null), "{forged}");
    }
    // The first of two cookies of one name counts.
    let mut browser = test.browser();
    browser.cookies.insert(name.clone(), format!("forged; {name}={value}"));
    assert_eq!(browser.session().await, json!(null));
}

#[tokio::test]
async fn a_session_slides_once_a_day_and_ends_after_a_week_of_absence() {
    let test = TestEngine::new(options());
    let mut browser = test.ada().await;
    test.advance(DAY - 1);
    assert!(browser.get("/get-session").await.cookies.is_empty());
    test.advance(1);
    let renewed = browser.get("/get-session").await;
    assert!(renewed.cookie("session_token").unwrap().attributes.starts_with("Max-Age=604800"));
    assert!(browser.get("/get-session").await.cookies.is_empty());
    test.advance(7 * DAY);
    let ended = browser.get("/get-session").await;
    assert_eq!(ended.body, "null");
    for name in ["session_token", "session_data", "dont_remember"] {
        assert!(ended.cookie(name).unwrap().is_cleared(), "{name}");
    }
    assert!(test.rows("session").await.is_empty());
}

#[tokio::test]
async fn renewal_can_be_declined_and_deferred() {
    let test = TestEngine::new(options());
    let mut browser = test.ada().await;
    test.advance(DAY);
    assert!(browser.get("/get-session?disableRefresh=true").await.cookies.is_empty());
    browser
        .send(Method::POST, "/get-session", "{}".into(), Some("application/json"))
        .await
        .assert(StatusCode::NOT_FOUND);

    let mut deferring = options();
    deferring.session.defer_session_refresh = true;
    let test = TestEngine::new(deferring);
    let mut browser = test.ada().await;
    assert_eq!(browser.session().await["needsRefresh"], false);
    test.advance(DAY);
    let answer = browser.get("/get-session").await;
    assert!(answer.cookies.is_empty());
    assert_eq!(answer.json()["needsRefresh"], true);
    let renewed = browser.post("/get-session", json!({})).await.assert(StatusCode::OK);
    assert!(renewed.cookie("session_token").is_some());
    assert_eq!(renewed.json().get("needsRefresh"), None, "who renewed need not be told to");
    assert_eq!(browser.session().await["needsRefresh"], false);
}

#[tokio::test]
// spec: STA-7
async fn signing_out_ends_the_session_for_good() {
    let test = TestEngine::new(options());
    let mut browser = test.ada().await;
    let mut stolen = browser.clone();
    let answer = browser.send(Method::POST, "/sign-out", "".into(), None).await.assert(StatusCode::OK);
    assert_eq!(answer.body, r#"{"success":true}"#);
    assert!(answer.cookie("session_token").unwrap().is_cleared());
    assert_eq!(stolen.session().await, json!(null));
    let again = test.browser().post("/sign-out", json!({})).await.assert(StatusCode::OK);
    assert!(again.cookie("session_token").unwrap().is_cleared());
}

#[tokio::test]
// spec: STA-7
async fn sessions_are_listed_and_revoked_one_by_one_and_together() {
    let test = TestEngine::new(options());
    let mut laptop = test.ada().await;
    let mut phone = test.browser();
    test.advance(1);
    phone.sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
    let mut stranger = test.browser();
    stranger.sign_up("bob@example.com").await.assert(StatusCode::OK);

    let sessions = laptop.get("/list-sessions").await.assert(StatusCode::OK).json();
    assert_eq!(sessions.as_array().unwrap().len(), 2);
    let phone_token = sessions[1]["token"].clone();

    stranger.post("/revoke-session", json!({ "token": phone_token })).await.assert(StatusCode::OK);
    assert!(phone.session().await["user"].is_object(), "a foreign token has no effect");
    laptop.post("/revoke-session", json!({ "token": phone_token })).await.assert(StatusCode::OK);
    let dead = phone.get("/get-session").await;
    assert_eq!(dead.body, "null");
    assert!(dead.cookie("session_token").unwrap().is_cleared());

    phone.sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
    laptop.post("/revoke-other-sessions", json!({})).await.assert(StatusCode::OK);
    assert_eq!(phone.session().await, json!(null));
    assert!(laptop.session().await["user"].is_object());
    laptop.post("/revoke-sessions", json!({})).await.assert(StatusCode::OK);
    assert_eq!(laptop.session().await, json!(null));
    assert!(stranger.session().await["user"].is_object());
    test.browser().get("/list-sessions").await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn those_that_are_over_are_not_counted_and_nobody_elses_are() {
    let test = TestEngine::new(options());
    let mut laptop = test.ada().await;
    let id = laptop.session().await["user"]["id"].as_str().unwrap().to_owned();
    test.browser().sign_up("bob@example.com").await.assert(StatusCode::OK);
    test.advance(5 * DAY);
    let mut phone = test.browser();
    phone.sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
    assert_eq!(test.engine.api().count_sessions_of(&id).await.unwrap(), 2);
    test.advance(3 * DAY);
    assert_eq!(test.engine.api().count_sessions_of(&id).await.unwrap(), 1, "the laptop's ended a day ago");
    phone.post("/sign-out", json!({})).await.assert(StatusCode::OK);
    assert_eq!(test.engine.api().count_sessions_of(&id).await.unwrap(), 0);
}

#[tokio::test]
async fn what_asks_for_a_fresh_session_is_refused_a_day_after_signing_in() {
    let test = TestEngine::new(options());
    let mut browser = test.ada().await;
    test.advance(DAY);
    browser.get("/list-sessions").await.refused(403, "SESSION_NOT_FRESH");
    let mut lasting = options();
    lasting.session.fresh_age = 0;
    let test = TestEngine::new(lasting);
    let mut browser = test.ada().await;
    test.advance(DAY);
    browser.get("/list-sessions").await.assert(StatusCode::OK);
}

#[tokio::test]
async fn columns_of_the_app_s_own_on_a_session_can_be_set() {
    let mut options = options();
    options.session.additional_fields.insert("theme".into(), AdditionalField::default());
    let test = TestEngine::new(options);
    let mut browser = test.ada().await;
    let answer = browser
        .post("/update-session", json!({ "theme": "dark", "userId": "someone" }))
        .await
        .assert(StatusCode::OK);
    assert_eq!(answer.json()["session"]["theme"], "dark");
    assert_ne!(answer.json()["session"]["userId"], "someone");
    assert_eq!(browser.session().await["session"]["theme"], "dark");
    let nothing = browser.post("/update-session", json!({})).await.assert(StatusCode::BAD_REQUEST);
    assert_eq!(nothing.json(), json!({ "message": "No fields to update" }));
}

#[tokio::test]
// spec: SEC-10
async fn a_session_has_an_end_however_often_it_is_renewed_where_the_options_say_so() {
    let mut limited = options();
    limited.session.max_lifetime = 10 * 86_400;
    let test = TestEngine::new(limited);
    let mut browser = test.ada().await;
    for day in 1..10 {
        test.advance(DAY);
        assert!(browser.session().await["user"].is_object(), "day {day}");
    }
    test.advance(DAY - 1);
    let last = browser.get("/get-session").await;
    assert!(last.json()["user"].is_object());
    assert!(last.cookies.is_empty(), "there is nothing left to renew");
    test.advance(1);
    assert_eq!(browser.session().await, json!(null));
    assert!(test.rows("session").await.is_empty());
}

#[tokio::test]
async fn a_session_of_a_time_without_a_maximum_ends_at_the_maximum_too() {
    let test = TestEngine::new(options());
    let mut browser = test.ada().await;
    test.advance(3 * DAY);
    assert!(browser.session().await["user"].is_object());
    let mut limited = options();
    limited.session.max_lifetime = 4 * 86_400;
    let test = test.under(limited);
    let mut now = test.browser();
    now.cookies = browser.cookies.clone();
    assert!(now.session().await["user"].is_object());
    test.advance(DAY);
    assert_eq!(now.session().await, json!(null));
}

#[tokio::test]
// spec: SEC-10
async fn a_session_that_is_not_remembered_is_not_renewed_when_its_cookie_is_left_out() {
    let test = TestEngine::new(options());
    test.ada().await;
    let mut browser = test.browser();
    let body = json!({ "email": "ada@example.com", "password": PASSWORD, "rememberMe": false });
    browser.post("/sign-in/email", body).await.assert(StatusCode::OK);
    browser.cookies.remove("better-auth.dont_remember").unwrap();
    test.advance(DAY - 1);
    assert!(browser.session().await["user"].is_object());
    test.advance(1);
    assert_eq!(browser.session().await, json!(null));
}

#[tokio::test]
// spec: SEC-10
async fn a_sign_in_ends_the_session_that_its_browser_had_where_the_options_say_so() {
    for (revoke_on_sign_in, expected) in [(false, 3), (true, 2)] {
        let mut options = options();
        options.session.revoke_on_sign_in = revoke_on_sign_in;
        let test = TestEngine::new(options);
        let mut browser = test.ada().await;
        let mut elsewhere = test.browser();
        elsewhere.sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
        let mut old = browser.clone();
        browser.sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
        assert_eq!(test.rows("session").await.len(), expected);
        assert_eq!(old.session().await.is_null(), revoke_on_sign_in);
        assert!(browser.session().await["user"].is_object());
        assert!(elsewhere.session().await["user"].is_object(), "another browser goes on");
    }
}

#[tokio::test]
// spec: SEC-10
async fn a_sign_in_that_is_challenged_ends_the_session_too() {
    let mut options = options();
    options.session.revoke_on_sign_in = true;
    let at_once = TwoFactorOptions { skip_verification_on_enable: true, ..TwoFactorOptions::default() };
    let test = TestEngine::new(Engine::builder(options).plugins([two_factor(at_once)]));
    let mut browser = test.ada().await;
    browser.post("/two-factor/enable", json!({ "password": PASSWORD })).await.assert(StatusCode::OK);
    let mut old = browser.clone();
    let answer = browser.sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK).json();
    assert_eq!(answer["twoFactorRedirect"], true);
    assert_eq!(old.session().await, json!(null));
}

#[tokio::test]
// spec: SEC-10
async fn the_list_of_sessions_tells_no_token_of_another_and_what_it_tells_ends_that_one() {
    let test = TestEngine::new(options());
    let mut laptop = test.ada().await;
    test.advance(1);
    let mut phone = test.browser();
    let token = phone.sign_in("ada@example.com", PASSWORD).await.json()["token"].clone();
    let listed = laptop.get("/list-sessions").await.assert(StatusCode::OK);
    let text = String::from_utf8(listed.body.to_vec()).unwrap();
    assert!(!text.contains(token.as_str().unwrap()), "{text}");
    let listed = listed.json();
    assert_eq!(listed[0]["token"], laptop.session().await["session"]["token"], "one's own is known anyway");

    let mut bob = test.browser();
    bob.sign_up("bob@example.com").await.assert(StatusCode::OK);
    let handle = json!({ "token": listed[1]["token"] });
    bob.post("/revoke-session", handle.clone()).await.assert(StatusCode::OK);
    assert!(phone.session().await["user"].is_object(), "only its owner can use it");
    laptop.post("/revoke-session", handle).await.assert(StatusCode::OK);
    assert_eq!(phone.session().await, json!(null));

    let mut tablet = test.browser();
    let token = tablet.sign_in("ada@example.com", PASSWORD).await.json()["token"].clone();
    laptop.post("/revoke-session", json!({ "token": token })).await.assert(StatusCode::OK);
    assert_eq!(tablet.session().await, json!(null), "a token does it too");
}
