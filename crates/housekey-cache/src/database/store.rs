use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use housekey_core::{Clock, Error, Result};
use housekey_database::sql::{Alias, Expr, ExprTrait, Query as Build};
use housekey_database::{Database, DatabaseError, DatabaseSource, Driver, Query};

use super::row::{CacheRow, StoredValue, expiry, id};
use super::table::TABLE;
use crate::millis;
use crate::store::{Counter, Entry, Store, StoreFuture, does_not_fit, not_a_counter};

/// A [`Store`] in a table, on any engine. The table comes from [`create_table`](super::create_table).
///
/// Every change is one statement whose condition says what it expects to find, so that no lock outlives it. Inside a
/// transaction on the same connection the cache is part of the transaction and is taken back with it; what must be
/// counted all the same (attempts to sign in) wants a connection of its own in `config/cache.rs`.
#[derive(Debug)]
pub struct DatabaseStore {
    source: DatabaseSource,
    clock: Clock,
    writes: AtomicU64,
}

/// After how many writes what has ended is swept away.
const SWEEP_EVERY: u64 = 1000;

/// How often a change is tried that others keep coming before.
const MAX_ATTEMPTS: usize = 100;

impl DatabaseStore {
    pub fn new(source: impl Into<DatabaseSource>, clock: Clock) -> Self {
        Self { source: source.into(), clock, writes: AtomicU64::new(0) }
    }

    fn now(&self) -> i64 {
        millis::of(self.clock.now())
    }

    async fn find(&self, db: &Database, key: &str) -> Result<Option<CacheRow>> {
        let row = self.live(db.table(TABLE).where_eq("id", id(key)));
        row.select(CacheRow::COLUMNS).first().await
    }

    fn live(&self, query: Query) -> Query {
        let now = self.now();
        query.where_any(|either| either.where_null("expires_at").where_("expires_at", ">", now))
    }

    /// Runs a change, and again when the engine gave it up in favour of another's.
    async fn change<'a, T>(&'a self, work: impl Fn(Database) -> StoreFuture<'a, T>) -> Result<T> {
        let db = self.source.get()?;
        self.sweep(&db).await?;
        let mut attempts_left = MAX_ATTEMPTS;
        loop {
            let outcome = work(db.clone()).await;
            attempts_left -= 1;
            match outcome {
                // The engine has taken back the whole transaction; only whoever began it can run it again.
                Err(error) if is_deadlock(&error) && attempts_left > 0 && !db.in_transaction() => {}
                outcome => return outcome.map_err(explain),
            }
        }
    }

    async fn sweep(&self, db: &Database) -> Result<()> {
        if self.writes.fetch_add(1, Ordering::Relaxed) % SWEEP_EVERY != SWEEP_EVERY - 1 {
            return Ok(());
        }
        match db.table(TABLE).where_("expires_at", "<=", self.now()).delete().await {
            Err(error) if is_deadlock(&error) && !db.in_transaction() => Ok(()),
            outcome => outcome.map(drop),
        }
    }

    /// Writes a value where none is. What has ended is none, and its row is used again.
    async fn fill(&self, db: &Database, key: &str, value: &[u8], ttl: Option<Duration>) -> Result<bool> {
        let expires_at = expiry(&self.clock, ttl);
        let ended = db.table(TABLE).where_eq("id", id(key)).where_("expires_at", "<=", self.now());
        if ended.update(StoredValue::of(value.to_vec()).into_record(expires_at)).await? == 1 {
            return Ok(true);
        }
        db.table(TABLE).insert_or_ignore(StoredValue::of(value.to_vec()).into_row(key, expires_at)).await
    }

    /// Adds to a counter that is there, if the sum fits.
    async fn add_to(&self, db: &Database, key: &str, by: i64) -> Result<Option<Counter>> {
        let fits = if by >= 0 {
            Expr::col(Alias::new("number")).lte(i64::MAX - by)
        } else {
            Expr::col(Alias::new("number")).gte(i64::MIN - by)
        };
        let now = self.now();
        let ends = || Expr::col(Alias::new("expires_at"));
        let mut update = Build::update();
        update
            .table(Alias::new(TABLE))
            .value(Alias::new("number"), Expr::col(Alias::new("number")).add(by))
            .and_where(Expr::col(Alias::new("id")).eq(id(key)))
            .and_where(fits)
            .and_where(ends().is_null().or(ends().gt(now)));
        let row = if db.driver() == Driver::MySql {
            // No RETURNING here. The change holds the row until the end of the transaction, so the read sees it.
            db.transaction(async |db| match db.run(&update).await? {
                0 => Ok(None),
                _ => db.table(TABLE).where_eq("id", id(key)).select(["number", "expires_at"]).first().await,
            })
            .await?
        } else {
            update.returning(Build::returning().columns([Alias::new("number"), Alias::new("expires_at")]));
            let rows = db.select(&update).await?;
            rows.first().map(|row| Ok::<_, Error>((row.at(0)?, row.at(1)?))).transpose()?
        };
        let counter =
            |(value, end): (i64, Option<i64>)| Counter { value, expires_at: end.and_then(millis::time) };
        Ok(row.map(counter))
    }

    async fn count(&self, db: Database, key: &str, by: i64, ttl: Option<Duration>) -> Result<Counter> {
        for _ in 0..MAX_ATTEMPTS {
            if let Some(counter) = self.add_to(&db, key, by).await? {
                return Ok(counter);
            }
            if self.fill(&db, key, by.to_string().as_bytes(), ttl).await? {
                let expires_at = expiry(&self.clock, ttl).and_then(millis::time);
                return Ok(Counter { value: by, expires_at });
            }
            // Another came before us with the counter, or has taken it away since; or it cannot be counted at all.
            match self.find(&db, key).await? {
                Some(CacheRow { number: None, .. }) => return Err(not_a_counter(key)),
                Some(CacheRow { number: Some(number), .. }) if number.checked_add(by).is_none() => {
                    return Err(does_not_fit(key));
                }
                _ => {}
            }
        }
        Err(Error::unavailable(Duration::from_secs(1))
            .context(format!("the counter `{key}` changed under our hands for too long")))
    }

    async fn swap(
        &self,
        db: &Database,
        key: &str,
        expected: &[u8],
        new: Option<Vec<u8>>,
        ttl: Option<Duration>,
    ) -> Result<bool> {
        let row = self.live(db.table(TABLE).where_eq("id", id(key)));
        let row = StoredValue::of(expected.to_vec()).held_by(row);
        let changed = match new {
            None => row.delete().await?,
            Some(new) => row.update(StoredValue::of(new).into_record(expiry(&self.clock, ttl))).await?,
        };
        Ok(changed == 1)
    }
}

