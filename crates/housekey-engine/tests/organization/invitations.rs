//! Invitations: sending, seeing, accepting, rejecting, taking back.

use std::sync::{Arc, Mutex};

use housekey_engine::plugins::OrganizationOptions;
use housekey_engine::plugins::organization::{InvitationMail, pending_invitation};
use housekey_engine::storage::Filter;
use housekey_engine::{ApiError, Callback, Record};
use http::StatusCode;
use serde_json::{Value, json};

use crate::organization::{
    active, ada_and_acme, api_of, does, email, invites, joins, member_id, person, proves_address, role, set,
    test_engine, text, with,
};

const TWO_DAYS: u64 = 172_800;

#[tokio::test]
// spec: ORG-5
async fn somebody_who_is_invited_sees_the_invitation_and_joins_with_it() {
    let test = test_engine();
    let (mut ada, acme) = ada_and_acme(&test).await;
    let invitation = invites(&mut ada, "bob", "admin").await;
    assert_eq!(invitation.len(), 32);
    let mut bob = person(&test, "bob").await;
    let seen = bob.get(&format!("/organization/get-invitation?id={invitation}")).await.assert(StatusCode::OK);
    let seen = seen.json();
    assert_eq!(
        (&seen["organizationName"], &seen["organizationSlug"], &seen["inviterEmail"]),
        (&json!("acme"), &json!("acme"), &json!(email("ada")))
    );
    let body = json!({ "invitationId": invitation });
    let accepted = does(&mut bob, "accept-invitation", body.clone()).await.assert(StatusCode::OK).json();
    assert_eq!(accepted["invitation"]["status"], "accepted");
    assert_eq!(accepted["member"]["role"], "admin");
    assert_eq!(active(&mut bob).await, json!(acme));
    // It is spent.
    does(&mut bob, "accept-invitation", body.clone()).await.refused(400, "INVITATION_NOT_FOUND");
    does(&mut bob, "reject-invitation", body).await.refused(400, "INVITATION_NOT_FOUND");
    assert_eq!(test.rows("member").await.len(), 2);
    assert!(test.rows("invitation").await[0].get("pendingKey").unwrap().is_null());
}

#[tokio::test]
// spec: ORG-5
async fn an_invitation_is_for_its_recipient_alone() {
    let test = test_engine();
    let (mut ada, _) = ada_and_acme(&test).await;
    let invitation = invites(&mut ada, "bob", "member").await;
    let mut eve = person(&test, "eve").await;
    let code = "YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION";
    eve.get(&format!("/organization/get-invitation?id={invitation}")).await.refused(403, code);
    for what in ["accept-invitation", "reject-invitation"] {
        does(&mut eve, what, json!({ "invitationId": invitation })).await.refused(403, code);
    }
    does(&mut eve, "cancel-invitation", json!({ "invitationId": invitation }))
        .await
        .refused(400, "MEMBER_NOT_FOUND");
    let mut nobody = test.browser();
    does(&mut nobody, "accept-invitation", json!({ "invitationId": invitation }))
        .await
        .refused(401, "UNAUTHORIZED");
}

#[tokio::test]
// spec: ORG-5
async fn inviting_tells_nobody_who_has_an_account() {
    let test = test_engine();
    let (mut ada, _) = ada_and_acme(&test).await;
    person(&test, "known").await;
    let mut answers = Vec::new();
    for name in ["known", "stranger"] {
        let answer = does(&mut ada, "invite-member", json!({ "email": email(name), "role": "member" })).await;
        let mut json = answer.assert(StatusCode::OK).json();
        json["id"].take();
        json["email"].take();
        answers.push(json);
    }
    assert_eq!(answers[0], answers[1]);
}

#[tokio::test]
// spec: ORG-1
async fn an_invitation_that_has_run_out_is_none() {
    let test = test_engine();
    let (mut ada, _) = ada_and_acme(&test).await;
    let invitation = invites(&mut ada, "bob", "member").await;
    let mut bob = person(&test, "bob").await;
    test.advance(TWO_DAYS);
    does(&mut bob, "accept-invitation", json!({ "invitationId": invitation }))
        .await
        .refused(400, "INVITATION_NOT_FOUND");
    let gone = bob.get(&format!("/organization/get-invitation?id={invitation}")).await;
    assert_eq!((gone.status.as_u16(), gone.json()), (400, json!({ "message": "Invitation not found!" })));
    // And stands in the way of no other.
    let another = invites(&mut ada, "bob", "member").await;
    assert_ne!(another, invitation);
    does(&mut bob, "accept-invitation", json!({ "invitationId": another })).await.assert(StatusCode::OK);
}

