//! What a key may be called, how it may begin and how long it may live.

use time::{Duration, OffsetDateTime};

use super::options::is_prefix;
use super::{
    ApiKeyConfig, EXPIRES_IN_IS_TOO_LARGE, EXPIRES_IN_IS_TOO_SMALL, INVALID_NAME_LENGTH,
    INVALID_PREFIX_LENGTH, KEY_DISABLED_EXPIRATION, NAME_REQUIRED, Refill,
};
use crate::{Api, ApiError, Result};

impl ApiKeyConfig {
    pub(super) fn check_name(&self, name: &str) -> Result<()> {
        let length = name.chars().count();
        match (self.minimum_name_length..=self.maximum_name_length).contains(&length) {
            true => Ok(()),
            false => Err(INVALID_NAME_LENGTH.bad_request()),
        }
    }

    /// The name of a new key. An empty one is none.
    pub(super) fn check_new_name(&self, name: Option<&str>) -> Result<()> {
        match name.filter(|name| !name.is_empty()) {
            Some(name) => self.check_name(name),
            None if self.require_name => Err(NAME_REQUIRED.bad_request()),
            None => Ok(()),
        }
    }

    pub(super) fn check_prefix(&self, prefix: &str) -> Result<()> {
        let fits = (self.minimum_prefix_length..=self.maximum_prefix_length).contains(&prefix.len());
        if fits && is_prefix(prefix) { Ok(()) } else { Err(INVALID_PREFIX_LENGTH.bad_request()) }
    }

    /// When a key ends that is to live so long from now on.
    pub(super) fn expiry(&self, api: &Api, lives: Duration) -> Result<OffsetDateTime> {
        let rules = &self.key_expiration;
        if rules.disable_custom_expires_time {
            return Err(KEY_DISABLED_EXPIRATION.bad_request());
        }
        if lives < Duration::days(rules.min_expires_in.into()) {
            return Err(EXPIRES_IN_IS_TOO_SMALL.bad_request());
        }
        if lives > Duration::days(rules.max_expires_in.into()) {
            return Err(EXPIRES_IN_IS_TOO_LARGE.bad_request());
        }
        let now = api.clock().now();
        now.checked_add(lives).ok_or_else(|| EXPIRES_IN_IS_TOO_LARGE.bad_request())
    }
}

/// A number that its column can hold. Only server code sets these, so that what is wrong is a mistake of the app's.
pub(super) fn check_number(what: &str, number: i64) -> Result<()> {
    match i32::try_from(number) {
        Ok(0..) => Ok(()),
        _ => Err(ApiError::internal(
            "an API key cannot have this number",
            format!("`{what}` is {number}, and must be between 0 and {}", i32::MAX),
        )),
    }
}

pub(super) fn check_refill(refill: Option<Refill>) -> Result<()> {
    let Some(Refill { amount, interval }) = refill else { return Ok(()) };
    check_number("refill.amount", amount)?;
    check_number("refill.interval", interval)?;
    match amount > 0 && interval > 0 {
        true => Ok(()),
        false => Err(ApiError::internal("an API key cannot be refilled with nothing", "`refill` has a 0")),
    }
}
