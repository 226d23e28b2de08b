use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use housekey_core::{Error, Result, Scope};
use time::OffsetDateTime;
use tokio::time::timeout;

use super::{Endings, Parts};
use crate::TaskRun;
use crate::task::PlannedTask;
use crate::work::Kind;

impl Parts {
    /// Does the work of a task, once: hands the job over, or runs the closure in a scope of its own.
    pub(super) async fn perform(
        &self,
        task: &PlannedTask,
        time: i64,
        attempt: u32,
        ends: &Endings,
    ) -> Result<()> {
        let Kind::Closure(closure) = &task.work.0 else { return self.dispatch(task).await };
        let at = OffsetDateTime::from_unix_timestamp_nanos(i128::from(time) * 1_000_000);
        let run = TaskRun {
            task: task.name.clone(),
            time: at.unwrap_or(OffsetDateTime::UNIX_EPOCH),
            attempt,
            stopping: ends.stopping.clone(),
        };
        let work = async { closure().await };
        let scope = Scope::with(self.services.clone(), Arc::new(run));
        let work = scope.enter(AssertUnwindSafe(work).catch_unwind());
        let outcome = match task.timeout {
            Some(time_limit) => timeout(time_limit, work)
                .await
                .map_err(|_| Error::internal(format!("it took longer than its timeout of {time_limit:?}")))?,
            None => work.await,
        };
        outcome.unwrap_or_else(|panic| Err(Error::internal(format!("it panicked: {}", words(&*panic)))))
    }

    /// Hands the job of a task to the queue.
    pub(super) async fn dispatch(&self, task: &PlannedTask) -> Result<()> {
        let Kind::Job { kind, payload, queue: name } = &task.work.0 else { return Ok(()) };
        let queue = self.queue.as_ref().ok_or_else(|| {
            Error::internal(format!(
                "the job `{}` is scheduled, and the app has no queue: add the queue provider",
                kind.name()
            ))
        })?;
        let pushed = queue.push(kind.name(), payload.clone(), Some(name), Duration::ZERO);
        // A queue that does jobs at once does it here, where the app's services must be found.
        Scope::new(self.services.clone()).enter(pushed).await.map(drop)
    }
}

fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a word")
}
