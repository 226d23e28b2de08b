use super::super::{
    Member, TEAM_NOT_FOUND, Team, TeamMember, USER_IS_NOT_A_MEMBER_OF_THE_TEAM,
    YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM, caller, session,
};
use super::find;
use crate::storage::Filter;
use crate::{Api, Endpoint, Field, Record, Reply, Result, Shape};

/// `GET /organization/list-team-members`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/organization/list-team-members", |api| Box::pin(answer(api)))
        .about("Lists who belongs to a team, for those who do.")
        .takes([Field::text("teamId").optional().about("The active one by itself.")])
        .answers(Shape::list(Shape::row("teamMember")))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut query = api.request().read_query();
    let id = query.optional_text("teamId").filter(|id| !id.is_empty());
    query.finish()?;
    let members = list_team_members(api, id.as_deref()).await?;
    let rows: Vec<Record> = members.iter().map(TeamMember::to_record).collect();
    let views = rows.iter().map(|row| api.row_view("teamMember", row)).collect::<Result<Vec<_>>>()?;
    Reply::json(&views)
}

/// Who belongs to a team, or to the active one, for those who do.
pub async fn list_team_members(api: &mut Api, team_id: Option<&str>) -> Result<Vec<TeamMember>> {
    super::check_enabled(api)?;
    let signed_in = caller::signed_in(api).await?;
    let team_id = team_id.or_else(|| session::active_team(&signed_in));
    let team_id = team_id.ok_or_else(|| YOU_DO_NOT_HAVE_AN_ACTIVE_TEAM.bad_request())?;
    let team = Team::with_id(api, team_id).await?.ok_or_else(|| TEAM_NOT_FOUND.bad_request())?;
    let user_id = &signed_in.user.id;
    // Whoever left the organisation is in none of its teams, whatever a row says.
    let belongs = find::membership(api, team_id, user_id).await?.is_some()
        && Member::of(api, &team.organization_id, user_id).await?.is_some();
    if !belongs {
        return Err(USER_IS_NOT_A_MEMBER_OF_THE_TEAM.bad_request());
    }
    find::memberships(api, Filter::by("teamId", team_id)).await
}
