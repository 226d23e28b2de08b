//! Who somebody becomes: known by the id at the provider, and made when they are new.

use housekey_engine::options::{AdditionalField, EngineOptions, FieldKind};
use housekey_engine::{ApiError, Callback, Record, Value};
use serde_json::{Map, json};

use crate::social::imitation::Person;
use crate::social::{social, social_accounts, social_where, social_with};

fn date(row: &Record, field: &str) -> Option<time::OffsetDateTime> {
    row.get(field).and_then(Value::as_date)
}

#[tokio::test]
// spec: SOC-2
async fn somebody_is_known_by_their_id_and_not_by_their_address() {
    let social = social();
    let ada = social.signed_in(&Person::ada()).await.session().await["user"]["id"].clone();
    let moved = Person { email: Some("ada@new.example.com".into()), ..Person::ada() };
    let mut browser = social.signed_in(&moved).await;
    let user = browser.session().await["user"].clone();
    assert_eq!((&user["id"], &user["email"]), (&ada, &json!("ada@example.com")));
}

#[tokio::test]
async fn the_tokens_of_the_last_sign_in_are_kept_and_the_scopes_of_the_first() {
    let social = social();
    social.signed_in(&Person::ada()).await;
    let before = social.account("acme").await;
    social.test.advance(60);
    {
        let mut acme = social.acme.state();
        acme.scope = json!("openid calendar");
        acme.sends_refresh_token = false;
    }
    social.signed_in(&Person::ada()).await;
    let after = social.account("acme").await;
    assert_ne!(before.text("accessToken"), after.text("accessToken"));
    assert_eq!(before.text("refreshToken"), after.text("refreshToken"), "none came, so the old one stays");
    assert_eq!(before.text("scope"), after.text("scope"));
    assert_eq!(date(&after, "updatedAt"), Some(social.test.clock.now()));
}

#[tokio::test]
async fn an_app_that_says_so_keeps_the_account_as_it_was() {
    let social = social_accounts(&json!({ "updateAccountOnSignIn": false }));
    social.signed_in(&Person::ada()).await;
    let before = social.account("acme").await;
    social.test.advance(60);
    social.signed_in(&Person::ada()).await;
    assert_eq!(social.account("acme").await, before);
}

#[tokio::test]
async fn an_address_that_the_provider_proves_later_is_proven_here_too() {
    let social = social();
    social.signed_in(&Person::claiming("Ada", "ada@example.com")).await;
    assert_eq!(social.user("ada@example.com").await.unwrap().get("emailVerified"), Some(&Value::Bool(false)));
    social.signed_in(&Person::ada()).await;
    assert_eq!(social.user("ada@example.com").await.unwrap().get("emailVerified"), Some(&Value::Bool(true)));
    // But not by the proof of another address.
    let bob = Person::claiming("Bob", "bob@example.com");
    social.signed_in(&bob).await;
    let moved = Person { verified: true, email: Some("bob@new.example.com".into()), ..bob };
    social.signed_in(&moved).await;
    assert_eq!(social.user("bob@example.com").await.unwrap().get("emailVerified"), Some(&Value::Bool(false)));
}

#[tokio::test]
async fn an_address_is_kept_in_lower_case_and_a_name_may_be_missing() {
    let social = social();
    let ada = Person::new("Ada", "Ada@EXAMPLE.com").saying(json!({ "name": null }));
    social.signed_in(&ada).await;
    let user = social.user("ada@example.com").await.unwrap();
    assert_eq!(user.text("name"), Some(""));
}

#[tokio::test]
async fn a_verified_flag_that_is_a_text_is_understood() {
    let social = social();
    social.signed_in(&Person::ada().saying(json!({ "email_verified": "true" }))).await;
    let user = social.user("ada@example.com").await.unwrap();
    assert_eq!(user.get("emailVerified"), Some(&Value::Bool(true)));
    for lie in [json!("false"), json!(1), json!("yes"), json!({ "yes": true }), json!(null)] {
        let email = "eve@example.com";
        let eve = Person::new("Eve", email).saying(json!({ "email_verified": lie, "sub": lie.to_string() }));
        let answer = social.sign_in(&mut social.browser(), &eve).await;
        if answer.location() == "/welcome" {
            let user = social.user(email).await.unwrap();
            assert_eq!(user.get("emailVerified"), Some(&Value::Bool(false)), "{lie}");
        }
    }
}

#[tokio::test]
async fn who_signs_in_is_brought_up_to_date_only_where_that_is_wanted() {
    let plain = social();
    let overriding = social_where(|providers| providers["acme"]["overrideUserInfo"] = json!(true));
    for (social, overrides) in [(plain, false), (overriding, true)] {
        social.signed_in(&Person::ada()).await;
        let renamed = Person {
            name: "Countess".into(),
            email: Some("countess@example.com".into()),
            verified: false,
            ..Person::ada()
        };
        let user = social.signed_in(&renamed).await.session().await["user"].clone();
        let expected = if overrides {
            ("Countess", "countess@example.com", false)
        } else {
            ("Ada", "ada@example.com", true)
        };
        assert_eq!(user["name"], expected.0);
        assert_eq!(user["email"], expected.1);
        assert_eq!(user["emailVerified"], expected.2, "a new address is proven by nothing");
    }
}

