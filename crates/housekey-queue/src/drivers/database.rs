use std::sync::Arc;
use std::time::Duration;

use housekey_core::{Clock, Error, Result, random};
use housekey_database::DatabaseSource;
use housekey_database::sql::{Expr, ExprTrait, Func};
use housekey_database::{Database, DatabaseError, FromRow, Query, Record, Row, record};
use serde::{Deserialize, Serialize};
use time::OffsetDateTime;

use crate::driver::{
    BATCH_KEPT, DriverFuture, FailedJob, FailedJobFilter, JobState, NewBatch, NewJob, QueueDriver, QueueSize,
    QueuedJob, ReservedJob, UniqueLock,
};
use crate::tables::{BATCHES, FAILED, JOBS};
use crate::{BatchId, BatchStatus, JobId};

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
    pub fn new(source: impl Into<DatabaseSource>, clock: Clock) -> Self {
        Self { source: source.into(), clock }
    }

    fn in_ms(&self, delay: Duration) -> i64 {
        self.clock.unix_millis().saturating_add(in_millis(delay))
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
            unique: job.unique,
            chain: job.chain,
            batch: job.batch,
        };
        Ok((as_seen.update(borrowed).await? == 1).then_some(reserved))
    }

    async fn update(&self, job: &ReservedJob, change: Record) -> Result<bool> {
        Ok(on_loan(&self.source.get()?, job).update(change).await? == 1)
    }

    async fn fail_one(&self, job: &ReservedJob, error: &str, next: &[NewJob]) -> Result<bool> {
        let given_up = NewJob {
            unique: job.unique.clone(),
            chain: job.chain.clone(),
            ..NewJob::new(job.id.clone(), &job.queue, &job.name, &job.payload)
        };
        let failed = failed_row(&given_up, job.attempt, error, self.clock.now());
        let db = self.source.get()?;
        db.transaction(async |db| {
            if on_loan(&db, job).delete().await? == 0 {
                return Ok(false);
            }
            db.table(FAILED).insert(failed).await?;
            self.push_each(&db, next).await?;
            self.count(&db, job.batch.as_ref(), "failed", 1).await?;
            Ok(true)
        })
        .await
    }

    async fn retry_all(&self, which: &FailedJobFilter) -> Result<u64> {
        let db = self.source.get()?;
        db.transaction(async |db| {
            let mut count = 0;
            for Given { job, attempts, error, failed_at } in chosen(db.table(FAILED), which).get().await? {
                // Somebody else may be at it: the one who removes it puts it back.
                if db.table(FAILED).where_eq("id", job.id.as_str()).delete().await? == 0 {
                    continue;
                }
                if self.push_one(&db, &job).await? == job.id {
                    count += 1;
                } else {
                    db.table(FAILED).insert(failed_row(&job, attempts, &error, failed_at)).await?;
                }
            }
            Ok(count)
        })
        .await
    }

    async fn push_all(&self, jobs: &[NewJob]) -> Result<Vec<JobId>> {
        let db = self.source.get()?;
        if jobs.iter().all(|job| job.unique.is_none()) {
            db.table(JOBS).insert_many(jobs.iter().map(|job| self.row(job))).await?;
            return Ok(jobs.iter().map(|job| job.id.clone()).collect());
        }
        if let [job] = jobs {
            // One statement is all or nothing by itself, and keeps nobody waiting.
            return Ok(vec![self.push_one(&db, job).await?]);
        }
        db.transaction(async |db| self.push_each(&db, jobs).await).await
    }

    async fn push_each(&self, db: &Database, jobs: &[NewJob]) -> Result<Vec<JobId>> {
        let mut ids = Vec::new();
        for job in jobs {
            ids.push(self.push_one(db, job).await?);
        }
        Ok(ids)
    }

    /// Removes a job that has ended, and counts it as `what` in its batch.
    async fn end_one(&self, job: &ReservedJob, next: &[NewJob], what: &'static str) -> Result<bool> {
        let db = self.source.get()?;
        if next.is_empty() && job.batch.is_none() {
            return Ok(on_loan(&db, job).delete().await? == 1);
        }
        db.transaction(async |db| {
            if on_loan(&db, job).delete().await? == 0 {
                return Ok(false);
            }
            self.push_each(&db, next).await?;
            self.count(&db, job.batch.as_ref(), what, 1).await?;
            Ok(true)
        })
        .await
    }

    /// Counts jobs of a batch that have ended, and takes in what the batch has to tell. The change of the number comes
    /// first: it keeps others who end a job of the batch waiting until all of this is done.
    async fn count(&self, db: &Database, batch: Option<&BatchId>, what: &'static str, by: i64) -> Result<()> {
        let Some(id) = batch else { return Ok(()) };
        let row = db.table(BATCHES).where_eq("id", id.as_str());
        row.increment(what, by).await?;
        let Some(StoredBatch { status, allows_failures, then, catch, finally }) =
            row.clone().lock_for_update().first().await?
        else {
            return Ok(());
        };
        if status.failed > 0 {
            if let Some(catch) = told(catch)? {
                row.update(record! { "catch_job" => None::<String> }).await?;
                self.push_one(db, &catch).await?;
            }
            if !allows_failures && !status.is_cancelled {
                row.update(record! { "cancelled" => true }).await?;
            }
        }
        if status.pending() > 0 || status.is_finished() {
            return Ok(());
        }
        row.update(record! {
            "finished_at" => self.now(), "then_job" => None::<String>, "finally_job" => None::<String>,
        })
        .await?;
        let then = told(then)?.filter(|_| status.done == status.total);
        for job in then.into_iter().chain(told(finally)?) {
            self.push_one(db, &job).await?;
        }
        Ok(())
    }

    async fn start(&self, batch: &NewBatch, jobs: &[NewJob]) -> Result<()> {
        let row = record! {
            "id" => batch.id.as_str(),
            "name" => &batch.name,
            "total" => i64::try_from(jobs.len()).unwrap_or(i64::MAX),
            "done" => 0,
            "failed" => 0,
            "skipped" => 0,
            "allows_failures" => batch.allows_failures,
            "cancelled" => false,
            "then_job" => to_be_told(batch.then.as_ref())?,
            "catch_job" => to_be_told(batch.catch.as_ref())?,
            "finally_job" => to_be_told(batch.finally.as_ref())?,
            "created_at" => self.now(),
            "finished_at" => None::<i64>,
        };
        let forgotten = self.now().saturating_sub(in_millis(BATCH_KEPT));
        self.source
            .get()?
            .transaction(async |db| {
                db.table(BATCHES).where_("finished_at", "<", forgotten).delete().await?;
                db.table(BATCHES).insert(row).await?;
                if jobs.is_empty() {
                    return self.count(&db, Some(&batch.id), "done", 0).await;
                }
                db.table(JOBS).insert_many(jobs.iter().map(|job| self.row(job))).await.map(drop)
            })
            .await
    }

    async fn clear_all(&self, queue: &str) -> Result<u64> {
        let db = self.source.get()?;
        db.transaction(async |db| {
            let jobs = db.table(JOBS).where_eq("queue", queue);
            let idle =
                jobs.where_any(|either| either.where_null("lease").where_("available_at", "<=", self.now()));
            // First those of no batch: what a batch tells when its last job goes is one of them, and stays.
            let mut count = idle.clone().where_null("batch_id").delete().await?;
            // One by one those of batches: who removes one counts it.
            let of_batches = idle.clone().where_not_null("batch_id");
            for job in of_batches.get::<Candidate>().await? {
                let as_seen = idle.clone().where_eq("id", &job.id);
                if as_seen.delete().await? == 1 {
                    count += 1;
                    self.count(&db, job.batch.as_ref(), "skipped", 1).await?;
                }
            }
            Ok(count)
        })
        .await
    }

    /// The lock of a unique job is a value in its own row that no two rows can have: it is there from the moment the job
    /// is, and gone when the job is, whatever happens to whom.
    async fn push_one(&self, db: &Database, job: &NewJob) -> Result<JobId> {
        let Some(lock) = &job.unique else {
            db.table(JOBS).insert(self.row(job)).await?;
            return Ok(job.id.clone());
        };
        let mut is_repeated = false;
        loop {
            if db.table(JOBS).insert_or_ignore(self.row(job)).await? {
                return Ok(job.id.clone());
            }
            let mut held = db.table(JOBS).where_eq("unique_key", &lock.key);
            if is_repeated {
                // A transaction of MySQL reads what was there when it began, unless it locks what it reads.
                held = held.lock_for_update();
            }
            if let Some(holder) = held.clone().first::<Holder>().await? {
                if holder.until > self.now() {
                    return Ok(holder.id.into());
                }
                let over = db.table(JOBS).where_eq("id", &holder.id).where_eq("unique_key", &lock.key);
                over.update(record! { "unique_key" => None::<String> }).await?;
            }
            // Otherwise it was done in between.
            is_repeated = true;
        }
    }

    fn row(&self, job: &NewJob) -> Record {
        let lock = job.unique.as_ref();
        record! {
            "id" => job.id.as_str(),
            "queue" => &job.queue,
            "name" => &job.name,
            "payload" => &job.payload,
            "attempts" => 0,
            "available_at" => self.in_ms(job.delay),
            "lease" => None::<String>,
            "unique_key" => lock.map(|lock| lock.key.clone()),
            "unique_ms" => lock.map(|lock| in_millis(lock.lasts)),
            "unique_until" => lock.map(|lock| self.in_ms(lock.lasts)),
            "chain" => job.chain.clone(),
            "batch_id" => job.batch.as_ref().map(|batch| batch.as_str().to_owned()),
            "created_at" => self.clock.now(),
        }
    }
}

