//! Jobs that follow each other.

mod dispatch;
mod remaining;

pub(crate) use remaining::{Followers, Link, RemainingJobs};

use housekey_core::Result;

use crate::any_job::{AnyJob, IntoJobs};
use crate::{Job, JobId, ambient};

/// Jobs of which each is queued when the one before it has succeeded, and not sooner.
///
/// ```
/// # use housekey_core::Result;
/// # use housekey_queue::{Job, JobRegistry, Queue, chain, job};
/// # use serde::{Deserialize, Serialize};
/// # macro_rules! jobs { ($($kind:ident $name:literal)*) => { $(
/// #     #[derive(Serialize, Deserialize)] struct $kind { order: i64 }
/// #     impl Job for $kind {
/// #         const NAME: &'static str = $name;
/// #         async fn handle(self) -> Result<()> { Ok(()) }
/// #     }
/// # )* } }
/// # jobs! { ChargeCard "charge-card" PackOrder "pack-order" SendInvoice "send-invoice" TellSupport "tell-support" }
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<()> {
/// # let queue = Queue::sync(JobRegistry::from_iter([job::<ChargeCard>(), job::<PackOrder>(), job::<SendInvoice>(), job::<TellSupport>()]));
/// # let order = 7;
/// let steps = chain((ChargeCard { order }, PackOrder { order }, SendInvoice { order }));
/// queue.dispatch_chain(steps.catch(TellSupport { order })).await?;
/// # Ok(()) }
/// ```
///
/// Inside an application [`Chain::dispatch`] hands it to the application's queue.
///
/// The next job is put into the store in the same step that takes the one before it out: it is queued once, whoever is
/// killed when. One that fails for good stops the chain. It is kept with the failed jobs, says which jobs are not started,
/// and goes on with them when it is retried.
pub fn chain(jobs: impl IntoJobs) -> Chain {
    Chain { jobs: jobs.into_jobs(), catch: None }
}

/// Jobs that follow each other, from [`chain`].
#[derive(Debug)]
#[must_use = "a chain does nothing before it is dispatched"]
pub struct Chain {
    pub(crate) jobs: Vec<AnyJob>,
    pub(crate) catch: Option<AnyJob>,
}

impl Chain {
    pub fn and(mut self, job: impl Job) -> Self {
        self.jobs.push(job.into());
        self
    }

    /// The job that is queued whenever the chain stops because one of its jobs has failed for good.
    pub fn catch(mut self, job: impl Job) -> Self {
        self.catch = Some(job.into());
        self
    }

    /// Hands the first job to the application's queue, with all the others behind it.
    pub async fn dispatch(self) -> Result<JobId> {
        ambient::queue()?.dispatch_chain(self).await
    }
}
