use std::borrow::Cow;
use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;
use std::time::Duration;

use housekey_core::{Result, service};
use serde_json::Value;

/// Work to be done later, by name.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct DeferredJob {
    /// What the worker knows it by.
    pub name: Cow<'static, str>,
    pub payload: Value,
    /// The queue it goes to; the default one if none is named.
    pub queue: Option<String>,
    pub delay: Option<Duration>,
}

impl DeferredJob {
    /// Work by its name, with what it needs.
    pub fn new(name: impl Into<Cow<'static, str>>, payload: Value) -> Self {
        Self { name: name.into(), payload, queue: None, delay: None }
    }
}

/// Where work goes that shall be done later. Mail and notifications know no queue; whoever has one implements this and
/// registers it as [`JobQueue`].
///
/// ```
/// use std::sync::{Arc, Mutex};
/// use housekey_mail::{DeferredJob, JobFuture, JobSink, JobQueue};
///
/// #[derive(Default)]
/// struct InMemory(Mutex<Vec<DeferredJob>>);
///
/// impl JobSink for InMemory {
///     fn push(&self, job: DeferredJob) -> JobFuture<'_> {
///         Box::pin(async move { self.0.lock().unwrap().push(job); Ok(()) })
///     }
/// }
///
/// let mut services = housekey_core::Services::builder();
/// services.insert(JobQueue::new(InMemory::default()));
/// ```
pub trait JobSink: Send + Sync + 'static {
    /// Takes the work in. Once this has answered, the work must not be lost.
    fn push(&self, job: DeferredJob) -> JobFuture<'_>;
}

pub type JobFuture<'a> = Pin<Box<dyn Future<Output = Result<()>> + Send + 'a>>;

/// The application's [`JobSink`], as a service.
#[derive(Clone)]
pub struct JobQueue(Arc<dyn JobSink>);

impl JobQueue {
    pub fn new(sink: impl JobSink) -> Self {
        Self(Arc::new(sink))
    }

    /// The application's sink, if it has one.
    pub fn current() -> Option<Self> {
        service::<Self>().map(Arc::unwrap_or_clone)
    }

    pub async fn push(&self, job: DeferredJob) -> Result<()> {
        self.0.push(job).await
    }
}

impl fmt::Debug for JobQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("JobQueue")
    }
}
