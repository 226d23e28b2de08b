//! The accounts of whoever is signed in: listed, unlinked, asked for tokens and for the profile.

use housekey_engine::Record;
use http::StatusCode;
use serde_json::{Value, json};

use crate::social::imitation::{Fault, Part, Person};
use crate::social::{Social, come_back, social, social_accounts, start_link};
use crate::support::{Answer, Browser, PASSWORD};

/// The id of the row of an account.
async fn row_id(social: &Social, provider: &str) -> String {
    social.account(provider).await.text("id").unwrap().to_owned()
}

async fn access_token(browser: &mut Browser, id: &str) -> Answer {
    browser.post("/get-access-token", json!({ "accountId": id })).await
}

async fn account_info(browser: &mut Browser, id: &str) -> Answer {
    browser.get(&format!("/account-info?accountId={id}")).await
}

#[tokio::test]
// spec: SOC-2
async fn accounts_are_listed_with_their_scopes_and_without_their_tokens() {
    let social = social();
    let mut ada = social.signed_in(&Person::ada()).await;
    let answer = ada.get("/list-accounts").await.assert(StatusCode::OK);
    let accounts = answer.json();
    assert_eq!(accounts[0]["providerId"], "acme");
    assert_eq!(accounts[0]["accountId"], "subject-of-ada");
    assert_eq!(accounts[0]["scopes"], json!(["openid", "profile", "email"]));
    let text = String::from_utf8_lossy(&answer.body).into_owned();
    for secret in social.internet.secrets() {
        assert!(!text.contains(&secret), "{text}");
    }
}

#[tokio::test]
// spec: SOC-6
async fn the_last_way_in_stays_and_any_other_goes() {
    let social = social();
    let mut ada = social.with_password("ada@example.com", true).await;
    let password = row_id(&social, "credential").await;
    let unlink = |id: &str| json!({ "accountId": id });
    ada.post("/unlink-account", unlink(&password)).await.refused(400, "FAILED_TO_UNLINK_LAST_ACCOUNT");
    ada.post("/unlink-account", unlink("nothing")).await.refused(400, "FAILED_TO_UNLINK_LAST_ACCOUNT");

    let page = start_link(&mut ada, "acme").await;
    come_back(&mut ada, &social.acme, &social.acme.agree(&page, &Person::ada()))
        .await
        .assert_leads_to("/linked");
    ada.post("/unlink-account", unlink("nothing")).await.refused(400, "ACCOUNT_NOT_FOUND");
    let answer = ada.post("/unlink-account", unlink(&password)).await.assert(StatusCode::OK);
    assert_eq!(answer.json(), json!({ "status": true }));
    social.browser().sign_in("ada@example.com", PASSWORD).await.refused(401, "INVALID_EMAIL_OR_PASSWORD");
    let acme = row_id(&social, "acme").await;
    ada.post("/unlink-account", unlink(&acme)).await.refused(400, "FAILED_TO_UNLINK_LAST_ACCOUNT");
    social.signed_in(&Person::ada()).await;
}

#[tokio::test]
// spec: SOC-6
async fn an_account_at_a_provider_that_is_gone_is_no_way_in() {
    let social = social();
    let mut ada = social.with_password("ada@example.com", true).await;
    let page = start_link(&mut ada, "acme").await;
    come_back(&mut ada, &social.acme, &social.acme.agree(&page, &Person::ada()))
        .await
        .assert_leads_to("/linked");
    social.change_account("acme", &Record::new().with("providerId", "gone")).await;
    let unlink = json!({ "accountId": row_id(&social, "credential").await });
    ada.post("/unlink-account", unlink).await.refused(400, "FAILED_TO_UNLINK_LAST_ACCOUNT");
    let gone = json!({ "accountId": row_id(&social, "gone").await });
    ada.post("/unlink-account", gone).await.assert(StatusCode::OK);
}

