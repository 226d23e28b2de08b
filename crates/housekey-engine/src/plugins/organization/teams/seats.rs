//! Who belongs to a team, and the number of them beside it.
//!
//! The number changes from what it was when the team was read, and otherwise the commit is lost: of two who take the last seat at
//! the same moment one does. The team is written before the membership, always in this order, so that two who wait for each
//! other do not wait for ever.

use super::super::{Organization, OrganizationOptions, TEAM_MEMBER_LIMIT_REACHED, Team, TeamMember};
use crate::storage::Filter;
use crate::{Api, Changes, Record, Result, User};

/// Adds to some changes that somebody belongs to a team, with these fields besides.
// spec: ORG-2
pub(super) async fn take_in(
    api: &Api,
    changes: &mut Changes,
    team: &Team,
    user_id: &str,
    fields: Record,
) -> Result<TeamMember> {
    count_in(changes, team, 1).await?;
    new_in(api, changes, &team.id, user_id, fields).await
}

/// Adds to some changes the row of somebody who is counted already.
pub(super) async fn new_in(
    api: &Api,
    changes: &mut Changes,
    team_id: &str,
    user_id: &str,
    fields: Record,
) -> Result<TeamMember> {
    let mut row = Record::new().with("createdAt", api.clock().now());
    row.merge(fields);
    let row = row
        .with("teamId", team_id)
        .with("userId", user_id)
        .with("membershipKey", TeamMember::membership_key(team_id, user_id));
    TeamMember::from_record(changes.create("teamMember", row).await?)
}

/// Adds to some changes that somebody does not belong to a team any more, and that no session of theirs is in it.
// spec: ORG-3
pub(super) async fn give_up_in(changes: &mut Changes, team: &Team, membership: &TeamMember) -> Result<()> {
    count_in(changes, team, -1).await?;
    changes.delete_expecting("teamMember", Filter::by("id", &membership.id)).await?;
    leave_active_team(changes, &team.id, &membership.user_id).await
}

/// Adds to some changes that a team has more or fewer members.
pub(super) async fn count_in(changes: &mut Changes, team: &Team, by: i64) -> Result<()> {
    let same = Filter::by("id", &team.id).and_by("memberCount", team.member_count);
    let number = Record::new()
        .with("memberCount", (team.member_count + by).max(0))
        // Somebody who joins changes nothing about the team itself.
        .with("updatedAt", team.updated_at);
    changes.update_expecting("team", same, number).await.map(drop)
}

/// Adds to some changes that no session of somebody is in a team.
pub(super) async fn leave_active_team(changes: &mut Changes, team_id: &str, user_id: &str) -> Result<()> {
    let there = Filter::by("userId", user_id).and_by("activeTeamId", team_id);
    changes.update("session", there, Record::new().with("activeTeamId", crate::Value::Null)).await
}

/// Refuses one more member where there is no seat.
pub(super) async fn check_free(
    options: &OrganizationOptions,
    organization: &Organization,
    team: &Team,
    user: &User,
) -> Result<()> {
    let Some(teams) = &options.teams else { return Ok(()) };
    let most = teams.maximum_members_per_team.number(Some(user), Some(organization)).await?;
    match most {
        Some(most) if u64::try_from(team.member_count).unwrap_or(0) >= most => {
            Err(TEAM_MEMBER_LIMIT_REACHED.forbidden())
        }
        _ => Ok(()),
    }
}
