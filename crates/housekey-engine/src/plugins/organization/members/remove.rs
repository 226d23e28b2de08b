use serde::Serialize;

use super::super::{
    ATTEMPTS, MEMBER_NOT_FOUND, Member, MemberHook, MemberUser, NO_ACTIVE_ORGANIZATION,
    ORGANIZATION_NOT_FOUND, Organization, OrganizationRef, YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER,
    YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER, caller, events, fields, hooks, session, teams,
    too_busy,
};
use super::{View, owners, with_user};
use crate::access::Permission;
use crate::storage::Filter;
use crate::{Api, Changes, Commit, Endpoint, Field, Record, Reply, Result, SecurityEventKind, Shape, codes};

/// `POST /organization/remove-member`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/organization/remove-member", |api| Box::pin(answer(api)))
        .about(
            "Removes a member, for a member who may. Only an owner removes an owner, and one is \
             always left.",
        )
        .takes([
            Field::text("memberIdOrEmail"),
            Field::text("organizationId").optional().about("The active one by itself."),
        ])
        .answers(Shape::object([Field::new(
            "member",
            Shape::row_with("member", [Field::new("user", MemberUser::shape()).optional()]),
        )]))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    #[derive(Serialize)]
    struct Body<M> {
        member: M,
    }
    let mut body = api.request().read_body();
    let who = body.text("memberIdOrEmail");
    let id = body.optional_text("organizationId");
    body.finish()?;
    let member = remove_member(api, OrganizationRef::named(id.as_deref(), None), &who).await?;
    // Who asked by address is told whom it was about.
    if who.contains('@')
        && let Some(member) = with_user(api, member.clone()).await?
    {
        return Reply::json(&Body { member: View::of(api, &member)? });
    }
    let member: Record = fields::view(api, "member", &member.to_record())?;
    Reply::json(&Body { member })
}

/// Removes a member, by the id of the membership or by address, for a member who may. Their sessions are out of the organisation
/// at once. Only an owner removes an owner, and one is always left.
// spec: ORG-2 ORG-3
pub async fn remove_member(
    api: &mut Api,
    which: OrganizationRef<'_>,
    member_id_or_email: &str,
) -> Result<Member> {
    let signed_in = caller::signed_in(api).await?;
    let options = super::super::options(api)?;
    let id = which.id(api, &signed_in).await?.ok_or_else(|| NO_ACTIVE_ORGANIZATION.bad_request())?;
    let nobody = || MEMBER_NOT_FOUND.bad_request();
    let mut asked = false;
    for _ in 0..ATTEMPTS {
        let own = Member::of(api, &id, &signed_in.user.id).await?.ok_or_else(nobody)?;
        let target = find(api, &id, member_id_or_email).await?.ok_or_else(nobody)?;
        if options.is_owner(&target) && !options.is_owner(&own) {
            return Err(YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER.bad_request());
        }
        let mut changes = api.changes();
        take_out_in(api, &mut changes, &target).await?;
        if !caller::allows(api, &own, &Permission::of("member", ["delete"])).await? {
            return Err(YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_MEMBER.unauthorized());
        }
        let organization = Organization::with_id(api, &id).await?;
        let organization = organization.ok_or_else(|| ORGANIZATION_NOT_FOUND.bad_request())?;
        let user = api.user(&target.user_id).await?.ok_or_else(|| codes::USER_NOT_FOUND.bad_request())?;
        let hook = || MemberHook {
            organization: organization.clone(),
            member: target.clone(),
            user: user.clone(),
            new_role: None,
        };
        if !asked {
            hooks::ask(&options.hooks.before_remove_member, hook()).await?;
            asked = true;
        }
        if changes.commit().await? == Commit::Lost {
            continue;
        }
        session::forgotten(api, &signed_in, &id, &target.user_id).await?;
        let kind = SecurityEventKind::MemberRemoved;
        api.emit(events::event(api, kind, &target.user_id, &id, Some(&signed_in))).await;
        options.hooks.after_remove_member.call_or_log("afterRemoveMember", hook()).await;
        return Ok(target);
    }
    Err(too_busy())
}

/// Adds to some changes that somebody is no member any more: their row, their teams and where their sessions are. It is refused
/// if no owner would be left, and lost if they have another role by then.
pub(super) async fn take_out_in(api: &Api, changes: &mut Changes, member: &Member) -> Result<()> {
    let options = super::super::options(api)?;
    if options.is_owner(member) {
        let otherwise = YOU_CANNOT_LEAVE_THE_ORGANIZATION_AS_THE_ONLY_OWNER;
        owners::keep_one_in(api, &options, changes, member, otherwise).await?;
    }
    let as_they_were = Filter::by("id", &member.id).and_by("role", &member.role);
    changes.delete_expecting("member", as_they_were).await?;
    teams::leave_in(api, changes, &member.organization_id, &member.user_id).await?;
    session::forget_in(api, changes, &member.organization_id, &member.user_id).await
}

async fn find(api: &Api, organization_id: &str, id_or_email: &str) -> Result<Option<Member>> {
    if id_or_email.contains('@') {
        let Some(user) = api.user_by_email(id_or_email).await? else { return Ok(None) };
        return Member::of(api, organization_id, &user.id).await;
    }
    let member = Member::with_id(api, id_or_email).await?;
    Ok(member.filter(|member| member.organization_id == organization_id))
}
