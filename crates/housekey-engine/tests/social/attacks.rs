//! What somebody who wants in without being asked could try. What is about the state, id tokens, addresses and foreign
//! redirects stands in files of its own.

use http::{HeaderValue, StatusCode};
use serde_json::{Value, json};

use crate::social::imitation::{Person, parameter};
use crate::social::{come_back, social, social_accounts, social_where, start, start_link};
use crate::support::ORIGIN;

#[tokio::test]
// spec: SOC-3
async fn a_code_from_another_session_is_worth_nothing_in_this_one() {
    let social = social();
    let (mut victim, mut attacker) = (social.browser(), social.browser());
    let of_victim = start(&mut victim, "acme").await;
    let stolen = social.acme.grant(&of_victim, &Person::ada());
    let own = start(&mut attacker, "acme").await;
    let query = format!("code={stolen}&state={}", parameter(&own, "state").unwrap());
    come_back(&mut attacker, &social.acme, &query).await.assert_failed("invalid_code");
    assert_eq!(attacker.session().await, Value::Null);
    social.assert_nothing_made().await;
}

#[tokio::test]
// spec: SOC-3, SOC-4
async fn a_code_from_another_session_is_found_out_by_the_nonce_where_there_is_no_pkce() {
    let social = social_where(|providers| providers["acme"]["pkce"] = json!(false));
    let (mut victim, mut attacker) = (social.browser(), social.browser());
    let of_victim = start(&mut victim, "acme").await;
    assert_eq!(parameter(&of_victim, "code_challenge"), None);
    let stolen = social.acme.grant(&of_victim, &Person::ada());
    let own = start(&mut attacker, "acme").await;
    let query = format!("code={stolen}&state={}", parameter(&own, "state").unwrap());
    come_back(&mut attacker, &social.acme, &query).await.assert_failed("unable_to_get_user_info");
    social.assert_nothing_made().await;
}

#[tokio::test]
// spec: SOC-3
async fn an_answer_that_another_provider_issued_is_refused() {
    let social = social();
    let mut browser = social.browser();
    for (issuer, gets_in) in
        [("https://other.test", false), ("https://id.acme.test/", false), ("https://id.acme.test", true)]
    {
        let page = start(&mut browser, "acme").await;
        let query = format!("{}&iss={}", social.acme.agree(&page, &Person::ada()), issuer);
        let answer = come_back(&mut browser, &social.acme, &query).await;
        if gets_in {
            answer.assert_leads_in();
        } else {
            answer.assert_failed("issuer_mismatch");
            assert!(social.acme.requests_to(&social.acme.places.token).is_empty(), "the code was not sent");
            social.assert_nothing_made().await;
        }
    }
}

/// A provider that somebody chose sends them on to an honest one, to get the honest one's code.
#[tokio::test]
// spec: SOC-3
async fn a_provider_that_passes_its_visitors_on_gets_no_code_of_another() {
    let social = social();
    let mut victim = social.browser();
    let evil = start(&mut victim, "other").await;
    let state = parameter(&evil, "state").unwrap();
    // The honest provider knows our redirect address for itself only.
    let mut honest = social.acme.places.authorize.parse::<url::Url>().unwrap();
    honest
        .query_pairs_mut()
        .append_pair("client_id", &social.acme.client_id)
        .append_pair("redirect_uri", &format!("{ORIGIN}/api/auth/callback/acme"))
        .append_pair("state", &state);
    let code = social.acme.grant(&honest, &Person::ada());
    let answer = come_back(&mut victim, &social.acme, &format!("code={code}&state={state}")).await;
    assert_eq!(answer.error().1.as_deref(), Some("state_mismatch"), "{answer:?}");
    for site in [&social.acme, &social.other] {
        assert!(site.requests_to(&site.places.token).is_empty(), "nobody was sent a code");
    }
    social.assert_nothing_made().await;
}

/// Login CSRF: the victim follows a link that would sign them in as the attacker.
#[tokio::test]
// spec: SOC-3
async fn a_link_signs_nobody_in_as_somebody_else() {
    for options in [json!({}), json!({ "storeStateStrategy": "cookie" })] {
        let social = social_accounts(&options);
        let mut attacker = social.browser();
        let page = start(&mut attacker, "acme").await;
        let query = social.acme.agree(&page, &Person::new("Attacker", "attacker@example.com"));
        let mut victim = social.with_password("victim@example.com", true).await;
        let answer = come_back(&mut victim, &social.acme, &query).await;
        assert_eq!(answer.error().1.as_deref(), Some("state_mismatch"), "{answer:?}");
        answer.assert_grants_nothing();
        assert_eq!(victim.session().await["user"]["email"], "victim@example.com");
        // Nor one who is just signing in themselves.
        let mut busy = social.browser();
        start(&mut busy, "acme").await;
        come_back(&mut busy, &social.acme, &query).await.assert_grants_nothing();
        assert_eq!(busy.session().await, Value::Null);
        // Nor by a form that posts itself.
        let mut posted = social.browser();
        let body: serde_json::Map<_, _> = form_urlencoded::parse(query.as_bytes())
            .map(|(name, value)| (name.into_owned(), json!(value)))
            .collect();
        let answer = posted.post("/callback/acme", Value::Object(body)).await;
        let path =
            answer.location().strip_prefix(ORIGIN).unwrap().strip_prefix("/api/auth").unwrap().to_owned();
        posted.get(&path).await.assert_grants_nothing();
        assert_eq!(posted.session().await, Value::Null);
    }
}

