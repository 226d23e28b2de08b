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

/// When a life that starts now ends. One too long to be written is `i64::MAX`, which is no time: it never ends.
pub(crate) fn end(clock: &Clock, ttl: Duration) -> Moment {
    let ttl = i64::try_from(ttl.as_nanos().div_ceil(1_000_000)).unwrap_or(i64::MAX);
    of(clock.now()).saturating_add(ttl)
}
