use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use housekey_core::Clock;
use serde_json::Value;

use crate::batch::BatchesInMemory;
use crate::chain::Link;
use crate::driver::UniqueLock;
use crate::locks_in_memory::LocksInMemory;
use crate::{BatchId, BatchStatus, JobId};

/// A job that a [`FakeQueue`](crate::FakeQueue) recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct DispatchedJob {
    /// What it is called in the registry.
    pub name: String,
    pub payload: Value,
    pub queue: String,
    /// How long it would wait at least.
    pub delay: Duration,
    /// The jobs that would follow it, if it is the first of a [`chain`](crate::chain()).
    pub chain: Vec<DispatchedJob>,
}

impl From<Link> for DispatchedJob {
    fn from(link: Link) -> Self {
        let Link { name, queue, payload } = link;
        Self { name, payload, queue, delay: Duration::ZERO, chain: Vec::new() }
    }
}

/// A batch that a [`FakeQueue`](crate::FakeQueue) recorded.
#[derive(Clone, Debug, PartialEq)]
pub struct DispatchedBatch {
    pub id: BatchId,
    pub name: String,
    pub jobs: Vec<DispatchedJob>,
    /// What would be queued when all have succeeded.
    pub then: Option<DispatchedJob>,
    /// What would be queued when the first has failed.
    pub catch: Option<DispatchedJob>,
    /// What would be queued when all have ended.
    pub finally: Option<DispatchedJob>,
}

/// The jobs that a queue only records, in order. Clones see the same jobs.
#[derive(Clone, Debug, Default)]
pub(crate) struct DispatchedJobs {
    jobs: Arc<Mutex<Vec<DispatchedJob>>>,
    locks: LocksInMemory,
    batches: Arc<Mutex<Vec<DispatchedBatch>>>,
    statuses: BatchesInMemory,
}

impl DispatchedJobs {
    /// A unique job is recorded once while its time lasts: nobody does it, so nothing else ends that.
    pub(crate) fn add(&self, job: DispatchedJob, unique: Option<&UniqueLock>, clock: &Clock) -> JobId {
        let id = JobId::new(clock);
        if let Err(holder) = self.locks.take(unique, &id, clock) {
            return holder;
        }
        self.lock().push(job);
        id
    }

    /// Its jobs are recorded as well. Nobody does them: the batch stays as it began.
    pub(crate) fn add_batch(&self, batch: DispatchedBatch, clock: &Clock) {
        self.statuses.add(BatchStatus {
            id: batch.id.clone(),
            name: batch.name.clone(),
            total: batch.jobs.len() as u64,
            done: 0,
            failed: 0,
            skipped: 0,
            is_cancelled: false,
            created_at: clock.now(),
            finished_at: None,
        });
        self.lock().extend(batch.jobs.iter().cloned());
        self.batches().push(batch);
    }

    pub(crate) fn statuses(&self) -> &BatchesInMemory {
        &self.statuses
    }

    pub(crate) fn batches(&self) -> MutexGuard<'_, Vec<DispatchedBatch>> {
        self.batches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Vec<DispatchedJob>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
