//! Key sets of others: fetched once, used by everybody, fetched anew when a key is missing.

use std::sync::{Arc, Mutex, PoisonError};

use housekey_base::BoundedMap;
use serde::Deserialize;
use time::{Duration, OffsetDateTime};

use super::Jwk;
use crate::Clock;
use crate::http_client::{HttpClient, HttpError, HttpRequest};

/// For as long, nobody asks whether the keys have changed.
const FRESH: Duration = Duration::minutes(10);
/// For as long, old keys are used while new ones are fetched beside. Not longer: a key that was taken back, because
/// somebody has stolen it, has to end.
const USABLE: Duration = Duration::hours(1);
/// At most this often are keys fetched because one is missing: anybody can make up the name of a key.
const BETWEEN_TRIES: Duration = Duration::seconds(10);
const MOST_SETS: usize = 100;
const MOST_KEYS: usize = 100;

/// Key sets by their addresses.
#[derive(Clone)]
pub(crate) struct JwksCache {
    client: Arc<dyn HttpClient>,
    clock: Clock,
    sets: Arc<Mutex<BoundedMap<String, Arc<KeySet>>>>,
    /// After a fetch that failed, for as long nobody tries again where no key is known.
    rest: Duration,
}

struct KeySet {
    /// Held by whoever fetches: the others wait and find what it brought.
    fetching: tokio::sync::Mutex<()>,
    kept: Mutex<StoredKeys>,
}

#[derive(Clone, Default)]
struct StoredKeys {
    keys: Arc<Vec<Jwk>>,
    fetched: Option<OffsetDateTime>,
    tried: Option<OffsetDateTime>,
    /// When they were last fetched because one was missing.
    missed: Option<OffsetDateTime>,
    /// How often they were fetched, or tried to be.
    tries: u64,
    /// Whether the last time worked.
    worked: bool,
}

impl JwksCache {
    pub(crate) fn new(client: Arc<dyn HttpClient>, clock: Clock) -> Self {
        let sets = Arc::new(Mutex::new(BoundedMap::new(MOST_SETS)));
        Self { client, clock, sets, rest: Duration::ZERO }
    }

    /// The same, which rests after a failure: for tokens that anybody may bring, as often as they like.
    #[cfg(feature = "jwt")]
    pub(crate) fn resting(self, rest: Duration) -> Self {
        Self { rest, ..self }
    }

    /// The keys at an address among which one of this name is, if the provider has it. A token without a key's name may be
    /// signed by any.
    pub(crate) async fn keys(&self, url: &str, kid: Option<&str>) -> Result<Vec<Jwk>, HttpError> {
        let set = self.set(url);
        let kept = set.kept();
        let age = kept.fetched.map(|fetched| self.clock.now() - fetched);
        let usable = age.is_some_and(|age| age < USABLE);
        let found = named(&kept.keys, kid);
        if usable && !found.is_empty() {
            if age.is_some_and(|age| age >= FRESH) && self.is_due(kept.tried) {
                self.fetch_beside(url, &set);
            }
            return Ok(found);
        }
        if usable {
            if !self.is_due(kept.missed) {
                return Ok(found);
            }
            let now = self.clock.now();
            set.change(|kept| kept.missed = Some(now));
        }
        if !usable && !kept.worked && kept.tried.is_some_and(|tried| self.clock.now() - tried < self.rest) {
            return Err(failed_a_moment_ago());
        }
        let fetched = self.fetch(url, &set, kept.tries).await;
        let kept = set.kept();
        let found = named(&kept.keys, kid);
        match fetched {
            Err(error) if found.is_empty() || !usable => Err(error),
            _ => Ok(found),
        }
    }

    /// The keys once more, because none of those that are known signed a token: some providers give keys no names, or a new
    /// one the name of the old. As with a name that is missing, anybody can bring such a token, so that it is done rarely.
    #[cfg(feature = "social")]
    pub(crate) async fn newer_keys(&self, url: &str, kid: Option<&str>) -> Result<Vec<Jwk>, HttpError> {
        let set = self.set(url);
        let kept = set.kept();
        if !self.is_due(kept.missed) {
            return Ok(Vec::new());
        }
        let now = self.clock.now();
        set.change(|kept| kept.missed = Some(now));
        self.fetch(url, &set, kept.tries).await?;
        Ok(named(&set.kept().keys, kid))
    }

