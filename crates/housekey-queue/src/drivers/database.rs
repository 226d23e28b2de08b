use std::time::Duration;

use housekey_cache::database::DatabaseSource;
use housekey_core::{Clock, Error, Result, random};
use housekey_database::{Database, DatabaseError, FromRow, Query, Record, Row, record};

use crate::driver::{DriverFuture, FailedJob, FailedJobFilter, NewJob, QueueDriver, QueueSize, ReservedJob};
use crate::tables::{FAILED, JOBS};

/// Keeps jobs in a table, on any engine. The tables come from [`tables::create`](crate::tables::create).
///
/// A job is borrowed by a change whose condition is that nobody else did meanwhile: no lock is held while anything else
/// happens, so workers do not stand in each other's way, on no engine.
#[derive(Debug)]
pub struct DatabaseDriver {
    source: DatabaseSource,
    clock: Clock,
}

/// How many due jobs are looked at in one go: others may be after the same ones.
const CANDIDATES: u64 = 16;

/// How often a change is tried that the engine gives up in favour of another's.
const MAX_ATTEMPTS: usize = 20;

impl DatabaseDriver {
    /// Keeps jobs in this database.
    pub fn new(source: impl Into<DatabaseSource>, clock: Clock) -> Self {
        Self { source: source.into(), clock }
    }

    fn in_ms(&self, delay: Duration) -> i64 {
        let now = self.clock.unix_millis();
        now.saturating_add(i64::try_from(delay.as_millis()).unwrap_or(i64::MAX))
    }

    fn now(&self) -> i64 {
        self.in_ms(Duration::ZERO)
    }

    /// Runs a change, and again when the engine gave it up in favour of another's.
    fn again<'a, T: Send + 'a>(
        &'a self,
        work: impl Fn() -> DriverFuture<'a, T> + Send + 'a,
    ) -> DriverFuture<'a, T> {
        explained(async move {
            // A transaction that was given up can only be run again by whoever began it.
            let mut attempts_left = if self.source.get()?.in_transaction() { 1 } else { MAX_ATTEMPTS };
            loop {
                let outcome = work().await;
                attempts_left -= 1;
                let is_deadlock =
                    |error: &Error| DatabaseError::of(error).is_some_and(DatabaseError::is_deadlock);
                match outcome {
                    Err(error) if is_deadlock(&error) && attempts_left > 0 => {}
                    outcome => return outcome,
                }
            }
        })
    }

    async fn reserve_one(&self, queue: &str, lease: Duration) -> Result<Option<ReservedJob>> {
        let db = self.source.get()?;
        loop {
            let due = db.table(JOBS).where_eq("queue", queue).where_("available_at", "<=", self.now());
            let due: Vec<Candidate> =
                due.order_by("available_at").order_by("id").limit(CANDIDATES).get().await?;
            if due.is_empty() {
                return Ok(None);
            }
            for job in due {
                if let Some(reserved) = self.borrow(&db, job, lease).await? {
                    return Ok(Some(reserved));
                }
            }
        }
    }

    async fn borrow(&self, db: &Database, job: Candidate, lease: Duration) -> Result<Option<ReservedJob>> {
        let token = random::token();
        let attempt = job.attempts.saturating_add(1);
        let as_seen = db
            .table(JOBS)
            .where_eq("id", &job.id)
            .where_eq("available_at", job.available_at)
            .where_eq("lease", job.lease);
        let borrowed =
            record! { "available_at" => self.in_ms(lease), "lease" => &token, "attempts" => attempt };
        let reserved = ReservedJob {
            id: job.id.into(),
            queue: job.queue,
            name: job.name,
            payload: job.payload,
            attempt,
            lease: token,
        };
        Ok((as_seen.update(borrowed).await? == 1).then_some(reserved))
    }

    async fn update(&self, job: &ReservedJob, change: Record) -> Result<bool> {
        Ok(on_loan(&self.source.get()?, job).update(change).await? == 1)
    }

    async fn fail_one(&self, job: &ReservedJob, error: &str) -> Result<bool> {
        let failed = record! {
            "id" => job.id.as_str(),
            "queue" => &job.queue,
            "name" => &job.name,
            "payload" => &job.payload,
            "attempts" => job.attempt,
            "error" => error,
            "failed_at" => self.clock.now(),
        };
        let db = self.source.get()?;
        db.transaction(async |db| {
            if on_loan(&db, job).delete().await? == 0 {
                return Ok(false);
            }
            db.table(FAILED).insert(failed).await?;
            Ok(true)
        })
        .await
    }

    async fn retry_all(&self, which: &FailedJobFilter) -> Result<u64> {
        let db = self.source.get()?;
        db.transaction(async |db| {
            let mut count = 0;
            for job in chosen(db.table(FAILED), which).get::<Given>().await? {
                // Somebody else may be at it: the one who removes it puts it back.
                if db.table(FAILED).where_eq("id", &job.id).delete().await? == 1 {
                    let row = self.row(&job.id, job.queue, job.name, job.payload, self.now());
                    db.table(JOBS).insert(row).await?;
                    count += 1;
                }
            }
            Ok(count)
        })
        .await
    }

    fn row(&self, id: &str, queue: String, name: String, payload: String, available_at: i64) -> Record {
        record! {
            "id" => id,
            "queue" => queue,
            "name" => name,
            "payload" => payload,
            "attempts" => 0,
            "available_at" => available_at,
            "lease" => None::<String>,
            "created_at" => self.clock.now(),
        }
    }
}

