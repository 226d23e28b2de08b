use super::super::{Member, roles};
use crate::access::Role;
use crate::{Api, Result};

/// The roles of a member as what they allow: those of the options, and those that the organisation defined itself. For code that
/// asks several questions about one member, or cannot wait for an answer.
pub async fn member_roles(api: &Api, member: &Member) -> Result<Vec<Role>> {
    let options = super::super::options(api)?;
    let mut found = Vec::new();
    for name in member.roles() {
        found.extend(roles::role_of(api, &options, &member.organization_id, name).await?);
    }
    Ok(found)
}

/// What somebody is in an organisation; `None` when they are not in it. Nobody is asked whether they may know.
pub async fn find_member(api: &Api, organization_id: &str, user_id: &str) -> Result<Option<Member>> {
    Member::of(api, organization_id, user_id).await
}
