//! Who asks, and what they may do where.

use std::sync::Arc;

use super::{Member, Organization, OrganizationOptions, roles};
use crate::access::Permission;
use crate::{Api, ApiError, ErrorCode, Result, SignedIn, codes};

/// Somebody who is signed in, and a member of an organisation.
#[derive(Clone, Debug)]
pub(super) struct Caller {
    pub(super) signed_in: Arc<SignedIn>,
    pub(super) organization: Organization,
    pub(super) member: Member,
}

/// Whoever sent the request, as the storage has them now, or 401.
pub(super) async fn signed_in(api: &mut Api) -> Result<Arc<SignedIn>> {
    signed_in_or(api, || codes::UNAUTHORIZED.unauthorized()).await
}

/// The same with another refusal.
pub(super) async fn signed_in_or(
    api: &mut Api,
    otherwise: impl FnOnce() -> ApiError,
) -> Result<Arc<SignedIn>> {
    api.stored_session().await?.ok_or_else(otherwise)
}

/// Whether a member may do something, by the roles of the options and those that their organisation defined.
pub(super) async fn allows(api: &Api, member: &Member, permission: &Permission) -> Result<bool> {
    let options = super::options(api)?;
    for name in member.roles() {
        let role = roles::role_of(api, &options, &member.organization_id, name).await?;
        if role.is_some_and(|role| role.allows(permission)) {
            return Ok(true);
        }
    }
    Ok(false)
}

/// Refuses a member who may not do this.
pub(super) async fn require(
    api: &Api,
    member: &Member,
    resource: &str,
    action: &str,
    otherwise: ErrorCode,
) -> Result<()> {
    match allows(api, member, &Permission::of(resource, [action])).await? {
        true => Ok(()),
        false => Err(otherwise.forbidden()),
    }
}

impl OrganizationOptions {
    /// Whether a member has the role that there is always somebody with.
    pub(super) fn is_owner(&self, member: &Member) -> bool {
        member.has_role(&self.creator_role)
    }

    /// Whether roles (`owner,admin`) name it.
    pub(super) fn names_owner(&self, roles: &str) -> bool {
        roles.split(',').any(|role| role.trim() == self.creator_role)
    }
}
