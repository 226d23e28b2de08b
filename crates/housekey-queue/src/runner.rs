//! Runs one job, once: reads it, gives it a scope, and catches whatever comes out of it.

use std::any::Any;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use housekey_core::{Error, Result, Scope, Services};
use serde_json::Value;
use tokio::time::timeout;

use crate::driver::ReservedJob;
use crate::payload_codec::PayloadCodec;
use crate::permanent_failure::PermanentFailure;
use crate::redact::redact;
use crate::registry::{JobRegistry, Prepared};
use crate::{JobContext, RateLimit};

/// How a job failed.
pub(crate) struct Failure {
    /// What came out of it, for whoever dispatched it and waits.
    pub(crate) error: Error,
    /// The same for the store and the log, without anything that the job carries.
    pub(crate) reason: String,
    /// When it is worth another try; `None`: never.
    pub(crate) retry_after: Option<Duration>,
}

/// A job that was read and can be started.
pub(crate) struct Readable {
    payload: Vec<u8>,
    prepared: Prepared,
}

impl Readable {
    pub(crate) fn rate_limit(&self) -> Option<RateLimit> {
        self.prepared.rate_limit
    }
}

pub(crate) fn read(
    job: &ReservedJob,
    registry: &JobRegistry,
    codec: &PayloadCodec,
) -> Result<Readable, Failure> {
    let payload = codec.decode(&job.name, &job.payload).map_err(Failure::at_once)?;
    let prepared = prepare(job, &payload, registry)?;
    Ok(Readable { payload, prepared })
}

pub(crate) async fn run(job: &ReservedJob, readable: Readable, services: Services) -> Result<(), Failure> {
    let Readable { payload, prepared } = readable;
    let Prepared { retries, backoff, timeout: time_limit, work, .. } = prepared;

    let context = JobContext {
        id: job.id.clone(),
        name: job.name.clone(),
        queue: job.queue.clone(),
        attempt: job.attempt,
        batch: job.batch.clone(),
    };
    let work = Scope::with(services, Arc::new(context)).enter(AssertUnwindSafe(work).catch_unwind());
    let error = match timeout(time_limit, work).await {
        Ok(Ok(Ok(()))) => return Ok(()),
        Ok(Ok(Err(error))) => error,
        Ok(Err(panic)) => Error::internal(format!("it panicked: {}", words(&*panic))),
        Err(_) => Error::internal(format!("it took longer than its timeout of {time_limit:?}")),
    };
    let is_final = job.attempt > retries || error.downcast_ref::<PermanentFailure>().is_some();
    let json: Value = serde_json::from_slice(&payload).unwrap_or_default();
    let reason = redact(&error.to_string(), &json);
    Err(Failure { error, reason, retry_after: (!is_final).then_some(backoff) })
}

fn prepare(job: &ReservedJob, payload: &[u8], registry: &JobRegistry) -> Result<Prepared, Failure> {
    let Some(kind) = registry.find(&job.name) else {
        let known = registry.names().join(", ");
        return Err(Failure::at_once(Error::internal(format!(
            "this app knows no job `{}`; it knows {}",
            job.name,
            if known.is_empty() { "none" } else { &known }
        ))));
    };
    let prepared = kind.prepare(payload, job.attempt).map_err(|error| {
        let json: Value = serde_json::from_slice(payload).unwrap_or_default();
        // The parser quotes what it stumbles over.
        let why = redact(&error.to_string(), &json);
        Failure::at_once(Error::internal(format!("what it carries is no {}: {why}", kind.kind())))
    })?;
    if job.attempt > prepared.retries.saturating_add(1) {
        // It never got as far as failing: every worker that took it was killed, or stopped answering.
        return Err(Failure::at_once(Error::internal(format!(
            "it was started {} times and never came to an end; look for what killed its workers",
            job.attempt - 1
        ))));
    }
    Ok(prepared)
}

impl Failure {
    /// A failure that another try cannot mend, and that quotes nothing.
    pub(crate) fn at_once(error: Error) -> Self {
        Self { reason: error.to_string(), error, retry_after: None }
    }
}

fn words(panic: &(dyn Any + Send)) -> &str {
    let text = panic.downcast_ref::<&str>().copied();
    text.or_else(|| panic.downcast_ref::<String>().map(String::as_str)).unwrap_or("without a word")
}
