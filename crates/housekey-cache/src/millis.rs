//! Moments as whole milliseconds since 1970: what a database or Redis keeps.

use std::time::Duration;

use housekey_core::Clock;
use time::OffsetDateTime;

/// Milliseconds since 1970.
pub(crate) type Moment = i64;

pub(crate) fn of(time: OffsetDateTime) -> Moment {
    i64::try_from(time.unix_timestamp_nanos().div_euclid(1_000_000)).unwrap_or(i64::MAX)
}

pub(crate) fn time(moment: Moment) -> Option<OffsetDateTime> {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(moment) * 1_000_000).ok()
}

/// When a life that starts now ends, rounded up: never sooner than asked.
pub(crate) fn end(clock: &Clock, ttl: Duration) -> Moment {
    let ttl = time::Duration::try_from(ttl).unwrap_or(time::Duration::MAX);
    let end = clock.now().saturating_add(ttl).unix_timestamp_nanos();
    i64::try_from(-(-end).div_euclid(1_000_000)).unwrap_or(i64::MAX)
}
