//! That an owner is always left.

use super::super::{Member, OrganizationOptions};
use crate::plugins::listing::having_role;
use crate::storage::{Comparison, Direction, Filter, Find};
use crate::{Api, Changes, ErrorCode, OptimisticLock, Result};

/// Members that are looked at in one go.
const PART: u32 = 100;

/// What the lock on the owners of an organisation is called.
pub(in super::super) fn lock_name(organization_id: &str) -> String {
    format!("organization-owners:{organization_id}")
}

/// Adds to changes that take an owner away (by role, removal or leaving) what makes sure that another one is left.
// spec: ORG-2
pub(in super::super) async fn keep_one_in(
    api: &Api,
    options: &OrganizationOptions,
    changes: &mut Changes,
    leaving: &Member,
    otherwise: ErrorCode,
) -> Result<()> {
    let lock = OptimisticLock::read(api, lock_name(&leaving.organization_id)).await?;
    if !is_another_left(api, options, leaving).await? {
        return Err(otherwise.bad_request());
    }
    lock.write_in(changes).await
}

async fn is_another_left(api: &Api, options: &OrganizationOptions, leaving: &Member) -> Result<bool> {
    let others = Filter::by("organizationId", &leaving.organization_id)
        .and("id", Comparison::NotEqual, &leaving.id)
        .and_any(having_role(&options.creator_role));
    let mut seen = 0;
    loop {
        let part = Find::new(others.clone()).order("id", Direction::Ascending).limit(PART).offset(seen);
        let rows = api.storage().find(api.table("member")?, &part).await?;
        let is_last_part = rows.len() < PART as usize;
        for row in rows {
            // The storage does not tell capital letters from small ones; roles do.
            if options.is_owner(&Member::from_record(row)?) {
                return Ok(true);
            }
        }
        if is_last_part {
            return Ok(false);
        }
        seen += PART;
    }
}