impl QueueDriver for DatabaseDriver {
    fn name(&self) -> &'static str {
        "database"
    }

    fn push(&self, jobs: Vec<NewJob>) -> DriverFuture<'_, Vec<JobId>> {
        let jobs = Arc::new(jobs);
        self.again(move || {
            let jobs = jobs.clone();
            Box::pin(async move { self.push_all(&jobs).await })
        })
    }

    fn reserve<'a>(&'a self, queue: &'a str, lease: Duration) -> DriverFuture<'a, Option<ReservedJob>> {
        self.again(move || Box::pin(self.reserve_one(queue, lease)))
    }

    fn extend<'a>(&'a self, job: &'a ReservedJob, lease: Duration) -> DriverFuture<'a, bool> {
        self.again(move || Box::pin(self.update(job, record! { "available_at" => self.in_ms(lease) })))
    }

    fn complete<'a>(&'a self, job: &'a ReservedJob, next: &'a [NewJob]) -> DriverFuture<'a, bool> {
        self.again(move || Box::pin(self.end_one(job, next, "done")))
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

    fn fail<'a>(
        &'a self,
        job: &'a ReservedJob,
        error: &'a str,
        next: &'a [NewJob],
    ) -> DriverFuture<'a, bool> {
        self.again(move || Box::pin(self.fail_one(job, error, next)))
    }

    fn skip<'a>(&'a self, job: &'a ReservedJob) -> DriverFuture<'a, bool> {
        self.again(move || Box::pin(self.end_one(job, &[], "skipped")))
    }

    fn start_batch(&self, batch: NewBatch, jobs: Vec<NewJob>) -> DriverFuture<'_, ()> {
        let all = Arc::new((batch, jobs));
        self.again(move || {
            let all = all.clone();
            Box::pin(async move { self.start(&all.0, &all.1).await })
        })
    }

    fn batch<'a>(&'a self, id: &'a BatchId) -> DriverFuture<'a, Option<BatchStatus>> {
        explained(async move {
            let found = self.source.get()?.table(BATCHES).where_eq("id", id.as_str());
            Ok(found.first::<StoredBatch>().await?.map(|batch| batch.status))
        })
    }

    fn batches(&self, limit: u64) -> DriverFuture<'_, Vec<BatchStatus>> {
        explained(async move {
            let newest = self.source.get()?.table(BATCHES).order_by_desc("id").limit(limit);
            let found: Vec<StoredBatch> = newest.get().await?;
            Ok(found.into_iter().map(|batch| batch.status).collect())
        })
    }

    fn cancel_batch<'a>(&'a self, id: &'a BatchId) -> DriverFuture<'a, bool> {
        self.again(move || {
            Box::pin(async move {
                let open = self.source.get()?.table(BATCHES).where_eq("id", id.as_str());
                let open = open.where_eq("cancelled", false).where_null("finished_at");
                Ok(open.update(record! { "cancelled" => true }).await? == 1)
            })
        })
    }

    fn size<'a>(&'a self, queue: &'a str) -> DriverFuture<'a, QueueSize> {
        explained(async move {
            let (is_due, is_lent) =
                (Expr::col("available_at").lte(self.now()), Expr::col("lease").is_not_null());
            let number = |condition: Expr| Func::count(Expr::case(condition, 1));
            // In one query: between two a job could go from where is counted next to where was counted.
            let sizes = self.source.get()?.table(JOBS).where_eq("queue", queue);
            let sizes = sizes
                .select_expr(number(is_due.clone()), "ready")
                .select_expr(number(is_due.clone().not().and(is_lent.clone().not())), "delayed")
                .select_expr(number(is_due.not().and(is_lent)), "reserved");
            Ok(sizes.first().await?.unwrap_or_default())
        })
    }

    fn jobs(&self, limit: u64) -> DriverFuture<'_, Vec<QueuedJob>> {
        explained(async move {
            let now = self.now();
            let jobs = self.source.get()?.table(JOBS).order_by("available_at").order_by("id").limit(limit);
            let running = jobs.clone().where_not_null("lease").where_("available_at", ">", now);
            let waiting =
                jobs.where_any(|either| either.where_null("lease").where_("available_at", "<=", now));
            let mut found = Vec::new();
            for job in running.get::<Candidate>().await? {
                found.push(queued(job, JobState::Running));
            }
            for job in waiting.get::<Candidate>().await? {
                let state = if job.available_at <= now { JobState::Due } else { JobState::Later };
                found.push(queued(job, state));
            }
            Ok(found)
        })
    }

    fn queues(&self) -> DriverFuture<'_, Vec<String>> {
        explained(async move {
            let jobs = self.source.get()?.table(JOBS);
            jobs.distinct().order_by("queue").pluck("queue").await
        })
    }

    fn clear<'a>(&'a self, queue: &'a str) -> DriverFuture<'a, u64> {
        self.again(move || Box::pin(self.clear_all(queue)))
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

fn queued(job: Candidate, state: JobState) -> QueuedJob {
    QueuedJob {
        id: job.id.into(),
        queue: job.queue,
        name: job.name,
        attempts: job.attempts,
        state,
        available_at: moment(job.available_at),
    }
}

fn chosen(query: Query, which: &FailedJobFilter) -> Query {
    match which {
        FailedJobFilter::All => query,
        FailedJobFilter::These(ids) => query.where_in("id", ids.iter().map(JobId::as_str)),
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
    unique: Option<UniqueLock>,
    chain: Option<String>,
    batch: Option<BatchId>,
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
            unique: lock_of(row)?,
            chain: row.get("chain")?,
            batch: row.get::<Option<String>>("batch_id")?.map(BatchId::from),
        })
    }
}

