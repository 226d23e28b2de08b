//! A job as an app writes it: its type, how it is made known, and how it is handed over.

mod dispatch;

use std::any::type_name;
use std::future::Future;
use std::time::Duration;

use housekey_core::Result;
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value};

use crate::ambient::queue;
use crate::registry::Prepared;
use crate::{JobId, JobType, RateLimit, Unique, exponential, jitter};

/// Work to be done later.
///
/// The fields are what the work needs; they are written down as JSON and read by whichever worker does the work, so
/// they should name things (`order: i64`) rather than hold them. A job can run twice: see [what is
/// promised](crate#what-is-promised).
///
/// ```
/// use std::time::Duration;
/// use housekey_core::Result;
/// use housekey_queue::Job;
/// use serde::{Deserialize, Serialize};
///
/// #[derive(Serialize, Deserialize)]
/// struct ResizePhoto {
///     photo: i64,
/// }
///
/// impl Job for ResizePhoto {
///     const NAME: &'static str = "resize-photo";
///
///     async fn handle(self) -> Result<()> {
///         Ok(())
///     }
///
///     fn queue(&self) -> &str {
///         "photos"
///     }
///
///     fn timeout(&self) -> Duration {
///         Duration::from_secs(300)
///     }
/// }
/// ```
pub trait Job: Serialize + DeserializeOwned + Send + 'static {
    /// What the job is called in the store. It outlives the type's name: keep it when the type is renamed.
    const NAME: &'static str;

    /// Does the work. Services are there ([`service`](housekey_core::service), `db()`, `cache()`, …), a request is not.
    fn handle(self) -> impl Future<Output = Result<()>> + Send;

    /// The queue it waits in; the application's default one if empty.
    fn queue(&self) -> &str {
        ""
    }

    /// How often it is tried again after it failed.
    fn retries(&self) -> u32 {
        3
    }

    /// How long it waits before it is tried again; `attempt` is the one that failed, counted from 1. Unless it says
    /// otherwise: twice as long every time, up to an hour, with some [`jitter`].
    fn backoff(&self, attempt: u32) -> Duration {
        jitter(exponential(Duration::from_secs(5), attempt))
    }

    /// How long it may take. It is then dropped where it waits, so work that never waits cannot be stopped.
    fn timeout(&self) -> Duration {
        Duration::from_secs(60)
    }

    /// How often jobs of its kind may begin, over all workers: it is counted in the application's cache, which must be one
    /// that they share. What is too much waits, and that is no attempt.
    fn rate_limit(&self) -> Option<RateLimit> {
        None
    }

    /// What makes it the same as another job of its kind. Of many that are dispatched, by however many processes, one is
    /// queued, until it is done or has failed for good, or the time that [`Unique::by`] was given is over.
    fn unique(&self) -> Option<Unique> {
        None
    }

    /// Hands it to the application's queue. The answer is the job that will do the work: where it is
    /// [unique](Self::unique), that may be one that was dispatched before.
    fn dispatch(self) -> impl Future<Output = Result<JobId>> + Send {
        async { queue()?.dispatch(self).await }
    }

    /// Hands it to the application's queue, not to be started before `delay` has passed.
    fn dispatch_after(self, delay: Duration) -> impl Future<Output = Result<JobId>> + Send {
        async move { queue()?.dispatch_after(self, delay).await }
    }
}

/// A kind of job for [`AppJobs::jobs`](crate::AppJobs::jobs).
pub fn job<J: Job>() -> JobType {
    JobType::new(J::NAME, type_name::<J>(), |payload, attempt| {
        let job: J = serde_json::from_slice(payload)?;
        Ok(Prepared {
            retries: job.retries(),
            backoff: job.backoff(attempt),
            timeout: job.timeout(),
            rate_limit: job.rate_limit(),
            work: Box::pin(async move { job.handle().await }),
        })
    })
    .unique_by(|payload| J::deserialize(payload).ok()?.unique())
    .can_be_made_of(without_fields::<J>())
}

/// A unit struct is written as `null`, one whose fields all may be missing as `{}`.
fn without_fields<J: Job>() -> Option<(Value, String)> {
    [Value::Null, Value::Object(Map::new())].into_iter().find_map(|payload| {
        let job = J::deserialize(&payload).ok()?;
        let queue = job.queue().to_owned();
        Some((payload, queue))
    })
}
