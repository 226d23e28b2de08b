//! Wrong codes, counted over all challenges and factors of an account.

use http::HeaderValue;
use http::StatusCode;
use http::header::RETRY_AFTER;
use time::{Duration, OffsetDateTime};

use super::row::TwoFactorRow;
use super::{is_enabled, options};
use crate::options::Guessed;
use crate::storage::{Comparison, Filter};
use crate::{Api, ApiError, Changes, Record, Result, SecurityEventKind, User, Value, codes};

const COUNT: &str = "failedVerificationCount";
const LOCK: &str = "lockedUntil";
/// How often an attempt is taken again because others changed the count at the same time.
const TRIES: usize = 8;

/// Refuses while the account is locked. Takes no attempt.
pub(super) fn check(api: &Api, row: &TwoFactorRow) -> Result<()> {
    match row.locked_until {
        Some(until) if until > api.clock().now() => Err(locked(api, until)),
        _ => Ok(()),
    }
}

/// Takes one of the attempts that an account has, *before* a code is compared: of any number of codes that arrive at the
/// same time, over any number of challenges, only as many are looked at as may be wrong. A right code gives all attempts
/// back ([`succeeded_in`]), a wrong one may have been the last ([`failed`]).
// spec: SEC-4
pub(super) async fn reserve(api: &Api, user: &User, row: &TwoFactorRow) -> Result<()> {
    if !counts(api, user)? {
        return check(api, row);
    }
    let (table, most) = (api.table("twoFactor")?, most(api)?);
    for _ in 0..TRIES {
        let free = unlocked(row).and(COUNT, Comparison::Less, most);
        if api.storage().increment(table, &free, COUNT, 1).await?.is_some() {
            return Ok(());
        }
        let Some(row) = TwoFactorRow::of(api, user).await? else {
            return Err(codes::TWO_FACTOR_NOT_ENABLED.bad_request());
        };
        check(api, &row)?;
        if row.locked_until.is_some() {
            let over = row.filter().and(LOCK, Comparison::LessOrEqual, api.clock().now());
            api.storage().update(table, &over, &clean()).await?;
        } else if row.failures < most {
            // A row of a time before there was a count.
            let uncounted = row.filter().and_by(COUNT, Value::Null);
            api.storage().update(table, &uncounted, &clean()).await?;
        } else {
            // The last attempt is being looked at, or whoever looked did not live to lock.
            lock(api, user, &row).await?;
        }
    }
    Err(locked(api, api.clock().now() + Duration::SECOND))
}

/// Locks the account if the code that was just found wrong was the last that could be.
pub(super) async fn failed(api: &Api, user: &User, row: &TwoFactorRow) -> Result<()> {
    if counts(api, user)? { lock(api, user, row).await } else { Ok(()) }
}

/// Adds to some changes that the failures are forgotten: a success.
pub(super) async fn succeeded_in(
    api: &Api,
    changes: &mut Changes,
    user: &User,
    row: &TwoFactorRow,
) -> Result<()> {
    if !counts(api, user)? && row.failures == 0 && row.locked_until.is_none() {
        return Ok(());
    }
    changes.update("twoFactor", row.filter(), clean()).await
}

/// While enrolment is pending there is nothing to guess, and no one may be locked out of finishing it.
fn counts(api: &Api, user: &User) -> Result<bool> {
    Ok(options(api)?.account_lockout.enabled && is_enabled(user))
}

fn most(api: &Api) -> Result<i64> {
    Ok(i64::from(options(api)?.account_lockout.max_failed_attempts))
}

/// Of those who find the last attempt spent, one locks, and tells the owner.
async fn lock(api: &Api, user: &User, row: &TwoFactorRow) -> Result<()> {
    let seconds = options(api)?.account_lockout.duration_seconds;
    let until = api.clock().now() + Duration::seconds(i64::from(seconds));
    let spent = unlocked(row).and(COUNT, Comparison::GreaterOrEqual, most(api)?);
    let locked = Record::new().with(LOCK, until);
    if api.storage().update(api.table("twoFactor")?, &spent, &locked).await? > 0 {
        let event = api.event(SecurityEventKind::Locked, Some(&user.id));
        api.emit(event.with("of", "second-factor")).await;
        let lasts = std::time::Duration::from_secs(seconds.into());
        api.alert_lockout(&user.email, Some(user), Guessed::Code, lasts).await;
    }
    Ok(())
}

fn unlocked(row: &TwoFactorRow) -> Filter {
    row.filter().and_by(LOCK, Value::Null)
}

fn clean() -> Record {
    Record::new().with(COUNT, 0_i64).with(LOCK, Value::Null)
}

fn locked(api: &Api, until: OffsetDateTime) -> ApiError {
    let seconds = (until - api.clock().now()).whole_seconds().unsigned_abs().max(1);
    let locked = codes::ACCOUNT_TEMPORARILY_LOCKED.with(StatusCode::TOO_MANY_REQUESTS);
    locked.with_header(RETRY_AFTER, HeaderValue::from(seconds))
}
