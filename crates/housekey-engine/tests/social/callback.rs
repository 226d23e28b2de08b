//! `GET` and `POST /callback/:id`: what a browser brings back, what is asked of the provider, where it goes on.

use bytes::Bytes;
use http::{HeaderValue, Method, StatusCode};
use serde_json::json;

use crate::social::imitation::{Person, parameter};
use crate::social::{come_back, social, social_where, social_with, start, start_with};
use crate::support::{Browser, ORIGIN};

#[tokio::test]
// spec: SOC-2
async fn somebody_new_is_welcomed_and_somebody_known_goes_where_they_wanted() {
    let social = social();
    let mut browser = social.browser();
    let answer = social.sign_in(&mut browser, &Person::ada()).await.assert_leads_to("/welcome");
    assert!(answer.state_cookie().is_cleared());
    let user = browser.session().await["user"].clone();
    assert_eq!(user["email"], "ada@example.com");
    assert_eq!(user["emailVerified"], true);
    assert_eq!(user["name"], "Ada");
    assert_eq!(user["image"], "https://pictures.test/subject-of-ada.png");

    let mut elsewhere = social.browser();
    social.sign_in(&mut elsewhere, &Person::ada()).await.assert_leads_to("/in");
    assert_eq!(elsewhere.session().await["user"]["id"], user["id"]);
    assert_eq!(social.test.rows("user").await.len(), 1);
    assert_eq!(social.test.rows("account").await.len(), 1);
}

#[tokio::test]
async fn the_row_of_an_account_holds_what_the_provider_said() {
    let social = social();
    social.signed_in(&Person::ada()).await;
    let account = social.account("acme").await;
    assert_eq!(account.text("accountId"), Some("subject-of-ada"));
    assert_eq!(account.text("scope"), Some("openid,profile,email"));
    for field in ["accessToken", "refreshToken", "idToken"] {
        assert!(account.text(field).is_some_and(|token| !token.is_empty()), "{field}: {account:?}");
    }
    let expires = account.get("accessTokenExpiresAt").and_then(housekey_engine::Value::as_date);
    assert_eq!(expires, Some(social.test.clock.now() + std::time::Duration::from_hours(1)));
    assert_eq!(account.text("password"), None);
}

#[tokio::test]
async fn where_a_flow_goes_on_is_taken_word_for_word() {
    let social = social();
    for target in ["/deep/er?tab=2&x=%20#part", "http://localhost:3000/abs?q=1#f", "/"] {
        let mut browser = social.browser();
        let ends = json!({ "callbackURL": target, "newUserCallbackURL": target });
        let page = start_with(&mut browser, "acme", ends).await;
        let query = social.acme.agree(&page, &Person::ada());
        come_back(&mut browser, &social.acme, &query).await.assert_leads_to(target);
    }
}

#[tokio::test]
async fn without_a_place_to_go_on_it_is_the_apps_own() {
    let social = social();
    let mut browser = social.browser();
    let answer = browser.post("/sign-in/social", json!({ "provider": "acme" })).await.json();
    let page = answer["url"].as_str().unwrap().parse().unwrap();
    let query = social.acme.agree(&page, &Person::ada());
    come_back(&mut browser, &social.acme, &query).await.assert_leads_to(ORIGIN);
}

#[tokio::test]
// spec: SOC-3
async fn the_code_is_exchanged_with_the_proof_of_who_began() {
    let social = social();
    let mut browser = social.browser();
    let page = start(&mut browser, "acme").await;
    let query = social.acme.agree(&page, &Person::ada());
    come_back(&mut browser, &social.acme, &query).await.assert_leads_in();
    let asked = social.acme.requests_to(&social.acme.places.token);
    assert_eq!(asked.len(), 1);
    let request = &asked[0];
    assert_eq!(request.method, "POST");
    assert_eq!(request.header("accept"), Some("application/json"));
    assert!(request.header("content-type").unwrap().starts_with("application/x-www-form-urlencoded"));
    let order = ["grant_type", "code", "code_verifier", "redirect_uri", "client_id", "client_secret"];
    assert_eq!(request.fields(), order);
    assert_eq!(request.form("code_verifier").unwrap().len(), 128);
    assert_eq!(request.form("redirect_uri"), parameter(&page, "redirect_uri"));
    assert_eq!(request.header("authorization"), None);
}

#[tokio::test]
async fn a_provider_that_wants_it_gets_the_secret_in_a_header_and_nowhere_else() {
    let social = social_where(|providers| providers["acme"]["authentication"] = json!("basic"));
    social.signed_in(&Person::ada()).await;
    let request = &social.acme.requests_to(&social.acme.places.token)[0];
    let basic = data_encoding::BASE64.encode(b"acme-client:acme-client-secret");
    assert_eq!(request.header("authorization"), Some(format!("Basic {basic}").as_str()));
    assert_eq!(request.fields(), ["grant_type", "code", "code_verifier", "redirect_uri"]);
}

#[tokio::test]
async fn a_public_client_sends_its_id_alone() {
    let social = social_where(|providers| providers["acme"]["clientSecret"] = json!(""));
    social.signed_in(&Person::ada()).await;
    let request = &social.acme.requests_to(&social.acme.places.token)[0];
    assert_eq!(request.fields(), ["grant_type", "code", "code_verifier", "redirect_uri", "client_id"]);
}

