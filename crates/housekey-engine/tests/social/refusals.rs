//! Why somebody is not let in: each reason of the reference, at the place where the flow wanted to hear it.

use std::sync::{Arc, Mutex};

use housekey_engine::hooks::{BeforeWrite, DatabaseHooks};
use housekey_engine::options::{EngineOptions, UserInfoCheck, UserInfoRefusal};
use housekey_engine::{ApiError, Callback, ErrorCode};
use http::StatusCode;
use serde_json::json;

use crate::social::imitation::{Fault, Part, Person};
use crate::social::{come_back, social, social_where, social_with, start, start_with};
use crate::support::ORIGIN;

#[tokio::test]
async fn what_the_provider_says_is_passed_on_and_ends_the_flow() {
    let social = social();
    let mut browser = social.browser();
    let page = start(&mut browser, "acme").await;
    let state = crate::social::parameter(&page, "state").unwrap();
    let query = format!("error=access_denied&error_description=The+visitor+said+no&state={state}");
    let answer = come_back(&mut browser, &social.acme, &query).await.assert_failed("access_denied");
    assert_eq!(answer.error_description().as_deref(), Some("The visitor said no"));
    assert!(social.test.rows("verification").await.is_empty(), "the state is spent");
    let late = social.acme.agree(&page, &Person::ada());
    come_back(&mut browser, &social.acme, &late).await.assert_lost("state_mismatch");
    social.assert_nothing_made().await;
}

#[tokio::test]
async fn a_flow_that_comes_back_without_a_code_says_so() {
    let social = social();
    let mut browser = social.browser();
    let page = start(&mut browser, "acme").await;
    let state = crate::social::parameter(&page, "state").unwrap();
    come_back(&mut browser, &social.acme, &format!("state={state}")).await.assert_failed("no_code");
}

#[tokio::test]
async fn a_provider_that_is_none_any_more_says_so() {
    let social = social();
    let mut browser = social.browser();
    let page = start(&mut browser, "acme").await;
    let query = social.acme.agree(&page, &Person::ada());
    let smaller = social.another_engine(|options| {
        let google = json!({ "google": { "clientId": "g", "clientSecret": "s" } });
        options.social_providers = serde_json::from_value(google).unwrap();
    });
    let mut same = smaller.browser();
    same.cookies.clone_from(&browser.cookies);
    let answer = come_back(&mut same, &social.acme, &query).await;
    assert_eq!(answer.error().1.as_deref(), Some("oauth_provider_not_found"), "{answer:?}");
    social.assert_nothing_made().await;
}

#[tokio::test]
async fn the_reason_joins_a_query_that_is_there_and_stays_before_the_fragment() {
    let social = social();
    let mut browser = social.browser();
    let ends = json!({ "errorCallbackURL": "/failed?from=acme#top" });
    let page = start_with(&mut browser, "acme", ends).await;
    let state = crate::social::parameter(&page, "state").unwrap();
    let answer = come_back(&mut browser, &social.acme, &format!("state={state}")).await;
    answer.assert_leads_to("/failed?from=acme&error=no_code#top");
}

#[tokio::test]
async fn without_a_place_for_failures_they_go_where_the_app_says_or_to_our_own_page() {
    let app = |options: &mut EngineOptions| options.on_api_error.error_url = Some("/oops".into());
    for (social, target) in [
        (social(), format!("{ORIGIN}/api/auth/error?error=no_code")),
        (social_with(app, |_| {}), "/oops?error=no_code".into()),
    ] {
        let mut browser = social.browser();
        let answer = browser.post("/sign-in/social", json!({ "provider": "acme" })).await.json();
        let page = answer["url"].as_str().unwrap().parse().unwrap();
        let state = crate::social::parameter(&page, "state").unwrap();
        let answer = come_back(&mut browser, &social.acme, &format!("state={state}")).await;
        answer.assert_leads_to(&target);
    }
}

#[tokio::test]
async fn a_code_that_the_provider_does_not_take_is_invalid() {
    let social = social();
    let mut browser = social.browser();
    let page = start(&mut browser, "acme").await;
    let state = crate::social::parameter(&page, "state").unwrap();
    let query = format!("code=made-up&state={state}");
    come_back(&mut browser, &social.acme, &query).await.assert_failed("invalid_code");
    social.assert_nothing_made().await;
}

#[tokio::test]
async fn an_error_that_comes_with_status_200_is_a_refusal_too() {
    let social = social();
    social.plain.fails(Part::Token, Fault::Json(json!({ "error": "bad_verification_code" })));
    let mut browser = social.browser();
    let answer = social.visit(&mut browser, &social.plain, &Person::ada()).await;
    answer.assert_failed("unable_to_get_user_info");
    social.assert_nothing_made().await;
}

#[tokio::test]
async fn somebody_without_an_address_cannot_sign_up() {
    let social = social();
    for site in [&social.acme, &social.plain] {
        let nobody = Person::ada().without_email();
        let answer = social.visit(&mut social.browser(), site, &nobody).await;
        answer.assert_failed("email_not_found");
    }
    social.assert_nothing_made().await;
}

