use serde_json::json;

use super::super::hooks::ask;
use super::super::session::{self, Place};
use super::super::{
    ATTEMPTS, OrganizationRef, TeamMember, USER_IS_NOT_A_MEMBER_OF_THE_TEAM,
    YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER, caller, too_busy,
};
use super::add_member::{About, read};
use super::{find, seats};
use crate::{Api, Commit, Endpoint, Field, Reply, Result, Shape};

/// `POST /organization/remove-team-member`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/organization/remove-team-member", |api| Box::pin(answer(api)))
        .about("Takes somebody out of a team.")
        .takes([
            Field::text("teamId"),
            Field::text("userId"),
            Field::text("organizationId").optional().about("The active one by itself."),
        ])
        .answers(Shape::object([Field::text("message")]))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let (team_id, user_id, id) = read(api)?;
    remove_team_member(api, OrganizationRef::named(id.as_deref(), None), &team_id, &user_id).await?;
    Reply::json(&json!({ "message": "Team member removed successfully." }))
}

/// Takes somebody out of a team; they stay a member of the organisation.
// spec: ORG-2, ORG-3
pub async fn remove_team_member(
    api: &mut Api,
    organization: OrganizationRef<'_>,
    team_id: &str,
    user_id: &str,
) -> Result<TeamMember> {
    let about = About::read(
        api,
        organization,
        (team_id, user_id),
        ("delete", YOU_ARE_NOT_ALLOWED_TO_REMOVE_A_TEAM_MEMBER),
    )
    .await?;
    let options = super::super::options(api)?;
    let outside = || USER_IS_NOT_A_MEMBER_OF_THE_TEAM.bad_request();
    let membership = find::membership(api, team_id, user_id).await?.ok_or_else(outside)?;
    ask(&options.hooks.before_remove_team_member, about.hook(&membership)).await?;
    for _ in 0..ATTEMPTS {
        let team = find::team_of(api, &about.organization.id, team_id).await?;
        let membership = find::membership(api, team_id, user_id).await?.ok_or_else(outside)?;
        let mut changes = api.changes();
        seats::give_up_in(&mut changes, &team, &membership).await?;
        if changes.commit().await? == Commit::Done {
            let told = about.hook(&membership);
            options.hooks.after_remove_team_member.call_or_log("after_remove_team_member", told).await;
            leave_it(api, team_id, user_id).await?;
            return Ok(membership);
        }
    }
    Err(too_busy())
}

/// Whoever took themselves out of the team that they are in is told so by their cookie.
async fn leave_it(api: &mut Api, team_id: &str, user_id: &str) -> Result<()> {
    let signed_in = caller::signed_in(api).await?;
    if signed_in.user.id == user_id && session::active_team(&signed_in) == Some(team_id) {
        let place = Place { team: None, ..Place::of(&signed_in) };
        session::moved(api, &signed_in, &place).await?;
    }
    Ok(())
}
