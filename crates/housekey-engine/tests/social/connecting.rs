//! `POST /link-social`: somebody who is signed in connects an account at a provider.

use http::StatusCode;
use serde_json::{Value, json};

use crate::social::imitation::Person;
use crate::social::{Social, come_back, social, social_accounts, start_link};
use crate::support::{Answer, Browser};

async fn connect(social: &Social, browser: &mut Browser, person: &Person) -> Answer {
    let page = start_link(browser, "acme").await;
    come_back(browser, &social.acme, &social.acme.agree(&page, person)).await
}

#[tokio::test]
// spec: SOC-2
async fn an_account_is_connected_to_whoever_is_signed_in() {
    let social = social();
    let mut ada = social.with_password("ada@example.com", false).await;
    let answer = connect(&social, &mut ada, &Person::ada()).await.assert_leads_to("/linked");
    answer.assert_grants_nothing();
    let accounts = ada.get("/list-accounts").await.assert(StatusCode::OK).json();
    let providers: Vec<_> =
        accounts.as_array().unwrap().iter().map(|row| row["providerId"].clone()).collect();
    assert_eq!(providers, ["credential", "acme"]);
    assert_eq!(accounts[1]["scopes"], json!(["openid", "profile", "email"]));
    assert_eq!(accounts[1]["accountId"], "subject-of-ada");
    assert_eq!(social.test.rows("session").await.len(), 1, "no session began");
}

#[tokio::test]
async fn only_somebody_who_is_signed_in_connects() {
    let social = social();
    let answer = social.browser().post("/link-social", json!({ "provider": "acme" })).await;
    answer.assert(StatusCode::UNAUTHORIZED);
    let mut ada = social.with_password("ada@example.com", true).await;
    ada.post("/link-social", json!({ "provider": "myspace" })).await.refused(404, "PROVIDER_NOT_FOUND");
}

#[tokio::test]
// spec: SOC-2
async fn the_state_of_a_connection_says_whose_it_is_and_hides_the_session() {
    let social = social();
    let mut ada = social.with_password("ada@example.com", true).await;
    let session = ada.session().await;
    start_link(&mut ada, "acme").await;
    let rows = social.test.rows("verification").await;
    let value: Value = serde_json::from_str(rows[0].text("value").unwrap()).unwrap();
    assert_eq!(value["link"]["userId"], session["user"]["id"]);
    assert_eq!(value["link"]["email"], "ada@example.com");
    let sealed = value["link"]["encryptedSessionToken"].as_str().unwrap();
    assert!(!rows[0].text("value").unwrap().contains(session["session"]["token"].as_str().unwrap()));
    assert!(sealed.bytes().all(|byte| byte.is_ascii_hexdigit()), "{sealed}");
}

#[tokio::test]
async fn a_connection_ends_with_the_session_that_began_it() {
    let social = social();
    let mut ada = social.with_password("ada@example.com", true).await;
    let page = start_link(&mut ada, "acme").await;
    let state_only = ada.clone();
    ada.post("/sign-out", json!({})).await.assert(StatusCode::OK);
    for mut browser in [ada, state_only] {
        let query = social.acme.agree(&page, &Person::ada());
        let answer = come_back(&mut browser, &social.acme, &query).await;
        let reason = answer.error().1;
        // The first of them spends the state.
        assert!(
            ["unable_to_link_account", "state_mismatch"].contains(&reason.as_deref().unwrap()),
            "{answer:?}"
        );
    }
    assert!(social.accounts("acme").await.is_empty());
}

#[tokio::test]
// spec: SOC-5
async fn an_account_with_another_address_is_connected_only_where_that_is_allowed() {
    let elsewhere = Person { email: Some("ada@work.example.com".into()), ..Person::ada() };
    let strict = social();
    let mut ada = strict.with_password("ada@example.com", true).await;
    connect(&strict, &mut ada, &elsewhere).await.assert_failed("email_does_not_match");
    assert!(strict.accounts("acme").await.is_empty());

    let open = social_accounts(&json!({ "accountLinking": { "allowDifferentEmails": true } }));
    let mut ada = open.with_password("ada@example.com", true).await;
    connect(&open, &mut ada, &elsewhere).await.assert_leads_to("/linked");
    assert_eq!(ada.session().await["user"]["email"], "ada@example.com", "the address stays");
}

#[tokio::test]
async fn an_account_without_an_address_is_connected_only_where_addresses_may_differ() {
    let open = social_accounts(
        &json!({ "accountLinking": { "allowDifferentEmails": true, "trustedProviders": ["acme"] } }),
    );
    let mut ada = open.with_password("ada@example.com", true).await;
    connect(&open, &mut ada, &Person::ada().without_email()).await.assert_leads_to("/linked");
}

