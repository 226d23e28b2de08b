use std::time::{Duration, Instant};

use housekey_core::Services;
use tokio::sync::watch;
use tokio::time::sleep;

use super::lease_renewal::LeaseRenewal;
use crate::Queue;
use crate::driver::{DriverFuture, ReservedJob};
use crate::runner::{self, Failure};

/// What became of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Done,
    Retried,
    Failed,
    /// It went back unfinished.
    Returned,
    /// Nothing could be said about it: the loan had run out, or the store does not answer. It is still there.
    Lost,
}

/// How often the last word about a job is tried. If the store stays away for longer, the job runs again.
const LAST_WORDS: u32 = 6;

/// Does one job and tells the store.
pub(super) async fn process(
    queue: Queue,
    services: Services,
    job: ReservedJob,
    lease: Duration,
    mut hurried: watch::Receiver<bool>,
) -> Ended {
    let renewal = LeaseRenewal::start(queue.driver().clone(), job.clone(), lease);
    let started = Instant::now();
    let outcome = tokio::select! {
        outcome = runner::run(&job, queue.registry(), queue.codec(), services) => Some(outcome),
        _ = hurried.wait_for(|hurry| *hurry) => None,
    };
    let driver = queue.driver();
    let ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let ended = match outcome {
        Some(Ok(())) => {
            tracing::info!(job = job.name, id = %job.id, attempt = job.attempt, ms, "job done");
            say(&job, Ended::Done, || driver.complete(&job)).await
        }
        Some(Err(Failure { reason, retry_after: Some(delay), .. })) => {
            tracing::warn!(job = job.name, id = %job.id, attempt = job.attempt, ms, error = reason, "job failed and is tried again in {delay:?}");
            say(&job, Ended::Retried, || driver.release(&job, delay, job.attempt)).await
        }
        Some(Err(Failure { reason, retry_after: None, .. })) => {
            tracing::error!(job = job.name, id = %job.id, attempt = job.attempt, ms, error = reason, "job failed for good");
            say(&job, Ended::Failed, || driver.fail(&job, &reason)).await
        }
        None => {
            tracing::warn!(job = job.name, id = %job.id, ms, "job was not finished in time and waits for another worker");
            say(&job, Ended::Returned, || driver.release(&job, Duration::ZERO, job.attempt - 1)).await
        }
    };
    renewal.end();
    ended
}

/// Tells the store what became of a job, several times if it does not answer.
async fn say<'a>(job: &ReservedJob, ended: Ended, word: impl Fn() -> DriverFuture<'a, bool>) -> Ended {
    let mut pause = Duration::from_millis(200);
    for attempt in 1..=LAST_WORDS {
        match word().await {
            Ok(true) => return ended,
            Ok(false) => {
                tracing::warn!(job = job.name, id = %job.id, "the loan had run out; another worker has the job as well");
                return Ended::Lost;
            }
            Err(error) if attempt == LAST_WORDS => {
                tracing::error!(job = job.name, id = %job.id, %error, "the store does not answer; the job will run again");
            }
            Err(_) => {
                sleep(pause).await;
                pause *= 2;
            }
        }
    }
    Ended::Lost
}
