//! Functions of the app around what happens.

use std::sync::{Arc, Mutex};

use housekey_engine::plugins::OrganizationOptions;
use housekey_engine::plugins::organization::{
    InvitationHook, MemberHook, OrganizationHook, OrganizationHooks,
};
use housekey_engine::{ApiError, Callback, Record};
use http::StatusCode;
use serde_json::json;

use crate::organization::{ada_and_acme, creates, does, email, joins, member_id, person, role, with};

type Log = Arc<Mutex<Vec<String>>>;

fn before<H: Send + 'static>(log: &Log, name: &'static str) -> Callback<H, Option<Record>> {
    let log = Arc::clone(log);
    Callback::new(move |_: H| {
        log.lock().unwrap().push(format!("before {name}"));
        async { Ok::<_, ApiError>(None) }
    })
}

fn after<H: Send + 'static>(log: &Log, name: &'static str) -> Callback<H> {
    let log = Arc::clone(log);
    Callback::new(move |_: H| {
        log.lock().unwrap().push(format!("after {name}"));
        // What has happened is not undone by whoever is told of it.
        async { Err::<(), _>(ApiError::empty(StatusCode::IM_A_TEAPOT)) }
    })
}

#[tokio::test]
// spec: ORG-1
async fn hooks_are_called_in_the_reference_s_order() {
    let log = Log::default();
    let hooks = OrganizationHooks {
        before_create_organization: before::<OrganizationHook>(&log, "create"),
        after_create_organization: after::<OrganizationHook>(&log, "create"),
        before_update_organization: before::<OrganizationHook>(&log, "update"),
        after_update_organization: after::<OrganizationHook>(&log, "update"),
        before_delete_organization: before::<OrganizationHook>(&log, "delete"),
        after_delete_organization: after::<OrganizationHook>(&log, "delete"),
        before_add_member: before::<MemberHook>(&log, "add"),
        after_add_member: after::<MemberHook>(&log, "add"),
        before_remove_member: before::<MemberHook>(&log, "remove"),
        after_remove_member: after::<MemberHook>(&log, "remove"),
        before_update_member_role: before::<MemberHook>(&log, "role"),
        after_update_member_role: after::<MemberHook>(&log, "role"),
        before_create_invitation: before::<InvitationHook>(&log, "invite"),
        after_create_invitation: after::<InvitationHook>(&log, "invite"),
        before_accept_invitation: before::<InvitationHook>(&log, "accept"),
        after_accept_invitation: after::<InvitationHook>(&log, "accept"),
        before_reject_invitation: before::<InvitationHook>(&log, "reject"),
        after_reject_invitation: after::<InvitationHook>(&log, "reject"),
        before_cancel_invitation: before::<InvitationHook>(&log, "cancel"),
        after_cancel_invitation: after::<InvitationHook>(&log, "cancel"),
        ..Default::default()
    };
    let test = with(OrganizationOptions { hooks, ..Default::default() });
    let take = || std::mem::take(&mut *log.lock().unwrap()).join(", ");
    let (mut ada, acme) = ada_and_acme(&test).await;
    assert_eq!(take(), "before create, before add, after add, after create");
    does(&mut ada, "update", json!({ "data": { "name": "x" } })).await.assert(StatusCode::OK);
    assert_eq!(take(), "before update, after update");
    joins(&test, &mut ada, "bob", "member").await;
    assert_eq!(take(), "before invite, after invite, before accept, after accept");
    let own = member_id(&test, &acme, "bob").await;
    does(&mut ada, "update-member-role", json!({ "memberId": own, "role": "admin" }))
        .await
        .assert(StatusCode::OK);
    assert_eq!(take(), "before role, after role");
    does(&mut ada, "remove-member", json!({ "memberIdOrEmail": own })).await.assert(StatusCode::OK);
    assert_eq!(take(), "before remove, after remove");
    let mut carl = person(&test, "carl").await;
    let invitation = crate::organization::invites(&mut ada, "carl", "member").await;
    does(&mut carl, "reject-invitation", json!({ "invitationId": invitation })).await.assert(StatusCode::OK);
    does(&mut ada, "cancel-invitation", json!({ "invitationId": invitation })).await.assert(StatusCode::OK);
    assert_eq!(
        take(),
        "before invite, after invite, before reject, after reject, before cancel, after cancel"
    );
    does(&mut ada, "delete", json!({ "organizationId": acme })).await.assert(StatusCode::OK);
    assert_eq!(take(), "before delete, after delete");
}

#[tokio::test]
// spec: ORG-1
async fn a_hook_refuses_or_changes_what_is_written() {
    let hooks = OrganizationHooks {
        before_create_organization: Callback::new(|hook: OrganizationHook| async move {
            match hook.organization.slug.as_str() {
                "admin" => Err(ApiError::new(StatusCode::CONFLICT, "RESERVED", "That slug is ours")),
                slug => Ok(Some(Record::new().with("slug", format!("{slug}-1")))),
            }
        }),
        before_create_invitation: Callback::new(|hook: InvitationHook| async move {
            match hook.invitation.email.ends_with("@example.com") {
                true => Ok(None),
                false => Err(ApiError::new(StatusCode::FORBIDDEN, "DOMAIN", "Only our own people")),
            }
        }),
        before_update_member_role: Callback::new(|_: MemberHook| async move {
            Ok::<_, ApiError>(Some(Record::new().with("role", "member")))
        }),
        ..Default::default()
    };
    let test = with(OrganizationOptions { hooks, ..Default::default() });
    let mut ada = person(&test, "ada").await;
    does(&mut ada, "create", json!({ "name": "x", "slug": "admin" })).await.refused(409, "RESERVED");
    assert!(test.rows("organization").await.is_empty());
    let acme = creates(&mut ada, "acme").await;
    assert_eq!(test.rows("organization").await[0].text("slug"), Some("acme-1"));
    let stranger = json!({ "email": "x@elsewhere.org", "role": "member" });
    does(&mut ada, "invite-member", stranger).await.refused(403, "DOMAIN");
    joins(&test, &mut ada, "bob", "admin").await;
    let body = json!({ "memberId": member_id(&test, &acme, "bob").await, "role": "owner" });
    does(&mut ada, "update-member-role", body).await.assert(StatusCode::OK);
    assert_eq!(role(&test, &acme, "bob").await.as_deref(), Some("member"));
    assert_eq!(email("bob"), "bob@example.com");
}
