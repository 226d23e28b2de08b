//! What roles allow.

use housekey_engine::access::{AccessControl, Statements};
use housekey_engine::plugins::OrganizationOptions;
use housekey_engine::plugins::organization::{default_statements, owner_statements};
use http::StatusCode;
use serde_json::{Value, json};

use crate::organization::{ada_and_acme, does, email, joins, person, test_engine, with};
use crate::support::Browser;

async fn may(browser: &mut Browser, permissions: Value) -> bool {
    let answer = does(browser, "has-permission", json!({ "permissions": permissions })).await;
    answer.assert(StatusCode::OK).json()["success"].as_bool().unwrap()
}

#[tokio::test]
// spec: ORG-1
async fn owners_admins_and_members_may_what_the_reference_says() {
    let test = test_engine();
    let (mut ada, _) = ada_and_acme(&test).await;
    let mut bob = joins(&test, &mut ada, "bob", "admin").await;
    let mut carl = joins(&test, &mut ada, "carl", "member").await;
    for (permissions, expected) in [
        (json!({ "organization": ["update"] }), [true, true, false]),
        (json!({ "organization": ["delete"] }), [true, false, false]),
        (json!({ "member": ["create", "update", "delete"] }), [true, true, false]),
        (json!({ "invitation": ["create"], "team": ["delete"] }), [true, true, false]),
        (json!({ "invitation": ["create"], "organization": ["delete"] }), [true, false, false]),
        (json!({ "ac": ["read"] }), [true, true, true]),
        (json!({ "ac": [] }), [false, false, false]),
        (json!({}), [false, false, false]),
        (json!({ "nothing": ["read"] }), [false, false, false]),
    ] {
        let found = [
            may(&mut ada, permissions.clone()).await,
            may(&mut bob, permissions.clone()).await,
            may(&mut carl, permissions.clone()).await,
        ];
        assert_eq!(found, expected, "{permissions}");
    }
    let old = does(&mut ada, "has-permission", json!({ "permission": { "member": ["create"] } })).await;
    assert_eq!(old.assert(StatusCode::OK).json(), json!({ "error": null, "success": false }));
    for wrong in [
        json!({}),
        json!({ "permissions": "x" }),
        json!({ "permissions": { "member": ["create"] }, "permission": { "member": ["create"] } }),
    ] {
        does(&mut ada, "has-permission", wrong).await.refused(400, "VALIDATION_ERROR");
    }
}

#[tokio::test]
// spec: ORG-1
async fn who_is_no_member_may_nothing() {
    let test = test_engine();
    let (_, acme) = ada_and_acme(&test).await;
    let mut eve = person(&test, "eve").await;
    let asked = json!({ "permissions": { "ac": ["read"] } });
    does(&mut eve, "has-permission", asked.clone()).await.refused(400, "NO_ACTIVE_ORGANIZATION");
    let there = json!({ "permissions": { "ac": ["read"] }, "organizationId": acme });
    does(&mut eve, "has-permission", there).await.refused(401, "USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION");
    does(&mut test.browser(), "has-permission", asked).await.refused(401, "UNAUTHORIZED");
}

#[tokio::test]
// spec: ORG-1
async fn an_app_has_statements_and_roles_of_its_own() {
    let access = AccessControl::new(default_statements().with("project", ["create", "archive"]))
        .role("owner", owner_statements().with("project", ["create", "archive"]))
        .unwrap()
        .role("editor", Statements::new().with("project", ["create"]))
        .unwrap();
    let test = with(OrganizationOptions { access: Some(access), ..Default::default() });
    let (mut ada, _) = ada_and_acme(&test).await;
    let mut bob = joins(&test, &mut ada, "bob", "editor").await;
    assert!(may(&mut ada, json!({ "project": ["archive"], "member": ["delete"] })).await);
    assert!(may(&mut bob, json!({ "project": ["create"] })).await);
    assert!(!may(&mut bob, json!({ "project": ["create", "archive"] })).await);
    // The usual names can be given still, and allow nothing.
    let mut carl = joins(&test, &mut ada, "carl", "admin").await;
    assert!(!may(&mut carl, json!({ "member": ["create"] })).await);
    let unknown = does(&mut ada, "invite-member", json!({ "email": email("x"), "role": "author" })).await;
    assert_eq!(unknown.status.as_u16(), 400);
}

#[tokio::test]
// spec: ORG-2
async fn the_role_of_a_creator_may_have_another_name() {
    let access = AccessControl::new(default_statements())
        .role("founder", owner_statements())
        .unwrap()
        .role("admin", default_statements())
        .unwrap();
    let test = with(OrganizationOptions {
        access: Some(access),
        creator_role: "founder".into(),
        ..Default::default()
    });
    let (mut ada, acme) = ada_and_acme(&test).await;
    let mut bob = joins(&test, &mut ada, "bob", "admin").await;
    let body = json!({ "email": email("eve"), "role": "founder" });
    does(&mut bob, "invite-member", body)
        .await
        .refused(403, "YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE");
    does(&mut ada, "leave", json!({ "organizationId": acme }))
        .await
        .refused(400, "YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER");
}
