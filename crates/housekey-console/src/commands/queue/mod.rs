//! `queue:*`: the worker, and a look at what it has to do and what it gave up.

mod clear;
mod failed;
mod flush;
mod retry;
mod size;
mod work;

pub(super) use clear::QueueClear;
pub(super) use failed::QueueFailed;
pub(super) use flush::QueueFlush;
pub(super) use retry::QueueRetry;
pub(super) use size::QueueSize;
pub(super) use work::QueueWork;

use std::sync::Arc;

use housekey_core::Result;
use housekey_queue::{FailedJobFilter, JobId, Queue};

use crate::{CommandContext, Problem};

/// The app's queue, if jobs wait in it.
fn queue(context: &CommandContext) -> Result<Arc<Queue>> {
    let queue = context.services()?.require::<Queue>()?;
    if queue.driver().keeps_jobs() {
        return Ok(queue);
    }
    let driver = queue.driver().name();
    Err(Problem::new(format!("no job ever waits here: the queue driver is `{driver}`"))
        .remedy("Set QUEUE_DRIVER (`driver` in config/queue.rs) to `database` or `redis`.")
        .into())
}

/// The ids that were typed; every job when none was.
fn which(context: &CommandContext) -> FailedJobFilter {
    let ids: Vec<JobId> = context
        .args()
        .try_get_many::<String>("id")
        .ok()
        .flatten()
        .into_iter()
        .flatten()
        .map(|id| JobId::from(id.as_str()))
        .collect();
    if ids.is_empty() { FailedJobFilter::All } else { FailedJobFilter::These(ids) }
}

fn jobs(count: u64) -> String {
    if count == 1 { "1 job".to_owned() } else { format!("{count} jobs") }
}
