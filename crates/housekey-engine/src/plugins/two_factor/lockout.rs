use http::HeaderValue;
use http::StatusCode;
use http::header::RETRY_AFTER;
use time::Duration;

use super::row::TwoFactorRow;
use super::{is_enabled, options};
use crate::storage::Comparison;
use crate::{Api, Changes, Record, Result, User, Value, codes};

/// Refuses anything while the account is locked; a lock that is over is taken away.
pub(super) async fn check(api: &Api, row: &TwoFactorRow) -> Result<()> {
    let Some(until) = row.locked_until else { return Ok(()) };
    let now = api.clock().now();
    if until > now {
        let seconds = (until - now).whole_seconds().unsigned_abs().max(1);
        let locked = codes::ACCOUNT_TEMPORARILY_LOCKED.with(StatusCode::TOO_MANY_REQUESTS);
        return Err(locked.with_header(RETRY_AFTER, HeaderValue::from(seconds)));
    }
    reset(api, row).await
}

/// Counts a failure and locks the account when there were too many in a row.
pub(super) async fn failed(api: &Api, user: &User, row: &TwoFactorRow) -> Result<()> {
    let limits = options(api)?.account_lockout;
    // While enrolment is pending there is nothing to guess, and no one may be locked out of finishing it.
    if !limits.enabled || !is_enabled(user) {
        return Ok(());
    }
    let table = api.table("twoFactor")?;
    let failures = api.storage().increment(table, &row.filter(), "failedVerificationCount", 1).await?;
    if failures.is_some_and(|failures| failures >= i64::from(limits.max_failed_attempts)) {
        let until = api.clock().now() + Duration::seconds(i64::from(limits.duration_seconds));
        let unlocked = row.filter().and(
            "failedVerificationCount",
            Comparison::GreaterOrEqual,
            i64::from(limits.max_failed_attempts),
        );
        api.storage().update(table, &unlocked, &Record::new().with("lockedUntil", until)).await?;
    }
    Ok(())
}

/// Adds to some changes that the failures are forgotten: a success.
pub(super) async fn succeeded_in(changes: &mut Changes, row: &TwoFactorRow) -> Result<()> {
    if row.failures == 0 && row.locked_until.is_none() {
        return Ok(());
    }
    changes.update("twoFactor", row.filter(), clean()).await
}

async fn reset(api: &Api, row: &TwoFactorRow) -> Result<()> {
    api.storage().update(api.table("twoFactor")?, &row.filter(), &clean()).await?;
    Ok(())
}

fn clean() -> Record {
    Record::new().with("failedVerificationCount", 0_i64).with("lockedUntil", Value::Null)
}
