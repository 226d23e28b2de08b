//! What lies in the database.

use housekey_engine::Record;
use housekey_engine::options::{EngineOptions, SecretVersion};
use http::StatusCode;
use serde_json::json;

use crate::social::imitation::Person;
use crate::social::{come_back, social, social_accounts, social_with, start};

#[tokio::test]
// spec: SOC-7
async fn tokens_are_encrypted_at_rest_and_given_as_they_were() {
    let social = social_accounts(&json!({ "encryptOAuthTokens": true }));
    let mut ada = social.signed_in(&Person::ada()).await;
    let row = social.account("acme").await;
    let secrets = social.internet.secrets();
    for field in ["accessToken", "refreshToken"] {
        let stored = row.text(field).unwrap();
        assert!(stored.bytes().all(|byte| byte.is_ascii_hexdigit()), "{field}: {stored}");
        assert!(!secrets.iter().any(|secret| stored.contains(secret)));
    }
    assert_eq!(row.text("idToken").unwrap().split('.').count(), 3, "as in the reference");
    let body = json!({ "accountId": row.text("id").unwrap() });
    let said = ada.post("/get-access-token", body.clone()).await.assert(StatusCode::OK).json();
    assert!(secrets.iter().any(|secret| said["accessToken"] == json!(secret)));
    let said = ada.post("/refresh-token", body).await.assert(StatusCode::OK).json();
    let row = social.account("acme").await;
    assert_ne!(row.text("accessToken"), said["accessToken"].as_str());
    assert_ne!(row.text("refreshToken"), said["refreshToken"].as_str());
}

#[tokio::test]
async fn tokens_from_before_they_were_encrypted_are_read() {
    let social = social_accounts(&json!({ "encryptOAuthTokens": true }));
    let mut ada = social.signed_in(&Person::ada()).await;
    social.change_account("acme", &Record::new().with("accessToken", "a plain token of before")).await;
    let body = json!({ "accountId": social.account("acme").await.text("id").unwrap() });
    let said = ada.post("/get-access-token", body).await.assert(StatusCode::OK).json();
    assert_eq!(said["accessToken"], "a plain token of before");
}

#[tokio::test]
async fn a_token_that_another_secret_encrypted_is_not_given_away() {
    let social = social_accounts(&json!({ "encryptOAuthTokens": true }));
    let mut ada = social.signed_in(&Person::ada()).await;
    social.change_account("acme", &Record::new().with("accessToken", "00ff".repeat(40))).await;
    let body = json!({ "accountId": social.account("acme").await.text("id").unwrap() });
    ada.post("/get-access-token", body).await.refused(400, "FAILED_TO_GET_ACCESS_TOKEN");
}

#[tokio::test]
async fn without_the_option_tokens_lie_there_as_the_reference_has_them() {
    let social = social();
    social.signed_in(&Person::ada()).await;
    let row = social.account("acme").await;
    let secrets = social.internet.secrets();
    assert!(secrets.iter().any(|secret| row.text("accessToken") == Some(secret)));
}

#[tokio::test]
async fn a_provider_that_names_no_scopes_leaves_an_empty_text() {
    let social = social();
    social.plain.state().scope = json!(null);
    social.visit(&mut social.browser(), &social.plain, &Person::ada()).await.assert_leads_in();
    assert_eq!(social.account("plain").await.text("scope"), Some(""));
    let mut browser = social.browser();
    social.other.state().scope = json!(["a", "b"]);
    social.visit(&mut browser, &social.other, &Person::new("Bob", "bob@example.com")).await.assert_leads_in();
    assert_eq!(social.account("other").await.text("scope"), Some("a,b"));
}

#[tokio::test]
// spec: SOC-7
async fn a_new_secret_reads_what_the_old_one_wrote() {
    let version = |version, value: &str| SecretVersion { version, value: value.into() };
    let old = version(1, "the first secret of at least thirty-two characters");
    let new = version(2, "the second secret of at least thirty-two characters");
    let first = |options: &mut EngineOptions| {
        options.account.encrypt_oauth_tokens = true;
        options.account.store_state_strategy = housekey_engine::options::StateStrategy::Cookie;
        options.secrets = vec![old.clone()];
    };
    let social = social_with(first, |_| {});
    let mut ada = social.signed_in(&Person::ada()).await;
    let mut under_way = social.browser();
    let page = start(&mut under_way, "acme").await;

    let later = social.another_engine(|options| options.secrets = vec![new, old.clone()]);
    let mut there = later.browser();
    there.cookies.clone_from(&ada.cookies);
    let row = social.account("acme").await;
    assert!(row.text("accessToken").unwrap().starts_with("$ba$1$"), "{row:?}");
    let body = json!({ "accountId": row.text("id").unwrap() });
    let before = ada.post("/get-access-token", body.clone()).await.assert(StatusCode::OK).json();
    let after = there.post("/get-access-token", body.clone()).await.assert(StatusCode::OK).json();
    assert_eq!(before["accessToken"], after["accessToken"]);
    there.post("/refresh-token", body).await.assert(StatusCode::OK);
    assert!(social.account("acme").await.text("accessToken").unwrap().starts_with("$ba$2$"));

    let mut finishing = later.browser();
    finishing.cookies.clone_from(&under_way.cookies);
    let query = social.acme.agree(&page, &Person::ada());
    come_back(&mut finishing, &social.acme, &query).await.assert_leads_in();
}