fn failed_row(job: &NewJob, attempts: u32, error: &str, failed_at: OffsetDateTime) -> Record {
    record! {
        "id" => job.id.as_str(),
        "queue" => &job.queue,
        "name" => &job.name,
        "payload" => &job.payload,
        "attempts" => attempts,
        "error" => error,
        "unique_key" => job.unique.as_ref().map(|lock| lock.key.clone()),
        "unique_ms" => job.unique.as_ref().map(|lock| in_millis(lock.lasts)),
        "chain" => job.chain.clone(),
        "failed_at" => failed_at,
    }
}

/// A failed job with what it carries.
struct Given {
    job: NewJob,
    attempts: u32,
    error: String,
    failed_at: OffsetDateTime,
}

impl FromRow for Given {
    fn from_row(row: &Row) -> Result<Self> {
        let text = |name: &str| row.get::<String>(name);
        let job = NewJob::new(text("id")?.into(), text("queue")?, text("name")?, text("payload")?);
        Ok(Self {
            job: NewJob { unique: lock_of(row)?, chain: row.get("chain")?, ..job },
            attempts: row.get("attempts")?,
            error: row.get("error")?,
            failed_at: row.get("failed_at")?,
        })
    }
}

struct StoredBatch {
    status: BatchStatus,
    allows_failures: bool,
    then: Option<String>,
    catch: Option<String>,
    finally: Option<String>,
}

