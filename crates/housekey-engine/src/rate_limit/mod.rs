//! How often one client may call, and how often one account may be guessed at.
//!
//! A real fixed window: so many requests from its first one on, then none until it ends. The reference lets every
//! allowed request prolong the window, so that a steady client is refused for ever; we do not.

mod database;
mod limiter;
mod memory;
mod rules;
mod store;

use std::time::Duration;

use http::header::RETRY_AFTER;
use http::{HeaderName, HeaderValue, StatusCode};

use self::limiter::Counters;
use crate::core::Core;
use crate::options::RateRule;
use crate::wire::Incoming;
use crate::{ApiError, BoxError, Result};

pub(crate) use limiter::Limiter;
pub use store::{Hit, RateLimitStore};

/// More than a rule allows.
pub(crate) struct Exceeded {
    hit: Hit,
    rule: RateRule,
}

impl Exceeded {
    /// Whether this is the one that went over it: the first that is refused in its window.
    pub(crate) fn is_first(&self) -> bool {
        self.hit.count == self.rule.max.saturating_add(1)
    }

    /// For how long the next ones are refused.
    pub(crate) fn lasts(&self) -> Duration {
        self.hit.resets_in
    }

    pub(crate) fn refusal(&self) -> ApiError {
        refusal(self.hit)
    }
}

impl Limiter {
    /// Counts a request and refuses it when there were too many. `pattern` is the endpoint's path, if it has one.
    pub(crate) async fn check(&self, core: &Core, incoming: &Incoming, pattern: Option<&str>) -> Result<()> {
        if !core.addresses.tracking() {
            return Ok(());
        }
        let Some(rule) = rules::rule_for(&core.options.rate_limit, &self.plugin_rules, incoming).await?
        else {
            return Ok(());
        };
        let address = core.addresses.counted(incoming).unwrap_or_else(|| {
            self.warned.call_once(|| {
                tracing::warn!(
                    "rate limits: a client's address is unknown, so all such clients share one count"
                );
            });
            "no-trusted-ip".into()
        });
        // Paths that lead nowhere share a count: else anyone could fill the counters with made-up ones.
        let key = format!("{address}|{}", pattern.unwrap_or("*"));
        let hit = self.hit(core, &key, rule).await.map_err(uncounted)?;
        if hit.count > rule.max { Err(refusal(hit)) } else { Ok(()) }
    }

    /// Counts one more under a key, and says by which of these rules there were too many. What a shorter one refuses does not
    /// count in a longer one.
    pub(crate) async fn count(&self, core: &Core, key: &str, rules: &[RateRule]) -> Result<Option<Exceeded>> {
        for rule in rules {
            let hit = self.hit(core, &windowed(key, *rule), *rule).await.map_err(uncounted)?;
            if hit.count > rule.max {
                return Ok(Some(Exceeded { hit, rule: *rule }));
            }
        }
        Ok(None)
    }

    /// Forgets what was counted under a key. What cannot be forgotten is only waited for.
    pub(crate) async fn forget(&self, core: &Core, key: &str, rules: &[RateRule]) {
        for rule in rules {
            let key = windowed(key, *rule);
            let forgotten = match &self.counters {
                Counters::Memory(counters) => {
                    counters.forget(&key);
                    Ok(())
                }
                Counters::Custom(store) => store.forget(&key).await,
                Counters::Database => database::forget(core, &key).await,
            };
            if let Err(error) = forgotten {
                tracing::warn!(%error, "a count of the rate limits could not be forgotten");
            }
        }
    }

    async fn hit(&self, core: &Core, key: &str, rule: RateRule) -> Result<Hit, BoxError> {
        let window = Duration::from_secs(rule.window.into());
        match &self.counters {
            Counters::Memory(counters) => Ok(counters.hit(key, window)),
            Counters::Custom(store) => store.hit(key, window).await,
            Counters::Database => database::hit(core, key, window).await,
        }
    }
}

/// Each rule has a count of its own.
fn windowed(key: &str, rule: RateRule) -> String {
    format!("{key}|{}", rule.window)
}

fn uncounted(error: BoxError) -> ApiError {
    ApiError::internal("rate limits could not be counted", error)
}

fn refusal(hit: Hit) -> ApiError {
    let seconds =
        HeaderValue::from(hit.resets_in.as_millis().div_ceil(1000).max(1).try_into().unwrap_or(u64::MAX));
    ApiError::message_only(StatusCode::TOO_MANY_REQUESTS, "Too many requests. Please try again later.")
        .with_header(HeaderName::from_static("x-retry-after"), seconds.clone())
        .with_header(RETRY_AFTER, seconds)
}
