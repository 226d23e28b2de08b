//! Workers: take jobs, do them, say what became of them.

mod lease_renewal;
mod process;

use std::future::{Future, pending};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use housekey_core::{Error, Result, Services, StopSignals};
use tokio::sync::watch;
use tokio::task::JoinSet;
use tokio::time::sleep;

use crate::driver::ReservedJob;
use crate::{Queue, QueueConfig};
use process::Ended;

/// Does the jobs of a queue, several at a time.
///
/// ```no_run
/// # async fn example(queue: housekey_queue::Queue, services: housekey_core::Services) -> housekey_core::Result<()> {
/// use housekey_queue::Worker;
///
/// let report = Worker::new(queue, services).queues(["urgent", "default"]).concurrency(8).run().await?;
/// println!("{} jobs done", report.done);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Worker {
    queue: Queue,
    services: Services,
    queues: Vec<String>,
    every_queue: bool,
    concurrency: usize,
    poll: Duration,
    lease: Duration,
    grace: Duration,
    stop_when_empty: bool,
    max_jobs: Option<u64>,
}

/// Counts what became of the jobs that a [`Worker`] took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WorkerReport {
    pub done: u64,
    /// Attempts that failed and will be made again.
    pub retried: u64,
    /// Jobs that were given up.
    pub failed: u64,
    /// Times that a job had to wait because too many of its kind had begun.
    pub postponed: u64,
    /// Jobs that were left out because their batch was cancelled.
    pub skipped: u64,
    /// Jobs that went back unfinished because the worker had to stop.
    pub returned: u64,
}

/// How long a worker waits at most before it asks a store again that did not answer.
const LONGEST_TROUBLE: Duration = Duration::from_secs(30);

impl Worker {
    /// A worker that gives its jobs these services.
    pub fn new(queue: Queue, services: Services) -> Self {
        let config = QueueConfig::default();
        Self { queues: vec![queue.default_queue().to_owned()], queue, services, ..Self::settings(&config) }
    }

    /// A worker with the settings of `config/queue.rs`.
    pub fn from_config(queue: Queue, services: Services, config: &QueueConfig) -> Self {
        Self { queues: vec![queue.default_queue().to_owned()], queue, services, ..Self::settings(config) }
    }

    fn settings(config: &QueueConfig) -> Self {
        Self {
            queue: Queue::sync(crate::JobRegistry::default()),
            services: Services::default(),
            queues: Vec::new(),
            every_queue: false,
            concurrency: config.concurrency.max(1),
            poll: Duration::from_millis(config.poll.max(1)),
            lease: Duration::from_secs(config.lease.max(1)),
            grace: Duration::from_secs(config.grace),
            stop_when_empty: false,
            max_jobs: None,
        }
    }

    /// The queues it takes jobs from. One is only looked into when those before it have nothing to do.
    #[must_use]
    pub fn queues<Q: Into<String>>(mut self, queues: impl IntoIterator<Item = Q>) -> Self {
        self.queues = queues.into_iter().map(Into::into).collect();
        self
    }

    /// Takes jobs from every other queue too, when its own have nothing to do.
    #[must_use]
    pub fn every_queue(mut self) -> Self {
        self.every_queue = true;
        self
    }

    /// How many jobs it does at the same time.
    #[must_use]
    pub fn concurrency(mut self, jobs: usize) -> Self {
        self.concurrency = jobs.max(1);
        self
    }

    /// How often it looks into an empty store. Jobs dispatched by its own process wake it at once.
    #[must_use]
    pub fn poll(mut self, every: Duration) -> Self {
        self.poll = every;
        self
    }

    /// How long a job is borrowed for at a time. It is renewed while the job runs; after a worker was killed, its jobs
    /// wait this long for the next one.
    #[must_use]
    pub fn lease(mut self, lease: Duration) -> Self {
        self.lease = lease;
        self
    }

    /// How long jobs in hand get to finish when the worker is asked to stop. Those that need longer go back to wait for
    /// another worker, and the attempt does not count.
    #[must_use]
    pub fn grace(mut self, grace: Duration) -> Self {
        self.grace = grace;
        self
    }

    /// Ends when nothing is due any more.
    #[must_use]
    pub fn stop_when_empty(mut self) -> Self {
        self.stop_when_empty = true;
        self
    }

    /// Ends after so many jobs: for whoever starts it anew, to give back memory.
    #[must_use]
    pub fn max_jobs(mut self, jobs: u64) -> Self {
        self.max_jobs = Some(jobs);
        self
    }

    /// Works until the process is told to stop (SIGTERM, SIGINT), then finishes the jobs in hand. A second signal sends
    /// them back at once.
    pub async fn run(&self) -> Result<WorkerReport> {
        let signals = Arc::new(tokio::sync::Mutex::new(StopSignals::listen()?));
        let next = || {
            let signals = signals.clone();
            async move {
                let signal = signals.lock().await.next().await;
                tracing::info!(signal, "the worker was asked to stop");
            }
        };
        self.work(next(), next()).await
    }

