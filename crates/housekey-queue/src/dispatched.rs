use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use housekey_core::Clock;
use serde_json::Value;

use crate::JobId;
use crate::driver::UniqueLock;
use crate::locks_in_memory::LocksInMemory;

/// A job that a [`FakeQueue`](crate::FakeQueue) took down.
#[derive(Clone, Debug, PartialEq)]
pub struct DispatchedJob {
    /// What it is called in the registry.
    pub name: String,
    /// What it carries.
    pub payload: Value,
    /// Where it would wait.
    pub queue: String,
    /// How long it would wait at least.
    pub delay: Duration,
    /// The jobs that would follow it, if it is the first of a [`chain`](crate::chain()).
    pub chain: Vec<DispatchedJob>,
}

/// The jobs that a queue only takes down, in order. Clones see the same jobs.
#[derive(Clone, Debug, Default)]
pub(crate) struct DispatchedJobs {
    jobs: Arc<Mutex<Vec<DispatchedJob>>>,
    locks: LocksInMemory,
}

impl DispatchedJobs {
    /// A unique job is taken down once while its time lasts: nobody does it, so nothing else ends that.
    pub(crate) fn add(&self, job: DispatchedJob, unique: Option<&UniqueLock>, clock: &Clock) -> JobId {
        let id = JobId::new(clock);
        if let Err(holder) = self.locks.take(unique, &id, clock) {
            return holder;
        }
        self.lock().push(job);
        id
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Vec<DispatchedJob>> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
