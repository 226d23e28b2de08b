//! Listeners whose work waits in the queue.

use std::sync::Arc;
use std::time::Duration;

use housekey_core::{Clock, Result, Scope, service};
use housekey_queue::{JobId, JobType, job_context, queue};
use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::{Delivery, Listener};

/// What the job carries.
#[derive(Serialize, Deserialize)]
struct Told {
    event_id: String,
    event: Value,
}

/// The job of a queued listener.
pub(crate) fn job(listener: &Listener) -> JobType {
    let listener = listener.clone();
    JobType::by_name(job_name(&listener), move |payload| {
        let listener = listener.clone();
        async move {
            let Told { event_id, event } = serde_json::from_value(payload)?;
            let delivery = Delivery {
                event_id,
                event: listener.event.to_owned(),
                listener: listener.name.clone(),
                attempt: job_context().map_or(1, |job| job.attempt),
            };
            Scope::read(|scope| scope.set(Arc::new(delivery)));
            listener.read(&serde_json::to_vec(&event)?)?.await
        }
    })
}

/// Hands the work over. An event that comes from the outbox has a name already.
pub(crate) async fn push(listener: &Listener, event_id: Option<&str>, event: Value) -> Result<()> {
    let event_id = event_id.map_or_else(new_id, str::to_owned);
    let payload = serde_json::to_value(Told { event_id, event })?;
    queue()?.push(&job_name(listener), payload, listener.queue.as_deref(), Duration::ZERO).await?;
    Ok(())
}

fn new_id() -> String {
    let clock = service::<Clock>().map_or_else(Clock::system, Arc::unwrap_or_clone);
    JobId::new(&clock).as_str().to_owned()
}

fn job_name(listener: &Listener) -> String {
    format!("event:{}:{}", listener.event, listener.name)
}