    fn is_due(&self, last: Option<OffsetDateTime>) -> bool {
        last.is_none_or(|last| self.clock.now() - last >= BETWEEN_TRIES)
    }

    fn set(&self, url: &str) -> Arc<KeySet> {
        let mut sets = self.sets.lock().unwrap_or_else(PoisonError::into_inner);
        // Addresses come from configuration and discovery, so there are few; whoever changes theirs for ever finds an end.
        if let Some(known) = sets.get(url) {
            return Arc::clone(known);
        }
        let new = Arc::new(KeySet { fetching: tokio::sync::Mutex::new(()), kept: Mutex::default() });
        sets.insert(url.to_owned(), Arc::clone(&new));
        new
    }

    fn fetch_beside(&self, url: &str, set: &Arc<KeySet>) {
        let (this, url, set) = (self.clone(), url.to_owned(), Arc::clone(set));
        let seen = set.kept().tries;
        tokio::spawn(async move {
            if let Err(error) = this.fetch(&url, &set, seen).await {
                tracing::warn!(%error, "the keys of another host could not be renewed; the old ones are used");
            }
        });
    }

    /// Fetches, unless somebody else did since there were `seen` tries: whoever waited takes what that one got, good or bad.
    async fn fetch(&self, url: &str, set: &KeySet, seen: u64) -> Result<(), HttpError> {
        let _turn = set.fetching.lock().await;
        let kept = set.kept();
        if kept.tries != seen {
            return kept.worked.then_some(()).ok_or_else(failed_a_moment_ago);
        }
        let now = self.clock.now();
        set.change(|kept| {
            kept.tried = Some(now);
            kept.tries += 1;
            kept.worked = false;
        });
        let keys = Arc::new(self.load(url).await?);
        set.change(|kept| {
            kept.keys = keys;
            kept.fetched = Some(now);
            kept.worked = true;
        });
        Ok(())
    }

    async fn load(&self, url: &str) -> Result<Vec<Jwk>, HttpError> {
        #[derive(Deserialize)]
        struct Answer {
            keys: Vec<serde_json::Value>,
        }
        let response = self.client.send(HttpRequest::get(url)).await?;
        if !response.status.is_success() {
            let status = response.status.as_u16();
            return Err(HttpError::answer(format!("the host answered {status} when asked for its keys")));
        }
        let answer: Answer = response.json()?;
        // A key of a kind that we do not know does not spoil the others.
        let keys = answer.keys.into_iter().take(MOST_KEYS);
        let keys = keys.filter_map(|key| serde_json::from_value(key).ok());
        Ok(keys.filter(Jwk::is_key).collect())
    }
}

impl KeySet {
    fn kept(&self) -> StoredKeys {
        self.kept.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }

    fn change(&self, change: impl FnOnce(&mut StoredKeys)) {
        change(&mut self.kept.lock().unwrap_or_else(PoisonError::into_inner));
    }
}

fn failed_a_moment_ago() -> HttpError {
    HttpError::unreachable("the keys could not be fetched a moment ago")
}

/// The keys of this name. Keys without a name are tried for any.
fn named(keys: &[Jwk], kid: Option<&str>) -> Vec<Jwk> {
    let fits = |key: &&Jwk| kid.is_none() || key.kid.is_none() || key.kid.as_deref() == kid;
    keys.iter().filter(fits).cloned().collect()
}

#[cfg(all(test, feature = "social"))]
mod tests {
    use std::time::Duration as Wait;

    use super::*;
    use crate::http_client::HttpError;
    use crate::social::{FakeKey, FakeProviders};

    const URL: &str = "https://keys.example/jwks";

    fn kids(keys: &[Jwk]) -> Vec<&str> {
        keys.iter().filter_map(|key| key.kid.as_deref()).collect()
    }

