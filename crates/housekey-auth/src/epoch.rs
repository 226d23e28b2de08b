mod trust;

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use housekey_cache::Cache;
use housekey_core::{Clock, Error, Result};
use housekey_database::Database;
use housekey_engine::hooks::DatabaseHooks;
use housekey_engine::options::{CacheVersion, CookieCache};
use housekey_engine::{Callback, SignedIn};
use time::OffsetDateTime;

use trust::{RETRY_AFTER, Trust};

use crate::changes::on_account_changes;

/// How long a number is kept that nobody asks for. Copies in cookies live much shorter.
const KEPT: Duration = Duration::from_secs(24 * 60 * 60);

/// The revocation epoch: one number per user in the app's cache.
///
/// A copy of the session in a cookie carries the number that held when it was made. Ending a session, changing a user or
/// a password changes the number, and every older copy is worthless in every process at once.
///
/// A number does not come back while a copy that carries it lives, also when the cache forgets it: it starts at the
/// milliseconds since 1970 and grows by as many. So a copy that was revoked never becomes right again.
#[derive(Clone)]
pub(crate) struct Epoch(Arc<Inner>);

struct Inner {
    cache: Cache,
    clock: Clock,
    database: Database,
    copies_live: Duration,
    trust: Trust,
    /// Changes that the cache could not take, and until when they matter.
    owed: Mutex<HashMap<String, OffsetDateTime>>,
}

impl Epoch {
    pub(crate) fn new(cache: &Cache, clock: Clock, database: Database, options: &CookieCache) -> Self {
        let copies_live = Duration::from_secs(options.max_age.into());
        let cache = cache.with_prefix("auth:epoch:");
        let (trust, owed) = (Trust::new(), Mutex::default());
        Self(Arc::new(Inner { cache, clock, database, copies_live, trust, owed }))
    }

    /// What the engine asks for whenever it reads or makes a copy.
    pub(crate) fn version(&self) -> CacheVersion {
        let epoch = self.clone();
        CacheVersion::Function(Callback::new(move |signed_in: Arc<SignedIn>| {
            let epoch = epoch.clone();
            async move { epoch.read(&signed_in.user.id).await.map(|number| number.to_string()) }
        }))
    }

    /// What changes the number.
    // spec: EPC-1, STA-6
    pub(crate) fn hooks(&self) -> DatabaseHooks {
        let epoch = self.clone();
        on_account_changes(move |user| {
            let epoch = epoch.clone();
            Box::pin(async move { epoch.revoke(user).await })
        })
    }

    async fn read(&self, user: &str) -> Result<i64> {
        if self.owes(user) {
            return Err(Error::internal("a revocation waits for the cache to come back"));
        }
        if !self.0.trust.may_ask(Instant::now()) {
            return Err(Error::internal("the cache did not answer a moment ago"));
        }
        let number = self.number(user).await.inspect_err(|_| self.0.trust.failed(Instant::now()))?;
        if !self.0.trust.answered(Instant::now()) {
            return Err(Error::internal("the cache was away: revocations may be on their way to it"));
        }
        Ok(number)
    }

    async fn number(&self, user: &str) -> Result<i64> {
        match self.0.cache.get::<i64>(user).await? {
            Some(number) => Ok(number),
            None => self.grow(user).await,
        }
    }

    /// Revokes every copy of a user's sessions, now and when the app's transaction around it is committed: until then
    /// other requests still see the old rows, and make copies of them.
    async fn revoke(&self, user: String) {
        if self.0.database.current().in_transaction() {
            self.bump(&user).await;
        }
        let epoch = self.clone();
        self.0.database.after_commit(async move { epoch.bump(&user).await }).await;
    }

    /// Changes the number. While the cache is away no process believes any copy; this remembers to
    /// say so once it is back, and until then [`Trust`] keeps the others from believing what it says.
    async fn bump(&self, user: &str) {
        let Err(error) = self.grow(user).await else { return };
        tracing::warn!(%error, "a revocation could not be written to the cache; it follows when the cache is back");
        self.0.trust.failed(Instant::now());
        let first = {
            let mut owed = self.0.owed.lock().unwrap_or_else(PoisonError::into_inner);
            let until = self.0.clock.now() + self.0.copies_live;
            owed.insert(user.to_owned(), until);
            owed.len() == 1
        };
        if first {
            let epoch = self.clone();
            tokio::spawn(async move { epoch.write_owed().await });
        }
    }

    async fn grow(&self, user: &str) -> Result<i64> {
        let now = i64::try_from(self.0.clock.now().unix_timestamp_nanos() / 1_000_000).unwrap_or(1);
        self.0.cache.increment(user, now.max(1), Some(KEPT)).await
    }

    fn owes(&self, user: &str) -> bool {
        self.0.owed.lock().unwrap_or_else(PoisonError::into_inner).contains_key(user)
    }

    /// Tries until everything owed is written, or too old to matter.
    async fn write_owed(&self) {
        loop {
            tokio::time::sleep(RETRY_AFTER).await;
            let users: Vec<String> = {
                let now = self.0.clock.now();
                let mut owed = self.0.owed.lock().unwrap_or_else(PoisonError::into_inner);
                owed.retain(|_, until| *until > now);
                owed.keys().cloned().collect()
            };
            for user in &users {
                if self.grow(user).await.is_ok() {
                    self.0.owed.lock().unwrap_or_else(PoisonError::into_inner).remove(user);
                }
            }
            if self.0.owed.lock().unwrap_or_else(PoisonError::into_inner).is_empty() {
                return;
            }
        }
    }
}
