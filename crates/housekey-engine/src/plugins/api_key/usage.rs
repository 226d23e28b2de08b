//! Counting the uses of a key: exactly, however many processes do it.

use http::header::RETRY_AFTER;
use http::{HeaderValue, StatusCode};
use serde_json::json;
use time::{Duration, OffsetDateTime};

use super::row::ApiKey;
use super::{ApiKeyConfig, ApiKeyOptions, INVALID_API_KEY, RATE_LIMITED, USAGE_EXCEEDED};
use crate::storage::{Comparison, Condition, Filter, StorageError};
use crate::{Api, ApiError, Record, Result, Value};

/// How often a use is counted again because the key was refilled, or a window began, at the same moment. Adding to a number is never
/// lost, so this is about beginnings only.
const TRIES: usize = 16;
/// How often a statement is sent again that waited for others which waited for it.
const DEADLOCKS: usize = 5;

/// Counts a use, if there is one left, and gives the key as it is afterwards.
///
/// The row that was read only says what to ask for. Whether it is granted, the database says, in the one statement that counts: of
/// two who want the last use, one gets it.
// spec: KEY-4
pub(super) async fn count(
    api: &Api,
    options: &ApiKeyOptions,
    config: &ApiKeyConfig,
    mut key: ApiKey,
) -> Result<ApiKey> {
    for _ in 0..TRIES {
        let now = api.clock().now();
        let claim = claim(api, config, &key, now).await?;
        if claim.is_empty() {
            note_last_use(api, options, &mut key, now).await?;
            return Ok(key);
        }
        if claim.send(api).await? {
            return Ok(claim.after(key));
        }
        let Some(fresh) = ApiKey::with_id(api, &key.id).await? else {
            return Err(INVALID_API_KEY.unauthorized());
        };
        fresh.require_alive(api).await?;
        key = fresh;
    }
    Err(ApiError::too_busy(std::time::Duration::from_secs(1)))
}

/// What a use changes, and on which conditions.
#[derive(Default)]
struct Claim {
    filter: Filter,
    add: Vec<(&'static str, i64)>,
    set: Record,
}

impl Claim {
    fn is_empty(&self) -> bool {
        self.add.is_empty() && self.set.is_empty()
    }

    async fn send(&self, api: &Api) -> Result<bool> {
        let table = api.table("apikey")?;
        let mut sent = api.storage().adjust(table, &self.filter, &self.add, &self.set).await;
        for _ in 0..DEADLOCKS {
            if !sent.as_ref().is_err_and(StorageError::is_deadlock) {
                break;
            }
            sent = api.storage().adjust(table, &self.filter, &self.add, &self.set).await;
        }
        Ok(sent? > 0)
    }

