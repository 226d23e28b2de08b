use std::sync::Arc;

use housekey_core::Scope;
use time::OffsetDateTime;
use tokio::sync::watch;

/// What a running closure can know about its run.
#[derive(Clone, Debug)]
pub struct TaskRun {
    /// The task's name.
    pub task: String,
    /// The time of the schedule it runs for, which may be past: see [`Task::catch_up`](crate::Task::catch_up).
    pub time: OffsetDateTime,
    /// Which attempt for this time it is, counted from 1.
    pub attempt: u32,
    pub(crate) stopping: watch::Receiver<bool>,
}

impl TaskRun {
    /// Whether the process was asked to stop. A long task then ends where it can go on another time.
    pub fn is_stopping(&self) -> bool {
        *self.stopping.borrow()
    }

    /// Waits until the process is asked to stop.
    pub async fn stopping(&self) {
        let mut stopping = self.stopping.clone();
        if stopping.wait_for(|stopping| *stopping).await.is_err() {
            // The scheduler is gone without a word; nobody will ask any more.
            std::future::pending::<()>().await;
        }
    }
}

/// The run that is going on here; nothing outside a scheduled closure.
///
/// ```
/// use housekey_core::Result;
/// use housekey_schedule::task_run;
///
/// async fn import() -> Result<()> {
///     for _page in 0..1000 {
///         if task_run().is_some_and(|run| run.is_stopping()) {
///             break;
///         }
///         // …
///     }
///     Ok(())
/// }
/// # drop(import());
/// ```
pub fn task_run() -> Option<Arc<TaskRun>> {
    Scope::read(|scope| scope.get::<TaskRun>()).flatten()
}