#[tokio::test]
// spec: SOC-6
async fn of_two_who_unlink_two_accounts_at_once_one_is_left_with_a_way_in() {
    let social = social();
    let mut ada = social.with_password("ada@example.com", true).await;
    let page = start_link(&mut ada, "acme").await;
    come_back(&mut ada, &social.acme, &social.acme.agree(&page, &Person::ada()))
        .await
        .assert_leads_to("/linked");
    let ids = [row_id(&social, "credential").await, row_id(&social, "acme").await];
    let tasks = ids.map(|id| {
        let mut tab = ada.clone();
        tokio::spawn(async move { tab.post("/unlink-account", json!({ "accountId": id })).await })
    });
    for task in tasks {
        task.await.unwrap();
    }
    assert_eq!(social.test.rows("account").await.len(), 1);
}

#[tokio::test]
// spec: SOC-6
async fn somebody_without_a_password_can_set_one() {
    let social = social();
    let mut ada = social.signed_in(&Person::ada()).await;
    let user = social.test.engine.session(&ada.cookie_header()).await.unwrap().unwrap().user.clone();
    social.test.engine.api().set_password(&user, &PASSWORD.into()).await.unwrap();
    social.browser().sign_in("ada@example.com", PASSWORD).await.assert(StatusCode::OK);
    let acme = row_id(&social, "acme").await;
    ada.post("/unlink-account", json!({ "accountId": acme })).await.assert(StatusCode::OK);
}

#[tokio::test]
async fn an_app_that_says_so_lets_the_last_way_in_go() {
    let social = social_accounts(&json!({ "accountLinking": { "allowUnlinkingAll": true } }));
    let mut ada = social.signed_in(&Person::ada()).await;
    let id = row_id(&social, "acme").await;
    ada.post("/unlink-account", json!({ "accountId": id })).await.assert(StatusCode::OK);
    assert!(social.test.rows("account").await.is_empty());
}

#[tokio::test]
async fn unlinking_needs_a_fresh_session_and_takes_only_what_is_ones_own() {
    let social = social();
    let mut ada = social.signed_in(&Person::ada()).await;
    let id = row_id(&social, "acme").await;
    let mut bob = social.with_password("bob@example.com", true).await;
    let page = start_link(&mut bob, "other").await;
    let person = Person::new("Bob", "bob@example.com");
    come_back(&mut bob, &social.other, &social.other.agree(&page, &person)).await.assert_leads_to("/linked");
    bob.post("/unlink-account", json!({ "accountId": id })).await.refused(400, "ACCOUNT_NOT_FOUND");
    assert_eq!(social.accounts("acme").await.len(), 1);
    let stranger = social.browser().post("/unlink-account", json!({ "accountId": id })).await;
    stranger.assert(StatusCode::UNAUTHORIZED);
    social.test.advance(2 * 86_400);
    let stale = ada.post("/unlink-account", json!({ "accountId": id })).await;
    assert_ne!(stale.status, StatusCode::OK, "{stale:?}");
    assert_eq!(social.accounts("acme").await.len(), 1);
}

#[tokio::test]
// spec: SOC-2
async fn an_access_token_is_given_to_its_owner() {
    let social = social();
    let mut ada = social.signed_in(&Person::ada()).await;
    let id = row_id(&social, "acme").await;
    let said = access_token(&mut ada, &id).await.assert(StatusCode::OK).json();
    let row = social.account("acme").await;
    assert_eq!(said["accessToken"].as_str(), row.text("accessToken"));
    assert_eq!(said["idToken"].as_str(), row.text("idToken"));
    assert_eq!(said["scopes"], json!(["openid", "profile", "email"]));
    assert!(said["accessTokenExpiresAt"].is_string());
    assert!(said.get("refreshToken").is_none());
}