#[tokio::test]
async fn a_provider_without_id_tokens_is_asked_for_the_profile() {
    let social = social();
    let mut browser = social.browser();
    social.visit(&mut browser, &social.plain, &Person::ada()).await.assert_leads_in();
    let asked = social.plain.requests_to(&social.plain.places.user_info);
    assert_eq!(asked.len(), 1);
    assert!(asked[0].header("authorization").unwrap().starts_with("Bearer plain-access-"));
    assert_eq!(social.account("plain").await.text("accountId"), Some("subject-of-ada"));
}

#[tokio::test]
async fn an_id_token_with_subject_and_address_is_enough() {
    let social = social();
    social.signed_in(&Person::ada()).await;
    assert!(social.acme.requests_to(&social.acme.places.user_info).is_empty());
}

/// A form that a provider lets the browser post, from the provider's own page.
async fn post_form(browser: &mut Browser, provider: &str, form: String) -> crate::support::Answer {
    browser.headers.insert("origin", HeaderValue::from_static("https://id.acme.test"));
    let kind = Some("application/x-www-form-urlencoded");
    let answer = browser.send(Method::POST, &format!("/callback/{provider}"), Bytes::from(form), kind).await;
    browser.headers.insert("origin", HeaderValue::from_static(ORIGIN));
    answer
}

#[tokio::test]
// spec: SOC-2
async fn a_form_that_the_provider_posts_becomes_a_visit_that_brings_its_cookies() {
    let social = social();
    let mut browser = social.browser();
    let page = start(&mut browser, "acme").await;
    let form = format!(
        "{}&id_token=dropped&session_state=dropped&user=%7B%7D",
        social.acme.agree(&page, &Person::ada())
    );
    // Cookies that are Lax do not come with a post from elsewhere.
    let mut cross_site = social.browser();
    let answer = post_form(&mut cross_site, "acme", form).await.assert(StatusCode::FOUND);
    let target = answer.location().to_owned();
    assert!(target.starts_with(&format!("{ORIGIN}/api/auth/callback/acme?")), "{target}");
    assert!(!target.contains("dropped"), "{target}");
    assert!(answer.cookies.is_empty(), "nothing was spent: {answer:?}");
    let path = target.strip_prefix(&format!("{ORIGIN}/api/auth")).unwrap();
    browser.get(path).await.assert_leads_in();
}

#[tokio::test]
async fn a_form_from_elsewhere_that_brings_cookies_comes_from_a_trusted_origin_or_not_at_all() {
    let trusting =
        social_with(|options| options.trusted_origins = vec!["https://id.acme.test".into()], |_| {});
    for (social, trusted) in [(social(), false), (trusting, true)] {
        let mut browser = social.browser();
        let page = start(&mut browser, "acme").await;
        let form = social.acme.agree(&page, &Person::ada());
        let answer = post_form(&mut browser, "acme", form).await;
        if trusted {
            answer.assert(StatusCode::FOUND);
        } else {
            answer.refused(403, "INVALID_ORIGIN");
        }
    }
}

#[tokio::test]
async fn json_does_as_well_as_a_form_and_an_error_as_well_as_a_code() {
    let social = social();
    let mut browser = social.browser();
    browser.headers.insert("origin", HeaderValue::from_static("https://id.acme.test"));
    let body = json!({
        "error": "access_denied", "error_description": "no", "state": "s", "iss": "https://id.acme.test",
        "device_id": "d", "admin": "yes",
    });
    let answer = browser.post("/callback/acme", body).await.assert(StatusCode::FOUND);
    let target = url::Url::parse(answer.location()).unwrap();
    for (name, value) in
        [("error", "access_denied"), ("error_description", "no"), ("state", "s"), ("device_id", "d")]
    {
        assert_eq!(parameter(&target, name).as_deref(), Some(value), "{target}");
    }
    assert_eq!(parameter(&target, "iss").as_deref(), Some("https://id.acme.test"));
    assert_eq!(parameter(&target, "admin"), None);
}

#[tokio::test]
async fn a_parameter_that_comes_twice_is_refused() {
    let social = social();
    let mut browser = social.browser();
    let page = start(&mut browser, "acme").await;
    let query = social.acme.agree(&page, &Person::ada());
    for twice in ["code=other", "state=other"] {
        let path = format!("/callback/acme?{query}&{twice}");
        browser.get(&path).await.refused(400, "VALIDATION_ERROR");
    }
    come_back(&mut browser, &social.acme, &query).await.assert_leads_in();
}

#[tokio::test]
async fn a_visit_that_the_provider_began_is_begun_again_by_us() {
    let social = social_where(|providers| providers["acme"]["allowIdpInitiated"] = json!(true));
    let mut browser = social.browser();
    let answer = browser.get("/callback/acme?code=unasked").await;
    let page = url::Url::parse(answer.location()).unwrap();
    assert!(page.as_str().starts_with("https://id.acme.test/authorize?"));
    assert!(social.acme.requests_to(&social.acme.places.token).is_empty(), "the code is not used");
    let query = social.acme.agree(&page, &Person::ada());
    come_back(&mut browser, &social.acme, &query).await.assert_leads_to(ORIGIN);
    assert_eq!(browser.session().await["user"]["email"], "ada@example.com");
}

#[tokio::test]
async fn whoever_is_signed_in_already_becomes_the_other_person() {
    let social = social();
    let mut browser = social.signed_in(&Person::ada()).await;
    social.sign_in(&mut browser, &Person::new("Bob", "bob@example.com")).await.assert_leads_in();
    assert_eq!(browser.session().await["user"]["email"], "bob@example.com");
}
