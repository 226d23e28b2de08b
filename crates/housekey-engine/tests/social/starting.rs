//! `POST /sign-in/social`: where the browser is sent, and who is not sent anywhere.

use housekey_engine::options::EngineOptions;
use http::{HeaderValue, StatusCode};
use serde_json::{Value, json};
use url::Url;

use crate::social::imitation::{Fault, Part, Person, parameter};
use crate::social::{ends, social, social_where, social_with, start, start_with, with};
use crate::support::ORIGIN;

fn names(url: &Url) -> Vec<String> {
    url.query_pairs().map(|(name, _)| name.into_owned()).collect()
}

#[tokio::test]
// spec: SOC-2
async fn a_flow_begins_at_the_providers_page_with_everything_it_asks_for_in_order() {
    let social = social();
    let body = with(ends(), json!({ "provider": "acme", "loginHint": "ada@example.com" }));
    let answer = social.browser().post("/sign-in/social", body).await.assert(StatusCode::OK);
    let said = answer.json();
    assert_eq!(said["redirect"], true);
    assert_eq!(answer.header("location"), said["url"].as_str());
    assert_eq!(said.as_object().unwrap().len(), 2);

    let page = Url::parse(said["url"].as_str().unwrap()).unwrap();
    assert_eq!(page.as_str().split('?').next(), Some("https://id.acme.test/authorize"));
    let order = [
        "response_type",
        "client_id",
        "state",
        "scope",
        "redirect_uri",
        "login_hint",
        "nonce",
        "code_challenge_method",
        "code_challenge",
    ];
    assert_eq!(names(&page), order);
    let said = |name| parameter(&page, name).unwrap();
    assert_eq!(said("response_type"), "code");
    assert_eq!(said("client_id"), "acme-client");
    assert_eq!(said("scope"), "openid profile email");
    assert!(page.as_str().contains("scope=openid+profile+email"), "a space is a plus: {page}");
    assert_eq!(said("redirect_uri"), format!("{ORIGIN}/api/auth/callback/acme"));
    assert_eq!(said("login_hint"), "ada@example.com");
    assert_eq!(said("code_challenge_method"), "S256");
    assert_eq!((said("state").len(), said("nonce").len(), said("code_challenge").len()), (32, 32, 43));
    let url_safe =
        |text: String| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"_-".contains(&byte));
    assert!(url_safe(said("state")) && url_safe(said("nonce")) && url_safe(said("code_challenge")));
}

#[tokio::test]
async fn a_page_that_follows_the_address_itself_is_not_redirected() {
    let social = social();
    let body = json!({ "provider": "acme", "disableRedirect": true });
    let answer = social.browser().post("/sign-in/social", body).await.assert(StatusCode::OK);
    assert_eq!(answer.json()["redirect"], false);
    assert_eq!(answer.header("location"), None);
    assert!(answer.json()["url"].as_str().unwrap().starts_with("https://id.acme.test/authorize?"));
}

#[tokio::test]
async fn whoever_names_no_provider_or_one_that_is_none_is_told_so() {
    let social = social();
    let mut browser = social.browser();
    let nobody = browser.post("/sign-in/social", json!({ "callbackURL": "/in" })).await;
    let said = nobody.refused(400, "VALIDATION_ERROR").json();
    assert_eq!(said["message"], "[body.provider] Invalid input");
    for provider in ["myspace", "", "ACME", "../acme"] {
        let body = json!({ "provider": provider });
        browser.post("/sign-in/social", body).await.refused(404, "PROVIDER_NOT_FOUND");
    }
    assert!(browser.cookies.is_empty());
    assert!(social.test.rows("verification").await.is_empty());
}

#[tokio::test]
// spec: SOC-1
async fn a_provider_without_its_variables_or_switched_off_does_not_exist() {
    let social = social_where(|providers| {
        providers["acme"]["clientId"] = json!("");
        providers["other"]["enabled"] = json!(false);
    });
    let mut browser = social.browser();
    for provider in ["acme", "other"] {
        let body = json!({ "provider": provider });
        browser.post("/sign-in/social", body).await.refused(404, "PROVIDER_NOT_FOUND");
    }
    start(&mut browser, "google").await;
}

