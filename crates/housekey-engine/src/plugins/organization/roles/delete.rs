use serde_json::json;

use super::super::{
    CANNOT_DELETE_A_PRE_DEFINED_ROLE, Member, OrganizationRef, OrganizationRole, ROLE_IS_ASSIGNED_TO_MEMBERS,
    ROLE_NOT_FOUND, YOU_ARE_NOT_ALLOWED_TO_DELETE_A_ROLE, caller,
};
use super::{RoleRef, grant, stored};
use crate::storage::{Comparison, Filter, Find};
use crate::{Api, Commit, Endpoint, Field, Reply, Result, Shape};

/// `POST /organization/delete-role`
pub(super) fn endpoint() -> Endpoint {
    Endpoint::post("/organization/delete-role", |api| Box::pin(answer(api)))
        .about("Deletes a role that nobody has.")
        .takes([
            Field::text("roleName").optional().about("The name or the id has to be there."),
            Field::text("roleId").optional(),
            Field::text("organizationId").optional().about("The active one by itself."),
        ])
        .answers(Shape::success())
        .needs_session()
}

async fn answer(api: &mut Api) -> Result<Reply> {
    let mut body = api.request().read_body();
    let id = body.optional_text("organizationId");
    let named = grant::read_which(&body.all());
    body.finish()?;
    let which = grant::which("body", &named)?;
    delete_role(api, OrganizationRef::named(id.as_deref(), None), which).await?;
    Reply::json(&json!({ "success": true }))
}

/// Deletes a role of an organisation that nobody has.
pub async fn delete_role(
    api: &mut Api,
    organization: OrganizationRef<'_>,
    role: RoleRef<'_>,
) -> Result<OrganizationRole> {
    let options = super::super::options(api)?;
    let signed_in = caller::signed_in(api).await?;
    let denied = YOU_ARE_NOT_ALLOWED_TO_DELETE_A_ROLE;
    let member = grant::member(api, &signed_in, organization, ("delete", denied)).await?;
    if let RoleRef::Name(name) = role
        && options.access().role(name).is_some()
    {
        return Err(CANNOT_DELETE_A_PRE_DEFINED_ROLE.bad_request());
    }
    let role = stored::one(api, &member.organization_id, role).await?;
    if is_given(api, &role).await? {
        return Err(ROLE_IS_ASSIGNED_TO_MEMBERS.bad_request());
    }
    let mut changes = api.changes();
    changes.delete_expecting("organizationRole", Filter::by("id", &role.id)).await?;
    match changes.commit().await? {
        Commit::Done => Ok(role),
        Commit::Lost => Err(ROLE_NOT_FOUND.bad_request()),
    }
}

/// Whether a member has it, alone or among others.
async fn is_given(api: &Api, role: &OrganizationRole) -> Result<bool> {
    let having =
        Filter::by("organizationId", &role.organization_id).and("role", Comparison::Contains, &role.role);
    let rows = api.storage().find(api.table("member")?, &Find::new(having)).await?;
    for row in rows {
        // The storage finds `coauthor` where `author` is asked for.
        if Member::from_record(row)?.has_role(&role.role) {
            return Ok(true);
        }
    }
    Ok(false)
}
