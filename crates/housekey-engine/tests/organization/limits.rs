//! How many there may be.

use housekey_engine::plugins::OrganizationOptions;
use housekey_engine::plugins::organization::{Allowed, Limit, LimitQuestion};
use housekey_engine::{ApiError, Callback, User};
use serde_json::json;

use crate::organization::{ada_and_acme, creates, does, email, invites, joins, person, with};

#[tokio::test]
// spec: ORG-1
async fn limits_are_told() {
    let test = with(OrganizationOptions {
        organization_limit: Limit::Number(2),
        membership_limit: Limit::Number(2),
        invitation_limit: Limit::Number(1),
        ..Default::default()
    });
    let (mut ada, _) = ada_and_acme(&test).await;
    joins(&test, &mut ada, "bob", "member").await;
    let invitation = invites(&mut ada, "carl", "member").await;
    does(&mut ada, "invite-member", json!({ "email": email("dora"), "role": "member" }))
        .await
        .refused(403, "INVITATION_LIMIT_REACHED");
    let mut carl = person(&test, "carl").await;
    does(&mut carl, "accept-invitation", json!({ "invitationId": invitation }))
        .await
        .refused(403, "ORGANIZATION_MEMBERSHIP_LIMIT_REACHED");
    creates(&mut ada, "second").await;
    does(&mut ada, "create", json!({ "name": "x", "slug": "third" }))
        .await
        .refused(403, "YOU_HAVE_REACHED_THE_MAXIMUM_NUMBER_OF_ORGANIZATIONS");
}

#[tokio::test]
// spec: ORG-1
async fn a_function_may_know_the_limit_of_a_plan() {
    let test = with(OrganizationOptions {
        membership_limit: Limit::Function(Callback::new(|asked: LimitQuestion| async move {
            let is_paid = asked.organization.is_some_and(|organization| organization.slug == "paid");
            Ok::<_, ApiError>(if is_paid { 10 } else { 1 })
        })),
        ..Default::default()
    });
    let mut ada = person(&test, "ada").await;
    creates(&mut ada, "paid").await;
    joins(&test, &mut ada, "bob", "member").await;
    creates(&mut ada, "free").await;
    let invitation = invites(&mut ada, "carl", "member").await;
    let mut carl = person(&test, "carl").await;
    does(&mut carl, "accept-invitation", json!({ "invitationId": invitation }))
        .await
        .refused(403, "ORGANIZATION_MEMBERSHIP_LIMIT_REACHED");
}

#[tokio::test]
// spec: ORG-1
async fn not_everybody_may_create() {
    let code = "YOU_ARE_NOT_ALLOWED_TO_CREATE_A_NEW_ORGANIZATION";
    let body = json!({ "name": "x", "slug": "x" });
    let nobody =
        OrganizationOptions { allow_user_to_create_organization: Allowed::Nobody, ..Default::default() };
    let test = with(nobody);
    does(&mut person(&test, "ada").await, "create", body.clone()).await.refused(403, code);
    let some = Allowed::Function(Callback::new(|user: User| async move {
        Ok::<_, ApiError>(user.email.starts_with("ada"))
    }));
    let test = with(OrganizationOptions { allow_user_to_create_organization: some, ..Default::default() });
    does(&mut person(&test, "bob").await, "create", body).await.refused(403, code);
    creates(&mut person(&test, "ada").await, "acme").await;
}
