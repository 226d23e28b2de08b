use std::fmt::{self, Debug};
use std::pin::Pin;
use std::time::Duration;

use housekey_core::Result;
use time::OffsetDateTime;

use crate::{BatchId, BatchStatus, JobId};

pub type DriverFuture<'a, T> = Pin<Box<dyn Future<Output = Result<T>> + Send + 'a>>;

/// A place where jobs wait: the contract that every driver fulfils. `tests/suite` in this crate is it in executable form.
///
/// A job is never out of the store while it is not done. [`reserve`](Self::reserve) lends it until the lease ends, and
/// then it is there for anybody again. Whoever lets a lease run out finds that out by the `false` of the methods that
/// take a [`ReservedJob`], which then change nothing.
///
/// Every method is atomic. A store that cannot be reached answers with an error, never with "no job".
pub trait QueueDriver: Debug + Send + Sync + 'static {
    /// The name configuration uses for it.
    fn name(&self) -> &'static str;

    /// Whether jobs wait here for a worker. One that does them at once has nothing for a worker to do.
    fn keeps_jobs(&self) -> bool {
        true
    }

    /// Takes jobs in, all or none, and answers with their ids. Once this has answered, they are not lost.
    ///
    /// A job whose [`UniqueLock`] another one holds is not taken in; the answer has the id of that other one.
    fn push(&self, jobs: Vec<NewJob>) -> DriverFuture<'_, Vec<JobId>>;

    /// Lends the job of this queue that has waited longest, if one is due.
    fn reserve<'a>(&'a self, queue: &'a str, lease: Duration) -> DriverFuture<'a, Option<ReservedJob>>;

    /// Lends it for another while, counted from now.
    fn extend<'a>(&'a self, job: &'a ReservedJob, lease: Duration) -> DriverFuture<'a, bool>;

    /// It is done: removes it, and takes the jobs in that follow it. Both happen or neither.
    ///
    /// Here, in [`fail`](Self::fail) and in [`skip`](Self::skip) a job of a batch is counted in it in the same step, and
    /// what the batch has to tell then is taken in: nothing is counted or told twice.
    fn complete<'a>(&'a self, job: &'a ReservedJob, next: &'a [NewJob]) -> DriverFuture<'a, bool>;

    /// Puts it back to wait for `delay`, with `attempts` as the number of times it was tried.
    fn release<'a>(&'a self, job: &'a ReservedJob, delay: Duration, attempts: u32) -> DriverFuture<'a, bool>;

    /// Moves it to the failed jobs, with the reason, and takes the jobs in that follow that. Both happen or neither.
    fn fail<'a>(&'a self, job: &'a ReservedJob, error: &'a str, next: &'a [NewJob])
    -> DriverFuture<'a, bool>;

    /// It is not to be done any more, because its batch was cancelled: removes it.
    fn skip<'a>(&'a self, job: &'a ReservedJob) -> DriverFuture<'a, bool>;

    /// Takes a batch in with all its jobs, or nothing of it.
    fn start_batch(&self, batch: NewBatch, jobs: Vec<NewJob>) -> DriverFuture<'_, ()>;

    /// How far a batch is. It is forgotten a week after it has ended.
    fn batch<'a>(&'a self, id: &'a BatchId) -> DriverFuture<'a, Option<BatchStatus>>;

    /// The batches, the newest first, at most `limit`.
    fn batches(&self, limit: u64) -> DriverFuture<'_, Vec<BatchStatus>>;

    /// Cancels a batch that has not ended, and says whether it did.
    fn cancel_batch<'a>(&'a self, id: &'a BatchId) -> DriverFuture<'a, bool>;

    /// How many jobs there are in a queue.
    fn size<'a>(&'a self, queue: &'a str) -> DriverFuture<'a, QueueSize>;

    /// The jobs that are on loan, and those that wait, in the order of their turns: at most `limit` of each.
    fn jobs(&self, limit: u64) -> DriverFuture<'_, Vec<QueuedJob>>;

    /// The queues that have jobs, by name.
    fn queues(&self) -> DriverFuture<'_, Vec<String>>;

    /// Removes the jobs of a queue that nobody is working on, and says how many there were. To their batches they count
    /// as left out.
    fn clear<'a>(&'a self, queue: &'a str) -> DriverFuture<'a, u64>;

    /// The failed jobs, the newest first, at most `limit`.
    fn failed(&self, limit: u64) -> DriverFuture<'_, Vec<FailedJob>>;

    /// Puts failed jobs back into their queues as if they had never been tried, and says how many there were. One whose
    /// [`UniqueLock`] another job holds by now stays where it is.
    fn retry<'a>(&'a self, which: &'a FailedJobFilter) -> DriverFuture<'a, u64>;

    /// Removes failed jobs for good, and says how many there were.
    fn flush<'a>(&'a self, which: &'a FailedJobFilter) -> DriverFuture<'a, u64>;
}

