use std::time::Duration;

use housekey_cache::LockGuard;
use housekey_core::{Clock, Result};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::store::RunStore;

/// Says again and again that a run is still going on, until it is ended or dropped.
pub(super) struct LeaseRenewal {
    ended: oneshot::Sender<()>,
    renewing: JoinHandle<Option<LockGuard>>,
}

impl LeaseRenewal {
    pub(super) fn start(
        store: &RunStore,
        clock: &Clock,
        task: &str,
        owner: &str,
        lock: Option<LockGuard>,
        lease: Duration,
    ) -> Self {
        let (ended, end) = oneshot::channel();
        let (store, clock) = (store.clone(), clock.clone());
        let (task, owner) = (task.to_owned(), owner.to_owned());
        let renewing = tokio::spawn(async move {
            let again_and_again = async {
                loop {
                    sleep(lease / 3).await;
                    if let Err(error) = renew(&store, &clock, &task, &owner, lease).await {
                        tracing::warn!(task, %error, "the lease of a scheduled task could not be renewed");
                    }
                    if let Some(lock) = &lock {
                        match lock.extend().await {
                            Ok(true) => {}
                            Ok(false) => tracing::warn!(
                                task,
                                "the lock of a scheduled task had run out; it may overlap"
                            ),
                            Err(error) => {
                                tracing::warn!(task, %error, "the lock of a scheduled task could not be renewed");
                            }
                        }
                    }
                }
            };
            tokio::select! {
                _ = again_and_again => {}
                _ = end => {}
            }
            lock
        });
        Self { ended, renewing }
    }

    /// Ends the renewal and gives the lock back to who gave it.
    pub(super) async fn end(self) -> Option<LockGuard> {
        drop(self.ended);
        self.renewing.await.ok().flatten()
    }
}

/// Not for a run whose record is another's by now: the next time has come while it runs.
async fn renew(store: &RunStore, clock: &Clock, task: &str, owner: &str, lease: Duration) -> Result<()> {
    let lease = i64::try_from(lease.as_millis()).unwrap_or(i64::MAX);
    while let Some(found) = store.load(task).await?.filter(|found| found.record.is_of(owner)) {
        let renewed = found.record.renewed(clock.unix_millis().saturating_add(lease));
        if store.swap(task, &found, &renewed).await? {
            break;
        }
    }
    Ok(())
}
