use super::super::{OrganizationRef, OrganizationRole, YOU_ARE_NOT_ALLOWED_TO_LIST_A_ROLE, caller};
use super::{grant, stored};
use crate::{Api, Endpoint, Field, Reply, Result, Shape};

/// `GET /organization/list-roles`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/organization/list-roles", |api| Box::pin(answer(api)))
        .about("Lists the roles that an organisation defined itself.")
        .takes([Field::text("organizationId").optional().about("The active one by itself.")])
        .answers(Shape::list(super::shape()))
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut query = api.request().read_query();
    let id = query.optional_text("organizationId");
    query.finish()?;
    let roles = list_roles(api, OrganizationRef::named(id.as_deref(), None)).await?;
    Reply::json(&roles.iter().map(|role| super::view(api, role)).collect::<Result<Vec<_>>>()?)
}

/// The roles that an organisation defined itself; those of the options are not among them.
pub async fn list_roles(api: &mut Api, organization: OrganizationRef<'_>) -> Result<Vec<OrganizationRole>> {
    let signed_in = caller::signed_in(api).await?;
    let denied = YOU_ARE_NOT_ALLOWED_TO_LIST_A_ROLE;
    let member = grant::member(api, &signed_in, organization, ("read", denied)).await?;
    stored::all(api, &member.organization_id).await
}