#[tokio::test]
// spec: SOC-1
async fn an_engine_without_providers_has_no_such_endpoints_left_open() {
    let social = social_where(|providers| *providers = json!({}));
    let mut browser = social.browser();
    let answer = browser.post("/sign-in/social", json!({ "provider": "google" })).await;
    answer.assert(StatusCode::NOT_FOUND);
}

/// Addresses that are not ours, however they are dressed up.
const FOREIGN: [&str; 12] = [
    "https://evil.test/in",
    "//evil.test/in",
    "/\\evil.test",
    "\\\\evil.test",
    "http://localhost:3000@evil.test/",
    "http://localhost:3000.evil.test/",
    "http://localhost:30000/",
    "https://localhost:3000/",
    "javascript:alert(1)",
    "data:text/html,hello",
    "/\t/evil.test",
    "/%5C/evil.test",
];

#[tokio::test]
// spec: SOC-3
async fn a_flow_never_ends_at_an_address_that_is_not_trusted() {
    let social = social();
    let mut browser = social.browser();
    for (field, code) in [
        ("callbackURL", "INVALID_CALLBACK_URL"),
        ("errorCallbackURL", "INVALID_ERROR_CALLBACK_URL"),
        ("newUserCallbackURL", "INVALID_NEW_USER_CALLBACK_URL"),
    ] {
        for foreign in FOREIGN {
            let body = json!({ "provider": "acme", field: foreign });
            let answer = browser.post("/sign-in/social", body).await;
            assert_eq!(answer.status, StatusCode::FORBIDDEN, "{field} {foreign}: {answer:?}");
            answer.refused(403, code);
        }
    }
    assert!(social.test.rows("verification").await.is_empty(), "no flow began");
    assert!(browser.cookies.is_empty());
}

#[tokio::test]
// spec: SOC-3
async fn connecting_never_ends_at_an_address_that_is_not_trusted_either() {
    let social = social();
    let mut ada = social.with_password("ada@example.com", true).await;
    for (field, code) in
        [("callbackURL", "INVALID_CALLBACK_URL"), ("errorCallbackURL", "INVALID_ERROR_CALLBACK_URL")]
    {
        for foreign in FOREIGN {
            let body = json!({ "provider": "acme", field: foreign });
            ada.post("/link-social", body).await.refused(403, code);
        }
    }
}

#[tokio::test]
async fn a_trusted_origin_may_be_the_end_of_a_flow() {
    let trust =
        |options: &mut EngineOptions| options.trusted_origins = vec!["https://app.example.com".into()];
    let social = social_with(trust, |_| {});
    let mut browser = social.browser();
    let ends = json!({ "newUserCallbackURL": "https://app.example.com/hello#top" });
    let page = start_with(&mut browser, "acme", ends).await;
    let query = social.acme.agree(&page, &Person::ada());
    let answer = crate::social::come_back(&mut browser, &social.acme, &query).await;
    answer.assert_leads_to("https://app.example.com/hello#top");
}

#[tokio::test]
async fn scopes_of_the_request_come_first_at_a_generic_provider() {
    let social = social();
    let more = json!({ "scopes": ["calendar", "mail"] });
    let page = start_with(&mut social.browser(), "plain", more).await;
    assert_eq!(parameter(&page, "scope").as_deref(), Some("calendar mail who"));
}

#[tokio::test]
async fn parameters_of_ones_own_are_sent_and_replace_none_of_ours() {
    let social = social();
    let mut browser = social.browser();
    let page =
        start_with(&mut browser, "acme", json!({ "additionalParams": { "acr_values": "high" } })).await;
    assert_eq!(page.query_pairs().last().unwrap(), ("acr_values".into(), "high".into()));
    for reserved in [
        "state",
        "client_id",
        "redirect_uri",
        "response_type",
        "code_challenge",
        "code_challenge_method",
        "nonce",
        "scope",
    ] {
        let body = json!({ "provider": "acme", "additionalParams": { reserved: "mine" } });
        let refused = browser.post("/sign-in/social", body).await.refused(400, "VALIDATION_ERROR");
        assert!(refused.json()["message"].as_str().unwrap().contains(reserved), "{refused:?}");
    }
}