impl QueueDriver for DatabaseDriver {
    fn name(&self) -> &'static str {
        "database"
    }

    fn push(&self, jobs: Vec<NewJob>) -> DriverFuture<'_, ()> {
        explained(async move {
            let rows = jobs.into_iter().map(|job| {
                self.row(job.id.as_str(), job.queue, job.name, job.payload, self.in_ms(job.delay))
            });
            self.source.get()?.table(JOBS).insert_many(rows).await.map(drop)
        })
    }

    fn reserve<'a>(&'a self, queue: &'a str, lease: Duration) -> DriverFuture<'a, Option<ReservedJob>> {
        self.again(move || Box::pin(self.reserve_one(queue, lease)))
    }

    fn extend<'a>(&'a self, job: &'a ReservedJob, lease: Duration) -> DriverFuture<'a, bool> {
        self.again(move || Box::pin(self.update(job, record! { "available_at" => self.in_ms(lease) })))
    }

    fn complete<'a>(&'a self, job: &'a ReservedJob) -> DriverFuture<'a, bool> {
        self.again(move || {
            Box::pin(async move { Ok(on_loan(&self.source.get()?, job).delete().await? == 1) })
        })
    }

    fn release<'a>(&'a self, job: &'a ReservedJob, delay: Duration, attempts: u32) -> DriverFuture<'a, bool> {
        self.again(move || {
            let available_at = self.in_ms(delay);
            Box::pin(self.update(
                job,
                record! { "available_at" => available_at, "lease" => None::<String>, "attempts" => attempts },
            ))
        })
    }

    fn fail<'a>(&'a self, job: &'a ReservedJob, error: &'a str) -> DriverFuture<'a, bool> {
        self.again(move || Box::pin(self.fail_one(job, error)))
    }

    fn size<'a>(&'a self, queue: &'a str) -> DriverFuture<'a, QueueSize> {
        explained(async move {
            let jobs = self.source.get()?.table(JOBS).where_eq("queue", queue);
            let waiting = jobs.clone().where_("available_at", ">", self.now());
            Ok(QueueSize {
                ready: jobs.where_("available_at", "<=", self.now()).count().await?,
                delayed: waiting.clone().where_null("lease").count().await?,
                reserved: waiting.where_not_null("lease").count().await?,
            })
        })
    }

    fn queues(&self) -> DriverFuture<'_, Vec<String>> {
        explained(async move {
            let jobs = self.source.get()?.table(JOBS);
            jobs.distinct().order_by("queue").pluck("queue").await
        })
    }

    fn clear<'a>(&'a self, queue: &'a str) -> DriverFuture<'a, u64> {
        self.again(move || {
            Box::pin(async move {
                let jobs = self.source.get()?.table(JOBS).where_eq("queue", queue);
                let idle = jobs
                    .where_any(|either| either.where_null("lease").where_("available_at", "<=", self.now()));
                idle.delete().await
            })
        })
    }

    fn failed(&self, limit: u64) -> DriverFuture<'_, Vec<FailedJob>> {
        explained(async move {
            let failed = self.source.get()?.table(FAILED);
            failed.order_by_desc("failed_at").order_by_desc("id").limit(limit).get().await
        })
    }

    fn retry<'a>(&'a self, which: &'a FailedJobFilter) -> DriverFuture<'a, u64> {
        self.again(move || Box::pin(self.retry_all(which)))
    }

    fn flush<'a>(&'a self, which: &'a FailedJobFilter) -> DriverFuture<'a, u64> {
        self.again(move || {
            Box::pin(async move { chosen(self.source.get()?.table(FAILED), which).delete().await })
        })
    }
}

/// The job's row, if the loan is still ours.
fn on_loan(db: &Database, job: &ReservedJob) -> Query {
    db.table(JOBS).where_eq("id", job.id.as_str()).where_eq("lease", &job.lease)
}

fn chosen(query: Query, which: &FailedJobFilter) -> Query {
    match which {
        FailedJobFilter::All => query,
        FailedJobFilter::These(ids) => query.where_in("id", ids.iter().map(crate::JobId::as_str)),
    }
}

/// A job that is due, as it was when somebody looked.
struct Candidate {
    id: String,
    queue: String,
    name: String,
    payload: String,
    attempts: u32,
    available_at: i64,
    lease: Option<String>,
}

impl FromRow for Candidate {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            queue: row.get("queue")?,
            name: row.get("name")?,
            payload: row.get("payload")?,
            attempts: row.get("attempts")?,
            available_at: row.get("available_at")?,
            lease: row.get("lease")?,
        })
    }
}

/// A failed job with what it carries.
struct Given {
    id: String,
    queue: String,
    name: String,
    payload: String,
}

impl FromRow for Given {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            id: row.get("id")?,
            queue: row.get("queue")?,
            name: row.get("name")?,
            payload: row.get("payload")?,
        })
    }
}

impl FromRow for FailedJob {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            id: row.get::<String>("id")?.into(),
            queue: row.get("queue")?,
            name: row.get("name")?,
            attempts: row.get("attempts")?,
            error: row.get("error")?,
            failed_at: row.get("failed_at")?,
        })
    }
}

fn explained<'a, T>(work: impl Future<Output = Result<T>> + Send + 'a) -> DriverFuture<'a, T> {
    Box::pin(async move {
        work.await.map_err(|error| {
            if DatabaseError::of(&error).is_some_and(DatabaseError::is_missing_table) {
                return error.context(
                    "the queue is kept in the database, and its tables are not there: run \
                     `housekey make:queue-table` and `housekey migrate`",
                );
            }
            error
        })
    })
}
