use std::time::Duration;

use data_encoding::BASE64URL_NOPAD;
use housekey_cache::{Cache, RateLimitStatus, RateLimiter};
use housekey_core::{Error, Result};
use http::{HeaderName, HeaderValue, StatusCode};
use sha2::{Digest, Sha256};

use super::limiters::Limiter;
use super::subject::subject;
use super::{Limit, Limiters, Limits, ThrottleConfig};
use crate::guard::{Guard, GuardArguments, GuardFuture, GuardSpec, Next};
use crate::validation::flash_unread;
use crate::{Request, RequestContext, Response};

/// The guard `throttle:<max>,<minutes>`: so many requests per visitor in so many minutes.
///
/// ```
/// use housekey_http::throttle::throttle;
/// use housekey_http::Routes;
///
/// fn web(route: &mut Routes) {
///     route.post("/contact", async || "thank you").middleware(throttle(6, 1));
/// }
/// ```
pub fn throttle(max: u32, minutes: u32) -> GuardSpec {
    GuardSpec::Named(format!("throttle:{max},{minutes}"))
}

/// The guard `throttle:<name>`: whatever the limiter of that name says.
pub fn throttle_by(limiter: &str) -> GuardSpec {
    GuardSpec::Named(format!("throttle:{limiter}"))
}

/// Makes the guard from its arguments at boot, so a wrong one never waits for its first request.
pub(crate) fn factory(arguments: &GuardArguments<'_>) -> Result<impl Guard + use<>> {
    let limiters = arguments.services().require::<Limiters>()?;
    let rule = match arguments.values() {
        [max] | [max, _] if max.parse::<u32>().is_ok() => {
            let minutes = if arguments.get(1).is_some() { arguments.parse_at(1, "minutes")? } else { 1 };
            inline(arguments.parse_at(0, "how many")?, minutes)?
        }
        [name] => Rule::Named { name: (*name).to_owned(), limiter: named(name, &limiters)? },
        _ => return Err(Error::internal("write `throttle:6,1` (six in one minute) or `throttle:<limiter>`")),
    };
    let limiter = RateLimiter::new((*arguments.services().require::<Cache>()?).clone());
    Ok(Throttle { rule, limiter, config: limiters.config.clone() })
}

fn inline(max: u32, minutes: u32) -> Result<Rule> {
    if max == 0 || minutes == 0 {
        return Err(Error::internal("a throttle of zero would never let anyone pass, or never count"));
    }
    Ok(Rule::PerRoute(Limit::per_minutes(minutes, max)))
}

fn named(name: &str, limiters: &Limiters) -> Result<Limiter> {
    limiters.get(name).ok_or_else(|| {
        let known: Vec<_> = limiters.names().collect();
        let known = if known.is_empty() {
            "there are none".to_owned()
        } else {
            format!("known are: {}", known.join(", "))
        };
        Error::internal(format!(
            "there is no limiter {name:?}; add it to config/throttle.rs or with App::limiter ({known})"
        ))
    })
}

struct Throttle {
    rule: Rule,
    limiter: RateLimiter,
    config: ThrottleConfig,
}

enum Rule {
    /// `throttle:6,1`: each route counts on its own.
    PerRoute(Limit),
    /// `throttle:login`: all routes that name the limiter count together.
    Named { name: String, limiter: Limiter },
}

impl Guard for Throttle {
    fn name(&self) -> String {
        match &self.rule {
            Rule::PerRoute(limit) => format!("throttle:{},{}", limit.max(), limit.window().as_secs() / 60),
            Rule::Named { name, .. } => format!("throttle:{name}"),
        }
    }

    fn handle(&self, request: Request, next: Next) -> GuardFuture<'_> {
        let counters = self.counters(&request);
        Box::pin(async move {
            let tightest = match self.count(counters?).await {
                Ok(tightest) => tightest,
                Err(error) => {
                    flash_unread(&request).await;
                    return Err(error);
                }
            };
            let mut response = next.run(request).await;
            if let Some(decision) = tightest.filter(|_| self.config.headers) {
                tell(&mut response, decision);
            }
            Ok(response)
        })
    }

    fn refuses_with(&self) -> &[StatusCode] {
        &[StatusCode::TOO_MANY_REQUESTS]
    }
}

