use std::sync::Arc;
use std::time::Duration;

use tokio::task::JoinHandle;
use tokio::time::sleep;

use crate::driver::{QueueDriver, ReservedJob};

/// Renews the loan of a job while it runs, in a task of its own: a job that forgets to wait cannot keep it from that.
pub(super) struct LeaseRenewal(JoinHandle<()>);

impl LeaseRenewal {
    pub(super) fn start(driver: Arc<dyn QueueDriver>, job: ReservedJob, lease: Duration) -> Self {
        Self(tokio::spawn(async move {
            loop {
                // Two renewals may fail before the third comes too late.
                sleep(lease / 3).await;
                match driver.extend(&job, lease).await {
                    Ok(true) => {}
                    Ok(false) => {
                        tracing::warn!(job = job.name, id = %job.id, "the loan has run out while the job was running");
                        return;
                    }
                    Err(error) => {
                        tracing::warn!(job = job.name, id = %job.id, %error, "the loan could not be renewed");
                    }
                }
            }
        }))
    }

    pub(super) fn end(self) {
        drop(self);
    }
}

impl Drop for LeaseRenewal {
    fn drop(&mut self) {
        self.0.abort();
    }
}