/// The attacker begins to connect and lets the victim agree: the victim's account at the provider would open the attacker's.
#[tokio::test]
// spec: SOC-3
async fn a_connection_that_somebody_else_began_is_not_finished_by_the_victim() {
    let social = social_accounts(&json!({ "accountLinking": { "allowDifferentEmails": true } }));
    let mut attacker = social.with_password("attacker@example.com", true).await;
    let page = start_link(&mut attacker, "acme").await;
    let query = social.acme.agree(&page, &Person::new("Victim", "victim@example.com"));
    let mut victim = social.with_password("victim@example.com", true).await;
    come_back(&mut victim, &social.acme, &query).await.assert_failed("state_mismatch");
    assert!(social.accounts("acme").await.is_empty());
}

/// The attacker lets the victim's browser begin to connect, and finishes with an account of their own.
#[tokio::test]
// spec: SOC-3
async fn another_site_cannot_begin_to_connect() {
    let social = social();
    let mut victim = social.with_password("victim@example.com", true).await;
    victim.headers.insert("origin", HeaderValue::from_static("https://evil.test"));
    victim.post("/link-social", json!({ "provider": "acme" })).await.refused(403, "INVALID_ORIGIN");
    victim.post("/sign-in/social", json!({ "provider": "acme" })).await.refused(403, "INVALID_ORIGIN");
    let id = social.account("credential").await.text("id").unwrap().to_owned();
    victim.post("/unlink-account", json!({ "accountId": id })).await.refused(403, "INVALID_ORIGIN");
    victim.post("/get-access-token", json!({ "accountId": id })).await.refused(403, "INVALID_ORIGIN");
}

#[tokio::test]
async fn a_session_from_before_is_not_the_one_that_somebody_gets() {
    let social = social();
    let mut browser = social.signed_in(&Person::new("Attacker", "attacker@example.com")).await;
    let before = browser.session().await["session"]["token"].clone();
    social.sign_in(&mut browser, &Person::ada()).await.assert_leads_in();
    assert_ne!(browser.session().await["session"]["token"], before);
}

#[tokio::test]
async fn names_that_are_no_providers_lead_nowhere() {
    let social = social();
    let mut browser = social.browser();
    let page = start(&mut browser, "acme").await;
    for name in
        ["credential", "__proto__", "constructor", "ACME", "acme%00", "%2e%2e", "a".repeat(3000).as_str()]
    {
        let query = social.acme.agree(&page, &Person::ada());
        let answer = browser.get(&format!("/callback/{name}?{query}")).await;
        answer.assert_grants_nothing();
    }
    social.assert_nothing_made().await;
}

#[tokio::test]
async fn a_host_that_the_client_makes_up_goes_into_no_address() {
    let social = social();
    let mut browser = social.browser();
    for header in ["host", "x-forwarded-host", "forwarded"] {
        browser.headers.insert(header, HeaderValue::from_static("evil.test"));
    }
    let page = start(&mut browser, "acme").await;
    assert!(!page.as_str().contains("evil.test"), "{page}");
    let posted = browser.post("/callback/acme", json!({ "code": "c", "state": "s" })).await;
    assert!(!posted.location().contains("evil.test"), "{posted:?}");
    let lost = browser.get("/callback/acme?code=c&state=unknown").await;
    assert!(!lost.location().contains("evil.test"), "{lost:?}");
}

#[tokio::test]
async fn what_a_provider_says_cannot_write_headers_or_pages() {
    let social = social();
    let mut browser = social.browser();
    for said in
        ["%3Cscript%3Ealert(1)%3C/script%3E", "x%0d%0aset-cookie:%20evil=1", "x%26error%3Daccess", "%ff%fe"]
    {
        let body = json!({ "provider": "acme" });
        let answer = browser.post("/sign-in/social", body).await.assert(StatusCode::OK).json();
        let page: url::Url = answer["url"].as_str().unwrap().parse().unwrap();
        let state = parameter(&page, "state").unwrap();
        let query = format!("error={said}&error_description={said}&state={state}");
        let answer = come_back(&mut browser, &social.acme, &query).await;
        assert!(answer.location().starts_with(&format!("{ORIGIN}/api/auth/error?error=")), "{answer:?}");
        assert!(!answer.location().contains(['<', '>', '\r', '\n']), "{answer:?}");
        assert!(answer.cookies.iter().all(|cookie| !cookie.name.contains("evil")));
        let path = answer.location().strip_prefix(&format!("{ORIGIN}/api/auth")).unwrap().to_owned();
        let shown = browser.get(&path).await;
        assert!(!String::from_utf8_lossy(&shown.body).contains("<script"), "{shown:?}");
    }
}

#[tokio::test]
async fn a_picture_or_a_name_of_a_provider_is_text_and_no_more() {
    let social = social();
    let odd = Person { name: "<img src=x>\0".into(), ..Person::ada() }
        .saying(json!({ "picture": ["not", "a text"] }));
    let mut browser = social.browser();
    social.sign_in(&mut browser, &odd).await.assert_leads_in();
    assert_eq!(browser.session().await["user"]["image"], Value::Null);
}

#[tokio::test]
async fn addresses_that_are_none_are_not_taken() {
    let social = social();
    for email in ["", "nobody", "@", "a@b\r\nbcc: x@y", "two@example.com,three@example.com"] {
        let person = Person { subject: format!("s-{email}"), ..Person::new("Eve", email) };
        let answer = social.sign_in(&mut social.browser(), &person).await;
        if answer.location() == "/welcome" {
            // The reference takes what the provider says; it must at least stay one line and one person.
            assert!(!email.contains('\n'), "{email:?} was taken");
        }
    }
}
