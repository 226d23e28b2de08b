use super::super::{Team, TeamMember};
use super::{find, seats};
use crate::storage::Filter;
use crate::{Api, Changes, Result};

/// Adds to some changes that somebody who leaves an organisation is in none of its teams.
pub(in super::super) async fn leave_in(
    api: &Api,
    changes: &mut Changes,
    organization_id: &str,
    user_id: &str,
) -> Result<()> {
    for (team, membership) in belonging(api, user_id).await? {
        if team.organization_id == organization_id {
            seats::give_up_in(changes, &team, &membership).await?;
        }
    }
    Ok(())
}

/// The teams of somebody, in one order for everybody; none where there are no teams.
async fn belonging(api: &Api, user_id: &str) -> Result<Vec<(Team, TeamMember)>> {
    if super::super::options(api)?.teams.is_none() {
        return Ok(Vec::new());
    }
    let mut found = Vec::new();
    for membership in find::memberships(api, Filter::by("userId", user_id)).await? {
        if let Some(team) = Team::with_id(api, &membership.team_id).await? {
            found.push((team, membership));
        }
    }
    found.sort_by(|(one, _), (other, _)| one.id.cmp(&other.id));
    Ok(found)
}
