//! Invitations that lead into teams.

use super::super::{INVALID_TEAM_ID, Organization, Team};
use super::{find, seats};
use crate::{Api, Changes, Record, Result, User};

/// Refuses an invitation to teams that there are not in this organisation, or that are full.
pub(in super::super) async fn check_invited(
    api: &Api,
    organization: &Organization,
    inviter: &User,
    team_ids: &[String],
) -> Result<()> {
    let options = super::super::options(api)?;
    if options.teams.is_none() {
        return Ok(());
    }
    // The column holds them separated by commas.
    if team_ids.iter().any(|id| id.contains(',')) {
        return Err(INVALID_TEAM_ID.bad_request());
    }
    for id in team_ids {
        let team = find::team_of(api, &organization.id, id).await?;
        seats::check_free(&options, organization, &team, inviter).await?;
    }
    Ok(())
}

/// Adds to some changes that somebody who accepted an invitation belongs to its teams. Gives those that there are still; a full one
/// refuses.
pub(in super::super) async fn join_invited_in(
    api: &Api,
    changes: &mut Changes,
    organization: &Organization,
    team_ids: &[String],
    user: &User,
) -> Result<Vec<Team>> {
    let options = super::super::options(api)?;
    if options.teams.is_none() {
        return Ok(Vec::new());
    }
    // In one order for everybody, so that two who join the same teams do not wait for each other.
    let mut ids: Vec<_> = team_ids.iter().map(String::as_str).collect();
    ids.sort_unstable();
    ids.dedup();
    let mut joined = Vec::new();
    for id in ids {
        let found = Team::with_id(api, id).await?;
        let Some(team) = found.filter(|team| team.organization_id == organization.id) else { continue };
        if find::membership(api, &team.id, &user.id).await?.is_none() {
            seats::check_free(&options, organization, &team, user).await?;
            seats::take_in(api, changes, &team, &user.id, Record::new()).await?;
        }
        joined.push(team);
    }
    joined.sort_by_key(|team| team_ids.iter().position(|id| *id == team.id));
    Ok(joined)
}
