//! A refresh token is spent once, however many ask.

use housekey_test_support::{happens, in_time};
use http::StatusCode;
use serde_json::{Value, json};

use crate::social::imitation::{Fault, Part, Person};
use crate::social::{Social, social, social_accounts};
use crate::support::Browser;

/// Ada and the body that asks for her access token, which is about to run out.
async fn about_to_run_out(social: &Social) -> (Browser, Value) {
    let ada = social.signed_in(&Person::ada()).await;
    let body = json!({ "accountId": social.account("acme").await.text("id").unwrap() });
    social.test.advance(3596);
    (ada, body)
}

fn refreshes(social: &Social) -> usize {
    let asked = social.acme.requests_to(&social.acme.places.token);
    asked.iter().filter(|request| request.form("grant_type").as_deref() == Some("refresh_token")).count()
}

#[tokio::test]
// spec: SOC-7
async fn a_token_is_refreshed_seconds_before_it_runs_out_and_not_earlier() {
    let social = social();
    let (mut ada, body) = about_to_run_out(&social).await;
    let before = social.account("acme").await;
    let said = ada.post("/get-access-token", body.clone()).await.assert(StatusCode::OK).json();
    assert_eq!(refreshes(&social), 1);
    assert_ne!(said["accessToken"].as_str(), before.text("accessToken"));
    assert_eq!(said["accessToken"].as_str(), social.account("acme").await.text("accessToken"));
    let again = ada.post("/get-access-token", body).await.assert(StatusCode::OK).json();
    assert_eq!(again["accessToken"], said["accessToken"]);
    assert_eq!(refreshes(&social), 1);
}

#[tokio::test]
async fn a_token_that_has_time_left_or_never_runs_out_is_given_as_it_is() {
    for expires_in in [Some(3600), None] {
        let social = social();
        social.acme.state().expires_in = expires_in;
        let mut ada = social.signed_in(&Person::ada()).await;
        let body = json!({ "accountId": social.account("acme").await.text("id").unwrap() });
        social.test.advance(if expires_in.is_some() { 3590 } else { 5 * 86_400 });
        ada.post("/get-access-token", body).await.assert(StatusCode::OK);
        assert_eq!(refreshes(&social), 0);
    }
}

#[tokio::test]
// spec: SOC-7
async fn ten_who_ask_at_once_spend_one_refresh_token_and_get_one_answer() {
    for options in [json!({}), json!({ "encryptOAuthTokens": true })] {
        let social = social_accounts(&options);
        let (ada, body) = about_to_run_out(&social).await;
        let tasks: Vec<_> = (0..10)
            .map(|_| {
                let (mut tab, body) = (ada.clone(), body.clone());
                tokio::spawn(async move { tab.post("/get-access-token", body).await })
            })
            .collect();
        let mut tokens = Vec::new();
        for task in tasks {
            tokens.push(task.await.unwrap().assert(StatusCode::OK).json()["accessToken"].clone());
        }
        tokens.dedup();
        assert_eq!(tokens.len(), 1, "{tokens:?}");
        assert_eq!(refreshes(&social), 1);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
// spec: SOC-7
async fn two_processes_that_ask_at_once_spend_one_refresh_token() {
    let social = social();
    let (ada, body) = about_to_run_out(&social).await;
    let second = social.another_engine(|_| {});
    let mut there = second.browser();
    there.cookies.clone_from(&ada.cookies);
    let mut tasks = Vec::new();
    for number in 0..10 {
        let mut tab = if number % 2 == 0 { ada.clone() } else { there.clone() };
        let body = body.clone();
        tasks.push(tokio::spawn(async move { tab.post("/get-access-token", body).await }));
    }
    for task in tasks {
        task.await.unwrap().assert(StatusCode::OK);
    }
    assert_eq!(refreshes(&social), 1);
}

#[tokio::test]
async fn a_refresh_that_fails_says_so_and_can_be_tried_again() {
    let social = social();
    let (mut ada, body) = about_to_run_out(&social).await;
    let before = social.snapshot().await;
    for fault in [Fault::Status(500), Fault::Garbage, Fault::Unreachable, Fault::Redirect] {
        social.acme.fails(Part::Token, fault);
        ada.post("/get-access-token", body.clone()).await.refused(400, "FAILED_TO_GET_ACCESS_TOKEN");
    }
    assert_eq!(social.snapshot().await, before);
    social.acme.recovers();
    social.test.advance(60);
    ada.post("/get-access-token", body).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn a_caller_who_leaves_in_the_middle_holds_nobody_up() {
    let social = social();
    let (ada, body) = about_to_run_out(&social).await;
    social.acme.fails(Part::Token, Fault::Hangs);
    let (mut gone, asked) = (ada.clone(), body.clone());
    let task = tokio::spawn(async move { gone.post("/get-access-token", asked).await });
    happens("the provider is asked", || refreshes(&social) > 0).await;
    task.abort();
    let _ = task.await;
    social.acme.recovers();
    let mut tab = ada;
    social.test.advance(60);
    in_time("an answer", tab.post("/get-access-token", body)).await.assert(StatusCode::OK);
}