    /// Works until `stop` is ready, then finishes the jobs in hand.
    pub async fn run_until(&self, stop: impl Future<Output = ()>) -> Result<WorkerReport> {
        self.work(stop, pending()).await
    }

    /// Works until `stop`; what is in hand then goes back when the grace is over, or when `hurry` is ready.
    async fn work(
        &self,
        stop: impl Future<Output = ()>,
        hurry: impl Future<Output = ()>,
    ) -> Result<WorkerReport> {
        self.check().await?;
        let (now_or_never, hurried) = watch::channel(false);
        let mut running =
            RunningJobs { jobs: JoinSet::new(), hurried, report: WorkerReport::default(), taken: 0 };
        let mut stop = pin!(stop);
        let mut trouble = Duration::ZERO;
        loop {
            // Not raced against `stop`: a job could be borrowed by then, and nobody would know.
            let found = self.start_due_jobs(&mut running).await;
            let is_idle = matches!(found, Ok(false));
            match found {
                Ok(_) => trouble = Duration::ZERO,
                Err(error) => {
                    trouble = (trouble * 2).clamp(self.poll, LONGEST_TROUBLE.max(self.poll));
                    tracing::error!(%error, "the worker cannot get at its jobs; it tries again");
                }
            }
            let is_over = self.max_jobs.is_some_and(|most| running.taken >= most);
            if running.jobs.is_empty() && (is_over || (self.stop_when_empty && is_idle)) {
                break;
            }
            let has_room = running.jobs.len() < self.concurrency && !is_over;
            tokio::select! {
                biased;
                () = &mut stop => break,
                Some(ended) = running.jobs.join_next() => running.report.count(ended.unwrap_or(Ended::Lost)),
                () = self.queue.news().notified(), if has_room && trouble.is_zero() => {}
                () = sleep(self.poll.max(trouble)), if has_room => {}
            }
        }
        let mut hurry = pin!(hurry);
        let mut grace = pin!(sleep(self.grace));
        let mut in_grace = true;
        while !running.jobs.is_empty() {
            tokio::select! {
                Some(ended) = running.jobs.join_next() => running.report.count(ended.unwrap_or(Ended::Lost)),
                () = &mut grace, if in_grace => { in_grace = false; let _ = now_or_never.send(true); }
                () = &mut hurry, if in_grace => { in_grace = false; let _ = now_or_never.send(true); }
            }
        }
        Ok(running.report)
    }

    /// A store that is not there, or a queue that needs no worker, is said at once and not discovered by waiting.
    async fn check(&self) -> Result<()> {
        let driver = self.queue.driver();
        if !driver.keeps_jobs() {
            return Err(Error::internal(format!(
                "there is nothing to work on: the queue driver is `{}`, which does jobs where they are dispatched; set \
                 `driver` in config/queue.rs (QUEUE_DRIVER) to `database` or `redis`",
                driver.name()
            )));
        }
        for queue in &self.queues {
            driver.size(queue).await?;
        }
        Ok(())
    }

    /// Takes jobs until as many run as may (`true`) or nothing is due (`false`).
    async fn start_due_jobs(&self, running: &mut RunningJobs) -> Result<bool> {
        while running.jobs.len() < self.concurrency && self.max_jobs.is_none_or(|most| running.taken < most) {
            let Some(job) = self.next().await? else { return Ok(false) };
            running.taken += 1;
            running.jobs.spawn(process::process(
                self.queue.clone(),
                self.services.clone(),
                job,
                self.lease,
                running.hurried.clone(),
            ));
        }
        Ok(true)
    }

    async fn next(&self) -> Result<Option<ReservedJob>> {
        if let Some(job) = self.next_of(&self.queues).await? {
            return Ok(Some(job));
        }
        if !self.every_queue {
            return Ok(None);
        }
        self.next_of(&self.queue.driver().queues().await?).await
    }

    async fn next_of(&self, queues: &[String]) -> Result<Option<ReservedJob>> {
        for queue in queues {
            if let Some(job) = self.queue.driver().reserve(queue, self.lease).await? {
                return Ok(Some(job));
            }
        }
        Ok(None)
    }
}

/// The jobs in hand.
struct RunningJobs {
    jobs: JoinSet<Ended>,
    hurried: watch::Receiver<bool>,
    report: WorkerReport,
    taken: u64,
}

impl WorkerReport {
    fn count(&mut self, ended: Ended) {
        match ended {
            Ended::Done => self.done += 1,
            Ended::Retried => self.retried += 1,
            Ended::Failed => self.failed += 1,
            Ended::Postponed => self.postponed += 1,
            Ended::Skipped => self.skipped += 1,
            Ended::Returned => self.returned += 1,
            Ended::Lost => {}
        }
    }
}
