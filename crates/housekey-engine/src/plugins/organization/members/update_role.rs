use http::StatusCode;

use super::super::{
    ATTEMPTS, MEMBER_NOT_FOUND, Member, MemberHook, NO_ACTIVE_ORGANIZATION, ORGANIZATION_NOT_FOUND,
    Organization, OrganizationRef, YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER,
    YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER, caller, events, fields, hooks, too_busy,
};
use super::{owners, roles};
use crate::storage::Filter;
use crate::{Api, ApiError, Commit, Endpoint, Field, Record, Reply, Result, SecurityEventKind, Shape, codes};

/// `POST /organization/update-member-role`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/organization/update-member-role", |api| Box::pin(answer(api)))
        .about("Gives a member other roles, for a member who may.")
        .takes([
            Field::new("role", Shape::one_of([Shape::text(), Shape::list(Shape::text())])).example("member"),
            Field::text("memberId"),
            Field::text("organizationId").optional().about("The active one by itself."),
        ])
        .answers(Shape::row("member"))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let role = roles::read(&mut body);
    let member_id = body.text("memberId");
    let id = body.optional_text("organizationId");
    body.finish()?;
    let member =
        update_member_role(api, OrganizationRef::named(id.as_deref(), None), &member_id, &role).await?;
    Reply::json(&fields::view(api, "member", &member.to_record())?)
}

/// Gives a member other roles, for a member who may. Only an owner makes or changes an owner, and one is always left.
// spec: ORG-2
pub async fn update_member_role(
    api: &mut Api,
    which: OrganizationRef<'_>,
    member_id: &str,
    new_roles: &[String],
) -> Result<Member> {
    let signed_in = caller::signed_in(api).await?;
    let options = super::super::options(api)?;
    let mut role = roles::joined(new_roles);
    if role.is_empty() {
        return Err(ApiError::empty(StatusCode::BAD_REQUEST));
    }
    let id = which.id(api, &signed_in).await?.ok_or_else(|| NO_ACTIVE_ORGANIZATION.bad_request())?;
    let denied = || YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER.forbidden();
    let mut asked = false;
    for _ in 0..ATTEMPTS {
        let own = Member::of(api, &id, &signed_in.user.id).await?;
        let own = own.ok_or_else(|| MEMBER_NOT_FOUND.bad_request())?;
        let target =
            if own.id == member_id { Some(own.clone()) } else { Member::with_id(api, member_id).await? };
        let target = target.ok_or_else(|| MEMBER_NOT_FOUND.bad_request())?;
        if target.organization_id != id {
            return Err(denied());
        }
        let about_owner = options.is_owner(&target) || options.names_owner(&role);
        if about_owner && !options.is_owner(&own) {
            return Err(denied());
        }
        let action = YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER;
        caller::require(api, &own, "member", "update", action).await?;
        roles::check(api, &options, &id, &role, roles::unknown).await?;
        let organization = Organization::with_id(api, &id).await?;
        let organization = organization.ok_or_else(|| ORGANIZATION_NOT_FOUND.bad_request())?;
        let user = api.user(&target.user_id).await?.ok_or_else(|| codes::USER_NOT_FOUND.bad_request())?;
        let hook = |member: &Member, role: &str| MemberHook {
            organization: organization.clone(),
            member: member.clone(),
            user: user.clone(),
            new_role: Some(role.to_owned()),
        };
        let mut changes = api.changes();
        if options.is_owner(&target) && !options.names_owner(&role) {
            let otherwise = YOU_CANNOT_LEAVE_THE_ORGANIZATION_WITHOUT_AN_OWNER;
            owners::keep_one_in(api, &options, &mut changes, &target, otherwise).await?;
        }
        if !asked {
            asked = true;
            let wanted = hooks::ask(&options.hooks.before_update_member_role, hook(&target, &role)).await?;
            if let Some(other) = wanted.text("role").map(|other| roles::joined(&[other.to_owned()])) {
                // It is judged like any other.
                role = other;
                continue;
            }
        }
        let as_it_was = Filter::by("id", &target.id).and_by("role", &target.role);
        let record = Record::new().with("role", &role);
        let written = changes.update_expecting("member", as_it_was, record).await?;
        if changes.commit().await? == Commit::Lost {
            continue;
        }
        let changed = target.changed(written)?;
        let kind = SecurityEventKind::MemberRoleChanged;
        let event = events::event(api, kind, &target.user_id, &id, Some(&signed_in));
        api.emit(event.with("from", &target.role).with("to", &changed.role)).await;
        let told = hook(&target, &changed.role);
        options.hooks.after_update_member_role.call_or_log("afterUpdateMemberRole", told).await;
        return Ok(changed);
    }
    Err(too_busy())
}