#[tokio::test]
async fn data_of_ones_own_travels_with_the_state_and_replaces_nothing_of_it() {
    let social = social();
    let data =
        json!({ "cart": 7, "callbackURL": "https://evil.test", "codeVerifier": "x", "oauthState": "x" });
    let page = start_with(&mut social.browser(), "acme", json!({ "additionalData": data })).await;
    let rows = social.test.rows("verification").await;
    let value: Value = serde_json::from_str(rows[0].text("value").unwrap()).unwrap();
    assert_eq!(value["cart"], 7);
    assert_eq!(value["callbackURL"], "/in");
    assert_ne!(value["codeVerifier"], "x");
    assert_eq!(value["oauthState"], json!(parameter(&page, "state")));
}

#[tokio::test]
async fn a_browser_without_cookies_may_begin_from_anywhere() {
    let social = social();
    let mut browser = social.browser();
    browser.headers.insert("origin", HeaderValue::from_static("https://elsewhere.test"));
    browser.post("/sign-in/social", json!({ "provider": "acme" })).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn a_provider_that_is_half_configured_is_our_fault() {
    let social = social_where(|providers| providers["google"]["clientSecret"] = json!(""));
    let answer = social.browser().post("/sign-in/social", json!({ "provider": "google" })).await;
    assert!(answer.assert(StatusCode::INTERNAL_SERVER_ERROR).body.is_empty());
}

#[tokio::test]
// spec: SOC-8
async fn a_provider_that_cannot_be_discovered_is_asked_again_by_the_next_visitor() {
    let social = social();
    let mut browser = social.browser();
    for fault in
        [Fault::Unreachable, Fault::Status(500), Fault::Garbage, Fault::Json(json!([])), Fault::Redirect]
    {
        social.acme.fails(Part::Discovery, fault.clone());
        let answer = browser.post("/sign-in/social", json!({ "provider": "acme" })).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{fault:?}: {answer:?}");
        answer.refused(404, "PROVIDER_NOT_FOUND");
        // Others are not concerned.
        start(&mut browser, "other").await;
    }
    social.acme.recovers();
    social.test.advance(60);
    social.sign_in(&mut browser, &Person::ada()).await.assert_leads_in();
}

#[tokio::test]
async fn a_provider_may_be_asked_to_send_people_elsewhere() {
    let uri = "https://front.example.com/back";
    let social = social_where(|providers| providers["acme"]["redirectURI"] = json!(uri));
    let mut browser = social.browser();
    let page = start(&mut browser, "acme").await;
    assert_eq!(parameter(&page, "redirect_uri").as_deref(), Some(uri));
    let query = social.acme.agree(&page, &Person::ada());
    crate::social::come_back(&mut browser, &social.acme, &query).await.assert_leads_in();
    let asked = social.acme.requests_to(&social.acme.places.token);
    assert_eq!(asked[0].form("redirect_uri").as_deref(), Some(uri));
}

#[tokio::test]
async fn prompt_access_type_and_more_go_where_the_reference_puts_them() {
    let social = social_where(|providers| {
        let plain = &mut providers["plain"];
        plain["prompt"] = json!("consent");
        plain["accessType"] = json!("offline");
        plain["responseMode"] = json!("query");
        plain["authorizationUrlParams"] = json!({ "audience": "api", "client_id": "mine" });
    });
    let page = start(&mut social.browser(), "plain").await;
    let order = [
        "response_type",
        "client_id",
        "state",
        "scope",
        "redirect_uri",
        "prompt",
        "access_type",
        "response_mode",
        "code_challenge_method",
        "code_challenge",
        "audience",
    ];
    assert_eq!(names(&page), order);
    assert_eq!(parameter(&page, "client_id").as_deref(), Some("plain-client"));
}

#[tokio::test]
async fn starts_are_limited_as_the_reference_limits_them() {
    let social = social_with(|options| options.rate_limit.enabled = Some(true), |_| {});
    let mut browser = social.browser();
    browser.headers.insert("x-forwarded-for", HeaderValue::from_static("203.0.113.7"));
    let body = json!({ "provider": "acme" });
    for _ in 0..3 {
        browser.post("/sign-in/social", body.clone()).await.assert(StatusCode::OK);
    }
    browser.post("/sign-in/social", body.clone()).await.assert(StatusCode::TOO_MANY_REQUESTS);
    social.test.advance(11);
    browser.post("/sign-in/social", body).await.assert(StatusCode::OK);
    // Coming back is not limited like that: whoever came to the provider may finish.
    for _ in 0..10 {
        assert_eq!(browser.get("/callback/acme?state=unknown").await.status, StatusCode::FOUND);
    }
}
