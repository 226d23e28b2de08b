use super::super::hooks::{TeamHook, ask};
use super::super::{Organization, Team};
use super::seats;
use crate::{Api, Changes, Record, Result, User};

/// Adds to some changes the first team of a new organisation, with whoever created it. `None` where there is none. After the
/// commit, [`first_made`] tells the hook.
pub(in super::super) async fn first_in(
    api: &Api,
    changes: &mut Changes,
    organization: &Organization,
    creator: &User,
) -> Result<Option<Team>> {
    let options = super::super::options(api)?;
    if !options.teams.as_ref().is_some_and(|teams| teams.default_team) {
        return Ok(None);
    }
    let mut team = Team {
        id: String::new(),
        name: organization.name.clone(),
        member_count: 1,
        organization_id: organization.id.clone(),
        created_at: api.clock().now(),
        updated_at: None,
        fields: Record::new(),
    };
    let asked = ask(&options.hooks.before_create_team, hook(organization, &team, creator)).await?;
    let mut row = team.to_record();
    row.take("id");
    row.merge(asked);
    row.set("memberCount", 1_i64);
    row.set("organizationId", &organization.id);
    team = Team::from_record(changes.create("team", row).await?)?;
    seats::new_in(api, changes, &team.id, &creator.id, Record::new()).await?;
    Ok(Some(team))
}

/// Tells the hook that the first team of an organisation was made.
pub(in super::super) async fn first_made(
    api: &Api,
    organization: &Organization,
    team: &Team,
    creator: &User,
) -> Result<()> {
    let options = super::super::options(api)?;
    let told = hook(organization, team, creator);
    options.hooks.after_create_team.call_or_log("after_create_team", told).await;
    Ok(())
}

fn hook(organization: &Organization, team: &Team, user: &User) -> TeamHook {
    TeamHook {
        organization: organization.clone(),
        team: team.clone(),
        user: Some(user.clone()),
        changes: Record::new(),
    }
}
