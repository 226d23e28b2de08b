use housekey_engine::options::EngineOptions;
use http::StatusCode;
use serde_json::json;

use crate::sink::Events;
use crate::social::imitation::Person;
use crate::social::{come_back, social_with, start_link};

#[tokio::test]
// spec: SEC-9
async fn who_comes_by_a_provider_and_what_is_connected_is_told() {
    let events = Events::default();
    let sink = events.sink();
    let social = social_with(|options: &mut EngineOptions| options.on_security_event = sink, |_| {});
    social.signed_in(&Person::ada()).await;
    let told = events.take();
    assert!(told.iter().any(|event| event.starts_with("sign-up")), "{told:?}");

    social.signed_in(&Person::ada()).await;
    let told = events.take();
    let signed_in =
        told.iter().find(|event| event.starts_with("sign-in ")).unwrap_or_else(|| panic!("{told:?}"));
    assert!(signed_in.contains("acme"), "{told:?}");

    let mut bob = social.with_password("bob@example.com", true).await;
    events.take();
    let page = start_link(&mut bob, "other").await;
    let person = Person::new("Bob", "bob@example.com");
    come_back(&mut bob, &social.other, &social.other.agree(&page, &person)).await.assert_leads_to("/linked");
    let told = events.take();
    assert!(told.iter().any(|event| event.starts_with("account-linked")), "{told:?}");

    let id = social.account("other").await.text("id").unwrap().to_owned();
    bob.post("/unlink-account", json!({ "accountId": id })).await.assert(StatusCode::OK);
    let told = events.take();
    assert!(told.iter().any(|event| event.starts_with("account-unlinked")), "{told:?}");

    let claiming = Person::claiming("Eve", "bob@example.com");
    social.sign_in(&mut social.browser(), &claiming).await.assert_failed("account_not_linked");
    let told = events.take();
    assert!(told.iter().any(|event| event.starts_with("sign-in-refused")), "{told:?}");
}

#[tokio::test]
// spec: SEC-9
async fn an_account_that_is_linked_by_its_address_is_told_too() {
    let events = Events::default();
    let sink = events.sink();
    let social = social_with(|options: &mut EngineOptions| options.on_security_event = sink, |_| {});
    social.with_password("ada@example.com", true).await;
    events.take();
    social.signed_in(&Person::ada()).await;
    let told = events.take();
    assert!(told.iter().any(|event| event.starts_with("account-linked")), "{told:?}");
    assert!(told.iter().any(|event| event.starts_with("sign-in ")), "{told:?}");
}

#[tokio::test]
// spec: SEC-9
async fn no_event_holds_a_token() {
    let events = Events::default();
    let sink = events.sink();
    let social = social_with(|options: &mut EngineOptions| options.on_security_event = sink, |_| {});
    let mut ada = social.signed_in(&Person::ada()).await;
    let body = json!({ "accountId": social.account("acme").await.text("id").unwrap() });
    ada.post("/refresh-token", body).await.assert(StatusCode::OK);
    ada.post("/sign-out", json!({})).await.assert(StatusCode::OK);
    let told = format!("{:?}", events.all());
    assert!(told.contains("SignOut"), "{told}");
    for secret in social.internet.secrets() {
        assert!(!told.contains(&secret), "{told}");
    }
}