    fn cache(fakes: &FakeProviders) -> (JwksCache, Clock) {
        let clock = Clock::frozen_now();
        (JwksCache::new(Arc::new(fakes.clone()), clock.clone()), clock)
    }

    async fn until(what: impl AsyncFn() -> bool) {
        let deadline = tokio::time::Instant::now() + Wait::from_secs(5);
        while !what().await {
            assert!(tokio::time::Instant::now() < deadline, "it did not come true in time");
            tokio::time::sleep(Wait::from_millis(5)).await;
        }
    }

    #[tokio::test]
    // spec: SOC-4
    async fn keys_are_fetched_once_and_again_when_one_is_missing() {
        let (old, new) = (FakeKey::generate("old"), FakeKey::generate("new"));
        let fakes = FakeProviders::new().json(URL, FakeKey::set(&[&old]));
        let (cache, clock) = cache(&fakes);
        for _ in 0..5 {
            assert_eq!(kids(&cache.keys(URL, Some("old")).await.unwrap()), ["old"]);
        }
        assert_eq!(fakes.requests().len(), 1);

        let fakes = fakes.json(URL, FakeKey::set(&[&old, &new]));
        assert_eq!(kids(&cache.keys(URL, Some("new")).await.unwrap()), ["new"]);
        assert_eq!(fakes.requests().len(), 2);
        for made_up in 0..50 {
            assert!(cache.keys(URL, Some(&made_up.to_string())).await.unwrap().is_empty());
        }
        assert_eq!(fakes.requests().len(), 2, "made-up names cost the provider nothing");
        let newest = FakeKey::generate("newest");
        let fakes = fakes.json(URL, FakeKey::set(&[&newest]));
        clock.advance(Wait::from_secs(10));
        assert_eq!(kids(&cache.keys(URL, Some("newest")).await.unwrap()), ["newest"]);
        drop(fakes);
    }

    #[tokio::test]
    async fn old_keys_are_used_while_new_ones_are_fetched() {
        let (old, new) = (FakeKey::generate("old"), FakeKey::generate("new"));
        let fakes = FakeProviders::new().json(URL, FakeKey::set(&[&old]));
        let (cache, clock) = cache(&fakes);
        cache.keys(URL, Some("old")).await.unwrap();
        let fakes = fakes.json(URL, FakeKey::set(&[&new]));
        clock.advance(Wait::from_secs(601));
        assert_eq!(kids(&cache.keys(URL, Some("old")).await.unwrap()), ["old"], "nobody waits");
        until(async || cache.keys(URL, Some("old")).await.unwrap().is_empty()).await;
        drop(fakes);
    }

    #[tokio::test]
    async fn a_provider_that_is_down_costs_nothing_while_its_keys_are_known() {
        let key = FakeKey::generate("one");
        let fakes = FakeProviders::new().json(URL, FakeKey::set(&[&key]));
        let (cache, clock) = cache(&fakes);
        cache.keys(URL, Some("one")).await.unwrap();
        let fakes = fakes.answer(URL, |_| Err(HttpError::unreachable("down")));
        clock.advance(Wait::from_secs(1800));
        assert_eq!(kids(&cache.keys(URL, Some("one")).await.unwrap()), ["one"]);
        clock.advance(Wait::from_secs(1800));
        assert!(cache.keys(URL, Some("one")).await.unwrap_err().is_unreachable(), "but not for ever");
        drop(fakes);
    }

    #[tokio::test]
    async fn many_who_come_at_once_fetch_once() {
        let key = FakeKey::generate("one");
        let fakes = FakeProviders::new().json(URL, FakeKey::set(&[&key]));
        let (cache, _) = cache(&fakes);
        let all: Vec<_> = (0..20)
            .map(|_| {
                let cache = cache.clone();
                tokio::spawn(async move { cache.keys(URL, Some("one")).await.unwrap().len() })
            })
            .collect();
        for one in all {
            assert_eq!(one.await.unwrap(), 1);
        }
        assert_eq!(fakes.requests().len(), 1);
    }
}
