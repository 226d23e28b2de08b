use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use housekey_core::{Clock, Encrypter, Error, Result};
use serde_json::Value;
use tokio::sync::Notify;

use crate::dispatched::{DispatchedJob, DispatchedJobs};
use crate::driver::{NewJob, QueueDriver};
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
    taken_down: OnceLock<DispatchedJobs>,
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
        let driver = SyncDriver::new(self.registry.clone(), self.codec.clone());
        self.build(driver)
    }

    /// Lets jobs wait with a driver that is shared already.
    pub fn build_shared(self, driver: Arc<dyn QueueDriver>) -> Queue {
        let Self { registry, codec, clock, default } = self;
        let (taken_down, news) = (OnceLock::new(), Notify::new());
        Queue(Arc::new(Inner { driver, registry, codec, clock, default, taken_down, news }))
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
        let queue = self.queue_name(queue);
        if let Some(jobs) = self.0.taken_down.get() {
            jobs.add(DispatchedJob { name: name.to_owned(), payload, queue, delay });
            return Ok(JobId::new(&self.0.clock));
        }
        let job = self.new_job(name, &payload, queue, delay)?;
        let id = job.id.clone();
        self.0.driver.push(vec![job]).await?;
        self.0.news.notify_one();
        Ok(id)
    }

    /// Hands jobs of one name over, all or none; each comes with the queue that it names.
    pub(crate) async fn push_many(&self, name: &str, jobs: Vec<(String, Value)>) -> Result<Vec<JobId>> {
        let (mut ids, mut new) = (Vec::new(), Vec::new());
        for (queue, payload) in jobs {
            let queue = self.queue_name(Some(&queue));
            match self.0.taken_down.get() {
                Some(jobs) => {
                    ids.push(JobId::new(&self.0.clock));
                    jobs.add(DispatchedJob { name: name.to_owned(), payload, queue, delay: Duration::ZERO });
                }
                None => {
                    let job = self.new_job(name, &payload, queue, Duration::ZERO)?;
                    ids.push(job.id.clone());
                    new.push(job);
                }
            }
        }
        if !new.is_empty() {
            self.0.driver.push(new).await?;
            self.0.news.notify_one();
        }
        Ok(ids)
    }

    /// From now on jobs are only taken down; the answer has them.
    pub(crate) fn take_down(&self) -> DispatchedJobs {
        self.0.taken_down.get_or_init(DispatchedJobs::default).clone()
    }

    /// The place where jobs wait.
    pub fn driver(&self) -> &Arc<dyn QueueDriver> {
        &self.0.driver
    }

    /// The jobs it knows.
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

    pub(crate) fn news(&self) -> &Notify {
        &self.0.news
    }

    fn queue_name(&self, queue: Option<&str>) -> String {
        queue.filter(|queue| !queue.is_empty()).unwrap_or(&self.0.default).to_owned()
    }

    fn new_job(&self, name: &str, payload: &Value, queue: String, delay: Duration) -> Result<NewJob> {
        if self.0.registry.find(name).is_none() {
            // A worker could do nothing but give it up; better to hear it here.
            return Err(Error::internal(format!(
                "the job `{name}` is not known to this app: add `job::<…>()` for it to `.jobs([…])`"
            )));
        }
        let payload = self.0.codec.encode(name, &serde_json::to_vec(payload)?)?;
        Ok(NewJob { id: JobId::new(&self.0.clock), queue, name: name.to_owned(), payload, delay })
    }
}

impl fmt::Debug for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Queue")
            .field("driver", &self.0.driver)
            .field("jobs", &self.0.registry)
            .finish_non_exhaustive()
    }
}