#[tokio::test]
async fn an_address_that_is_somebody_elses_is_not_taken_over_by_an_override() {
    let social = social_where(|providers| providers["acme"]["overrideUserInfo"] = json!(true));
    let bob = social.with_password("bob@example.com", true).await.session().await["user"]["id"].clone();
    social.signed_in(&Person::ada()).await;
    let thief = Person { email: Some("bob@example.com".into()), ..Person::ada() };
    let mut browser = social.browser();
    let answer = social.sign_in(&mut browser, &thief).await;
    let user = social.user("bob@example.com").await.unwrap();
    assert_eq!(user.text("id"), bob.as_str(), "{answer:?}");
    assert_eq!(social.test.rows("user").await.len(), 2);
    assert_ne!(browser.session().await["user"]["id"], bob);
}

fn mapping(options: &mut EngineOptions) {
    let field = |input| AdditionalField {
        kind: FieldKind::String,
        required: false,
        input: Some(input),
        ..Default::default()
    };
    options.user.additional_fields.insert("nickname".into(), field(true));
    options.user.additional_fields.insert("role".into(), field(false));
    let mut providers = housekey_engine::social::SocialProviders::new();
    for provider in &options.social_providers {
        let mut provider = provider.clone();
        provider.settings.map_profile_to_user = Callback::new(|profile: serde_json::Value| async move {
            let mut user = Map::new();
            user.insert("nickname".into(), profile["nick"].clone());
            user.insert("role".into(), json!("admin"));
            user.insert("undeclared".into(), json!("x"));
            user.insert("id".into(), json!("chosen"));
            Ok::<_, ApiError>(user)
        });
        providers.push(provider);
    }
    options.social_providers = providers;
}

#[tokio::test]
async fn an_apps_own_columns_are_filled_from_the_profile_and_no_others() {
    let social = social_with(mapping, |_| {});
    social.signed_in(&Person::ada().saying(json!({ "nick": "countess" }))).await;
    let user = social.user("ada@example.com").await.unwrap();
    assert_eq!(user.text("nickname"), Some("countess"));
    assert_eq!(user.text("role"), None, "a field that is no input is not taken: {user:?}");
    assert!(!user.has("undeclared"));
    assert_ne!(user.text("id"), Some("chosen"));
    assert_eq!(social.account("acme").await.text("accountId"), Some("subject-of-ada"));
}

#[tokio::test]
async fn accounts_of_two_providers_with_one_id_are_two_people() {
    let social = social();
    social.signed_in(&Person::ada()).await;
    let namesake = Person { email: Some("another@example.com".into()), ..Person::ada() };
    social.visit(&mut social.browser(), &social.other, &namesake).await.assert_leads_in();
    assert_eq!(social.test.rows("user").await.len(), 2);
}

#[tokio::test]
async fn ten_first_visits_at_once_make_one_person() {
    let social = social();
    let mut tasks = Vec::new();
    for _ in 0..10 {
        let mut browser = social.browser();
        let page = crate::social::start(&mut browser, "acme").await;
        let (acme, query) = (social.acme.clone(), social.acme.agree(&page, &Person::ada()));
        tasks.push(tokio::spawn(async move { crate::social::come_back(&mut browser, &acme, &query).await }));
    }
    for task in tasks {
        task.await.unwrap().assert_leads_in();
    }
    assert_eq!(social.test.rows("user").await.len(), 1);
    assert_eq!(social.test.rows("account").await.len(), 1);
    assert_eq!(social.test.rows("session").await.len(), 10);
}

#[tokio::test]
// spec: SOC-2
async fn a_microsoft_account_of_before_is_found_and_keyed_anew() {
    let social = social();
    let ada =
        Person::ada().saying(json!({ "oid": "object-of-ada", "tid": crate::social::TENANT, "ver": "2.0" }));
    social.visit(&mut social.browser(), &social.microsoft, &ada).await.assert_leads_in();
    assert_eq!(social.account("microsoft").await.text("accountId"), Some("object-of-ada"));
    // As 1.6 of the reference wrote it: by `sub`.
    social.change_account("microsoft", &Record::new().with("accountId", "subject-of-ada")).await;
    social.test.advance(60);
    social.visit(&mut social.browser(), &social.microsoft, &ada).await.assert_leads_to("/in");
    assert_eq!(social.account("microsoft").await.text("accountId"), Some("object-of-ada"));
    assert_eq!(social.test.rows("user").await.len(), 1);
}

#[tokio::test]
async fn a_microsoft_account_of_before_is_not_found_by_somebody_elses_subject() {
    let social = social();
    let ada = Person::ada().saying(json!({ "oid": "object-of-ada", "tid": crate::social::TENANT }));
    social.visit(&mut social.browser(), &social.microsoft, &ada).await.assert_leads_in();
    social.change_account("microsoft", &Record::new().with("accountId", "subject-of-ada")).await;
    // Another person whose `oid` is that row's id: an id of the new kind is no subject.
    let eve = Person::new("Eve", "eve@example.com");
    let eve = Person { subject: "subject-of-eve".into(), ..eve }
        .saying(json!({ "oid": "object-of-eve", "tid": crate::social::TENANT }));
    let mut browser = social.browser();
    social.visit(&mut browser, &social.microsoft, &eve).await.assert_leads_in();
    assert_eq!(browser.session().await["user"]["email"], "eve@example.com");
}
