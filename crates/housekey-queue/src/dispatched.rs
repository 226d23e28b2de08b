use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use serde_json::Value;

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
}

/// The jobs that a queue only takes down, in order. Clones see the same jobs.
#[derive(Clone, Debug, Default)]
pub(crate) struct DispatchedJobs(Arc<Mutex<Vec<DispatchedJob>>>);

impl DispatchedJobs {
    pub(crate) fn add(&self, job: DispatchedJob) {
        self.lock().push(job);
    }

    pub(crate) fn lock(&self) -> MutexGuard<'_, Vec<DispatchedJob>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