impl Throttle {
    /// What the request is counted against: each limit with its key.
    fn counters(&self, request: &Request) -> Result<Vec<(String, Limit)>> {
        let context = RequestContext::current()
            .ok_or_else(|| Error::internal("the throttle guard only works in front of a route"))?;
        let (group, Limits(limits)) = match &self.rule {
            Rule::PerRoute(limit) => (context.route_identity(), limit.clone().into()),
            Rule::Named { name, limiter } => (name.clone(), limiter(request)),
        };
        let visitor = subject(&context, self.config.ipv6_prefix);
        let keyed = |limit: Limit| (storage_key(&group, &limit, limit.key().unwrap_or(&visitor)), limit);
        Ok(limits.into_iter().map(keyed).collect())
    }

    /// Counts the request against every limit. Passing answers the decision with the least left.
    async fn count(&self, counters: Vec<(String, Limit)>) -> Result<Option<RateLimitStatus>> {
        let mut tightest: Option<RateLimitStatus> = None;
        for (key, limit) in &counters {
            let decision = match self.limiter.hit(key, limit.max(), limit.window()).await {
                Ok(decision) => decision,
                Err(error) => {
                    self.without_cache(limit, &error)?;
                    continue;
                }
            };
            if !decision.allowed {
                return Err(self.refusal(decision));
            }
            if tightest.is_none_or(|tightest| decision.remaining < tightest.remaining) {
                tightest = Some(decision);
            }
        }
        Ok(tightest)
    }

    fn refusal(&self, decision: RateLimitStatus) -> Error {
        let error = Error::too_many_requests(decision.retry_after);
        if !self.config.headers {
            return error;
        }
        error.with_header(LIMIT, decision.limit.into()).with_header(REMAINING, 0.into())
    }

    fn without_cache(&self, limit: &Limit, error: &Error) -> Result<()> {
        if limit.allows_when_unavailable(self.config.when_unavailable) {
            tracing::error!(%error, guard = self.name(), "the cache is out of reach: the request passes uncounted");
            return Ok(());
        }
        Err(Error::unavailable(Duration::from_secs(5))
            .context(format!("{}: the cache is out of reach: {error}", self.name())))
    }
}

/// A key of fixed length, whatever somebody chose to be counted by, and without anybody's address in it. Limits of
/// different size never share a counter.
fn storage_key(group: &str, limit: &Limit, key: &str) -> String {
    let mut hash = Sha256::new();
    for part in [group, if limit.key().is_some() { "key" } else { "visitor" }, key] {
        hash.update((part.len() as u64).to_be_bytes());
        hash.update(part);
    }
    let digest = BASE64URL_NOPAD.encode(&hash.finalize()[..18]);
    format!("throttle:{}/{}:{digest}", limit.max(), limit.window().as_secs())
}

const LIMIT: HeaderName = HeaderName::from_static("x-ratelimit-limit");
const REMAINING: HeaderName = HeaderName::from_static("x-ratelimit-remaining");

/// Tells what is left; of several throttles on a route the one with the least left speaks.
fn tell(response: &mut Response, decision: RateLimitStatus) {
    let headers = response.headers_mut();
    let told = headers.get(REMAINING).and_then(|value| value.to_str().ok()?.parse::<u32>().ok());
    if told.is_none_or(|told| decision.remaining < told) {
        headers.insert(LIMIT, HeaderValue::from(decision.limit));
        headers.insert(REMAINING, HeaderValue::from(decision.remaining));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chosen_key_cannot_run_into_another_counter() {
        let limit = Limit::per_minute(5);
        let keys = [
            storage_key("l", &limit, "visitork"),
            storage_key("lvisitor", &limit, "k"),
            storage_key("l", &limit.clone().by("visitork"), "visitork"),
            storage_key("l", &Limit::per_minute(6), "visitork"),
        ];
        for (index, key) in keys.iter().enumerate() {
            assert!(!keys[..index].contains(key), "{key}");
            assert!(key.len() < 60);
        }
    }
}