impl FromRow for StoredBatch {
    fn from_row(row: &Row) -> Result<Self> {
        let number = |name: &str| Ok::<u64, Error>(row.get::<i64>(name)?.unsigned_abs());
        let finished: Option<i64> = row.get("finished_at")?;
        Ok(Self {
            status: BatchStatus {
                id: row.get::<String>("id")?.into(),
                name: row.get("name")?,
                total: number("total")?,
                done: number("done")?,
                failed: number("failed")?,
                skipped: number("skipped")?,
                is_cancelled: row.get("cancelled")?,
                created_at: moment(row.get("created_at")?),
                finished_at: finished.map(moment),
            },
            allows_failures: row.get("allows_failures")?,
            then: row.get("then_job")?,
            catch: row.get("catch_job")?,
            finally: row.get("finally_job")?,
        })
    }
}

/// A job that a batch keeps until it is to be taken in. What it carries is sealed as that of any job.
#[derive(Serialize, Deserialize)]
struct ToBeTold {
    id: String,
    queue: String,
    name: String,
    payload: String,
}

fn to_be_told(job: Option<&NewJob>) -> Result<Option<String>> {
    let Some(NewJob { id, queue, name, payload, .. }) = job.cloned() else { return Ok(None) };
    let id = id.to_string();
    Ok(Some(serde_json::to_string(&ToBeTold { id, queue, name, payload })?))
}

