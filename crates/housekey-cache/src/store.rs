use std::fmt::Debug;
use std::pin::Pin;
use std::time::Duration;

use housekey_core::{Clock, Error, Result};
use time::OffsetDateTime;

/// What the methods of a [`Store`] return: boxed, so that a store can be chosen by configuration.
pub type StoreFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// A place that keeps bytes under keys.
///
/// A lifetime (`ttl`) of `None` keeps the entry until it is forgotten; one of zero ends it at once.
/// An entry past its end is absent in every respect. Every method is atomic. A store that cannot be
/// reached answers with an error, never with "absent".
///
/// `tests/suite` in this crate is the contract in executable form; a new store joins it.
pub trait Store: Debug + Send + Sync + 'static {
    /// The name configuration uses for it: `memory`, `file`, ….
    fn name(&self) -> &'static str;

    /// The value under `key` together with its end of life.
    fn entry<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<Entry>>;

    fn get<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<Vec<u8>>> {
        Box::pin(async move { Ok(self.entry(key).await?.map(|entry| entry.value)) })
    }

    /// Writes `value`, whatever was there.
    fn put<'a>(&'a self, key: &'a str, value: Vec<u8>, ttl: Option<Duration>) -> StoreFuture<'a, ()>;

    /// Writes `value` only if the key is absent, and says whether it did.
    fn add<'a>(&'a self, key: &'a str, value: Vec<u8>, ttl: Option<Duration>) -> StoreFuture<'a, bool> {
        self.compare_and_swap(key, None, Some(value), ttl)
    }

    /// Adds `by` to the counter under `key`. An absent counter starts at zero, and only then does
    /// `ttl` apply: a running counter keeps its end, or a busy client would never be let go.
    ///
    /// Counters are decimal text, so they can also be read as a JSON number. A value that is no
    /// counter, or a sum that does not fit, is an error and changes nothing.
    fn increment<'a>(&'a self, key: &'a str, by: i64, ttl: Option<Duration>) -> StoreFuture<'a, Counter>;

    /// Writes `new` (or removes the entry, for `None`) only if the present value is `expected`
    /// (`None`: absent), and says whether it did.
    fn compare_and_swap<'a>(
        &'a self,
        key: &'a str,
        expected: Option<&'a [u8]>,
        new: Option<Vec<u8>>,
        ttl: Option<Duration>,
    ) -> StoreFuture<'a, bool>;

    /// Removes the entry and says whether there was one.
    fn forget<'a>(&'a self, key: &'a str) -> StoreFuture<'a, bool>;

    /// Removes every entry whose key starts with `prefix`; the empty prefix removes all.
    fn clear<'a>(&'a self, prefix: &'a str) -> StoreFuture<'a, ()>;
}

/// A stored value and when it ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// The bytes as they were put.
    pub value: Vec<u8>,
    /// The end of its life; `None` is "until forgotten".
    pub expires_at: Option<OffsetDateTime>,
}

impl Entry {
    pub(crate) fn new(value: Vec<u8>, ttl: Option<Duration>, clock: &Clock) -> Self {
        Self { value, expires_at: ttl.map(|ttl| clock.now().saturating_add(signed(ttl))) }
    }

    pub(crate) fn is_live(&self, now: OffsetDateTime) -> bool {
        self.expires_at.is_none_or(|end| now < end)
    }

    /// The counter this entry becomes when `by` is added; the end of its life stays.
    pub(crate) fn incremented(&self, key: &str, by: i64) -> Result<Counter> {
        let value = std::str::from_utf8(&self.value)
            .ok()
            .and_then(|text| text.parse::<i64>().ok())
            .ok_or_else(|| not_a_counter(key))?
            .checked_add(by)
            .ok_or_else(|| does_not_fit(key))?;
        Ok(Counter { value, expires_at: self.expires_at })
    }
}

/// A counter right after it was changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counter {
    /// The sum including this change.
    pub value: i64,
    /// When the counter starts over; `None` is "never".
    pub expires_at: Option<OffsetDateTime>,
}

impl From<Counter> for Entry {
    fn from(counter: Counter) -> Self {
        Self { value: counter.value.to_string().into_bytes(), expires_at: counter.expires_at }
    }
}

pub(crate) fn not_a_counter(key: &str) -> Error {
    Error::internal(format!("the cache entry `{key}` is not a counter"))
}

pub(crate) fn does_not_fit(key: &str) -> Error {
    Error::internal(format!("the counter `{key}` cannot hold the sum"))
}

fn signed(ttl: Duration) -> time::Duration {
    time::Duration::try_from(ttl).unwrap_or(time::Duration::MAX)
}