#[tokio::test]
async fn a_profile_without_an_id_is_none() {
    let social = social();
    let anonymous = Person::ada().saying(json!({ "id": null, "sub": null }));
    let answer = social.visit(&mut social.browser(), &social.plain, &anonymous).await;
    answer.assert_failed("unable_to_get_user_info");
    social.assert_nothing_made().await;
}

#[tokio::test]
async fn where_addresses_must_be_proven_somebody_unproven_is_made_but_not_let_in() {
    let social = social_where(|providers| providers["acme"]["requireEmailVerification"] = json!(true));
    let ada = Person::claiming("Ada", "ada@example.com");
    for _ in 0..2 {
        social.sign_in(&mut social.browser(), &ada).await.assert_failed("email_not_verified");
    }
    assert_eq!(social.test.rows("user").await.len(), 1);
    assert_eq!(social.test.rows("account").await.len(), 1);
    assert!(social.test.rows("session").await.is_empty());
    social.sign_in(&mut social.browser(), &Person::new("Bob", "bob@example.com")).await.assert_leads_in();
}

#[tokio::test]
async fn a_provider_without_sign_up_lets_only_those_in_who_are_there() {
    let social = social_where(|providers| providers["acme"]["disableSignUp"] = json!(true));
    let mut browser = social.browser();
    let page = start_with(&mut browser, "acme", json!({ "requestSignUp": true })).await;
    let query = social.acme.agree(&page, &Person::ada());
    come_back(&mut browser, &social.acme, &query).await.assert_failed("signup_disabled");
    social.assert_nothing_made().await;

    social.with_password("ada@example.com", true).await;
    social.sign_in(&mut browser, &Person::ada()).await.assert_leads_in();
}

#[tokio::test]
async fn a_provider_without_implicit_sign_up_makes_somebody_only_when_asked() {
    let social = social_where(|providers| providers["acme"]["disableImplicitSignUp"] = json!(true));
    let mut browser = social.browser();
    social.sign_in(&mut browser, &Person::ada()).await.assert_failed("signup_disabled");
    social.assert_nothing_made().await;
    let page = start_with(&mut browser, "acme", json!({ "requestSignUp": true })).await;
    let query = social.acme.agree(&page, &Person::ada());
    come_back(&mut browser, &social.acme, &query).await.assert_leads_in();
}

#[tokio::test]
async fn an_account_whose_user_is_gone_lets_nobody_in() {
    use housekey_engine::storage::{Filter, Records as _};
    let social = social();
    social.signed_in(&Person::ada()).await;
    let storage = &social.test.storage;
    let schema = social.test.engine.schema();
    for table in ["session", "user"] {
        storage.delete(schema.table(table).unwrap(), &Filter::all()).await.unwrap();
    }
    if social.test.rows("account").await.is_empty() {
        return; // The storage deletes what hangs on a user.
    }
    social.sign_in(&mut social.browser(), &Person::ada()).await.assert_failed("unable_to_link_account");
    assert!(social.test.rows("user").await.is_empty());
}

#[tokio::test]
async fn a_hook_that_refuses_says_why() {
    let banned = |options: &mut EngineOptions| {
        options.database_hooks = DatabaseHooks::new().before_create("session", |_| async {
            let banned = ErrorCode::new("BANNED_USER", "You have been banned");
            Err::<BeforeWrite, _>(banned.with(StatusCode::FORBIDDEN))
        });
    };
    let social = social_with(banned, |_| {});
    let answer = social.sign_in(&mut social.browser(), &Person::ada()).await.assert_failed("BANNED_USER");
    assert_eq!(answer.error_description().as_deref(), Some("You have been banned"));
    assert!(social.test.rows("session").await.is_empty());
}

#[tokio::test]
async fn an_app_says_who_may_come_and_is_asked_each_time() {
    let asked: Arc<Mutex<Vec<String>>> = Arc::default();
    let seen = Arc::clone(&asked);
    let check = Callback::new(move |check: UserInfoCheck| {
        seen.lock().unwrap().push(format!("{} {}", check.action, check.provider_id));
        assert_eq!(check.profile["sub"], check.profile["id"], "the profile as it came");
        let stranger = check.user.text("email").is_some_and(|email| email.ends_with("@evil.test"));
        let refusal = UserInfoRefusal {
            error: "domain_not_allowed".into(),
            error_description: Some("Only people of ours".into()),
        };
        async move { Ok::<_, ApiError>(stranger.then_some(refusal)) }
    });
    let social = social_with(|options| options.user.validate_user_info = check, |_| {});
    let eve = Person::new("Eve", "eve@evil.test");
    let answer = social.sign_in(&mut social.browser(), &eve).await.assert_failed("domain_not_allowed");
    assert_eq!(answer.error_description().as_deref(), Some("Only people of ours"));
    social.assert_nothing_made().await;
    social.signed_in(&Person::ada()).await;
    social.signed_in(&Person::ada()).await;
    let elsewhere = Person { subject: "another".into(), ..Person::ada() };
    social.visit(&mut social.browser(), &social.other, &elsewhere).await.assert_leads_in();
    let asked = asked.lock().unwrap().clone();
    assert_eq!(asked, ["create-user acme", "create-user acme", "sign-in acme", "link-account other"]);
}
