//! Where sessions are: right at every moment, under the cookie cache too.

use housekey_engine::options::EngineOptions;
use housekey_engine::plugins::OrganizationOptions;
use housekey_engine::plugins::organization::{TeamOptions, active_membership};
use housekey_engine::storage::Filter;
use housekey_engine::{Record, Value as Field};
use http::StatusCode;
use serde_json::{Value, json};

use crate::organization::{
    active, ada_and_acme, api_of, built, creates, does, email, joins, member_id, options, person, set,
    test_engine, user_id, with,
};
use crate::support::{Browser, PASSWORD, TestEngine};

/// With a copy of the session in a cookie, which is believed for a while.
fn cached() -> EngineOptions {
    let mut options = options();
    options.session.cookie_cache.enabled = true;
    options
}

async fn signs_in(test: &TestEngine, name: &str) -> Browser {
    let mut browser = test.browser();
    browser.sign_in(&email(name), PASSWORD).await.assert(StatusCode::OK);
    browser
}

#[tokio::test]
// spec: ORG-3
async fn whatever_moves_a_session_is_seen_at_once_under_the_cookie_cache() {
    let test = built(cached(), OrganizationOptions::default());
    let (mut ada, acme) = ada_and_acme(&test).await;
    assert_eq!(active(&mut ada).await, json!(acme), "create");
    let other = creates(&mut ada, "other").await;
    assert_eq!(active(&mut ada).await, json!(other), "create");
    let mut bob = joins(&test, &mut ada, "bob", "member").await;
    assert_eq!(active(&mut bob).await, json!(other), "accept");
    does(&mut ada, "set-active", json!({ "organizationSlug": "acme" })).await.assert(StatusCode::OK);
    assert_eq!(active(&mut ada).await, json!(acme), "set-active");
    does(&mut bob, "leave", json!({ "organizationId": other })).await.assert(StatusCode::OK);
    assert_eq!(active(&mut bob).await, Value::Null, "leave");
    does(&mut ada, "delete", json!({ "organizationId": acme })).await.assert(StatusCode::OK);
    assert_eq!(active(&mut ada).await, Value::Null, "delete");
    does(&mut ada, "set-active", json!({ "organizationId": other })).await.assert(StatusCode::OK);
    let none = does(&mut ada, "set-active", json!({ "organizationId": null })).await.assert(StatusCode::OK);
    assert_eq!(none.json(), Value::Null);
    assert_eq!(active(&mut ada).await, Value::Null, "set-active to none");
}

#[tokio::test]
// spec: ORG-3
async fn whoever_signs_in_is_where_they_were_last() {
    let test = test_engine();
    let (mut ada, acme) = ada_and_acme(&test).await;
    let other = creates(&mut ada, "other").await;
    assert_eq!(active(&mut signs_in(&test, "ada").await).await, json!(other));
    does(&mut ada, "set-active", json!({ "organizationId": acme })).await.assert(StatusCode::OK);
    assert_eq!(active(&mut signs_in(&test, "ada").await).await, json!(acme));
    does(&mut ada, "set-active", json!({ "organizationId": null })).await.assert(StatusCode::OK);
    assert_eq!(active(&mut signs_in(&test, "ada").await).await, Value::Null);
}

#[tokio::test]
// spec: ORG-3
async fn nobody_comes_back_to_where_they_are_no_member() {
    let test = test_engine();
    let (mut ada, acme) = ada_and_acme(&test).await;
    joins(&test, &mut ada, "bob", "member").await;
    let body = json!({ "memberIdOrEmail": member_id(&test, &acme, "bob").await });
    does(&mut ada, "remove-member", body).await.assert(StatusCode::OK);
    assert_eq!(active(&mut signs_in(&test, "bob").await).await, Value::Null);
}

#[tokio::test]
// spec: ORG-3
async fn where_somebody_was_last_is_nobody_s_business() {
    let test = test_engine();
    let (mut ada, acme) = ada_and_acme(&test).await;
    assert!(ada.session().await["user"].get("lastOrganizationId").is_none());
    let mut eve = test.browser();
    let body = json!({
        "name": "Eve", "email": "eve@example.com", "password": PASSWORD, "lastOrganizationId": acme,
    });
    eve.post("/sign-up/email", body).await.refused(400, "FIELD_NOT_ALLOWED");
}

#[tokio::test]
// spec: ORG-3
async fn a_removed_member_has_no_effect_left_in_any_of_their_sessions() {
    let test = test_engine();
    let (mut ada, acme) = ada_and_acme(&test).await;
    let mut phone = joins(&test, &mut ada, "bob", "admin").await;
    let mut desk = signs_in(&test, "bob").await;
    assert_eq!(active(&mut desk).await, json!(acme));
    let body = json!({ "memberIdOrEmail": member_id(&test, &acme, "bob").await });
    does(&mut ada, "remove-member", body).await.assert(StatusCode::OK);
    for browser in [&mut phone, &mut desk] {
        assert_eq!(active(browser).await, Value::Null);
        does(browser, "invite-member", json!({ "email": email("eve"), "role": "member" }))
            .await
            .refused(400, "ORGANIZATION_NOT_FOUND");
        let by_id = json!({ "email": email("eve"), "role": "member", "organizationId": acme });
        does(browser, "invite-member", by_id).await.refused(400, "MEMBER_NOT_FOUND");
    }
    assert_eq!(active(&mut ada).await, json!(acme));
}

