//! Many jobs whose end is waited for together.

mod dispatch;
mod in_memory;
mod status;

pub(crate) use in_memory::BatchesInMemory;
pub use status::{BatchId, BatchStatus};

use housekey_core::Result;

use crate::any_job::{AnyJob, IntoJobs};
use crate::{Job, ambient};

/// Jobs that are done side by side, with others that begin when all have ended, or one has failed.
///
/// ```
/// # use housekey_core::Result;
/// # use housekey_queue::{Job, JobRegistry, Queue, batch, job};
/// # use serde::{Deserialize, Serialize};
/// # macro_rules! jobs { ($($kind:ident $name:literal)*) => { $(
/// #     #[derive(Serialize, Deserialize)] struct $kind { number: i64 }
/// #     impl Job for $kind {
/// #         const NAME: &'static str = $name;
/// #         async fn handle(self) -> Result<()> { Ok(()) }
/// #     }
/// # )* } }
/// # jobs! { ResizePhoto "resize-photo" PublishAlbum "publish-album" TellOwner "tell-owner" }
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<()> {
/// # let queue = Queue::sync(JobRegistry::from_iter([job::<ResizePhoto>(), job::<PublishAlbum>(), job::<TellOwner>()]));
/// # let (album, photos) = (7, [1, 2, 3]);
/// let id = queue
///     .dispatch_batch(
///         batch(photos.map(|number| ResizePhoto { number }))
///             .name("album 7")
///             .then(PublishAlbum { number: album })
///             .catch(TellOwner { number: album }),
///     )
///     .await?;
///
/// let status = queue.batch(&id).await?.expect("it was just begun");
/// println!("{} %", status.percent());
/// # assert_eq!((status.total, status.done, status.is_finished()), (3, 3, true));
/// # Ok(()) }
/// ```
///
/// Inside an application [`Batch::dispatch`] hands it to the application's queue.
pub fn batch(jobs: impl IntoJobs) -> Batch {
    let jobs = jobs.into_jobs();
    Batch { name: None, jobs, then: None, catch: None, finally: None, allows_failures: false }
}

/// Jobs whose end is waited for together, from [`batch`].
#[derive(Debug)]
#[must_use = "a batch does nothing before it is dispatched"]
pub struct Batch {
    pub(crate) name: Option<String>,
    pub(crate) jobs: Vec<AnyJob>,
    pub(crate) then: Option<AnyJob>,
    pub(crate) catch: Option<AnyJob>,
    pub(crate) finally: Option<AnyJob>,
    pub(crate) allows_failures: bool,
}

impl Batch {
    /// What people who look at it call it; otherwise as its first job is called. It stands in the store as it is.
    pub fn name(mut self, name: impl Into<String>) -> Self {
        self.name = Some(name.into());
        self
    }

    pub fn and(mut self, job: impl Job) -> Self {
        self.jobs.push(job.into());
        self
    }

    /// The job that is queued when every job of the batch has succeeded.
    pub fn then(mut self, job: impl Job) -> Self {
        self.then = Some(job.into());
        self
    }

    /// The job that is queued when the first job of the batch has failed for good.
    pub fn catch(mut self, job: impl Job) -> Self {
        self.catch = Some(job.into());
        self
    }

    /// The job that is queued when all have ended, however that was.
    pub fn finally(mut self, job: impl Job) -> Self {
        self.finally = Some(job.into());
        self
    }

    /// Goes on when a job has failed for good. Otherwise the batch is cancelled: those that have not begun are left out.
    pub fn allow_failures(mut self) -> Self {
        self.allows_failures = true;
        self
    }

    /// Hands all jobs to the application's queue.
    pub async fn dispatch(self) -> Result<BatchId> {
        ambient::queue()?.dispatch_batch(self).await
    }
}