#[tokio::test]
// spec: ORG-2
async fn nobody_is_invited_twice() {
    let test = test_engine();
    let (mut ada, _) = ada_and_acme(&test).await;
    let first = invites(&mut ada, "bob", "member").await;
    let again = json!({ "email": "BOB@example.com", "role": "admin" });
    does(&mut ada, "invite-member", again).await.refused(400, "USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION");
    test.advance(3600);
    let resend = json!({ "email": email("bob"), "role": "admin", "resend": true });
    let resent = does(&mut ada, "invite-member", resend).await.assert(StatusCode::OK).json();
    assert_eq!((text(&resent["id"]), &resent["role"]), (first.clone(), &json!("member")));
    test.advance(TWO_DAYS - 60);
    let mut bob = person(&test, "bob").await;
    does(&mut bob, "reject-invitation", json!({ "invitationId": first })).await.assert(StatusCode::OK);
    invites(&mut ada, "bob", "member").await;
}

#[tokio::test]
// spec: ORG-1
async fn another_invitation_may_take_the_place_of_the_first() {
    let test =
        with(OrganizationOptions { cancel_pending_invitations_on_re_invite: true, ..Default::default() });
    let (mut ada, acme) = ada_and_acme(&test).await;
    let first = invites(&mut ada, "bob", "member").await;
    let second = invites(&mut ada, "bob", "admin").await;
    let mut bob = person(&test, "bob").await;
    does(&mut bob, "accept-invitation", json!({ "invitationId": first }))
        .await
        .refused(400, "INVITATION_NOT_FOUND");
    does(&mut bob, "accept-invitation", json!({ "invitationId": second })).await.assert(StatusCode::OK);
    assert_eq!(role(&test, &acme, "bob").await.as_deref(), Some("admin"));
}

#[tokio::test]
// spec: ORG-1
async fn who_may_invite_whom() {
    let test = test_engine();
    let (mut ada, _) = ada_and_acme(&test).await;
    let mut bob = joins(&test, &mut ada, "bob", "admin").await;
    let mut carl = joins(&test, &mut ada, "carl", "member").await;
    let body = |role: Value| json!({ "email": email("dora"), "role": role });
    does(&mut carl, "invite-member", body(json!("member")))
        .await
        .refused(403, "YOU_ARE_NOT_ALLOWED_TO_INVITE_USERS_TO_THIS_ORGANIZATION");
    for owner in [json!("owner"), json!(["member", " owner "]), json!("member,owner")] {
        does(&mut bob, "invite-member", body(owner))
            .await
            .refused(403, "YOU_ARE_NOT_ALLOWED_TO_INVITE_USER_WITH_THIS_ROLE");
    }
    does(&mut bob, "invite-member", body(json!(" , "))).await.refused(400, "ROLE_NOT_FOUND");
    let unknown = does(&mut bob, "invite-member", body(json!("king"))).await;
    assert_eq!(
        (unknown.status.as_u16(), unknown.json()),
        (400, json!({ "message": "ROLE_NOT_FOUND: king" }))
    );
    let invited = does(&mut bob, "invite-member", body(json!([" admin ", "member"]))).await;
    assert_eq!(invited.assert(StatusCode::OK).json()["role"], "admin,member");
    does(&mut bob, "invite-member", json!({ "email": "nobody", "role": "member" }))
        .await
        .refused(400, "INVALID_EMAIL");
    does(&mut bob, "invite-member", json!({ "email": email("carl"), "role": "member" }))
        .await
        .refused(400, "USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION");
}

#[tokio::test]
// spec: ORG-1
async fn an_invitation_is_taken_back_by_those_who_may() {
    let test = test_engine();
    let (mut ada, _) = ada_and_acme(&test).await;
    let mut carl = joins(&test, &mut ada, "carl", "member").await;
    let invitation = invites(&mut ada, "bob", "member").await;
    let body = json!({ "invitationId": invitation });
    does(&mut carl, "cancel-invitation", body.clone())
        .await
        .refused(403, "YOU_ARE_NOT_ALLOWED_TO_CANCEL_THIS_INVITATION");
    for _ in 0..2 {
        let canceled = does(&mut ada, "cancel-invitation", body.clone()).await.assert(StatusCode::OK);
        assert_eq!(canceled.json()["status"], "canceled");
    }
    let mut bob = person(&test, "bob").await;
    does(&mut bob, "accept-invitation", body).await.refused(400, "INVITATION_NOT_FOUND");
    invites(&mut ada, "bob", "member").await;
}