/// A job on its way into a store.
#[derive(Clone)]
pub struct NewJob {
    pub id: JobId,
    pub queue: String,
    /// What it is called in the registry.
    pub name: String,
    pub payload: String,
    pub delay: Duration,
    /// What keeps others like it out of the store.
    pub unique: Option<UniqueLock>,
    /// What follows it, as text that only the application understands.
    pub chain: Option<String>,
    pub batch: Option<BatchId>,
}

impl NewJob {
    /// A job that is due at once.
    pub fn new(
        id: JobId,
        queue: impl Into<String>,
        name: impl Into<String>,
        payload: impl Into<String>,
    ) -> Self {
        let (queue, name, payload) = (queue.into(), name.into(), payload.into());
        Self { id, queue, name, payload, delay: Duration::ZERO, unique: None, chain: None, batch: None }
    }
}

/// A batch on its way into a store.
#[derive(Clone, Debug)]
pub struct NewBatch {
    pub id: BatchId,
    pub name: String,
    /// Whether it goes on when a job has failed for good.
    pub allows_failures: bool,
    /// What is taken in when every job has succeeded.
    pub then: Option<NewJob>,
    /// What is taken in when the first job has failed for good.
    pub catch: Option<NewJob>,
    /// What is taken in when all have ended.
    pub finally: Option<NewJob>,
}

/// How long a batch is remembered after it has ended.
pub(crate) const BATCH_KEPT: Duration = Duration::from_secs(7 * 24 * 60 * 60);

/// What a job holds while it waits or runs, so that no second one of the same key is taken in. It ends with the job (when
/// that is done, has failed for good or is removed), or when its time is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UniqueLock {
    /// 43 characters that say nothing about the job.
    pub key: String,
    /// How long it lasts at most, from the moment the job is taken in.
    pub lasts: Duration,
}

/// A job that a worker has on loan.
#[derive(Clone)]
pub struct ReservedJob {
    pub id: JobId,
    pub queue: String,
    /// What it is called in the registry.
    pub name: String,
    pub payload: String,
    /// Which attempt this is, counted from 1.
    pub attempt: u32,
    /// The loan's name: only who knows it can say something about the job.
    pub lease: String,
    /// What keeps others like it out of the store.
    pub unique: Option<UniqueLock>,
    /// What follows it, as text that only the application understands.
    pub chain: Option<String>,
    pub batch: Option<BatchId>,
}

/// A job in a store, for whoever looks at it. What it carries stays in there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct QueuedJob {
    pub id: JobId,
    pub queue: String,
    /// What it is called in the registry.
    pub name: String,
    /// How often it was begun.
    pub attempts: u32,
    pub state: JobState,
    /// When it may begin; when the lease ends, if it is on loan.
    pub available_at: OffsetDateTime,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JobState {
    /// It is on loan to a worker.
    Running,
    /// It can begin.
    Due,
    /// It is to be begun later: delayed, or tried before.
    Later,
}

/// A job that was given up. What it carries stays in the store.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FailedJob {
    pub id: JobId,
    pub queue: String,
    /// What it is called in the registry.
    pub name: String,
    pub attempts: u32,
    /// Why it was given up. Nothing that the job carries is quoted here.
    pub error: String,
    pub failed_at: OffsetDateTime,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct QueueSize {
    /// Due, and on loan to nobody.
    pub ready: u64,
    /// To be started later: delayed, or tried before.
    pub delayed: u64,
    /// On loan to a worker.
    pub reserved: u64,
}

impl QueueSize {
    pub fn total(&self) -> u64 {
        self.ready + self.delayed + self.reserved
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FailedJobFilter {
    All,
    These(Vec<JobId>),
}

/// Without what it carries: a job that ends up in a log must not take that there.
impl Debug for NewJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "NewJob({} {} in {})", self.name, self.id, self.queue)
    }
}

/// Without what it carries, and without the name of the loan.
impl Debug for ReservedJob {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "ReservedJob({} {} in {}, attempt {})", self.name, self.id, self.queue, self.attempt)
    }
}
