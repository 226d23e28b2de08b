//! That an admin is always left.

use super::{AdminOptions, LAST_ADMIN};
use crate::plugins::listing::having_role;
use crate::storage::{Comparison, Condition, Direction, Filter, Find};
use crate::{Api, Changes, OptimisticLock, Result, User};

/// The verification row that every change which takes an admin away writes.
const ROSTER: &str = "admin-roster";
/// Users that are looked at in one go.
const PART: u32 = 100;

/// Adds to changes that take an admin away (by role, ban or removal) what makes sure that another one is left.
///
/// Two admins who take each other's place away at the same moment each see the other. So both read a lock, and the database
/// lets one of them.
// spec: ADM-2
pub(super) async fn keep_one_in(
    api: &Api,
    options: &AdminOptions,
    changes: &mut Changes,
    leaving: &User,
) -> Result<()> {
    let lock = OptimisticLock::read(api, ROSTER).await?;
    if !is_another_left(api, options, leaving).await? {
        return Err(LAST_ADMIN.bad_request());
    }
    lock.write_in(changes).await
}

/// Before a user is deleted, by whom and in which way ever.
pub(super) async fn before_removal(api: &Api, changes: &mut Changes, user: &User) -> Result<()> {
    let options = super::options(api)?;
    if options.is_acting_admin(user) {
        keep_one_in(api, &options, changes, user).await?;
    }
    end_impersonations(changes, user).await
}

/// Adds to some changes the end of every session in which somebody who is no admin any more acts as somebody else.
pub(super) async fn end_impersonations(changes: &mut Changes, admin: &User) -> Result<()> {
    changes.delete("session", Filter::by("impersonatedBy", &admin.id)).await
}

async fn is_another_left(api: &Api, options: &AdminOptions, leaving: &User) -> Result<bool> {
    let by_role = options.admin_roles.iter().flat_map(|role| having_role(role));
    let by_id = options.admin_user_ids.iter().map(|id| Condition::new("id", Comparison::Equal, id));
    let mut candidates = by_role.chain(by_id).collect::<Vec<_>>();
    if options.admin_roles.contains(&options.default_role) {
        candidates.push(Condition::new("role", Comparison::Equal, crate::Value::Null));
    }
    let others = Filter::all()
        .and("id", Comparison::NotEqual, &leaving.id)
        .and("banned", Comparison::NotEqual, true)
        .and_any(candidates);
    // In parts: where everybody is an admin, the first one tells.
    let mut seen = 0;
    loop {
        let part = Find::new(others.clone()).order("id", Direction::Ascending).limit(PART).offset(seen);
        let rows = api.storage().find(api.table("user")?, &part).await?;
        let is_last_part = rows.len() < PART as usize;
        for row in rows {
            // The storage does not tell capital letters from small ones; roles do.
            if options.is_acting_admin(&User::from_record(row)?) {
                return Ok(true);
            }
        }
        if is_last_part {
            return Ok(false);
        }
        seen += PART;
    }
}