#[tokio::test]
// spec: ORG-3
async fn whoever_was_removed_has_invited_nobody() {
    let test = test_engine();
    let (mut ada, acme) = ada_and_acme(&test).await;
    let mut mallory = joins(&test, &mut ada, "mallory", "admin").await;
    let invitation = invites(&mut mallory, "accomplice", "admin").await;
    let body = json!({ "memberIdOrEmail": member_id(&test, &acme, "mallory").await });
    does(&mut ada, "remove-member", body).await.assert(StatusCode::OK);
    let mut accomplice = person(&test, "accomplice").await;
    let code = "INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION";
    does(&mut accomplice, "accept-invitation", json!({ "invitationId": invitation }))
        .await
        .refused(400, code);
    accomplice.get(&format!("/organization/get-invitation?id={invitation}")).await.refused(400, code);
    assert!(pending_invitation(&api_of(&test, &accomplice), &invitation).await.unwrap().is_none());
}

#[tokio::test]
// spec: ORG-5
async fn an_address_must_be_proven_where_that_is_asked_for() {
    let test = with(OrganizationOptions {
        require_email_verification_on_invitation: Some(true),
        ..Default::default()
    });
    let (mut ada, _) = ada_and_acme(&test).await;
    let invitation = invites(&mut ada, "bob", "member").await;
    let mut bob = person(&test, "bob").await;
    let code = "EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION";
    for what in ["accept-invitation", "reject-invitation"] {
        does(&mut bob, what, json!({ "invitationId": invitation })).await.refused(403, code);
    }
    bob.get(&format!("/organization/get-invitation?id={invitation}"))
        .await
        .refused(403, "EMAIL_VERIFICATION_REQUIRED_FOR_INVITATION");
    proves_address(&test, "bob").await;
    does(&mut bob, "accept-invitation", json!({ "invitationId": invitation })).await.assert(StatusCode::OK);
}

#[tokio::test]
// spec: ORG-5
async fn ids_that_an_app_makes_prove_nothing() {
    let mut numbered = crate::organization::options();
    let next = Arc::new(std::sync::atomic::AtomicU32::new(0));
    numbered.advanced.database.generate_id_with = Callback::new(move |_| {
        let id = next.fetch_add(1, std::sync::atomic::Ordering::Relaxed).to_string();
        async move { Ok::<_, ApiError>(id) }
    });
    let test = crate::organization::built(numbered, OrganizationOptions::default());
    let (mut ada, _) = ada_and_acme(&test).await;
    let invitation = invites(&mut ada, "bob", "member").await;
    let mut bob = person(&test, "bob").await;
    does(&mut bob, "accept-invitation", json!({ "invitationId": invitation }))
        .await
        .refused(403, "EMAIL_VERIFICATION_REQUIRED_BEFORE_ACCEPTING_OR_REJECTING_INVITATION");
}

#[tokio::test]
// spec: ORG-5
async fn one_s_own_invitations_are_listed_for_a_proven_address() {
    let test = test_engine();
    let (mut ada, _) = ada_and_acme(&test).await;
    invites(&mut ada, "bob", "member").await;
    let mut bob = person(&test, "bob").await;
    let path = "/organization/list-user-invitations";
    bob.get(path).await.refused(403, "EMAIL_VERIFICATION_REQUIRED_FOR_INVITATION");
    proves_address(&test, "bob").await;
    let own = bob.get(path).await.assert(StatusCode::OK).json();
    assert_eq!((own.as_array().unwrap().len(), &own[0]["organizationName"]), (1, &json!("acme")));
    assert_eq!(bob.get(&format!("{path}?email={}", email("ada"))).await.status.as_u16(), 400);
    assert_eq!(test.browser().get(path).await.status.as_u16(), 400);
    test.advance(TWO_DAYS);
    assert_eq!(bob.get(path).await.json(), json!([]));
}