#[tokio::test]
// spec: SOC-5
async fn an_account_of_somebody_else_is_not_connected() {
    let social = social_accounts(&json!({ "accountLinking": { "allowDifferentEmails": true } }));
    social.signed_in(&Person::ada()).await;
    let mut bob = social.with_password("bob@example.com", true).await;
    let answer = connect(&social, &mut bob, &Person::ada()).await;
    answer.assert_failed("account_already_linked_to_different_user");
    assert_eq!(social.accounts("acme").await.len(), 1);
}

#[tokio::test]
async fn an_unproven_account_is_connected_only_from_a_trusted_provider() {
    let claiming = Person::claiming("Ada", "ada@example.com");
    let strict = social();
    let mut ada = strict.with_password("ada@example.com", true).await;
    connect(&strict, &mut ada, &claiming).await.assert_failed("unable_to_link_account");
    let trusting = social_accounts(&json!({ "accountLinking": { "trustedProviders": ["acme"] } }));
    let mut ada = trusting.with_password("ada@example.com", false).await;
    connect(&trusting, &mut ada, &claiming).await.assert_leads_to("/linked");
}

#[tokio::test]
async fn switching_implicit_linking_off_leaves_connecting_on_and_switching_linking_off_does_not() {
    let explicit = social_accounts(&json!({ "accountLinking": { "disableImplicitLinking": true } }));
    let mut ada = explicit.with_password("ada@example.com", true).await;
    connect(&explicit, &mut ada, &Person::ada()).await.assert_leads_to("/linked");

    let off = social_accounts(&json!({ "accountLinking": { "enabled": false } }));
    let mut ada = off.with_password("ada@example.com", true).await;
    let answer = ada.post("/link-social", json!({ "provider": "acme", "errorCallbackURL": "/failed" })).await;
    if answer.status == StatusCode::OK {
        let page = answer.json()["url"].as_str().unwrap().parse().unwrap();
        let query = off.acme.agree(&page, &Person::ada());
        come_back(&mut ada, &off.acme, &query).await.assert_failed("unable_to_link_account");
    }
    assert!(off.accounts("acme").await.is_empty());
}

#[tokio::test]
async fn connecting_again_brings_new_tokens_and_more_scopes() {
    let social = social();
    let mut ada = social.with_password("ada@example.com", true).await;
    connect(&social, &mut ada, &Person::ada()).await.assert_leads_to("/linked");
    let before = social.account("acme").await;
    social.acme.state().scope = json!("openid calendar");
    connect(&social, &mut ada, &Person::ada()).await.assert_leads_to("/linked");
    let after = social.account("acme").await;
    assert_eq!(after.text("scope"), Some("openid,profile,email,calendar"));
    assert_ne!(before.text("accessToken"), after.text("accessToken"));
}

#[tokio::test]
async fn a_second_account_at_the_same_provider_is_a_second_row() {
    let social = social();
    let mut ada = social.with_password("ada@example.com", true).await;
    connect(&social, &mut ada, &Person::ada()).await.assert_leads_to("/linked");
    let second = Person { subject: "second".into(), ..Person::ada() };
    connect(&social, &mut ada, &second).await.assert_leads_to("/linked");
    assert_eq!(social.accounts("acme").await.len(), 2);
}

#[tokio::test]
async fn an_account_is_connected_by_an_id_token_without_leaving_the_page() {
    let social = social();
    let mut ada = social.with_password("ada@example.com", true).await;
    let body = |person: &Person| json!({ "provider": "acme", "idToken": { "token": social.acme.id_token(person, None) } });
    let answer = ada.post("/link-social", body(&Person::ada())).await.assert(StatusCode::OK);
    assert_eq!(answer.json(), json!({ "url": "", "status": true, "redirect": false }));
    assert_eq!(social.account("acme").await.text("accountId"), Some("subject-of-ada"));

    let claiming = Person { subject: "x".into(), ..Person::claiming("X", "ada@example.com") };
    let refused = ada.post("/link-social", body(&claiming)).await.refused(401, "LINKING_NOT_ALLOWED");
    assert_eq!(refused.json()["message"], "Account not linked - linking not allowed");
    let different = Person { subject: "y".into(), ..Person::new("Y", "y@example.com") };
    let refused = ada.post("/link-social", body(&different)).await;
    refused.refused(401, "LINKING_DIFFERENT_EMAILS_NOT_ALLOWED");

    let forged = json!({ "provider": "acme", "idToken": { "token": "a.b.c" } });
    ada.post("/link-social", forged).await.refused(401, "INVALID_TOKEN");
}

#[tokio::test]
// spec: SOC-5
async fn an_account_of_somebody_else_is_not_connected_by_an_id_token() {
    let social = social_accounts(&json!({ "accountLinking": { "allowDifferentEmails": true } }));
    social.signed_in(&Person::ada()).await;
    let mut bob = social.with_password("bob@example.com", true).await;
    let token = social.acme.id_token(&Person::ada(), None);
    let body = json!({ "provider": "acme", "idToken": { "token": token } });
    bob.post("/link-social", body).await.refused(409, "SOCIAL_ACCOUNT_ALREADY_LINKED");
    assert_eq!(social.accounts("acme").await.len(), 1);
}