#[tokio::test]
async fn an_access_token_is_given_to_nobody_else() {
    let social = social();
    social.signed_in(&Person::ada()).await;
    let id = row_id(&social, "acme").await;
    let nobody = access_token(&mut social.browser(), &id).await.assert(StatusCode::UNAUTHORIZED);
    assert!(nobody.body.is_empty());
    let mut bob = social.with_password("bob@example.com", true).await;
    access_token(&mut bob, &id).await.refused(400, "ACCOUNT_NOT_FOUND");
    bob.post("/refresh-token", json!({ "accountId": id })).await.refused(400, "ACCOUNT_NOT_FOUND");
    account_info(&mut bob, &id).await.refused(400, "ACCOUNT_NOT_FOUND");
    access_token(&mut bob, "nothing").await.refused(400, "ACCOUNT_NOT_FOUND");
    let own = row_id(&social, "credential").await;
    let refused = access_token(&mut bob, &own).await.refused(400, "PROVIDER_NOT_SUPPORTED");
    assert_eq!(refused.json()["message"], "Provider credential is not supported.");
}

#[tokio::test]
async fn keys_of_before_do_not_select_an_account() {
    let social = social();
    let mut ada = social.signed_in(&Person::ada()).await;
    for path in ["/get-access-token", "/refresh-token", "/unlink-account"] {
        let answer = ada.post(path, json!({ "providerId": "acme" })).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{path}: {answer:?}");
    }
    let answer = ada.get("/account-info?providerId=acme").await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{answer:?}");
}

#[tokio::test]
// spec: SOC-2
async fn the_profile_is_fetched_live() {
    let social = social();
    let mut ada = social.browser();
    social.visit(&mut ada, &social.plain, &Person::ada()).await.assert_leads_in();
    let id = row_id(&social, "plain").await;
    let said = account_info(&mut ada, &id).await.assert(StatusCode::OK).json();
    assert_eq!(said["user"]["email"], "ada@example.com");
    assert_eq!(said["user"]["name"], "Ada");
    assert_eq!(said["user"]["emailVerified"], true);
    assert_eq!(said["data"]["sub"], "subject-of-ada");
    assert_eq!(said["account"], json!({ "id": id, "providerId": "plain", "accountId": "subject-of-ada" }));

    social.plain.fails(Part::UserInfo, Fault::Status(500));
    account_info(&mut ada, &id).await.refused(401, "FAILED_TO_GET_USER_INFO");
    let nobody = account_info(&mut social.browser(), &id).await.assert(StatusCode::UNAUTHORIZED);
    assert!(nobody.body.is_empty());
}

#[tokio::test]
async fn an_account_of_a_provider_that_is_none_any_more_is_said_to_be() {
    let social = social();
    let mut ada = social.signed_in(&Person::ada()).await;
    let id = row_id(&social, "acme").await;
    social.change_account("acme", &Record::new().with("providerId", "gone")).await;
    access_token(&mut ada, &id).await.refused(400, "PROVIDER_NOT_SUPPORTED");
    account_info(&mut ada, &id).await.refused(400, "PROVIDER_NOT_CONFIGURED");
}

#[tokio::test]
async fn an_account_without_an_access_token_has_no_profile() {
    let social = social();
    let mut ada = social.signed_in(&Person::ada()).await;
    let id = row_id(&social, "acme").await;
    let none = housekey_engine::Value::Null;
    social.change_account("acme", &Record::new().with("accessToken", none)).await;
    account_info(&mut ada, &id).await.refused(400, "ACCESS_TOKEN_NOT_FOUND");
}

#[tokio::test]
// spec: SOC-2
async fn a_token_is_refreshed_when_asked() {
    let social = social();
    let mut ada = social.signed_in(&Person::ada()).await;
    let before = social.account("acme").await;
    let id = before.text("id").unwrap();
    social.test.advance(60);
    let said = ada.post("/refresh-token", json!({ "accountId": id })).await.assert(StatusCode::OK).json();
    let after = social.account("acme").await;
    assert_ne!(before.text("accessToken"), after.text("accessToken"));
    assert_ne!(before.text("refreshToken"), after.text("refreshToken"));
    assert_eq!(said["accessToken"].as_str(), after.text("accessToken"));
    assert_eq!(said["refreshToken"].as_str(), after.text("refreshToken"));
    assert_eq!((&said["providerId"], &said["accountId"]), (&json!("acme"), &json!(id)));
    assert_eq!(after.text("scope"), before.text("scope"));
    let request = social.acme.requests_to(&social.acme.places.token).pop().unwrap();
    assert_eq!(request.form("grant_type").as_deref(), Some("refresh_token"));
    assert_eq!(request.form("refresh_token").as_deref(), before.text("refreshToken"));
    assert_eq!(request.form("client_secret").as_deref(), Some("acme-client-secret"));
}

