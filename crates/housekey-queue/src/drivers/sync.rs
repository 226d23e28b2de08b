use std::time::Duration;

use housekey_core::{Clock, Result, Scope, Services};

use crate::batch::BatchesInMemory;
use crate::chain::Followers;
use crate::driver::{
    DriverFuture, FailedJob, FailedJobFilter, NewBatch, NewJob, QueueDriver, QueueSize, QueuedJob,
    ReservedJob,
};
use crate::locks_in_memory::LocksInMemory;
use crate::payload_codec::PayloadCodec;
use crate::registry::JobRegistry;
use crate::{BatchId, BatchStatus, JobId, runner};

/// Does every job at once, where it is dispatched: what an app without a worker has.
///
/// Whoever dispatches waits for the job and gets its error; there is no second try and no delay. A job still goes
/// through its written form, so what works here works with a store. Unique jobs are unique in this process: a second one
/// is not started while the first runs, and other processes do not know of it. A batch is done one job after the other
/// where it is dispatched; what fails in it is counted, logged and told to its `catch`, and does not come back as an error.
/// Rate limits are not looked at: there is nowhere to wait.
#[derive(Debug)]
pub struct SyncDriver {
    registry: JobRegistry,
    codec: PayloadCodec,
    clock: Clock,
    locks: LocksInMemory,
    batches: BatchesInMemory,
}

impl SyncDriver {
    pub(crate) fn new(registry: JobRegistry, codec: PayloadCodec, clock: Clock) -> Self {
        let (locks, batches) = (LocksInMemory::default(), BatchesInMemory::default());
        Self { registry, codec, clock, locks, batches }
    }
}

impl SyncDriver {
    /// Does a job and all that follow it.
    async fn run(&self, first: NewJob, services: Services) -> Result<JobId> {
        let id = first.id.clone();
        let mut job = first;
        loop {
            let followers = Followers::of(&job.id, job.chain.as_deref(), &self.codec, &self.clock)?;
            if let Err(error) = self.run_one(job, services.clone()).await {
                let stopped = followers.not_started();
                if let Some(catch) = followers.catch
                    && let Err(error) = self.run_one(catch, services).await
                {
                    tracing::error!(%error, "the job that was to tell of a chain that stopped has failed");
                }
                return Err(match stopped {
                    Some(stopped) => error.context(stopped),
                    None => error,
                });
            }
            match followers.next {
                Some(next) => job = next,
                None => return Ok(id),
            }
        }
    }

    async fn run_batch(&self, batch: NewBatch, jobs: Vec<NewJob>, services: Services) {
        let NewBatch { id, name, allows_failures, then, mut catch, finally } = batch;
        self.batches.add(BatchStatus {
            id: id.clone(),
            name,
            total: jobs.len() as u64,
            done: 0,
            failed: 0,
            skipped: 0,
            is_cancelled: false,
            created_at: self.clock.now(),
            finished_at: None,
        });
        let mut has_succeeded = true;
        for job in jobs {
            if self.batches.find(&id).is_some_and(|status| status.is_cancelled) {
                has_succeeded = false;
                self.batches.change(&id, |status| status.skipped += 1);
                continue;
            }
            match self.run_one(job, services.clone()).await {
                Ok(()) => self.batches.change(&id, |status| status.done += 1),
                Err(error) => {
                    tracing::error!(batch = %id, %error, "a job of a batch failed");
                    has_succeeded = false;
                    self.batches.change(&id, |status| {
                        status.failed += 1;
                        status.is_cancelled |= !allows_failures;
                    });
                    self.run_for_batch(&id, catch.take(), services.clone()).await;
                }
            }
        }
        let now = self.clock.now();
        self.batches.change(&id, |status| status.finished_at = Some(now));
        self.run_for_batch(&id, then.filter(|_| has_succeeded), services.clone()).await;
        self.run_for_batch(&id, finally, services).await;
    }

    async fn run_for_batch(&self, id: &BatchId, job: Option<NewJob>, services: Services) {
        if let Some(job) = job
            && let Err(error) = self.run_one(job, services).await
        {
            tracing::error!(batch = %id, %error, "a job that a batch asked for failed");
        }
    }

