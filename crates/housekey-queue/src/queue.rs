use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use housekey_core::{Clock, Encrypter, Error, Result};
use serde_json::Value;
use tokio::sync::Notify;

use crate::batch::{BatchId, BatchStatus};
use crate::chain::Link;
use crate::dispatched::{DispatchedJob, DispatchedJobs};
use crate::driver::{FailedJobFilter, NewJob, QueueDriver, UniqueLock};
use crate::payload_codec::PayloadCodec;
use crate::registry::JobRegistry;
use crate::{JobId, SyncDriver};

/// The application's queue: takes jobs and hands them to its driver. Cheap to clone.
///
/// ```
/// # use housekey_core::Result;
/// # use housekey_queue::{Job, JobRegistry, Queue, job};
/// # use serde::{Deserialize, Serialize};
/// # #[derive(Serialize, Deserialize)] struct Greet { name: String }
/// # impl Job for Greet {
/// #     const NAME: &'static str = "greet";
/// #     async fn handle(self) -> Result<()> { Ok(()) }
/// # }
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<()> {
/// let queue = Queue::sync(JobRegistry::from_iter([job::<Greet>()]));
/// queue.dispatch(Greet { name: "Ada".into() }).await?;
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Queue(Arc<Inner>);

struct Inner {
    driver: Arc<dyn QueueDriver>,
    registry: JobRegistry,
    codec: PayloadCodec,
    clock: Clock,
    default: String,
    /// Where jobs go instead, once a test has asked for that.
    recorded: OnceLock<DispatchedJobs>,
    /// Wakes the workers of this process when a job came in.
    news: Notify,
}

/// A [`Queue`] being put together, from [`Queue::builder`].
#[derive(Debug)]
pub struct QueueBuilder {
    registry: JobRegistry,
    codec: PayloadCodec,
    clock: Clock,
    default: String,
}

impl QueueBuilder {
    /// Seals what jobs carry.
    #[must_use]
    pub fn encrypter(mut self, encrypter: Arc<Encrypter>) -> Self {
        self.codec = PayloadCodec(Some(encrypter));
        self
    }

    /// Uses this clock instead of the machine's. The driver should read the same.
    #[must_use]
    pub fn clock(mut self, clock: Clock) -> Self {
        self.clock = clock;
        self
    }

    /// The queue of jobs that name none; otherwise `default`.
    #[must_use]
    pub fn default_queue(mut self, name: impl Into<String>) -> Self {
        self.default = name.into();
        self
    }

    /// Lets jobs wait with this driver.
    pub fn build(self, driver: impl QueueDriver) -> Queue {
        self.build_shared(Arc::new(driver))
    }

    /// Does jobs at once, where they are dispatched.
    pub fn build_sync(self) -> Queue {
        let driver = SyncDriver::new(self.registry.clone(), self.codec.clone(), self.clock.clone());
        self.build(driver)
    }

    /// Lets jobs wait with a driver that is shared already.
    pub fn build_shared(self, driver: Arc<dyn QueueDriver>) -> Queue {
        let Self { registry, codec, clock, default } = self;
        let (recorded, news) = (OnceLock::new(), Notify::new());
        Queue(Arc::new(Inner { driver, registry, codec, clock, default, recorded, news }))
    }
}

impl Queue {
    /// Starts a queue that knows these jobs.
    pub fn builder(registry: JobRegistry) -> QueueBuilder {
        QueueBuilder {
            registry,
            codec: PayloadCodec::default(),
            clock: Clock::system(),
            default: "default".into(),
        }
    }

    /// A queue that does jobs at once, where they are dispatched: for tests and examples.
    pub fn sync(registry: JobRegistry) -> Self {
        Self::builder(registry).build_sync()
    }

    /// Hands a job over by its name: for parts of the framework that bring jobs without a type
    /// ([`JobType::by_name`](crate::JobType::by_name)).
    pub async fn push(
        &self,
        name: &str,
        payload: Value,
        queue: Option<&str>,
        delay: Duration,
    ) -> Result<JobId> {
        let job = self.written(name, payload, queue, delay)?;
        let mut ids = self.hand_over(vec![job]).await?;
        ids.pop().ok_or_else(|| Error::internal("the queue driver took no job and said nothing"))
    }

    /// Hands jobs of one name over, all or none; each comes with the queue that it names.
    pub(crate) async fn push_many(&self, name: &str, jobs: Vec<(String, Value)>) -> Result<Vec<JobId>> {
        let jobs = jobs
            .into_iter()
            .map(|(queue, payload)| self.written(name, payload, Some(&queue), Duration::ZERO));
        self.hand_over(jobs.collect::<Result<_>>()?).await
    }

    async fn hand_over(&self, jobs: Vec<WrittenJob>) -> Result<Vec<JobId>> {
        if let Some(recorded) = self.0.recorded.get() {
            let ids = jobs.into_iter().map(|job| {
                let WrittenJob { name, payload, queue, delay, .. } = job;
                let dispatched = DispatchedJob { name, payload, queue, delay, chain: Vec::new() };
                recorded.add(dispatched, job.unique.as_ref(), &self.0.clock)
            });
            return Ok(ids.collect());
        }
        if jobs.is_empty() {
            return Ok(Vec::new());
        }
        let jobs = jobs.into_iter().map(|job| self.new_job(job)).collect::<Result<_>>()?;
        let ids = self.0.driver.push(jobs).await?;
        self.0.news.notify_one();
        Ok(ids)
    }

    /// How far a batch is; nothing when there is no such batch, or it has ended more than a week ago.
    pub async fn batch(&self, id: &BatchId) -> Result<Option<BatchStatus>> {
        match self.0.recorded.get() {
            Some(recorded) => Ok(recorded.statuses().find(id)),
            None => self.0.driver.batch(id).await,
        }
    }

    /// Leaves out what has not begun of a batch, and says whether there was such a batch that had not ended. What runs
    /// goes on to its end, and then the batch's `finally` is queued.
    pub async fn cancel_batch(&self, id: &BatchId) -> Result<bool> {
        match self.0.recorded.get() {
            Some(recorded) => Ok(recorded.statuses().cancel(id)),
            None => self.0.driver.cancel_batch(id).await,
        }
    }

    /// Brings failed jobs back, as if they had never been tried, and says how many.
    pub async fn retry(&self, which: &FailedJobFilter) -> Result<u64> {
        let count = self.0.driver.retry(which).await?;
        self.0.news.notify_one();
        Ok(count)
    }

    /// Throws failed jobs away, and says how many.
    pub async fn forget(&self, which: &FailedJobFilter) -> Result<u64> {
        self.0.driver.flush(which).await
    }

    /// A job that waits for another to end.
    pub(crate) fn link(&self, name: &str, queue: &str, payload: Value) -> Result<Link> {
        let written = self.written(name, payload, Some(queue), Duration::ZERO)?;
        if written.unique.is_some() {
            // Where another holds its lock it would not be queued, and what waits for it would never begin.
            return Err(Error::internal(format!(
                "the job `{name}` is unique, so it may not be queued when its turn comes: dispatch it by itself"
            )));
        }
        Ok(Link { name: written.name, queue: written.queue, payload: written.payload })
    }

    /// From now on jobs are only recorded; the answer has them.
    pub(crate) fn record(&self) -> DispatchedJobs {
        self.0.recorded.get_or_init(DispatchedJobs::default).clone()
    }

    /// Where jobs go instead, once a test has asked for that.
    pub(crate) fn recorded(&self) -> Option<&DispatchedJobs> {
        self.0.recorded.get()
    }

    pub fn driver(&self) -> &Arc<dyn QueueDriver> {
        &self.0.driver
    }

    pub fn registry(&self) -> &JobRegistry {
        &self.0.registry
    }

    /// The queue of jobs that name none.
    pub fn default_queue(&self) -> &str {
        &self.0.default
    }

    pub(crate) fn codec(&self) -> &PayloadCodec {
        &self.0.codec
    }

    pub(crate) fn clock(&self) -> &Clock {
        &self.0.clock
    }

    pub(crate) fn news(&self) -> &Notify {
        &self.0.news
    }

    fn queue_name(&self, queue: Option<&str>) -> String {
        queue.filter(|queue| !queue.is_empty()).unwrap_or(&self.0.default).to_owned()
    }

    fn written(
        &self,
        name: &str,
        payload: Value,
        queue: Option<&str>,
        delay: Duration,
    ) -> Result<WrittenJob> {
        let kind = self.0.registry.find(name);
        if kind.is_none() && self.0.recorded.get().is_none() {
            // A worker could do nothing but give it up; better to hear it here.
            return Err(Error::internal(format!(
                "the job `{name}` is not known to this app: add `job::<…>()` for it to `.jobs([…])`"
            )));
        }
        let unique =
            kind.and_then(|kind| kind.unique(&payload)).map(|unique| unique.lock(name, &self.0.codec));
        Ok(WrittenJob { name: name.to_owned(), payload, queue: self.queue_name(queue), delay, unique })
    }

    fn new_job(&self, job: WrittenJob) -> Result<NewJob> {
        let payload = self.0.codec.encode(&job.name, &serde_json::to_vec(&job.payload)?)?;
        let new = NewJob::new(JobId::new(&self.0.clock), job.queue, job.name, payload);
        Ok(NewJob { delay: job.delay, unique: job.unique, ..new })
    }
}

/// A job as it was handed over, before it is sealed.
struct WrittenJob {
    name: String,
    payload: Value,
    queue: String,
    delay: Duration,
    unique: Option<UniqueLock>,
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue")
            .field("driver", &self.0.driver)
            .field("jobs", &self.0.registry)
            .finish_non_exhaustive()
    }
}
