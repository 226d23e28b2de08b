use std::time::{Duration, Instant};

use housekey_core::{Result, Services};
use tokio::sync::watch;
use tokio::time::sleep;

use super::lease_renewal::LeaseRenewal;
use crate::chain::Followers;
use crate::driver::{DriverFuture, NewJob, ReservedJob};
use crate::runner::{self, Failure};
use crate::{Queue, jitter};

/// What became of a job.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Ended {
    Done,
    Retried,
    Failed,
    /// Too many of its kind have begun.
    Postponed,
    /// Its batch was cancelled.
    Skipped,
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
    match is_cancelled(&queue, &job).await {
        Ok(false) => {}
        Ok(true) => return say(&job, Ended::Skipped, || queue.driver().skip(&job)).await,
        Err(error) => {
            tracing::error!(job = job.name, id = %job.id, %error, "the job's batch cannot be asked; it goes back");
            let back = || queue.driver().release(&job, lease, job.attempt - 1);
            return say(&job, Ended::Returned, back).await;
        }
    }
    let renewal = LeaseRenewal::start(queue.driver().clone(), job.clone(), lease);
    let started = Instant::now();
    // Before the work: what was forged or broken in the store is not found out when it is done.
    let followers = Followers::of(&job.id, job.chain.as_deref(), queue.codec(), queue.clock());
    let (followers, outcome) = match followers {
        Ok(followers) => {
            let outcome = tokio::select! {
                outcome = attempt(&queue, &job, services) => Some(outcome),
                _ = hurried.wait_for(|hurry| *hurry) => None,
            };
            (followers, outcome)
        }
        Err(error) => (Followers::default(), Some(Err(Failure::at_once(error)))),
    };
    let driver = queue.driver();
    let ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
    let ended = match outcome {
        Some(Ok(Attempt::Postponed(wait))) => {
            tracing::debug!(job = job.name, id = %job.id, "too many of its kind have begun; it waits for {wait:?}");
            say(&job, Ended::Postponed, || driver.release(&job, wait, job.attempt - 1)).await
        }
        Some(Ok(Attempt::Done)) => {
            tracing::info!(job = job.name, id = %job.id, attempt = job.attempt, ms, "job done");
            let next: Vec<NewJob> = followers.next.into_iter().collect();
            let ended = say(&job, Ended::Done, || driver.complete(&job, &next)).await;
            if !next.is_empty() {
                queue.news().notify_one();
            }
            ended
        }
        Some(Err(Failure { reason, retry_after: Some(delay), .. })) => {
            tracing::warn!(job = job.name, id = %job.id, attempt = job.attempt, ms, error = reason, "job failed and is tried again in {delay:?}");
            say(&job, Ended::Retried, || driver.release(&job, delay, job.attempt)).await
        }
        Some(Err(Failure { reason, retry_after: None, .. })) => {
            let reason = match followers.not_started() {
                Some(stopped) => format!("{reason}; {stopped}"),
                None => reason,
            };
            tracing::error!(job = job.name, id = %job.id, attempt = job.attempt, ms, error = reason, "job failed for good");
            let next: Vec<NewJob> = followers.catch.into_iter().collect();
            let ended = say(&job, Ended::Failed, || driver.fail(&job, &reason, &next)).await;
            if !next.is_empty() {
                queue.news().notify_one();
            }
            ended
        }
        None => {
            tracing::warn!(job = job.name, id = %job.id, ms, "job was not finished in time and waits for another worker");
            say(&job, Ended::Returned, || driver.release(&job, Duration::ZERO, job.attempt - 1)).await
        }
    };
    renewal.end();
    ended
}

enum Attempt {
    Done,
    Postponed(Duration),
}

async fn attempt(queue: &Queue, job: &ReservedJob, services: Services) -> Result<Attempt, Failure> {
    let readable = runner::read(job, queue.registry(), queue.codec())?;
    if let Some(limit) = readable.rate_limit() {
        match limit.wait(&job.name, &services).await {
            Ok(None) => {}
            // A little later each, so that they do not all ask in the moment they may again.
            Ok(Some(wait)) => return Ok(Attempt::Postponed(wait + jitter(wait / 10))),
            Err(error) => {
                // Not begun uncounted: who limits a job fears for whom it asks.
                tracing::error!(job = job.name, id = %job.id, %error, "its rate limit cannot be counted; it waits");
                return Ok(Attempt::Postponed(UNCOUNTED));
            }
        }
    }
    runner::run(job, readable, services).await.map(|()| Attempt::Done)
}

/// How long a job waits whose rate limit cannot be counted.
const UNCOUNTED: Duration = Duration::from_secs(10);

async fn is_cancelled(queue: &Queue, job: &ReservedJob) -> Result<bool> {
    let Some(batch) = &job.batch else { return Ok(false) };
    Ok(queue.driver().batch(batch).await?.is_some_and(|status| status.is_cancelled))
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
