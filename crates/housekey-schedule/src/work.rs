use std::fmt;
use std::pin::Pin;
use std::sync::Arc;

use housekey_core::Result;
use housekey_queue::{Job, JobType, job};
use serde_json::Value;

/// What a task does: a job of the queue, or a closure.
#[derive(Clone)]
pub struct Work(pub(crate) Kind);

#[derive(Clone)]
pub(crate) enum Kind {
    Job {
        kind: JobType,
        payload: Value,
        queue: String,
    },
    Closure(Arc<Closure>),
    /// It cannot be done, and why.
    Impossible(String),
}

type Closure = dyn Fn() -> Pin<Box<dyn Future<Output = Result<()>> + Send>> + Send + Sync;

/// What can be scheduled: `job::<RemindLenders>()`, the value of a job (`Remind { days: 3 }`), or an async closure or
/// function that answers `Result<()>`. The parameter only keeps these three apart.
pub trait IntoWork<Kind> {
    fn into_work(self) -> Work;
}

/// Marks a kind of job.
#[derive(Debug)]
pub struct ByKind;

/// Marks the value of a job.
#[derive(Debug)]
pub struct ByValue;

/// Marks a closure.
#[derive(Debug)]
pub struct ByClosure;

impl IntoWork<ByKind> for JobType {
    fn into_work(self) -> Work {
        Work(match self.without_fields() {
            Some((payload, queue)) => {
                let (payload, queue) = (payload.clone(), queue.to_owned());
                Kind::Job { kind: self, payload, queue }
            }
            None => Kind::Impossible(format!(
                "the job `{}` has fields: schedule a value of it in place of `job::<…>()`",
                self.name()
            )),
        })
    }
}

impl<J: Job> IntoWork<ByValue> for J {
    fn into_work(self) -> Work {
        let queue = self.queue().to_owned();
        Work(match serde_json::to_value(&self) {
            Ok(payload) => Kind::Job { kind: job::<J>(), payload, queue },
            Err(error) => {
                Kind::Impossible(format!("the job `{}` cannot be written as JSON: {error}", J::NAME))
            }
        })
    }
}

impl<F, W> IntoWork<ByClosure> for F
where
    F: Fn() -> W + Send + Sync + 'static,
    W: Future<Output = Result<()>> + Send + 'static,
{
    fn into_work(self) -> Work {
        Work(Kind::Closure(Arc::new(move || Box::pin(self()))))
    }
}

impl fmt::Debug for Work {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.0 {
            Kind::Job { kind, .. } => write!(f, "job {}", kind.name()),
            Kind::Closure(_) => f.write_str("closure"),
            Kind::Impossible(why) => f.write_str(why),
        }
    }
}
