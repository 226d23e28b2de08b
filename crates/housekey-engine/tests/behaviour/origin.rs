use housekey_engine::options::{EngineOptions, OriginCheck, OriginRequest};
use housekey_engine::{ApiError, Callback};
use http::StatusCode;
use serde_json::json;

use crate::support::{Browser, PASSWORD, TestEngine, options};

fn with_headers(mut browser: Browser, headers: &[(&'static str, &'static str)]) -> Browser {
    browser.headers.clear();
    for (name, value) in headers {
        browser.headers.insert(*name, value.parse().unwrap());
    }
    browser
}

#[tokio::test]
async fn a_request_with_cookies_must_come_from_a_trusted_origin() {
    let test = TestEngine::new(options());
    let ada = test.ada().await;
    for (headers, refusal) in [
        (&[][..], Some("MISSING_OR_NULL_ORIGIN")),
        (&[("origin", "null")], Some("MISSING_OR_NULL_ORIGIN")),
        (&[("origin", "null"), ("sec-fetch-site", "same-origin"), ("host", "localhost:3000")], None),
        (
            &[("origin", "null"), ("sec-fetch-site", "same-origin"), ("host", "rebound.test:3000")],
            Some("INVALID_ORIGIN"),
        ),
        (&[("origin", "null"), ("sec-fetch-site", "same-origin")], Some("MISSING_OR_NULL_ORIGIN")),
        (&[("referer", "null")], Some("MISSING_OR_NULL_ORIGIN")),
        (&[("origin", ""), ("referer", "http://localhost:3000/page")], None),
        (&[("origin", "https://evil.test")], Some("INVALID_ORIGIN")),
        (&[("origin", "http://127.0.0.1:3000")], Some("INVALID_ORIGIN")),
        (&[("referer", "https://evil.test/page")], Some("INVALID_ORIGIN")),
        (&[("referer", "http://localhost:3000/page")], None),
        (&[("origin", "http://localhost:3000")], None),
    ] {
        let mut browser = with_headers(ada.clone(), headers);
        let answer = browser.post("/update-user", json!({ "name": "Ada" })).await;
        match refusal {
            Some(code) => drop(answer.refused(403, code)),
            None => drop(answer.assert(StatusCode::OK)),
        }
        browser.get("/get-session").await.assert(StatusCode::OK);
    }
}

#[tokio::test]
async fn a_program_that_names_no_origin_is_told_which_one_to_send() {
    let test = TestEngine::new(EngineOptions { base_url: "https://shop.example".into(), ..options() });
    let mut program = with_headers(test.browser(), &[("cookie", "a=b")]);
    let refused = program.post("/update-user", json!({ "name": "Ada" })).await;
    let refused = refused.refused(403, "MISSING_OR_NULL_ORIGIN").json();
    let message = refused["message"].as_str().unwrap();
    assert!(message.starts_with("Missing or null Origin. "), "{message}");
    assert!(
        message.contains("`Origin: https://shop.example`") && message.contains("bearer token"),
        "{message}"
    );
}

#[tokio::test]
async fn signing_in_without_cookies_is_checked_when_it_looks_like_a_browser() {
    let test = TestEngine::new(options());
    test.ada().await;
    for (headers, refusal) in [
        (&[][..], None),
        (&[("origin", "https://evil.test")], Some("INVALID_ORIGIN")),
        (&[("sec-fetch-mode", "cors")], Some("MISSING_OR_NULL_ORIGIN")),
        (
            &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate")],
            Some("CROSS_SITE_NAVIGATION_LOGIN_BLOCKED"),
        ),
        (&[("sec-fetch-mode", "cors"), ("origin", "http://localhost:3000")], None),
        (&[("sec-fetch-site", "")], None),
        (&[("sec-fetch-site", " "), ("origin", "")], None),
    ] {
        let answer = with_headers(test.browser(), headers).sign_in("ada@example.com", PASSWORD).await;
        match refusal {
            Some(code) => drop(answer.refused(403, code)),
            None => drop(answer.assert(StatusCode::OK)),
        }
    }
    // Other endpoints have nothing to protect without a cookie.
    let mut stranger = with_headers(test.browser(), &[("origin", "https://evil.test")]);
    stranger.post("/update-user", json!({ "name": "x" })).await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
async fn addresses_in_a_request_must_be_trusted_too() {
    let test = TestEngine::new(options());
    test.ada().await;
    let body = |callback: serde_json::Value| json!({ "email": "ada@example.com", "password": PASSWORD, "callbackURL": callback });
    test.browser()
        .post("/sign-in/email", body(json!("https://evil.test/x")))
        .await
        .refused(403, "INVALID_CALLBACK_URL");
    test.browser()
        .post("/sign-in/email", body(json!("//evil.test")))
        .await
        .refused(403, "INVALID_CALLBACK_URL");
    let number = test.browser().post("/sign-in/email", body(json!(5))).await.assert(StatusCode::BAD_REQUEST);
    assert_eq!(number.json(), json!({ "message": "Invalid callbackURL: expected a string" }));
    let mut browser = test.browser();
    browser
        .post("/sign-in/email?callbackURL=https://evil.test", body(json!("/ok")))
        .await
        .refused(403, "INVALID_CALLBACK_URL");
    browser.post("/sign-in/email", body(json!("http://localhost:3000/x"))).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn more_origins_can_be_trusted_by_list_and_by_function() {
    let options = EngineOptions {
        trusted_origins: vec!["https://*.example.org".into()],
        trusted_origins_for: Callback::new(|request: OriginRequest| async move {
            let tenant = request
                .headers
                .get("x-tenant")
                .and_then(|value| value.to_str().ok())
                .map(|name| format!("https://{name}.test"));
            Ok::<_, ApiError>(tenant.into_iter().collect())
        }),
        ..options()
    };
    let test = TestEngine::new(options);
    let ada = test.ada().await;
    for (headers, trusted) in [
        (&[("origin", "https://app.example.org")][..], true),
        (&[("origin", "https://acme.test")], false),
        (&[("origin", "https://acme.test"), ("x-tenant", "acme")], true),
    ] {
        let answer = with_headers(ada.clone(), headers).post("/update-user", json!({ "name": "Ada" })).await;
        assert_eq!(answer.status == StatusCode::OK, trusted, "{headers:?}");
    }
}

#[tokio::test]
async fn checks_can_be_left_out() {
    let mut csrf_off = options();
    csrf_off.advanced.disable_csrf_check = Some(true);
    let mut all_off = options();
    all_off.advanced.disable_origin_check = OriginCheck::Disabled(true);
    let mut one_off = options();
    one_off.advanced.disable_origin_check = OriginCheck::DisabledFor(vec!["/update-user".into()]);
    for options in [csrf_off, all_off, one_off] {
        let test = TestEngine::new(options);
        let ada = test.ada().await;
        let mut foreign = with_headers(ada, &[("origin", "https://evil.test")]);
        foreign.post("/update-user", json!({ "name": "Ada" })).await.assert(StatusCode::OK);
    }
}
