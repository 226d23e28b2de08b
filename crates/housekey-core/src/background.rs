use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

use tokio::sync::watch;
use tokio::task::AbortHandle;
use tokio::time::timeout;
use tracing::Instrument;

use crate::spawn;

/// Work that no answer waits for, and that a process finishes before it ends: account mail, first of all. Every application
/// has one among its services. Cheap to clone.
///
/// A task keeps the scope it was begun in, so it speaks the language of its request. What it may not lose when the process is
/// killed belongs into the queue.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() {
/// use std::time::Duration;
/// use housekey_core::Background;
///
/// let background = Background::default();
/// background.spawn("a letter", async { /* talks to a mail server */ });
/// assert_eq!(background.under_way(), ["a letter"]);
///
/// background.finish(Duration::from_secs(20)).await;
/// assert!(background.under_way().is_empty());
/// # }
/// ```
#[derive(Clone, Default)]
pub struct Background(watch::Sender<Tasks>);

#[derive(Default)]
struct Tasks {
    begun: u64,
    under_way: BTreeMap<u64, Task>,
}

struct Task {
    what: String,
    abort: Option<AbortHandle>,
}

impl Background {
    /// Begins a task. `what` is how the log calls it if the process ends first: no secret stands in it.
    pub fn spawn(&self, what: impl Into<String>, task: impl Future<Output = ()> + Send + 'static) {
        let guard = self.enter(what.into());
        let id = guard.id;
        let task = async move {
            // Held until the task is over, in whatever way: a panic drops it too.
            let _guard = guard;
            task.await;
        };
        let abort = spawn(task.in_current_span()).abort_handle();
        self.0.send_modify(|tasks| {
            // It may be over already.
            if let Some(task) = tasks.under_way.get_mut(&id) {
                task.abort = Some(abort);
            }
        });
    }

    /// What has not ended yet, oldest first.
    pub fn under_way(&self) -> Vec<String> {
        self.0.borrow().under_way.values().map(|task| task.what.clone()).collect()
    }

    /// Waits until nothing is under way.
    pub async fn idle(&self) {
        // The sender is ours, so this ends only when there is nothing left.
        let _ = self.0.subscribe().wait_for(|tasks| tasks.under_way.is_empty()).await;
    }

    /// Waits until nothing is under way, for so long at most, and gives up what is left then. For the end of a process.
    pub async fn finish(&self, grace: Duration) {
        if timeout(grace, self.idle()).await.is_err() {
            self.give_up();
        }
    }

    /// Ends what is under way, because the process ends now, and says in the log what it was.
    pub fn give_up(&self) {
        let mut left = BTreeMap::new();
        self.0.send_modify(|tasks| left = std::mem::take(&mut tasks.under_way));
        for Task { what, abort } in left.into_values() {
            tracing::error!(what, "was not done before the process ended, and is lost");
            if let Some(abort) = abort {
                abort.abort();
            }
        }
    }

    fn enter(&self, what: String) -> TaskGuard {
        let mut id = 0;
        self.0.send_modify(|tasks| {
            tasks.begun += 1;
            id = tasks.begun;
            tasks.under_way.insert(id, Task { what, abort: None });
        });
        TaskGuard { tasks: self.0.clone(), id }
    }
}

/// Takes a task off the list when it is over.
struct TaskGuard {
    tasks: watch::Sender<Tasks>,
    id: u64,
}

impl Drop for TaskGuard {
    fn drop(&mut self) {
        self.tasks.send_modify(|tasks| drop(tasks.under_way.remove(&self.id)));
    }
}

impl fmt::Debug for Background {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Background").field(&self.under_way()).finish()
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use tokio::sync::oneshot;

    use super::*;
    use crate::{Scope, Services};

    #[tokio::test]
    async fn a_task_outlives_who_began_it_and_keeps_the_scope() {
        let background = Background::default();
        let (say, said) = oneshot::channel();
        let task = async move {
            let _ = say.send(Scope::read(|scope| scope.get::<u32>()).flatten());
        };
        let scope = Scope::with(Services::default(), Arc::new(7_u32));
        scope.run(|| background.spawn("a number", task));
        assert_eq!(said.await.unwrap().as_deref(), Some(&7));
        background.idle().await;
    }

    #[tokio::test]
    async fn one_that_panics_is_over() {
        let background = Background::default();
        background.spawn("a fall", async { panic!("boom") });
        background.idle().await;
        assert!(background.under_way().is_empty());
    }

    #[tokio::test]
    async fn the_end_of_a_process_waits_and_gives_up_what_takes_too_long() {
        let background = Background::default();
        let (open, opened) = oneshot::channel::<()>();
        background.spawn("a letter", async move { drop(opened.await) });
        let ending = tokio::spawn({
            let background = background.clone();
            async move { background.finish(Duration::from_secs(3600)).await }
        });
        tokio::task::yield_now().await;
        assert!(!ending.is_finished());
        open.send(()).unwrap();
        ending.await.unwrap();

        background.spawn("for ever", std::future::pending());
        background.finish(Duration::ZERO).await;
        assert!(background.under_way().is_empty(), "nobody waits for it a second time");
    }
}
