use super::super::{
    Member, NO_ACTIVE_ORGANIZATION, OrganizationRef, Team, YOU_ARE_NOT_ALLOWED_TO_ACCESS_THIS_ORGANIZATION,
    caller,
};
use super::find;
use crate::{Api, Endpoint, Field, Record, Reply, Result, Shape};

/// `GET /organization/list-teams`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/organization/list-teams", |api| Box::pin(answer(api)))
        .about("Lists the teams of an organisation.")
        .takes([Field::text("organizationId").optional().about("The active one by itself.")])
        .answers(Shape::list(Shape::row("team")))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut query = api.request().read_query();
    let id = query.optional_text("organizationId");
    query.finish()?;
    let teams = list_teams(api, OrganizationRef::named(id.as_deref(), None)).await?;
    reply(api, &teams)
}

/// The teams of an organisation, for its members.
pub async fn list_teams(api: &mut Api, organization: OrganizationRef<'_>) -> Result<Vec<Team>> {
    super::check_enabled(api)?;
    let signed_in = caller::signed_in(api).await?;
    let id = organization.id(api, &signed_in).await?;
    let id = id.ok_or_else(|| NO_ACTIVE_ORGANIZATION.bad_request())?;
    if Member::of(api, &id, &signed_in.user.id).await?.is_none() {
        return Err(YOU_ARE_NOT_ALLOWED_TO_ACCESS_THIS_ORGANIZATION.forbidden());
    }
    find::of(api, &id).await
}

pub(super) fn reply(api: &Api, teams: &[Team]) -> Result<Reply> {
    let rows: Vec<Record> = teams.iter().map(Team::to_record).collect();
    let views = rows.iter().map(|row| api.row_view("team", row)).collect::<Result<Vec<_>>>()?;
    Reply::json(&views)
}
