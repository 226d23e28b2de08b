use super::super::{TEAM_NOT_FOUND, Team, TeamMember};
use crate::storage::{Direction, Filter, Find};
use crate::{Api, Result};

/// The teams of an organisation, the oldest first; none where there are no teams.
pub(in super::super) async fn of(api: &Api, organization_id: &str) -> Result<Vec<Team>> {
    if super::super::options(api)?.teams.is_none() {
        return Ok(Vec::new());
    }
    let find = Find::new(Filter::by("organizationId", organization_id));
    let find = find.order("createdAt", Direction::Ascending).then_by("id");
    let rows = api.storage().find(api.table("team")?, &find).await?;
    rows.into_iter().map(Team::from_record).collect()
}

/// A team of this organisation. One of another organisation is as unknown as one that there is not.
pub(super) async fn team_of(api: &Api, organization_id: &str, id: &str) -> Result<Team> {
    let team = Team::with_id(api, id).await?.filter(|team| team.organization_id == organization_id);
    team.ok_or_else(|| TEAM_NOT_FOUND.bad_request())
}

/// That somebody belongs to a team, if they do.
pub(super) async fn membership(api: &Api, team_id: &str, user_id: &str) -> Result<Option<TeamMember>> {
    // Not by the key: rows of older versions of the reference have none.
    let filter = Filter::by("teamId", team_id).and_by("userId", user_id);
    let row = api.storage().find_one(api.table("teamMember")?, &filter).await?;
    row.map(TeamMember::from_record).transpose()
}

/// Everybody who belongs to a team.
pub(super) async fn memberships(api: &Api, filter: Filter) -> Result<Vec<TeamMember>> {
    let find = Find::new(filter).order("createdAt", Direction::Ascending).then_by("id");
    let rows = api.storage().find(api.table("teamMember")?, &find).await?;
    rows.into_iter().map(TeamMember::from_record).collect()
}