impl Store for DatabaseStore {
    fn name(&self) -> &'static str {
        "database"
    }

    fn entry<'a>(&'a self, key: &'a str) -> StoreFuture<'a, Option<Entry>> {
        Box::pin(async move {
            let db = self.source.get()?;
            Ok(self.find(&db, key).await.map_err(explain)?.map(CacheRow::into_entry))
        })
    }

    fn put<'a>(&'a self, key: &'a str, value: Vec<u8>, ttl: Option<Duration>) -> StoreFuture<'a, ()> {
        Box::pin(self.change(move |db| {
            let row = StoredValue::of(value.clone()).into_row(key, expiry(&self.clock, ttl));
            Box::pin(async move {
                db.table(TABLE).upsert([row], &["id"], &["value", "number", "expires_at"]).await
            })
        }))
    }

    fn increment<'a>(&'a self, key: &'a str, by: i64, ttl: Option<Duration>) -> StoreFuture<'a, Counter> {
        Box::pin(self.change(move |db| Box::pin(self.count(db, key, by, ttl))))
    }

    fn compare_and_swap<'a>(
        &'a self,
        key: &'a str,
        expected: Option<&'a [u8]>,
        new: Option<Vec<u8>>,
        ttl: Option<Duration>,
    ) -> StoreFuture<'a, bool> {
        Box::pin(self.change(move |db| {
            let new = new.clone();
            Box::pin(async move {
                match (expected, new) {
                    (None, None) => Ok(self.find(&db, key).await?.is_none()),
                    (None, Some(new)) => self.fill(&db, key, &new, ttl).await,
                    (Some(expected), new) => self.swap(&db, key, expected, new, ttl).await,
                }
            })
        }))
    }

    fn forget<'a>(&'a self, key: &'a str) -> StoreFuture<'a, bool> {
        Box::pin(self.change(move |db| {
            let row = self.live(db.table(TABLE).where_eq("id", id(key)));
            Box::pin(async move { Ok(row.delete().await? == 1) })
        }))
    }

    fn clear<'a>(&'a self, prefix: &'a str) -> StoreFuture<'a, ()> {
        Box::pin(self.change(move |db| {
            let mut rows = db.table(TABLE);
            if !prefix.is_empty() {
                rows = rows.where_("key", ">=", prefix.as_bytes());
            }
            if let Some(end) = after(prefix.as_bytes()) {
                rows = rows.where_("key", "<", end);
            }
            Box::pin(async move { rows.delete().await.map(drop) })
        }))
    }
}

/// The smallest bytes that are larger than everything that starts with `prefix`.
fn after(prefix: &[u8]) -> Option<Vec<u8>> {
    let last = prefix.iter().rposition(|byte| *byte < u8::MAX)?;
    let mut end = prefix[..=last].to_vec();
    end[last] += 1;
    Some(end)
}

fn is_deadlock(error: &Error) -> bool {
    DatabaseError::of(error).is_some_and(DatabaseError::is_deadlock)
}

fn explain(error: Error) -> Error {
    if DatabaseError::of(&error).is_some_and(DatabaseError::is_missing_table) {
        return error.context(
            "the cache is kept in the database, and its table is not there: run \
             `housekey make:cache-table` and `housekey migrate`",
        );
    }
    error
}
