use super::super::{Member, Organization, caller};
use super::view;
use crate::storage::{Comparison, Condition, Direction, Filter, Find};
use crate::{Api, Endpoint, Reply, Result, Shape};

/// Organisations that are asked for in one go.
const PART: usize = 100;

/// `GET /organization/list`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/organization/list", |api| Box::pin(answer(api)))
        .about("Lists the organisations of whoever is signed in.")
        .answers(Shape::list(Shape::row("organization")))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let organizations = list_organizations(api).await?;
    let rows = organizations.iter().map(|organization| view::row(api, organization));
    Reply::json(&rows.collect::<Result<Vec<_>>>()?)
}

/// The organisations of whoever is signed in, in the order in which they joined them.
pub async fn list_organizations(api: &mut Api) -> Result<Vec<Organization>> {
    let signed_in = caller::signed_in(api).await?;
    let own = Find::new(Filter::by("userId", &signed_in.user.id));
    let rows =
        api.storage().find(api.table("member")?, &own.order("createdAt", Direction::Ascending)).await?;
    let members = rows.into_iter().map(Member::from_record).collect::<Result<Vec<_>>>()?;
    let mut organizations = Vec::new();
    for part in members.chunks(PART) {
        let ids = part.iter().map(|member| Condition::new("id", Comparison::Equal, &member.organization_id));
        let find = Find::new(Filter::all().and_any(ids));
        let rows = api.storage().find(api.table("organization")?, &find).await?;
        let found = rows.into_iter().map(Organization::from_record).collect::<Result<Vec<_>>>()?;
        let position = |id: &str| part.iter().position(|member| member.organization_id == id);
        let mut found: Vec<_> = found.into_iter().map(|one| (position(&one.id), one)).collect();
        found.sort_by_key(|(position, _)| *position);
        organizations.extend(found.into_iter().map(|(_, organization)| organization));
    }
    Ok(organizations)
}
