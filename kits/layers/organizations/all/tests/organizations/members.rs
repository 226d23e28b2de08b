//! Who is in an organisation, and as what.

use housekey::serde_json::{Value, json};
use housekey::testing::{TestApp, both};

use crate::support::{active, member_of, membership, owner_of, role_of, sure_of};

// spec: ORG-1
#[housekey::test]
async fn an_owner_changes_roles_and_removes_members(app: TestApp) {
    let (_, owner, id) = owner_of(&app, "engines").await;
    let (eve, visitor) = member_of(&app, &owner, "member").await;
    let path = format!("/settings/organization/members/{}", membership(&app, &id, &eve).await);
    let form = owner.post(&path).form(&[("_method", "PATCH"), ("role", "admin")]).await;
    form.assert_status(303);
    assert_eq!(role_of(&app, &id, &eve).await.as_deref(), Some("admin"));

    owner.delete(&path).json(&json!({})).await.assert_ok();
    assert_eq!(role_of(&app, &id, &eve).await, None);
    // At the next request, in the session they have.
    assert_eq!(active(&visitor).await, None);
    let refused = visitor.post("/settings/organization/leave").json(&json!({})).await;
    refused.assert_status(403).assert_json_path("code", "NO_ACTIVE_ORGANIZATION");
    owner.delete(&path).json(&json!({})).await.assert_not_found();
}

// spec: ORG-1
#[housekey::test]
async fn an_admin_makes_no_owner_and_touches_none(app: TestApp) {
    let (ada, owner, id) = owner_of(&app, "engines").await;
    let (eve, admin) = member_of(&app, &owner, "admin").await;
    let (max, _) = member_of(&app, &owner, "member").await;
    let member = |id: &str| format!("/settings/organization/members/{id}");
    let (of_ada, of_eve, of_max) = (
        member(&membership(&app, &id, &ada).await),
        member(&membership(&app, &id, &eve).await),
        member(&membership(&app, &id, &max).await),
    );
    for (path, role) in [(&of_ada, "member"), (&of_max, "owner"), (&of_eve, "owner")] {
        admin.patch(path).json(&json!({ "role": role })).await.assert_status(422).assert_invalid("role");
    }
    admin.delete(&of_ada).json(&json!({})).await.assert_status(422);
    admin.patch(&of_max).json(&json!({ "role": "admin" })).await.assert_ok();
    admin.delete(&of_max).json(&json!({})).await.assert_ok();
    assert_eq!(role_of(&app, &id, &ada).await.as_deref(), Some("owner"));
    assert_eq!(role_of(&app, &id, &eve).await.as_deref(), Some("admin"));
}

// spec: ORG-1
#[housekey::test]
async fn a_plain_member_changes_nobody_not_even_themselves(app: TestApp) {
    let (ada, owner, id) = owner_of(&app, "engines").await;
    let (eve, member) = member_of(&app, &owner, "member").await;
    for user in [&ada, &eve] {
        let path = format!("/settings/organization/members/{}", membership(&app, &id, user).await);
        for role in ["admin", "owner", "member"] {
            member.patch(&path).json(&json!({ "role": role })).await.assert_status(422);
        }
    }
    let path = format!("/settings/organization/members/{}", membership(&app, &id, &ada).await);
    member.delete(&path).json(&json!({})).await.assert_status(422);
    assert_eq!(role_of(&app, &id, &eve).await.as_deref(), Some("member"));
}

// spec: ERR-1
#[housekey::test]
async fn a_role_that_is_none_is_refused_at_its_field(app: TestApp) {
    let (_, owner, id) = owner_of(&app, "engines").await;
    let (eve, _) = member_of(&app, &owner, "member").await;
    let path = format!("/settings/organization/members/{}", membership(&app, &id, &eve).await);
    for bad in
        [json!({}), json!({ "role": "" }), json!({ "role": "emperor" }), json!({ "role": "member,emperor" })]
    {
        owner.patch(&path).json(&bad).await.assert_status(422).assert_invalid("role");
    }
    assert_eq!(role_of(&app, &id, &eve).await.as_deref(), Some("member"));
}

// spec: ORG-2
#[housekey::test]
async fn the_last_owner_is_neither_demoted_nor_removed(app: TestApp) {
    let (ada, owner, id) = owner_of(&app, "engines").await;
    let path = format!("/settings/organization/members/{}", membership(&app, &id, &ada).await);
    for role in ["admin", "member"] {
        owner.patch(&path).json(&json!({ "role": role })).await.assert_status(422).assert_invalid("role");
    }
    owner.delete(&path).json(&json!({})).await.assert_status(422);
    assert_eq!(role_of(&app, &id, &ada).await.as_deref(), Some("owner"));
}

// spec: ORG-2
#[housekey::test]
async fn of_two_owners_who_demote_each_other_at_once_one_stays(app: TestApp) {
    let (ada, owner, id) = owner_of(&app, "engines").await;
    let (eve, second) = member_of(&app, &owner, "owner").await;
    let of_ada = format!("/settings/organization/members/{}", membership(&app, &id, &ada).await);
    let of_eve = format!("/settings/organization/members/{}", membership(&app, &id, &eve).await);
    owner.csrf_token().await;
    second.csrf_token().await;
    let demote =
        async |visitor: &TestApp, path: &str| visitor.patch(path).json(&json!({ "role": "member" })).await;
    let (first, other) = both(demote(&owner, &of_eve), demote(&second, &of_ada)).await;
    for answer in [&first, &other] {
        assert!(answer.status().as_u16() < 500, "{}", answer.text());
    }
    let roles = [role_of(&app, &id, &ada).await, role_of(&app, &id, &eve).await];
    assert!(roles.contains(&Some("owner".to_owned())), "{roles:?}");
}

// spec: SEC-1
#[housekey::test]
async fn roles_and_members_change_only_after_the_password_was_entered(app: TestApp) {
    let (ada, owner, id) = owner_of(&app, "engines").await;
    let (eve, _) = member_of(&app, &owner, "member").await;
    let unsure = app.signed_in(&ada).await;
    let path = format!("/settings/organization/members/{}", membership(&app, &id, &eve).await);
    unsure.patch(&path).json(&json!({ "role": "admin" })).await.assert_status(423);
    unsure.delete(&path).json(&json!({})).await.assert_status(423);
    assert_eq!(role_of(&app, &id, &eve).await.as_deref(), Some("member"));
}

// spec: ORG-3
#[housekey::test]
async fn a_role_counts_from_the_next_request_in_a_session_that_was_there_before(app: TestApp) {
    let (_, owner, id) = owner_of(&app, "engines").await;
    let (eve, _) = member_of(&app, &owner, "admin").await;
    let elsewhere = sure_of(&app, &eve).await;
    let form = json!({ "name": "Renamed", "slug": "renamed" });
    elsewhere.patch("/settings/organization").json(&form).await.assert_ok();
    let path = format!("/settings/organization/members/{}", membership(&app, &id, &eve).await);
    owner.patch(&path).json(&json!({ "role": "member" })).await.assert_ok();
    elsewhere.patch("/settings/organization").json(&form).await.assert_status(422);
    let role: Value = elsewhere.get("/api/auth/organization/get-active-member-role").await.json();
    assert_eq!(role["role"], "member");
}