    /// The key with what was claimed.
    fn after(&self, mut key: ApiKey) -> ApiKey {
        let number = |field: &str, before: Option<i64>| {
            let added = self.add.iter().find(|(name, _)| *name == field).map(|(_, by)| by);
            match self.set.get(field).and_then(Value::as_integer) {
                Some(set) => Some(set),
                None => added.map_or(before, |by| Some(before.unwrap_or(0).saturating_add(*by))),
            }
        };
        key.remaining = number("remaining", key.remaining);
        key.request_count = number("requestCount", Some(key.request_count)).unwrap_or(0);
        let date = |field: &str| self.set.get(field).and_then(Value::as_date);
        key.last_refill_at = date("lastRefillAt").or(key.last_refill_at);
        key.last_request = date("lastRequest").or(key.last_request);
        key
    }
}

/// What a use of a key as it was read must claim, or why it cannot.
async fn claim(api: &Api, config: &ApiKeyConfig, key: &ApiKey, now: OffsetDateTime) -> Result<Claim> {
    let mut claim = Claim { filter: key.filter(), ..Claim::default() };
    if let Some(remaining) = key.remaining {
        claim_remaining(api, key, remaining, now, &mut claim).await?;
    }
    let limit = key.rate_limit_time_window.zip(key.rate_limit_max).filter(|_| key.rate_limit_enabled);
    match limit.filter(|(window, _)| *window > 0) {
        Some((window, most)) => claim_slot(key, window, most, now, &mut claim)?,
        None if config.count_every_use => claim.add.push(("requestCount", 1)),
        None => {}
    }
    if !claim.is_empty() {
        claim.set.set("lastRequest", now);
        // Nobody uses a key that was turned off meanwhile.
        claim.filter = claim.filter.and("enabled", Comparison::NotEqual, false);
    }
    Ok(claim)
}

async fn claim_remaining(
    api: &Api,
    key: &ApiKey,
    remaining: i64,
    now: OffsetDateTime,
    claim: &mut Claim,
) -> Result<()> {
    let last = key.last_refill_at.unwrap_or(key.created_at);
    let due = key.refill.filter(|refill| now - last > Duration::milliseconds(refill.interval));
    let filter = std::mem::take(&mut claim.filter);
    if let Some(refill) = due {
        // One of many refills.
        claim.filter = filter.and_by("lastRefillAt", key.last_refill_at);
        claim.set.set("remaining", refill.amount - 1);
        claim.set.set("lastRefillAt", now);
        return Ok(());
    }
    if remaining <= 0 {
        if key.refill.is_none() {
            // Unless somebody gave it more at this moment.
            let spent = key
                .filter()
                .and("remaining", Comparison::LessOrEqual, 0_i64)
                .and_by("refillAmount", Value::Null);
            api.storage().delete(api.table("apikey")?, &spent).await?;
        }
        return Err(USAGE_EXCEEDED.with(StatusCode::TOO_MANY_REQUESTS));
    }
    claim.filter = filter.and("remaining", Comparison::Greater, 0_i64);
    claim.add.push(("remaining", -1));
    Ok(())
}

/// Windows begin at fixed moments: the last use says in which one it was, and the count is of that one.
fn claim_slot(key: &ApiKey, window: i64, most: i64, now: OffsetDateTime, claim: &mut Claim) -> Result<()> {
    let (begin, end) = window_around(now, window);
    let filter = std::mem::take(&mut claim.filter);
    if key.last_request.is_none_or(|last| last < begin) {
        claim.filter = filter.and_any([
            Condition::new("lastRequest", Comparison::Equal, Value::Null),
            Condition::new("lastRequest", Comparison::Less, begin),
        ]);
        claim.set.set("requestCount", 1_i64);
        return if most > 0 { Ok(()) } else { Err(limited(now, end)) };
    }
    if key.request_count >= most {
        return Err(limited(now, end));
    }
    claim.filter = filter.and("lastRequest", Comparison::GreaterOrEqual, begin).and_any([
        Condition::new("requestCount", Comparison::Less, most),
        Condition::new("requestCount", Comparison::Equal, Value::Null),
    ]);
    claim.add.push(("requestCount", 1));
    Ok(())
}

/// The window of some milliseconds that a moment is in.
fn window_around(now: OffsetDateTime, window: i64) -> (OffsetDateTime, OffsetDateTime) {
    let milliseconds = now.unix_timestamp_nanos().div_euclid(1_000_000);
    let into = milliseconds.rem_euclid(i128::from(window));
    let into = Duration::milliseconds(i64::try_from(into).unwrap_or(0));
    let begin = now.replace_millisecond(now.millisecond()).unwrap_or(now) - into;
    (begin, begin + Duration::milliseconds(window))
}

fn limited(now: OffsetDateTime, end: OffsetDateTime) -> ApiError {
    let wait = end - now;
    let milliseconds = i64::try_from(wait.whole_milliseconds()).unwrap_or(i64::MAX).max(1);
    let seconds = wait.whole_seconds().unsigned_abs().saturating_add(1);
    RATE_LIMITED
        .with(StatusCode::TOO_MANY_REQUESTS)
        .with_field("details", json!({ "tryAgainIn": milliseconds }))
        .with_header(RETRY_AFTER, HeaderValue::from(seconds))
}

/// Where nothing is counted, that a key is in use is written now and then: a write with every request would be most of its cost.
async fn note_last_use(
    api: &Api,
    options: &ApiKeyOptions,
    key: &mut ApiKey,
    now: OffsetDateTime,
) -> Result<()> {
    let every = Duration::seconds(options.last_used_every.into());
    if key.last_request.is_some_and(|last| now - last < every) {
        return Ok(());
    }
    let used = Record::new().with("lastRequest", now);
    api.storage().update(api.table("apikey")?, &key.filter(), &used).await?;
    key.last_request = Some(now);
    Ok(())
}

#[cfg(test)]
mod tests {
    use time::macros::datetime;

    use super::*;

    #[test]
    fn a_window_begins_at_a_fixed_moment_and_lasts() {
        let (begin, end) = window_around(datetime!(2026-02-03 04:05:06.789 UTC), 60_000);
        assert_eq!(begin, datetime!(2026-02-03 04:05 UTC));
        assert_eq!(end, datetime!(2026-02-03 04:06 UTC));
        assert_eq!(window_around(end, 60_000).0, end);
        let (day, _) = window_around(datetime!(2026-02-03 04:05:06.789 UTC), 86_400_000);
        assert_eq!(day, datetime!(2026-02-03 00:00 UTC));
    }
}
