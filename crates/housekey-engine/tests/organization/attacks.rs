//! Other organisations' ids, on every route; and what nobody should get out of a request.

use http::StatusCode;
use serde_json::json;

use crate::organization::{
    active, ada_and_acme, creates, does, email, invites, joins, member_id, person, role, test_engine,
};

#[tokio::test]
// spec: ORG-2
async fn the_ids_of_another_organisation_open_nothing() {
    let test = test_engine();
    let (mut ada, acme) = ada_and_acme(&test).await;
    joins(&test, &mut ada, "bob", "member").await;
    let invitation = invites(&mut ada, "carl", "member").await;
    let (owner, bob) = (member_id(&test, &acme, "ada").await, member_id(&test, &acme, "bob").await);
    let mut eve = person(&test, "eve").await;
    let own = creates(&mut eve, "evil").await;
    let before = (test.rows("member").await, test.rows("invitation").await, test.rows("organization").await);
    // With her own organisation active, and with theirs named.
    for organization in [json!(null), json!(own), json!(acme)] {
        let named = |mut body: serde_json::Value| {
            if organization.is_string() {
                body["organizationId"] = organization.clone();
            }
            body
        };
        for member in [&owner, &bob] {
            let body = named(json!({ "memberId": member, "role": "owner" }));
            assert!(does(&mut eve, "update-member-role", body).await.status.is_client_error());
            let body = named(json!({ "memberIdOrEmail": member }));
            assert!(does(&mut eve, "remove-member", body).await.status.is_client_error());
        }
        let body = named(json!({ "memberIdOrEmail": email("bob") }));
        assert!(does(&mut eve, "remove-member", body).await.status.is_client_error());
    }
    let theirs = json!({ "organizationId": acme });
    for (what, body) in [
        ("update", json!({ "organizationId": acme, "data": { "name": "x" } })),
        ("delete", theirs.clone()),
        ("leave", theirs.clone()),
        ("set-active", theirs.clone()),
        ("set-active", json!({ "organizationSlug": "acme" })),
        ("invite-member", json!({ "organizationId": acme, "email": email("x"), "role": "member" })),
        ("has-permission", json!({ "organizationId": acme, "permissions": { "ac": ["read"] } })),
        ("cancel-invitation", json!({ "invitationId": invitation })),
        ("accept-invitation", json!({ "invitationId": invitation })),
        ("reject-invitation", json!({ "invitationId": invitation })),
    ] {
        let answer = does(&mut eve, what, body).await;
        assert!(answer.status.is_client_error(), "{what}: {answer:?}");
    }
    for path in [
        format!("get-organization?organizationId={acme}"),
        "get-organization?organizationSlug=acme".into(),
        format!("get-full-organization?organizationId={acme}"),
        format!("list-members?organizationId={acme}"),
        "list-members?organizationSlug=acme".into(),
        format!("list-invitations?organizationId={acme}"),
        format!("get-active-member-role?organizationId={acme}"),
        format!("get-invitation?id={invitation}"),
    ] {
        let answer = eve.get(&format!("/organization/{path}")).await;
        assert!(answer.status.is_client_error(), "{path}: {answer:?}");
        let body = String::from_utf8_lossy(&answer.body).into_owned();
        assert!(!body.contains("ada@") && !body.contains("carl@"), "{path}: {body}");
    }
    let after = (test.rows("member").await, test.rows("invitation").await, test.rows("organization").await);
    assert_eq!(before, after);
    assert_eq!(active(&mut eve).await, json!(own));
}

#[tokio::test]
// spec: ORG-1
async fn without_a_session_every_route_is_shut() {
    let test = test_engine();
    let (_, acme) = ada_and_acme(&test).await;
    let mut nobody = test.browser();
    for (what, body) in [
        ("create", json!({ "name": "x", "slug": "x" })),
        ("check-slug", json!({ "slug": "x" })),
        ("set-active", json!({ "organizationId": acme })),
        ("update", json!({ "organizationId": acme, "data": { "name": "x" } })),
        ("delete", json!({ "organizationId": acme })),
        ("invite-member", json!({ "organizationId": acme, "email": email("x"), "role": "member" })),
        ("accept-invitation", json!({ "invitationId": "x" })),
        ("reject-invitation", json!({ "invitationId": "x" })),
        ("cancel-invitation", json!({ "invitationId": "x" })),
        ("update-member-role", json!({ "memberId": "x", "role": "member" })),
        ("remove-member", json!({ "memberIdOrEmail": "x" })),
        ("leave", json!({ "organizationId": acme })),
        ("has-permission", json!({ "permissions": { "ac": ["read"] } })),
    ] {
        let answer = does(&mut nobody, what, body).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{what}");
        let is_empty = ["create", "delete"].contains(&what);
        assert_eq!(answer.body.is_empty(), is_empty, "{what}");
    }
    for what in [
        "list",
        "get-organization",
        "get-full-organization",
        "get-invitation?id=x",
        "list-invitations",
        "get-active-member",
        "get-active-member-role",
        "list-members",
    ] {
        let answer = nobody.get(&format!("/organization/{what}")).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{what}");
    }
}

#[tokio::test]
// spec: ORG-2
async fn roles_are_read_exactly() {
    let test = test_engine();
    let (mut ada, acme) = ada_and_acme(&test).await;
    let mut bob = joins(&test, &mut ada, "bob", "admin").await;
    let own = member_id(&test, &acme, "bob").await;
    for forged in ["Owner", "owner\u{0}", "owner;", "*", "admin,Owner", "__proto__", "constructor"] {
        let body = json!({ "memberId": own, "role": forged });
        let answer = does(&mut bob, "update-member-role", body).await;
        assert!(answer.status.is_client_error(), "{forged:?}: {answer:?}");
    }
    assert_eq!(role(&test, &acme, "bob").await.as_deref(), Some("admin"));
}

#[tokio::test]
// spec: ORG-1
async fn what_is_too_long_or_strange_is_refused() {
    let test = test_engine();
    let mut ada = person(&test, "ada").await;
    for body in [
        json!({ "name": "x", "slug": "s".repeat(300) }),
        json!({ "name": "x\u{0}", "slug": "x" }),
        json!({ "name": "x", "slug": ["x"] }),
        json!({ "name": "x", "slug": "x", "metadata": [1] }),
        json!([]),
        json!("x"),
    ] {
        let answer = does(&mut ada, "create", body).await;
        assert_eq!(answer.status, StatusCode::BAD_REQUEST, "{answer:?}");
    }
    // Who owns it is not for a body to say.
    let body = json!({ "name": "x", "slug": "x", "userId": "somebody", "id": "mine", "createdAt": "2000-01-01T00:00:00Z" });
    let created = does(&mut ada, "create", body).await.assert(StatusCode::OK).json();
    assert_ne!(created["id"], "mine");
    assert_eq!(created["members"][0]["userId"], crate::organization::user_id(&test, "ada").await);
}
