use super::super::{
    ATTEMPTS, Member, MemberHook, ORGANIZATION_NOT_FOUND, Organization, OrganizationRef, ROLE_NOT_FOUND,
    USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION, events, hooks, teams, too_busy,
};
use super::{roles, seats};
use crate::{Api, Commit, Record, Result, SecurityEventKind, codes};

/// Somebody who is to be a member.
#[derive(Clone, Debug)]
pub struct NewMember<'a> {
    pub user_id: String,
    pub roles: Vec<String>,
    pub organization: OrganizationRef<'a>,
    /// A team that they are to be in.
    pub team_id: Option<String>,
}

/// Makes somebody a member who was not asked. For server code that knows why: it asks nobody for permission, and there is no endpoint.
pub async fn add_member(api: &mut Api, new: NewMember<'_>) -> Result<Member> {
    let options = super::super::options(api)?;
    let signed_in = api.stored_session().await?;
    let organization = match (new.organization, &signed_in) {
        (OrganizationRef::Id(id), _) => Organization::with_id(api, id).await?,
        (OrganizationRef::Slug(slug), _) => Organization::with_slug(api, slug).await?,
        (OrganizationRef::Active, Some(signed_in)) => OrganizationRef::Active.find(api, signed_in).await?,
        (OrganizationRef::Active, None) => None,
    };
    let organization = organization.ok_or_else(|| ORGANIZATION_NOT_FOUND.bad_request())?;
    let user = api.user(&new.user_id).await?.ok_or_else(|| codes::USER_NOT_FOUND.bad_request())?;
    let role = roles::joined(&new.roles);
    if role.is_empty() {
        return Err(ROLE_NOT_FOUND.bad_request());
    }
    roles::check(api, &options, &organization.id, &role, roles::unknown).await?;
    refuse_member(api, &organization, &user.id).await?;
    let team_ids: Vec<_> = new.team_id.into_iter().collect();
    teams::check_invited(api, &organization, &user, &team_ids).await?;
    let member = Member {
        id: api.new_id("member").await?,
        organization_id: organization.id.clone(),
        user_id: user.id.clone(),
        role,
        created_at: api.clock().now(),
        fields: Record::new(),
    };
    let hook = |member: &Member| MemberHook {
        organization: organization.clone(),
        member: member.clone(),
        user: user.clone(),
        new_role: None,
    };
    let member = member.changed(hooks::ask(&options.hooks.before_add_member, hook(&member)).await?)?;
    for _ in 0..ATTEMPTS {
        refuse_member(api, &organization, &user.id).await?;
        let mut changes = api.changes();
        seats::take_one_in(api, &options, &mut changes, &organization, &user).await?;
        let member = Member::from_record(changes.create("member", member.to_record()).await?)?;
        teams::join_invited_in(api, &mut changes, &organization, &team_ids, &user).await?;
        if changes.commit().await? == Commit::Lost {
            continue;
        }
        let kind = SecurityEventKind::MemberAdded;
        let event = events::event(api, kind, &user.id, &organization.id, signed_in.as_deref());
        api.emit(event.with("role", &member.role)).await;
        options.hooks.after_add_member.call_or_log("afterAddMember", hook(&member)).await;
        return Ok(member);
    }
    Err(too_busy())
}

async fn refuse_member(api: &Api, organization: &Organization, user_id: &str) -> Result<()> {
    match Member::of(api, &organization.id, user_id).await? {
        Some(_) => Err(USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION.bad_request()),
        None => Ok(()),
    }
}
