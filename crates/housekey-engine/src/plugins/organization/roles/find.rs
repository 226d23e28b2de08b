use super::super::{OrganizationRef, OrganizationRole, YOU_ARE_NOT_ALLOWED_TO_READ_A_ROLE, caller};
use super::{RoleRef, grant, stored};
use crate::{Api, Endpoint, Field, Reply, Result};

/// `GET /organization/get-role`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::get("/organization/get-role", |api| Box::pin(answer(api)))
        .about("Tells about a role that an organisation defined itself.")
        .takes([
            Field::text("roleName").optional().about("The name or the id has to be there."),
            Field::text("roleId").optional(),
            Field::text("organizationId").optional().about("The active one by itself."),
        ])
        .answers(super::shape())
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut query = api.request().read_query();
    let id = query.optional_text("organizationId");
    let named = grant::read_which(&query.all());
    query.finish()?;
    let which = grant::which("query", &named)?;
    let role = find_role(api, OrganizationRef::named(id.as_deref(), None), which).await?;
    Reply::json(&super::view(api, &role)?)
}

/// A role that an organisation defined itself.
pub async fn find_role(
    api: &mut Api,
    organization: OrganizationRef<'_>,
    role: RoleRef<'_>,
) -> Result<OrganizationRole> {
    let signed_in = caller::signed_in(api).await?;
    let denied = YOU_ARE_NOT_ALLOWED_TO_READ_A_ROLE;
    let member = grant::member(api, &signed_in, organization, ("read", denied)).await?;
    stored::one(api, &member.organization_id, role).await
}