#[tokio::test]
// spec: ORG-3
async fn a_deleted_organisation_is_left_by_every_session() {
    let test = test_engine();
    let (mut ada, acme) = ada_and_acme(&test).await;
    let mut bob = joins(&test, &mut ada, "bob", "member").await;
    let mut desk = signs_in(&test, "ada").await;
    does(&mut ada, "delete", json!({ "organizationId": acme })).await.assert(StatusCode::OK);
    for browser in [&mut ada, &mut bob, &mut desk] {
        assert_eq!(active(browser).await, Value::Null);
        assert_eq!(browser.get("/organization/get-organization").await.json(), Value::Null);
    }
}

#[tokio::test]
// spec: ORG-3
async fn a_copy_in_a_cookie_makes_nobody_a_member() {
    let test = built(cached(), OrganizationOptions::default());
    let (mut ada, acme) = ada_and_acme(&test).await;
    let bob = joins(&test, &mut ada, "bob", "admin").await;
    // What the browser held when Bob was a member.
    let mut stale = bob.clone();
    let membership = active_membership(&mut api_of(&test, &stale)).await.unwrap().unwrap();
    assert_eq!(membership.organization.id, acme);
    let body = json!({ "memberIdOrEmail": member_id(&test, &acme, "bob").await });
    does(&mut ada, "remove-member", body).await.assert(StatusCode::OK);
    assert!(active_membership(&mut api_of(&test, &stale)).await.unwrap().is_none());
    for (what, status) in [
        ("list-members", 400),
        ("get-active-member", 400),
        ("list-invitations", 400),
        ("get-active-member-role", 400),
    ] {
        let answer = stale.clone().get(&format!("/organization/{what}")).await;
        assert_eq!(answer.status.as_u16(), status, "{what}: {answer:?}");
    }
    let body = json!({ "permissions": { "member": ["create"] } });
    does(&mut stale, "has-permission", body).await.refused(400, "NO_ACTIVE_ORGANIZATION");
}

#[tokio::test]
// spec: ORG-3
async fn a_session_that_is_where_it_should_not_be_is_taken_out() {
    let test = test_engine();
    let (_, acme) = ada_and_acme(&test).await;
    let mut eve = person(&test, "eve").await;
    let mine = Filter::by("userId", user_id(&test, "eve").await);
    for dead in [acme.as_str(), "gone"] {
        set(&test, "session", mine.clone(), Record::new().with("activeOrganizationId", dead)).await;
        let refused = eve.get("/organization/get-organization").await;
        assert!(refused.status.is_client_error());
        assert_eq!(active(&mut eve).await, Value::Null);
    }
}

#[tokio::test]
// spec: ORG-3
async fn a_refused_move_leaves_the_session_where_it_is() {
    let test = test_engine();
    let (mut ada, acme) = ada_and_acme(&test).await;
    let mut eve = person(&test, "eve").await;
    let own = creates(&mut eve, "own").await;
    let code = "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION";
    does(&mut eve, "set-active", json!({ "organizationId": acme })).await.refused(403, code);
    does(&mut eve, "set-active", json!({ "organizationSlug": "nothing" }))
        .await
        .refused(400, "ORGANIZATION_NOT_FOUND");
    eve.get(&format!("/organization/get-organization?organizationId={acme}")).await.refused(403, code);
    assert_eq!(active(&mut eve).await, json!(own));
    assert_eq!(active(&mut ada).await, json!(acme));
}

#[tokio::test]
// spec: ORG-3
async fn a_team_of_another_organisation_does_not_come_along() {
    let test = with(OrganizationOptions { teams: Some(TeamOptions::default()), ..Default::default() });
    let (mut ada, acme) = ada_and_acme(&test).await;
    let team = ada.session().await["session"]["activeTeamId"].clone();
    assert!(team.is_string());
    does(&mut ada, "set-active", json!({ "organizationId": acme })).await.assert(StatusCode::OK);
    assert_eq!(ada.session().await["session"]["activeTeamId"], team, "it is the same organisation");
    let other = creates(&mut ada, "other").await;
    assert_ne!(ada.session().await["session"]["activeTeamId"], team);
    does(&mut ada, "set-active", json!({ "organizationId": acme })).await.assert(StatusCode::OK);
    assert_eq!(ada.session().await["session"]["activeTeamId"], Value::Null);
    does(&mut ada, "leave", json!({ "organizationId": other })).await;
    assert_eq!(active(&mut ada).await, json!(acme));
}

#[tokio::test]
// spec: ORG-3
async fn a_client_cannot_move_its_session_by_itself() {
    let mut own_column = options();
    let field = housekey_engine::options::AdditionalField::default();
    own_column.session.additional_fields.insert("theme".into(), field);
    let test = built(own_column, OrganizationOptions::default());
    let (_, acme) = ada_and_acme(&test).await;
    let mut eve = person(&test, "eve").await;
    let body = json!({ "activeOrganizationId": acme });
    eve.post("/update-session", body).await.refused(400, "FIELD_NOT_ALLOWED");
    let rows = test.rows("session").await;
    let is_there = |row: &&Record| row.get("activeOrganizationId") == Some(&Field::from(acme.as_str()));
    assert_eq!(rows.iter().filter(is_there).count(), 1);
}
