use housekey::auth::api;
use housekey::auth::engine::plugins::organization::{OrganizationRef, remove_member, update_member_role};
use housekey::prelude::*;

use super::members::expect_member;
use super::roles::role_name;
use crate::requests::organizations::MemberRoleRequest;

/// `PATCH /settings/organization/members/{id}`
pub async fn update(Path(id): Path<String>, Valid(form): Valid<MemberRoleRequest>) -> Result<Redirect> {
    let mut api = api()?;
    let found = expect_member(&mut api, &id).await?;
    let roles = [form.role];
    update_member_role(&mut api, OrganizationRef::Active, &found.member.id, &roles)
        .await
        .or_field_error("role")?;
    let (name, [role]) = (found.user.name, roles);
    Ok(back().with("status", t!(":name has another role now: :role.", name, role = role_name(&role))))
}

/// `DELETE /settings/organization/members/{id}`
pub async fn destroy(Path(id): Path<String>) -> Result<Redirect> {
    let mut api = api()?;
    let found = expect_member(&mut api, &id).await?;
    remove_member(&mut api, OrganizationRef::Active, &found.member.id).await.or_field_error("member")?;
    let name = found.user.name;
    Ok(back().with("status", t!(":name is no longer a member.", name)))
}
