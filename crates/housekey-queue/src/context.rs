use std::sync::Arc;

use housekey_core::Scope;

use crate::{BatchId, JobId};

/// What a running job can know about itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct JobContext {
    pub id: JobId,
    /// What it is called in the registry.
    pub name: String,
    pub queue: String,
    /// Which attempt this is, counted from 1.
    pub attempt: u32,
    /// The batch it belongs to. A long job can ask [`Queue::batch`](crate::Queue::batch) now and then whether that was
    /// cancelled.
    pub batch: Option<BatchId>,
}

/// The job that is running here; nothing outside a job.
///
/// ```
/// use housekey_queue::job_context;
///
/// let is_last_chance = job_context().is_some_and(|job| job.attempt == 4);
/// # assert!(!is_last_chance);
/// ```
pub fn job_context() -> Option<Arc<JobContext>> {
    Scope::read(|scope| scope.get::<JobContext>()).flatten()
}