#[tokio::test]
async fn a_refresh_token_stays_when_no_other_comes_back() {
    let social = social();
    social.acme.state().rotates = false;
    let mut ada = social.signed_in(&Person::ada()).await;
    let before = social.account("acme").await;
    let id = json!({ "accountId": before.text("id").unwrap() });
    ada.post("/refresh-token", id).await.assert(StatusCode::OK);
    assert_eq!(social.account("acme").await.text("refreshToken"), before.text("refreshToken"));
}

#[tokio::test]
async fn a_token_that_cannot_be_refreshed_says_why() {
    let social = social();
    let mut ada = social.signed_in(&Person::ada()).await;
    let id = row_id(&social, "acme").await;
    let body = json!({ "accountId": id });
    let before = social.snapshot().await;
    social.acme.fails(Part::Token, Fault::Status(500));
    ada.post("/refresh-token", body.clone()).await.refused(400, "FAILED_TO_REFRESH_ACCESS_TOKEN");
    assert_eq!(social.snapshot().await, before, "what was there stays");
    social.change_account("acme", &Record::new().with("refreshToken", housekey_engine::Value::Null)).await;
    ada.post("/refresh-token", body.clone()).await.refused(400, "REFRESH_TOKEN_NOT_FOUND");
    social.change_account("acme", &Record::new().with("providerId", "gone")).await;
    ada.post("/refresh-token", body).await.refused(400, "PROVIDER_NOT_SUPPORTED");
    let nobody = social.browser().post("/refresh-token", json!({ "accountId": id })).await;
    nobody.assert(StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn an_account_in_a_cookie_needs_no_id() {
    let social = social_accounts(&json!({ "storeAccountCookie": true }));
    let mut ada = social.browser();
    let answer = social.sign_in(&mut ada, &Person::ada()).await.assert_leads_in();
    let cookies: Vec<_> =
        answer.cookies.iter().filter(|cookie| cookie.name.contains("account_data")).collect();
    assert!(!cookies.is_empty(), "{answer:?}");
    for cookie in cookies {
        assert!(
            cookie.attributes.contains("Max-Age=300") && cookie.attributes.contains("HttpOnly"),
            "{cookie:?}"
        );
        assert!(!cookie.value.contains("subject-of-ada"));
    }
    let said = ada.post("/get-access-token", json!({ "useAccountCookie": true })).await;
    let said = said.assert(StatusCode::OK).json();
    assert_eq!(said["accessToken"].as_str(), social.account("acme").await.text("accessToken"));
    ada.post("/refresh-token", json!({ "useAccountCookie": true })).await.assert(StatusCode::OK);

    // A cookie of somebody else gives nothing to whoever brings it.
    let mut bob = social.with_password("bob@example.com", true).await;
    for (name, value) in ada.cookies.iter().filter(|(name, _)| name.contains("account_data")) {
        bob.cookies.insert(name.clone(), value.clone());
    }
    let answer = bob.post("/get-access-token", json!({ "useAccountCookie": true })).await;
    assert_ne!(answer.status, StatusCode::OK, "{answer:?}");
    let without = social.browser().post("/get-access-token", json!({ "useAccountCookie": true })).await;
    without.assert(StatusCode::UNAUTHORIZED);
}

#[tokio::test]
async fn the_session_says_nothing_of_tokens() {
    let social = social();
    let mut ada = social.signed_in(&Person::ada()).await;
    let session: Value = ada.session().await;
    for secret in social.internet.secrets() {
        assert!(!session.to_string().contains(&secret));
    }
}
