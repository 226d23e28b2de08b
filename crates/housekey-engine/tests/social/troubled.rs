//! A provider that is down, slow or talks nonsense costs its visitor a page with a reason, and nothing else.

use housekey_test_support::happens;
use http::StatusCode;
use serde_json::{Value, json};

use crate::social::imitation::{Fault, Part, Person};
use crate::social::{come_back, social, start, start_link};
use crate::support::PASSWORD;

fn faults() -> Vec<Fault> {
    vec![
        Fault::Status(500),
        Fault::Status(503),
        Fault::Status(404),
        Fault::Status(204),
        Fault::Garbage,
        Fault::Redirect,
        Fault::Unreachable,
        Fault::Json(json!([])),
        Fault::Json(json!("text")),
        Fault::Json(json!(null)),
        Fault::Json(json!({})),
        Fault::Json(
            json!({ "access_token": 7, "id_token": {}, "keys": [{}], "sub": [], "id": {}, "email": 5 }),
        ),
    ]
}

#[tokio::test]
// spec: SOC-8
async fn a_provider_that_fails_at_any_point_leaves_nothing_behind() {
    for part in [Part::Token, Part::Keys] {
        for fault in faults() {
            let social = social();
            let mut browser = social.browser();
            let page = start(&mut browser, "acme").await;
            let query = social.acme.agree(&page, &Person::ada());
            social.acme.fails(part, fault.clone());
            let answer = come_back(&mut browser, &social.acme, &query).await;
            let (target, reason) = answer.error();
            assert_eq!(target, "/failed", "{part:?} {fault:?}");
            assert!(
                ["invalid_code", "unable_to_get_user_info"].contains(&reason.as_deref().unwrap()),
                "{part:?} {fault:?}: {answer:?}"
            );
            answer.assert_grants_nothing();
            assert_eq!(browser.session().await, Value::Null);
            social.assert_nothing_made().await;
            assert!(social.test.rows("verification").await.is_empty(), "the state is spent");

            // The next visit works, as soon as the provider does.
            social.acme.recovers();
            social.test.advance(60);
            social.sign_in(&mut browser, &Person::ada()).await.assert_leads_in();
        }
    }
}

#[tokio::test]
// spec: SOC-8
async fn a_token_endpoint_that_fails_is_an_invalid_code() {
    for fault in [Fault::Status(500), Fault::Garbage, Fault::Redirect, Fault::Unreachable] {
        let social = social();
        social.acme.fails(Part::Token, fault);
        social.sign_in(&mut social.browser(), &Person::ada()).await.assert_failed("invalid_code");
    }
}

#[tokio::test]
// spec: SOC-8
async fn a_profile_that_cannot_be_had_is_nobodys() {
    for fault in faults() {
        let social = social();
        social.plain.fails(Part::UserInfo, fault.clone());
        let answer = social.visit(&mut social.browser(), &social.plain, &Person::ada()).await;
        let reason = answer.error().1.unwrap();
        assert!(
            ["unable_to_get_user_info", "email_not_found"].contains(&reason.as_str()),
            "{fault:?}: {answer:?}"
        );
        answer.assert_grants_nothing();
        social.assert_nothing_made().await;
    }
}

#[tokio::test]
// spec: SOC-8
async fn a_redirect_of_a_token_endpoint_is_not_followed() {
    let social = social();
    social.acme.fails(Part::Token, Fault::Redirect);
    social.sign_in(&mut social.browser(), &Person::ada()).await.assert_failed("invalid_code");
    assert!(social.internet.lost().is_empty(), "nobody else was asked: {:?}", social.internet.lost());
}

#[tokio::test]
// spec: SOC-8
async fn connecting_fails_as_gently() {
    let social = social();
    let mut ada = social.with_password("ada@example.com", true).await;
    let before = social.snapshot().await;
    for fault in [Fault::Status(500), Fault::Garbage, Fault::Unreachable] {
        let page = start_link(&mut ada, "acme").await;
        let query = social.acme.agree(&page, &Person::ada());
        social.acme.fails(Part::Token, fault);
        come_back(&mut ada, &social.acme, &query).await.assert_failed("invalid_code");
        social.acme.recovers();
    }
    assert_eq!(social.snapshot().await, before);
    assert_eq!(ada.session().await["user"]["email"], "ada@example.com", "who was signed in still is");
}

#[tokio::test]
// spec: SOC-8
async fn with_every_provider_down_passwords_work_as_always() {
    let social = social();
    social.with_password("ada@example.com", true).await;
    for site in [&social.acme, &social.other, &social.plain, &social.google, &social.microsoft] {
        for part in Part::ALL {
            site.fails(part, Fault::Hangs);
        }
    }
    // One visitor waits for a provider that never answers.
    let mut waiting = social.browser();
    let waits =
        tokio::spawn(async move { waiting.post("/sign-in/social", json!({ "provider": "acme" })).await });
    tokio::task::yield_now().await;
    let mut browser = social.browser();
    browser.sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
    assert_eq!(browser.session().await["user"]["email"], "ada@example.com");
    browser.post("/sign-out", json!({})).await.assert(StatusCode::OK);
    waits.abort();
}

#[tokio::test]
// spec: SOC-8
async fn a_visitor_who_leaves_while_the_provider_is_asked_leaves_nothing_behind() {
    let social = social();
    let mut browser = social.browser();
    let page = start(&mut browser, "acme").await;
    let query = social.acme.agree(&page, &Person::ada());
    social.acme.fails(Part::Token, Fault::Hangs);
    let (acme, mut gone) = (social.acme.clone(), browser.clone());
    let task = tokio::spawn(async move { come_back(&mut gone, &acme, &query).await });
    let asked = || !social.acme.requests_to(&social.acme.places.token).is_empty();
    happens("the provider is asked", asked).await;
    task.abort();
    let _ = task.await;
    social.assert_nothing_made().await;
    social.acme.recovers();
    social.sign_in(&mut browser, &Person::ada()).await.assert_leads_in();
}

#[tokio::test]
// spec: SOC-8
async fn a_provider_that_is_down_does_not_hold_up_another() {
    let social = social();
    social.acme.fails(Part::Discovery, Fault::Hangs);
    let mut waiting = social.browser();
    let waits =
        tokio::spawn(async move { waiting.post("/sign-in/social", json!({ "provider": "acme" })).await });
    tokio::task::yield_now().await;
    social.visit(&mut social.browser(), &social.other, &Person::ada()).await.assert_leads_in();
    waits.abort();
}
