//! Signing out at the provider too.

use http::StatusCode;
use serde_json::json;
use url::Url;

use crate::social::imitation::{Person, parameter};
use crate::social::{social, social_where};
use crate::support::ORIGIN;

#[tokio::test]
// spec: SOC-2
async fn somebody_who_signs_out_is_told_where_the_provider_signs_them_out() {
    let social = social();
    let mut ada = social.signed_in(&Person::ada()).await;
    let answer =
        ada.post("/sign-out", json!({ "callbackURL": "/bye", "state": "kept" })).await.assert(StatusCode::OK);
    let said = answer.json();
    assert_eq!((&said["success"], &said["redirect"]), (&json!(true), &json!(true)));
    assert_eq!(answer.header("location"), said["url"].as_str());
    let url = Url::parse(said["url"].as_str().unwrap()).unwrap();
    assert_eq!(url.as_str().split('?').next(), Some("https://id.acme.test/end-session"));
    assert_eq!(parameter(&url, "id_token_hint").as_deref(), social.account("acme").await.text("idToken"));
    assert_eq!(parameter(&url, "post_logout_redirect_uri"), Some(format!("{ORIGIN}/bye")));
    assert_eq!(parameter(&url, "client_id").as_deref(), Some("acme-client"));
    assert_eq!(parameter(&url, "state").as_deref(), Some("kept"));
    assert_eq!(ada.session().await, json!(null), "and they are signed out here");
}

#[tokio::test]
async fn without_a_place_to_go_on_the_provider_gets_the_hint_alone() {
    let social = social();
    let mut ada = social.signed_in(&Person::ada()).await;
    let said = ada.post("/sign-out", json!({})).await.assert(StatusCode::OK).json();
    let url = Url::parse(said["url"].as_str().unwrap()).unwrap();
    let names: Vec<_> = url.query_pairs().map(|(name, _)| name.into_owned()).collect();
    assert_eq!(names, ["id_token_hint"]);
}

#[tokio::test]
async fn whoever_has_no_such_account_or_no_such_provider_is_signed_out_here_alone() {
    let social = social_where(|providers| providers["acme"]["disableProviderLogout"] = json!(true));
    let mut acme = social.signed_in(&Person::ada()).await;
    let mut plain = social.browser();
    let bob = Person::new("Bob", "bob@example.com");
    social.visit(&mut plain, &social.plain, &bob).await.assert_leads_in();
    let mut password = social.with_password("carol@example.com", true).await;
    for browser in [&mut acme, &mut plain, &mut password] {
        let said = browser.post("/sign-out", json!({})).await.assert(StatusCode::OK).json();
        assert_eq!(said, json!({ "success": true }));
    }
}

#[tokio::test]
async fn a_foreign_place_to_go_on_is_refused_at_sign_out_too() {
    let social = social();
    let mut ada = social.signed_in(&Person::ada()).await;
    let answer = ada.post("/sign-out", json!({ "callbackURL": "https://evil.test" })).await;
    assert!(!String::from_utf8_lossy(&answer.body).contains("evil.test"), "{answer:?}");
}

#[tokio::test]
async fn the_account_that_was_used_last_is_the_one_to_sign_out_of() {
    let social = social();
    social.signed_in(&Person::ada()).await;
    social.test.advance(60);
    let mut ada = social.browser();
    social.visit(&mut ada, &social.other, &Person::ada()).await.assert_leads_in();
    let said = ada.post("/sign-out", json!({})).await.assert(StatusCode::OK).json();
    assert!(said["url"].as_str().unwrap().starts_with("https://other.test/end-session"), "{said}");
}