    async fn run_one(&self, job: NewJob, services: Services) -> Result<()> {
        let NewJob { id, queue, name, payload, unique, chain, batch, .. } = job;
        let lease = String::new();
        let job = ReservedJob { id, queue, name, payload, attempt: 1, lease, unique, chain, batch };
        // Also when whoever dispatched it goes away in the middle.
        let _held = Held { locks: &self.locks, job: &job };
        let outcome = match runner::read(&job, &self.registry, &self.codec) {
            Ok(readable) => runner::run(&job, readable, services).await,
            Err(failure) => Err(failure),
        };
        outcome.map_err(|failure| failure.error.context(format!("doing the job `{}`", job.name)))
    }
}

struct Held<'a> {
    locks: &'a LocksInMemory,
    job: &'a ReservedJob,
}

impl Drop for Held<'_> {
    fn drop(&mut self) {
        self.locks.give_back(self.job.unique.as_ref(), &self.job.id);
    }
}

impl QueueDriver for SyncDriver {
    fn name(&self) -> &'static str {
        "sync"
    }

    fn keeps_jobs(&self) -> bool {
        false
    }

    /// In the caller's own task, so that a job inside a transaction sees what the transaction has done so far.
    fn push(&self, jobs: Vec<NewJob>) -> DriverFuture<'_, Vec<JobId>> {
        Box::pin(async move {
            let services = Scope::read(|scope| scope.services().clone()).unwrap_or_default();
            let mut ids = Vec::new();
            for job in jobs {
                let id = match self.locks.take(job.unique.as_ref(), &job.id, &self.clock) {
                    Ok(()) => self.run(job, services.clone()).await?,
                    Err(holder) => holder,
                };
                ids.push(id);
            }
            Ok(ids)
        })
    }

    fn reserve<'a>(&'a self, _: &'a str, _: Duration) -> DriverFuture<'a, Option<ReservedJob>> {
        Box::pin(async { Ok(None) })
    }

    fn extend<'a>(&'a self, _: &'a ReservedJob, _: Duration) -> DriverFuture<'a, bool> {
        Box::pin(async { Ok(false) })
    }

    fn complete<'a>(&'a self, _: &'a ReservedJob, _: &'a [NewJob]) -> DriverFuture<'a, bool> {
        Box::pin(async { Ok(false) })
    }

    fn release<'a>(&'a self, _: &'a ReservedJob, _: Duration, _: u32) -> DriverFuture<'a, bool> {
        Box::pin(async { Ok(false) })
    }

    fn fail<'a>(&'a self, _: &'a ReservedJob, _: &'a str, _: &'a [NewJob]) -> DriverFuture<'a, bool> {
        Box::pin(async { Ok(false) })
    }

    fn skip<'a>(&'a self, _: &'a ReservedJob) -> DriverFuture<'a, bool> {
        Box::pin(async { Ok(false) })
    }

    fn start_batch(&self, batch: NewBatch, jobs: Vec<NewJob>) -> DriverFuture<'_, ()> {
        Box::pin(async move {
            let services = Scope::read(|scope| scope.services().clone()).unwrap_or_default();
            self.run_batch(batch, jobs, services).await;
            Ok(())
        })
    }

    fn batch<'a>(&'a self, id: &'a BatchId) -> DriverFuture<'a, Option<BatchStatus>> {
        Box::pin(async move { Ok(self.batches.find(id)) })
    }

    fn batches(&self, limit: u64) -> DriverFuture<'_, Vec<BatchStatus>> {
        Box::pin(async move { Ok(self.batches.newest(limit)) })
    }

    fn cancel_batch<'a>(&'a self, id: &'a BatchId) -> DriverFuture<'a, bool> {
        Box::pin(async move { Ok(self.batches.cancel(id)) })
    }

    fn size<'a>(&'a self, _: &'a str) -> DriverFuture<'a, QueueSize> {
        Box::pin(async { Ok(QueueSize::default()) })
    }

    fn jobs(&self, _: u64) -> DriverFuture<'_, Vec<QueuedJob>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn queues(&self) -> DriverFuture<'_, Vec<String>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn clear<'a>(&'a self, _: &'a str) -> DriverFuture<'a, u64> {
        Box::pin(async { Ok(0) })
    }

    fn failed(&self, _: u64) -> DriverFuture<'_, Vec<FailedJob>> {
        Box::pin(async { Ok(Vec::new()) })
    }

    fn retry<'a>(&'a self, _: &'a FailedJobFilter) -> DriverFuture<'a, u64> {
        Box::pin(async { Ok(0) })
    }

    fn flush<'a>(&'a self, _: &'a FailedJobFilter) -> DriverFuture<'a, u64> {
        Box::pin(async { Ok(0) })
    }
}
