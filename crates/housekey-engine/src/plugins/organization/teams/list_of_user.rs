use super::super::{
    Member, NO_ACTIVE_ORGANIZATION, OrganizationRef, Team, USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION,
    YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION, YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER, caller,
};
use super::{find, list};
use crate::storage::Filter;
use crate::{Api, Endpoint, Field, Reply, Result, Shape};

/// `GET /organization/list-user-teams`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/organization/list-user-teams", |api| Box::pin(answer(api)))
        .about("Lists the teams of whoever is signed in, or of a member.")
        .takes([
            Field::text("userId").optional(),
            Field::text("organizationId").optional().about("The active one by itself."),
        ])
        .answers(Shape::list(Shape::row("team")))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut query = api.request().read_query();
    let user_id = query.optional_text("userId").filter(|id| !id.is_empty());
    let id = query.optional_text("organizationId");
    query.finish()?;
    let teams = list_user_teams(api, user_id.as_deref(), OrganizationRef::named(id.as_deref(), None)).await?;
    list::reply(api, &teams)
}

/// The caller's teams, in one organisation or, when none is named, in all; or those of somebody else in an organisation where
/// the caller may change members.
pub async fn list_user_teams(
    api: &mut Api,
    user_id: Option<&str>,
    organization: OrganizationRef<'_>,
) -> Result<Vec<Team>> {
    super::check_enabled(api)?;
    let signed_in = caller::signed_in(api).await?;
    let own = signed_in.user.id.as_str();
    let user_id = user_id.unwrap_or(own);
    let within = if user_id == own && organization == OrganizationRef::Active {
        None
    } else {
        let id = organization.id(api, &signed_in).await?;
        Some(id.ok_or_else(|| NO_ACTIVE_ORGANIZATION.bad_request())?)
    };
    if let Some(id) = &within {
        let member = Member::of(api, id, own).await?;
        let member = member.ok_or_else(|| YOU_ARE_NOT_A_MEMBER_OF_THIS_ORGANIZATION.forbidden())?;
        if user_id != own {
            let denied = YOU_ARE_NOT_ALLOWED_TO_UPDATE_THIS_MEMBER;
            caller::require(api, &member, "member", "update", denied).await?;
            let other = Member::of(api, id, user_id).await?;
            other.ok_or_else(|| USER_IS_NOT_A_MEMBER_OF_THE_ORGANIZATION.bad_request())?;
        }
    }
    let mut teams = Vec::new();
    for membership in find::memberships(api, Filter::by("userId", user_id)).await? {
        let team = Team::with_id(api, &membership.team_id).await?;
        teams.extend(team.filter(|team| within.as_ref().is_none_or(|id| *id == team.organization_id)));
    }
    Ok(teams)
}
