//! Members: listing, roles, removing, leaving.

use http::StatusCode;
use serde_json::{Value, json};

use crate::organization::{
    active, ada_and_acme, creates, does, email, joins, member_id, membership, options, owners, person, role,
    test_engine,
};
use crate::support::PASSWORD;

#[tokio::test]
// spec: ORG-1
async fn members_are_listed_sorted_filtered_and_paged() {
    let test = test_engine();
    let (mut ada, _) = ada_and_acme(&test).await;
    let mut bob = joins(&test, &mut ada, "bob", "admin").await;
    joins(&test, &mut ada, "carl", "member").await;
    joins(&test, &mut ada, "dora", "admin,member").await;
    let names = |answer: Value| {
        let members = answer["members"].as_array().unwrap().clone();
        members.iter().map(|member| member["user"]["name"].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    for (query, expected) in [
        ("", vec!["ada", "bob", "carl", "dora"]),
        ("filterField=role&filterValue=admin", vec!["bob", "dora"]),
        ("filterField=role&filterOperator=ne&filterValue=owner", vec!["bob", "carl", "dora"]),
        (
            "filterField=role&filterOperator=in&filterValue=owner&filterValue=member",
            vec!["ada", "carl", "dora"],
        ),
        ("searchValue=AR", vec!["carl"]),
        ("searchValue=%25", vec![]),
    ] {
        let answer = bob.get(&format!("/organization/list-members?{query}")).await.assert(StatusCode::OK);
        let mut found = names(answer.json());
        found.sort();
        assert_eq!(found, expected, "{query}");
    }
    for (query, about) in [
        ("filterField=nothing&filterValue=x", "filterField"),
        ("sortBy=nothing", "sortBy"),
        ("filterField=role&filterOperator=like&filterValue=x", "filterOperator"),
        ("filterField=createdAt&filterOperator=gt&filterValue=soon", "filterValue"),
    ] {
        let answer = bob.get(&format!("/organization/list-members?{query}")).await;
        assert!(answer.refused(400, "VALIDATION_ERROR").json()["message"].as_str().unwrap().contains(about));
    }
}

#[tokio::test]
// spec: ORG-2
async fn only_an_owner_makes_or_changes_an_owner() {
    let test = test_engine();
    let (mut ada, acme) = ada_and_acme(&test).await;
    let mut bob = joins(&test, &mut ada, "bob", "admin").await;
    joins(&test, &mut ada, "carl", "member").await;
    let denied = "YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER";
    for (name, new) in
        [("carl", json!("owner")), ("bob", json!(["admin", "owner"])), ("ada", json!("member"))]
    {
        let body = json!({ "memberId": member_id(&test, &acme, name).await, "role": new });
        does(&mut bob, "update-member-role", body).await.refused(403, denied);
    }
    let body = json!({ "memberIdOrEmail": email("ada") });
    let code = "YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER";
    does(&mut bob, "remove-member", body).await.refused(400, code);
    let body = json!({ "memberId": member_id(&test, &acme, "carl").await, "role": " admin , member" });
    let changed = does(&mut bob, "update-member-role", body).await.assert(StatusCode::OK).json();
    assert_eq!(changed["role"], "admin,member");
    for (new, status) in [(json!("king"), 400), (json!(""), 400), (json!([]), 400)] {
        let body = json!({ "memberId": member_id(&test, &acme, "carl").await, "role": new });
        assert_eq!(does(&mut bob, "update-member-role", body).await.status.as_u16(), status);
    }
    assert_eq!(role(&test, &acme, "carl").await.as_deref(), Some("admin,member"));
}

#[tokio::test]
// spec: ORG-2
async fn the_last_owner_stays_one() {
    let mut deletable = options();
    deletable.user.delete_user.enabled = true;
    let test = crate::organization::built(deletable, Default::default());
    let (mut ada, acme) = ada_and_acme(&test).await;
    let mut bob = joins(&test, &mut ada, "bob", "admin").await;
    let own = member_id(&test, &acme, "ada").await;
    does(&mut ada, "update-member-role", json!({ "memberId": own, "role": "admin" }))
        .await
        .refused(400, "YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER");
    let only = "YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER";
    does(&mut ada, "leave", json!({ "organizationId": acme })).await.refused(400, only);
    does(&mut ada, "remove-member", json!({ "memberIdOrEmail": own })).await.refused(400, only);
    ada.post("/delete-user", json!({ "password": PASSWORD })).await.refused(400, only);
    // With another owner everything is possible.
    let body = json!({ "memberId": member_id(&test, &acme, "bob").await, "role": "owner" });
    does(&mut ada, "update-member-role", body).await.assert(StatusCode::OK);
    ada.post("/delete-user", json!({ "password": PASSWORD })).await.assert(StatusCode::OK);
    assert_eq!(owners(&test, &acme).await, 1);
    does(&mut bob, "leave", json!({ "organizationId": acme })).await.refused(400, only);
}

#[tokio::test]
// spec: ORG-2
async fn an_organisation_of_nobody_else_goes_with_its_owner() {
    let mut deletable = options();
    deletable.user.delete_user.enabled = true;
    let test = crate::organization::built(deletable, Default::default());
    let (mut ada, _) = ada_and_acme(&test).await;
    creates(&mut ada, "second").await;
    ada.post("/delete-user", json!({ "password": PASSWORD })).await.assert(StatusCode::OK);
    assert!(test.rows("organization").await.is_empty());
    assert!(test.rows("member").await.is_empty());
}

#[tokio::test]
// spec: ORG-1
async fn a_member_is_removed_by_id_or_by_address() {
    let test = test_engine();
    let (mut ada, acme) = ada_and_acme(&test).await;
    let mut bob = joins(&test, &mut ada, "bob", "member").await;
    joins(&test, &mut ada, "carl", "member").await;
    let own = member_id(&test, &acme, "carl").await;
    does(&mut bob, "remove-member", json!({ "memberIdOrEmail": own }))
        .await
        .refused(401, "YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER");
    let removed = does(&mut ada, "remove-member", json!({ "memberIdOrEmail": own })).await;
    assert!(removed.assert(StatusCode::OK).json()["member"].get("user").is_none());
    let removed = does(&mut ada, "remove-member", json!({ "memberIdOrEmail": "BOB@example.com" })).await;
    assert_eq!(removed.assert(StatusCode::OK).json()["member"]["user"]["email"], email("bob"));
    assert!(membership(&test, &acme, "bob").await.is_none());
    does(&mut ada, "remove-member", json!({ "memberIdOrEmail": own })).await.refused(400, "MEMBER_NOT_FOUND");
}

#[tokio::test]
// spec: ORG-1
async fn whoever_leaves_is_nowhere() {
    let test = test_engine();
    let (mut ada, acme) = ada_and_acme(&test).await;
    let mut bob = joins(&test, &mut ada, "bob", "member").await;
    assert_eq!(active(&mut bob).await, json!(acme));
    let left = does(&mut bob, "leave", json!({ "organizationId": acme })).await.assert(StatusCode::OK);
    assert_eq!(left.json()["user"]["email"], email("bob"));
    assert_eq!(active(&mut bob).await, Value::Null);
    does(&mut bob, "leave", json!({ "organizationId": acme })).await.refused(400, "MEMBER_NOT_FOUND");
}

#[tokio::test]
// spec: ORG-1
async fn one_s_own_membership_and_role_are_told() {
    let test = test_engine();
    let mut eve = person(&test, "eve").await;
    eve.get("/organization/get-active-member").await.refused(400, "NO_ACTIVE_ORGANIZATION");
    eve.get("/organization/get-active-member-role").await.refused(400, "NO_ACTIVE_ORGANIZATION");
    let (mut ada, acme) = ada_and_acme(&test).await;
    joins(&test, &mut ada, "bob", "admin").await;
    let own = ada.get("/organization/get-active-member").await.assert(StatusCode::OK).json();
    assert_eq!((&own["role"], &own["user"]["name"]), (&json!("owner"), &json!("ada")));
    let bob = crate::organization::user_id(&test, "bob").await;
    let role = ada.get(&format!("/organization/get-active-member-role?userId={bob}")).await;
    assert_eq!(role.json(), json!({ "role": "admin" }));
    eve.get(&format!("/organization/get-active-member-role?organizationId={acme}&userId={bob}"))
        .await
        .refused(403, "YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION");
}