fn told(text: Option<String>) -> Result<Option<NewJob>> {
    let Some(text) = text else { return Ok(None) };
    let ToBeTold { id, queue, name, payload } = serde_json::from_str(&text)?;
    Ok(Some(NewJob::new(id.into(), queue, name, payload)))
}

fn moment(ms: i64) -> OffsetDateTime {
    OffsetDateTime::from_unix_timestamp_nanos(i128::from(ms) * 1_000_000)
        .unwrap_or(OffsetDateTime::UNIX_EPOCH)
}

/// Whose lock it is, and until when.
struct Holder {
    id: String,
    until: i64,
}

impl FromRow for Holder {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self { id: row.get("id")?, until: row.get("unique_until")? })
    }
}

fn lock_of(row: &Row) -> Result<Option<UniqueLock>> {
    let Some(key) = row.get("unique_key")? else { return Ok(None) };
    let ms: i64 = row.get("unique_ms")?;
    Ok(Some(UniqueLock { key, lasts: Duration::from_millis(u64::try_from(ms).unwrap_or_default()) }))
}

fn in_millis(time: Duration) -> i64 {
    i64::try_from(time.as_millis()).unwrap_or(i64::MAX)
}

impl FromRow for QueueSize {
    fn from_row(row: &Row) -> Result<Self> {
        let number = |name: &str| Ok::<u64, Error>(row.get::<i64>(name)?.unsigned_abs());
        Ok(Self { ready: number("ready")?, delayed: number("delayed")?, reserved: number("reserved")? })
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
