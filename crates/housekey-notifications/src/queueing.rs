use std::time::Duration;

use housekey_core::{Error, Result};
use housekey_http::{Provider, Registrar};
use housekey_mail::{DeferredJob, JobFuture, JobQueue, JobSink, MAIL_JOB, MailError, mail};
use housekey_queue::{JobRegistry, JobType, Queue, permanent_failure, redact};
use serde::Serialize;
use serde_json::Value;

use crate::{NOTIFICATION_JOB, notifications};

/// Lets mail and notifications wait in the app's [`Queue`], and tells its workers what to do with them. It stands
/// behind `QueueProvider`.
///
/// It lives here because this is the one room that may know both sides: mail knows no queue, and the queue does not
/// know who uses it.
///
/// ```
/// use housekey_core::ConfigFiles;
/// use housekey_http::App;
/// use housekey_mail::MailProvider;
/// use housekey_notifications::{NotificationsProvider, QueueingProvider};
/// use housekey_queue::QueueProvider;
///
/// let app = App::new(ConfigFiles::new())
///     .provider(QueueProvider)
///     .provider(MailProvider::new())
///     .provider(NotificationsProvider::new())
///     .provider(QueueingProvider);
/// # drop(app);
/// ```
#[derive(Clone, Copy, Debug, Default)]
pub struct QueueingProvider;

impl Provider for QueueingProvider {
    fn name(&self) -> &'static str {
        "queued mail and notifications"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        let Some(queue) = app.services().get::<Queue>() else {
            return Err(Error::internal(
                "mail and notifications wait in the queue; add QueueProvider before QueueingProvider",
            ));
        };
        let registry = JobRegistry::of(app.services());
        registry.add(JobType::by_name(MAIL_JOB, send_mail))?;
        registry.add(JobType::by_name(NOTIFICATION_JOB, deliver))?;
        app.services().insert(JobQueue::new(Sink((*queue).clone())));
        Ok(())
    }
}

/// The app's queue as mail and notifications see it.
struct Sink(Queue);

impl JobSink for Sink {
    fn push(&self, job: DeferredJob) -> JobFuture<'_> {
        Box::pin(async move {
            let delay = job.delay.unwrap_or(Duration::ZERO);
            self.0.push(&job.name, job.payload, job.queue.as_deref(), delay).await.map(drop)
        })
    }
}

async fn send_mail(payload: Value) -> Result<()> {
    let mailer = mail()?;
    let outcome = mailer.run_job(&payload).await;
    outcome.map_err(|error| for_the_store(&error, mailer.queued_message(&payload)))
}

async fn deliver(payload: Value) -> Result<()> {
    let notifications = notifications()?;
    let outcome = notifications.run_job(&payload).await;
    outcome.map_err(|error| for_the_store(&error, notifications.queued_delivery(&payload)))
}

/// What may be said about a failure where many can read it. The queue takes out what a job carries, but this one
/// carries a sealed letter: only here is known what stands in it.
// spec: NTF-8
fn for_the_store(error: &Error, carried: Result<impl Serialize>) -> Error {
    let carried = carried.and_then(|carried| Ok(serde_json::to_value(carried)?));
    let said = match carried {
        Ok(carried) => Error::internal(redact(&error.to_string(), &carried)),
        // It could not be opened, and the error says so.
        Err(error) => return permanent_failure(error),
    };
    let is_final = error.downcast_ref::<MailError>().is_some_and(MailError::is_permanent);
    if is_final { permanent_failure(said) } else { said }
}