#[tokio::test]
// spec: ORG-1
async fn invitations_are_listed_for_those_who_invite() {
    let test = test_engine();
    let (mut ada, acme) = ada_and_acme(&test).await;
    let mut bob = joins(&test, &mut ada, "bob", "admin").await;
    let mut carl = joins(&test, &mut ada, "carl", "member").await;
    invites(&mut ada, "dora", "owner").await;
    let path = "/organization/list-invitations";
    let count = |json: Value| json.as_array().unwrap().len();
    assert_eq!(count(ada.get(path).await.json()), 3);
    assert_eq!(count(bob.get(path).await.json()), 2);
    carl.get(path).await.refused(403, "YOU_ARE_NOT_ALLOWED_TO_LIST_INVITATIONS");
    let mut eve = person(&test, "eve").await;
    let stranger = eve.get(&format!("{path}?organizationId={acme}")).await;
    assert_eq!(stranger.status.as_u16(), 403);
    let none = eve.get(path).await;
    assert_eq!(
        (none.status.as_u16(), none.json()),
        (400, json!({ "message": "Organization ID is required" }))
    );
}

#[tokio::test]
// spec: ORG-5
async fn an_invitation_is_mailed_with_what_a_letter_needs() {
    let mails: Arc<Mutex<Vec<InvitationMail>>> = Arc::default();
    let kept = Arc::clone(&mails);
    let test = with(OrganizationOptions {
        send_invitation: Callback::new(move |mail: InvitationMail| {
            kept.lock().unwrap().push(mail);
            async { Err::<(), _>(ApiError::empty(StatusCode::BAD_GATEWAY)) }
        }),
        ..Default::default()
    });
    let (mut ada, _) = ada_and_acme(&test).await;
    // A mail that cannot be sent fails nobody.
    let invitation = invites(&mut ada, "bob", "member").await;
    let resend = json!({ "email": email("bob"), "role": "member", "resend": true });
    does(&mut ada, "invite-member", resend).await.assert(StatusCode::OK);
    let mails = mails.lock().unwrap().clone();
    let said =
        |mail: &InvitationMail| (mail.invitation.id.clone(), mail.inviter.user.name.clone(), mail.resent);
    assert_eq!(
        mails.iter().map(said).collect::<Vec<_>>(),
        [(invitation.clone(), "ada".to_owned(), false), (invitation, "ada".to_owned(), true)]
    );
}

#[tokio::test]
// spec: ORG-5
async fn a_page_for_a_new_person_reads_an_open_invitation_without_a_session() {
    let test = test_engine();
    let (mut ada, acme) = ada_and_acme(&test).await;
    let id = invites(&mut ada, "bob", "member").await;
    let api = test.engine.api();
    let pending = pending_invitation(&api, &id).await.unwrap().unwrap();
    assert_eq!((pending.organization_name.as_str(), pending.inviter_name.as_str()), ("acme", "ada"));
    assert_eq!(pending.invitation.email, email("bob"));
    assert!(pending_invitation(&api, "nothing").await.unwrap().is_none());
    let canceled = Record::new().with("status", "canceled");
    set(&test, "invitation", Filter::by("organizationId", acme), canceled).await;
    assert!(pending_invitation(&api, &id).await.unwrap().is_none());
}

#[tokio::test]
// spec: ORG-2
async fn an_invitation_that_a_javascript_deployment_answered_stands_in_nobody_s_way() {
    for status in ["accepted", "rejected", "canceled"] {
        let test = test_engine();
        let (mut ada, acme) = ada_and_acme(&test).await;
        invites(&mut ada, "bob", "member").await;
        let answered = Record::new().with("status", status);
        set(&test, "invitation", Filter::by("organizationId", acme), answered).await;
        invites(&mut ada, "bob", "member").await;
        assert_eq!(test.rows("invitation").await.len(), 2, "{status}");
    }
}

#[tokio::test]
// spec: ORG-2
async fn an_invitation_that_a_javascript_deployment_sent_counts() {
    let test = test_engine();
    let (mut ada, acme) = ada_and_acme(&test).await;
    let invitation = invites(&mut ada, "bob", "member").await;
    let unknown = Record::new().with("pendingKey", housekey_engine::Value::Null);
    set(&test, "invitation", Filter::by("organizationId", acme), unknown).await;
    does(&mut ada, "invite-member", json!({ "email": email("bob"), "role": "member" }))
        .await
        .refused(400, "USER_IS_ALREADY_INVITED_TO_THIS_ORGANIZATION");
    let mut bob = person(&test, "bob").await;
    does(&mut bob, "accept-invitation", json!({ "invitationId": invitation })).await.assert(StatusCode::OK);
}
