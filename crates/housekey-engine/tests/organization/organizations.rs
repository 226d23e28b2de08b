//! Creating, seeing, changing and deleting organisations.

use housekey_engine::plugins::OrganizationOptions;
use http::StatusCode;
use serde_json::{Value, json};

use crate::organization::{
    active, ada_and_acme, creates, does, joins, options, person, test_engine, text, user_id, with,
};

#[tokio::test]
// spec: ORG-1
async fn whoever_creates_an_organisation_owns_it_and_is_in_it() {
    let test = test_engine();
    let mut ada = person(&test, "ada").await;
    let body = json!({ "name": "Acme", "slug": "acme", "logo": "/logo.svg", "metadata": { "plan": "gold" } });
    let created = does(&mut ada, "create", body).await.assert(StatusCode::OK);
    assert!(created.cookie("session_token").is_none());
    let created = created.json();
    assert_eq!(created["metadata"], json!({ "plan": "gold" }));
    assert_eq!(created["members"][0]["role"], "owner");
    assert_eq!(created["members"][0]["userId"], user_id(&test, "ada").await);
    assert_eq!(active(&mut ada).await, created["id"]);
    let found = ada.get("/organization/get-organization").await.assert(StatusCode::OK).json();
    assert_eq!(found["metadata"], r#"{"plan":"gold"}"#);
    assert_eq!((&found["logo"], &found["slug"]), (&json!("/logo.svg"), &json!("acme")));
    let all = ada.get("/organization/list").await.assert(StatusCode::OK).json();
    assert_eq!(all, json!([found]));
}

#[tokio::test]
// spec: ORG-1
async fn a_session_stays_where_it_is_if_it_is_asked_to() {
    let test = test_engine();
    let (mut ada, acme) = ada_and_acme(&test).await;
    let body = json!({ "name": "Other", "slug": "other", "keepCurrentActiveOrganization": true });
    does(&mut ada, "create", body).await.assert(StatusCode::OK);
    assert_eq!(active(&mut ada).await, json!(acme));
}

#[tokio::test]
// spec: ORG-1
async fn a_slug_is_taken_once() {
    let test = test_engine();
    let (mut ada, _) = ada_and_acme(&test).await;
    let mut bob = person(&test, "bob").await;
    does(&mut bob, "check-slug", json!({ "slug": "acme" }))
        .await
        .refused(400, "ORGANIZATION_SLUG_ALREADY_TAKEN");
    let free = does(&mut bob, "check-slug", json!({ "slug": "other" })).await.assert(StatusCode::OK);
    assert_eq!(free.json(), json!({ "status": true }));
    does(&mut bob, "create", json!({ "name": "Acme", "slug": "acme" }))
        .await
        .refused(400, "ORGANIZATION_ALREADY_EXISTS");
    creates(&mut ada, "other").await;
    does(&mut ada, "update", json!({ "data": { "slug": "acme" } }))
        .await
        .refused(400, "ORGANIZATION_SLUG_ALREADY_TAKEN");
    does(&mut ada, "update", json!({ "data": { "slug": "other" } })).await.assert(StatusCode::OK);
}

#[tokio::test]
// spec: ORG-1
async fn an_update_changes_what_it_names_and_nothing_is_refused() {
    let test = test_engine();
    let (mut ada, acme) = ada_and_acme(&test).await;
    let data = json!({ "data": { "name": "Acme & Co", "logo": "/new.svg", "metadata": { "a": 1 } } });
    let changed = does(&mut ada, "update", data).await.assert(StatusCode::OK).json();
    assert_eq!(
        (&changed["name"], &changed["slug"], &changed["metadata"]),
        (&json!("Acme & Co"), &json!("acme"), &json!({ "a": 1 }))
    );
    let gone = does(&mut ada, "update", json!({ "data": { "logo": null } })).await.assert(StatusCode::OK);
    assert_eq!(gone.json()["logo"], Value::Null);
    for data in [json!({}), json!({ "id": "x", "createdAt": "2020-01-01T00:00:00Z" })] {
        does(&mut ada, "update", json!({ "data": data })).await.refused(400, "NO_DATA_TO_UPDATE");
    }
    let mut bob = joins(&test, &mut ada, "bob", "member").await;
    let body = json!({ "organizationId": acme, "data": { "name": "Bobs" } });
    does(&mut bob, "update", body.clone())
        .await
        .refused(403, "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_ORGANIZATION");
    let mut eve = person(&test, "eve").await;
    does(&mut eve, "update", body).await.refused(400, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION");
    does(&mut eve, "update", json!({ "data": { "name": "x" } })).await.refused(400, "ORGANIZATION_NOT_FOUND");
    let nobody = does(&mut test.browser(), "update", json!({ "data": { "name": "x" } })).await;
    assert_eq!((nobody.status.as_u16(), nobody.json()), (401, json!({ "message": "User not found" })));
}

#[tokio::test]
// spec: ORG-1
async fn only_an_owner_deletes_and_nothing_is_left() {
    let test = test_engine();
    let (mut ada, acme) = ada_and_acme(&test).await;
    let mut bob = joins(&test, &mut ada, "bob", "admin").await;
    let body = json!({ "organizationId": acme });
    does(&mut bob, "delete", body.clone())
        .await
        .refused(403, "YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION");
    let deleted = does(&mut ada, "delete", body.clone()).await.assert(StatusCode::OK).json();
    assert_eq!(text(&deleted["id"]), acme);
    for table in ["organization", "member", "invitation"] {
        assert!(test.rows(table).await.is_empty(), "{table}");
    }
    let locks = test.rows("verification").await;
    assert!(locks.iter().all(|row| !row.text("identifier").unwrap().contains(&acme)), "{locks:?}");
    does(&mut ada, "delete", body).await.refused(400, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION");
}

#[tokio::test]
// spec: ORG-1
async fn deleting_can_be_turned_off() {
    let test = with(OrganizationOptions { disable_organization_deletion: true, ..Default::default() });
    let (mut ada, acme) = ada_and_acme(&test).await;
    does(&mut ada, "delete", json!({ "organizationId": acme }))
        .await
        .refused(404, "ORGANIZATION_DELETION_DISABLED");
}

#[tokio::test]
// spec: ORG-1
async fn no_list_is_cut_at_a_hundred() {
    let test = with(OrganizationOptions {
        membership_limit: housekey_engine::plugins::organization::Limit::None,
        ..Default::default()
    });
    let (mut ada, acme) = ada_and_acme(&test).await;
    let api = crate::organization::api_of(&test, &ada);
    for number in 0..120 {
        let user = housekey_engine::Record::new()
            .with("name", format!("Person {number}"))
            .with("email", format!("p{number}@example.com"))
            .with("emailVerified", false);
        let mut changes = api.changes();
        let user = changes.create("user", user).await.unwrap();
        let member = housekey_engine::Record::new()
            .with("organizationId", &acme)
            .with("userId", user.text("id").unwrap())
            .with("role", "member")
            .with("createdAt", test.clock.now());
        changes.create("member", member).await.unwrap();
        assert_eq!(changes.commit().await.unwrap(), housekey_engine::Commit::Done);
        creates(&mut ada, &format!("own-{number}")).await;
    }
    let members = ada.get(&format!("/organization/list-members?organizationId={acme}")).await.json();
    assert_eq!((members["members"].as_array().unwrap().len(), &members["total"]), (121, &json!(121)));
    let full = ada.get(&format!("/organization/get-full-organization?organizationId={acme}")).await.json();
    assert_eq!(full["members"].as_array().unwrap().len(), 121);
    let some =
        ada.get(&format!("/organization/get-full-organization?organizationId={acme}&membersLimit=3")).await;
    assert_eq!(some.json()["members"].as_array().unwrap().len(), 3);
    assert_eq!(ada.get("/organization/list").await.json().as_array().unwrap().len(), 121);
    let page = format!("/organization/list-members?organizationId={acme}&limit=10&offset=115");
    assert_eq!(ada.get(&page).await.json()["members"].as_array().unwrap().len(), 6);
    let found = format!("/organization/list-members?organizationId={acme}&searchValue=PERSON%2011&limit=5");
    let found = ada.get(&found).await.json();
    assert_eq!((found["members"].as_array().unwrap().len(), &found["total"]), (5, &json!(11)));
}

#[tokio::test]
// spec: ORG-1
async fn the_whole_of_an_organisation_shows_what_one_may_see() {
    let test = test_engine();
    let (mut ada, acme) = ada_and_acme(&test).await;
    test.advance(1);
    let mut bob = joins(&test, &mut ada, "bob", "admin").await;
    let mut carl = joins(&test, &mut ada, "carl", "member").await;
    crate::organization::invites(&mut ada, "dora", "owner").await;
    crate::organization::invites(&mut ada, "eve", "member").await;
    let path = format!("/organization/get-full-organization?organizationId={acme}");
    let count = |json: Value| json["invitations"].as_array().unwrap().len();
    let full = ada.get(&path).await.assert(StatusCode::OK).json();
    assert_eq!(full["members"][0]["user"]["email"], "ada@example.com");
    assert!(full.get("teams").is_none());
    assert!(full["invitations"][0].get("pendingKey").is_none());
    assert_eq!(count(full), 4);
    assert_eq!(count(bob.get(&path).await.json()), 3, "invitations of owners are for owners");
    assert_eq!(count(carl.get(&path).await.json()), 0);
}

#[tokio::test]
// spec: ORG-1
async fn an_engine_whose_creator_role_does_not_exist_is_not_built() {
    let plugin = housekey_engine::plugins::organization(OrganizationOptions {
        creator_role: "founder".into(),
        ..Default::default()
    });
    let error = housekey_engine::Engine::builder(options())
        .plugins([plugin])
        .build(housekey_engine::MemoryStorage::new())
        .unwrap_err();
    assert!(error.to_string().contains("founder"), "{error}");
}
