use super::super::session::{self, Place};
use super::super::{Member, TEAM_NOT_FOUND, Team, USER_IS_NOT_A_MEMBER_OF_THE_TEAM, caller};
use super::find;
use crate::{Api, Endpoint, Field, Reply, Result, Shape};

/// `POST /organization/set-active-team`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/organization/set-active-team", |api| Box::pin(answer(api)))
        .about("Moves this session to a team and its organisation, or with a null to no team.")
        .takes([Field::text("teamId").or_null().optional()])
        .answers(Shape::row("team").or_null())
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let is_null = body.all().get("teamId").is_some_and(serde_json::Value::is_null);
    let id = body.nullable_text("teamId").filter(|id| !id.is_empty());
    body.finish()?;
    let id = match id {
        Some(id) => Some(id),
        None if is_null => None,
        // Nothing said: the one that is active already, which may have gone meanwhile.
        None => session::active_team(&*caller::signed_in(api).await?).map(str::to_owned),
    };
    match set_active_team(api, id.as_deref()).await? {
        Some(team) => Reply::json(&api.row_view("team", &team.to_record())?),
        None => Reply::json(&serde_json::Value::Null),
    }
}

/// Says in which team, and so in which organisation, the caller's session is; `None` for no team.
// spec: ORG-3
pub async fn set_active_team(api: &mut Api, team_id: Option<&str>) -> Result<Option<Team>> {
    super::check_enabled(api)?;
    let signed_in = caller::signed_in(api).await?;
    let mut place = Place::of(&signed_in);
    let Some(team_id) = team_id else {
        if place.team.take().is_some() {
            session::enter(api, &signed_in, &place).await?;
        }
        return Ok(None);
    };
    let team = Team::with_id(api, team_id).await?.ok_or_else(|| TEAM_NOT_FOUND.bad_request())?;
    // Whether there is such a team is nobody's business outside of its organisation.
    if Member::of(api, &team.organization_id, &signed_in.user.id).await?.is_none() {
        return Err(TEAM_NOT_FOUND.bad_request());
    }
    if find::membership(api, &team.id, &signed_in.user.id).await?.is_none() {
        return Err(USER_IS_NOT_A_MEMBER_OF_THE_TEAM.forbidden());
    }
    // A team of one organisation while another one is active would be neither.
    place = Place { organization: Some(team.organization_id.clone()), team: Some(team.id.clone()) };
    session::enter(api, &signed_in, &place).await?;
    Ok(Some(team))
}
