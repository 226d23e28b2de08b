use http::StatusCode;
use serde_json::json;

use super::super::hooks::{TeamHook, ask};
use super::super::{
    ATTEMPTS, Invitation, InvitationStatus, Member, NO_ACTIVE_ORGANIZATION, ORGANIZATION_NOT_FOUND,
    Organization, OrganizationRef, Team, UNABLE_TO_REMOVE_LAST_TEAM,
    YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION, YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM,
    caller, session, too_busy,
};
use super::create::lock_of;
use super::{find, seats};
use crate::storage::{Filter, Find};
use crate::{Api, ApiError, Changes, Commit, Endpoint, Field, OptimisticLock, Record, Reply, Result, Shape};

/// `POST /organization/remove-team`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/organization/remove-team", |api| Box::pin(answer(api)))
        .about("Removes a team. Its members stay in the organisation.")
        .takes([
            Field::text("teamId"),
            Field::text("organizationId").optional().about("The active one by itself."),
        ])
        .answers(Shape::object([Field::text("message")]))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let team_id = body.text("teamId");
    let id = body.optional_text("organizationId");
    body.finish()?;
    remove_team(api, OrganizationRef::named(id.as_deref(), None), &team_id).await?;
    Reply::json(&json!({ "message": "Team removed successfully." }))
}

/// Removes a team. Its members stay members of the organisation, and invitations that wait lead into it no more.
// spec: ORG-2, ORG-3
pub async fn remove_team(api: &mut Api, organization: OrganizationRef<'_>, team_id: &str) -> Result<Team> {
    super::check_enabled(api)?;
    let Some(signed_in) = api.stored_session().await? else {
        // The order of the reference: whoever says no organisation learns that first.
        return Err(match organization {
            OrganizationRef::Active => NO_ACTIVE_ORGANIZATION.bad_request(),
            OrganizationRef::Id(_) | OrganizationRef::Slug(_) => ApiError::empty(StatusCode::UNAUTHORIZED),
        });
    };
    let id = organization.id(api, &signed_in).await?;
    let id = id.ok_or_else(|| NO_ACTIVE_ORGANIZATION.bad_request())?;
    let member = Member::of(api, &id, &signed_in.user.id).await?;
    let is_active = session::active_team(&signed_in) == Some(team_id);
    let member = member.filter(|_| !is_active);
    let member = member.ok_or_else(|| YOU_ARE_NOT_ALLOWED_TO_DELETE_THIS_TEAM.forbidden())?;
    let denied = YOU_ARE_NOT_ALLOWED_TO_DELETE_TEAMS_IN_THIS_ORGANIZATION;
    caller::require(api, &member, "team", "delete", denied).await?;
    let options = super::super::options(api)?;
    let may_be_last = options.teams.as_ref().is_some_and(|teams| teams.allow_removing_all_teams);
    let team = find::team_of(api, &id, team_id).await?;
    check_another(api, &id, may_be_last).await?;
    let organization = Organization::with_id(api, &id).await?;
    let organization = organization.ok_or_else(|| ORGANIZATION_NOT_FOUND.bad_request())?;
    let hook = TeamHook { organization, team, user: Some((*signed_in.user).clone()), changes: Record::new() };
    ask(&options.hooks.before_delete_team, hook.clone()).await?;
    for _ in 0..ATTEMPTS {
        let lock = OptimisticLock::read(api, lock_of(&id)).await?;
        let team = find::team_of(api, &id, team_id).await?;
        check_another(api, &id, may_be_last).await?;
        let mut changes = api.changes();
        if !may_be_last {
            lock.write_in(&mut changes).await?;
        }
        take_out_of_invitations_in(api, &mut changes, &team).await?;
        for membership in find::memberships(api, Filter::by("teamId", &team.id)).await? {
            seats::leave_active_team(&mut changes, &team.id, &membership.user_id).await?;
        }
        changes.delete("teamMember", Filter::by("teamId", &team.id)).await?;
        changes.delete_expecting("team", Filter::by("id", &team.id)).await?;
        if changes.commit().await? == Commit::Done {
            options.hooks.after_delete_team.call_or_log("after_delete_team", hook).await;
            return Ok(team);
        }
    }
    Err(too_busy())
}

async fn check_another(api: &Api, organization_id: &str, may_be_last: bool) -> Result<()> {
    match !may_be_last && find::of(api, organization_id).await?.len() <= 1 {
        true => Err(UNABLE_TO_REMOVE_LAST_TEAM.bad_request()),
        false => Ok(()),
    }
}

/// Invitations that wait for an answer do not name the team any more.
async fn take_out_of_invitations_in(api: &Api, changes: &mut Changes, team: &Team) -> Result<()> {
    let waiting = Filter::by("organizationId", &team.organization_id)
        .and_by("status", InvitationStatus::Pending.name());
    for row in api.storage().find(api.table("invitation")?, &Find::new(waiting)).await? {
        let invitation = Invitation::from_record(row)?;
        if !invitation.team_ids().any(|id| id == team.id) {
            continue;
        }
        let rest: Vec<_> = invitation.team_ids().filter(|id| *id != team.id).collect();
        let rest = (!rest.is_empty()).then(|| rest.join(","));
        let own = Filter::by("id", &invitation.id);
        changes.update("invitation", own, Record::new().with("teamId", rest)).await?;
    }
    Ok(())
}
