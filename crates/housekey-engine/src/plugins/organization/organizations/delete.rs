use http::StatusCode;

use super::super::members::{owners, seats};
use super::super::{
    ATTEMPTS, Member, ORGANIZATION_DELETION_DISABLED, ORGANIZATION_NOT_FOUND, Organization, OrganizationHook,
    USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION, YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION, caller,
    events, hooks, invitations, session, too_busy,
};
use super::view;
use crate::storage::{Filter, Find};
use crate::{
    Api, ApiError, Changes, Commit, Endpoint, Field, OptimisticLock, Record, Reply, Result,
    SecurityEventKind, Shape, User,
};

/// `POST /organization/delete`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/organization/delete", |api| Box::pin(answer(api)))
        .about("Deletes an organisation and everything in it, for a member who may.")
        .takes([Field::text("organizationId")])
        .answers(Shape::row("organization"))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let id = body.text("organizationId");
    body.finish()?;
    let deleted = delete_organization(api, &id).await?;
    Reply::json(&view::row(api, &deleted)?)
}

/// Deletes an organisation and everything in it, for a member who may.
// spec: ORG-3
pub async fn delete_organization(api: &mut Api, id: &str) -> Result<Organization> {
    let signed_in = caller::signed_in_or(api, || ApiError::empty(StatusCode::UNAUTHORIZED)).await?;
    let options = super::super::options(api)?;
    if options.disable_organization_deletion {
        return Err(ORGANIZATION_DELETION_DISABLED.not_found());
    }
    let mut asked = false;
    for _ in 0..ATTEMPTS {
        let member = Member::of(api, id, &signed_in.user.id).await?;
        let member = member.ok_or_else(|| USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION.bad_request())?;
        let denied = YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_ORGANIZATION;
        caller::require(api, &member, "organization", "delete", denied).await?;
        let organization = Organization::with_id(api, id).await?;
        let organization = organization.ok_or_else(|| ORGANIZATION_NOT_FOUND.bad_request())?;
        let hook = || OrganizationHook {
            organization: organization.clone(),
            user: User::clone(&signed_in.user),
            member: Some(member.clone()),
            changes: Record::new(),
        };
        if !asked {
            hooks::ask(&options.hooks.before_delete_organization, hook()).await?;
            asked = true;
        }
        let mut changes = api.changes();
        // Whoever was removed at the same moment deletes nothing.
        let as_they_were = Filter::by("id", &member.id).and_by("role", &member.role);
        changes.delete_expecting("member", as_they_were).await?;
        delete_in(api, &mut changes, id).await?;
        if changes.commit().await? == Commit::Lost {
            continue;
        }
        session::forgotten(api, &signed_in, id, &signed_in.user.id).await?;
        let kind = SecurityEventKind::OrganizationDeleted;
        api.emit(events::event(api, kind, &signed_in.user.id, id, None)).await;
        options.hooks.after_delete_organization.call_or_log("afterDeleteOrganization", hook()).await;
        return Ok(organization);
    }
    Err(too_busy())
}

/// Adds to some changes the end of an organisation: its rows, and that sessions are in it.
pub(in super::super) async fn delete_in(api: &Api, changes: &mut Changes, id: &str) -> Result<()> {
    let members = Find::new(Filter::by("organizationId", id));
    for row in api.storage().find(api.table("member")?, &members).await? {
        session::forget_in(api, changes, id, &Member::from_record(row)?.user_id).await?;
    }
    let locks = [owners::lock_name(id), seats::lock_name(id), invitations::lock_name(id)];
    for lock in locks.into_iter().chain(["teams", "roles"].map(|of| format!("organization-{of}:{id}"))) {
        OptimisticLock::forget_in(api, changes, &lock).await?;
    }
    changes.delete_with_dependents("organization", id).await
}
