//! That an organisation has no more members than it may have.

use super::super::{ORGANIZATION_MEMBERSHIP_LIMIT_REACHED, Organization, OrganizationOptions};
use crate::storage::Filter;
use crate::{Api, Changes, OptimisticLock, Result, User};

/// What the lock on the seats of an organisation is called.
pub(in super::super) fn lock_name(organization_id: &str) -> String {
    format!("organization-seats:{organization_id}")
}

/// Adds to changes that make somebody a member what makes sure that there is a seat for them.
// spec: ORG-2
pub(in super::super) async fn take_one_in(
    api: &Api,
    options: &OrganizationOptions,
    changes: &mut Changes,
    organization: &Organization,
    user: &User,
) -> Result<()> {
    let Some(limit) = options.membership_limit.number(Some(user), Some(organization)).await? else {
        return Ok(());
    };
    let lock = OptimisticLock::read(api, lock_name(&organization.id)).await?;
    let members = Filter::by("organizationId", &organization.id);
    if api.storage().count(api.table("member")?, &members).await? >= limit {
        return Err(ORGANIZATION_MEMBERSHIP_LIMIT_REACHED.forbidden());
    }
    lock.write_in(changes).await
}
