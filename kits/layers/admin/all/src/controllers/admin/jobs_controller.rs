use housekey::log;
use housekey::prelude::*;
use housekey::queue::{BatchId, FailedJobFilter, JobId, queue};

use super::moment::moment;
use super::private;
use crate::views::pages::admin::{BatchRow, FailedRow, JobList, JobRow, QueueRow, jobs};

/// How many jobs and batches of each kind the page shows.
const SHOWN: u64 = 50;

/// `GET /admin/jobs`: what waits and runs, and what failed. What jobs carry is not on the page.
pub async fn index() -> Result<View> {
    let queue = queue()?;
    let driver = queue.driver();
    let mut queues = Vec::new();
    for name in driver.queues().await? {
        let size = driver.size(&name).await?;
        queues.push(QueueRow { name, size });
    }
    let failed = driver.failed(SHOWN).await?.into_iter().map(|job| FailedRow {
        at: moment(job.failed_at),
        id: job.id.to_string(),
        name: job.name,
        queue: job.queue,
        attempts: job.attempts,
        error: job.error,
    });
    let batches = driver.batches(SHOWN).await?.into_iter().map(|batch| BatchRow {
        at: moment(batch.created_at),
        percent: batch.percent(),
        goes_on: !batch.is_finished() && !batch.is_cancelled,
        id: batch.id.to_string(),
        name: batch.name,
        done: batch.done,
        failed: batch.failed,
        total: batch.total,
        cancelled: batch.is_cancelled,
    });
    let waiting = driver.jobs(SHOWN).await?.into_iter().map(|job| JobRow {
        at: moment(job.available_at),
        name: job.name,
        queue: job.queue,
        attempts: job.attempts,
        state: job.state,
    });
    Ok(private(view(jobs(&JobList {
        keeps_jobs: driver.keeps_jobs(),
        queues,
        failed: failed.collect(),
        batches: batches.collect(),
        jobs: waiting.collect(),
    }))))
}

/// `POST /admin/jobs/failed/retry`
pub async fn retry_all(CurrentUser(me): CurrentUser) -> Result<Redirect> {
    let count = queue()?.retry(&FailedJobFilter::All).await?;
    log::info!(admin = %me.id, count, "an admin put all failed jobs back");
    done(t("They wait again."))
}

/// `POST /admin/jobs/failed/{id}/retry`
pub async fn retry(CurrentUser(me): CurrentUser, Path(id): Path<String>) -> Result<Redirect> {
    if queue()?.retry(&this(&id)).await? == 0 {
        return Err(Error::not_found());
    }
    log::info!(admin = %me.id, job = %id, "an admin put a failed job back");
    done(t("It waits again."))
}

/// `DELETE /admin/jobs/failed`
pub async fn forget_all(CurrentUser(me): CurrentUser) -> Result<Redirect> {
    let count = queue()?.forget(&FailedJobFilter::All).await?;
    log::info!(admin = %me.id, count, "an admin threw all failed jobs away");
    done(t("All failed jobs are thrown away."))
}

/// `DELETE /admin/jobs/failed/{id}`
pub async fn forget(CurrentUser(me): CurrentUser, Path(id): Path<String>) -> Result<Redirect> {
    if queue()?.forget(&this(&id)).await? == 0 {
        return Err(Error::not_found());
    }
    log::info!(admin = %me.id, job = %id, "an admin threw a failed job away");
    done(t("It is thrown away."))
}

/// `DELETE /admin/jobs/batches/{id}`: what has not begun of it does not begin any more.
pub async fn cancel(CurrentUser(me): CurrentUser, Path(id): Path<String>) -> Result<Redirect> {
    if !queue()?.cancel_batch(&BatchId::from(id.as_str())).await? {
        return Err(Error::not_found());
    }
    log::info!(admin = %me.id, batch = %id, "an admin cancelled a batch");
    done(t("What had not begun is left out."))
}

fn this(id: &str) -> FailedJobFilter {
    FailedJobFilter::These(vec![JobId::from(id)])
}

fn done(message: String) -> Result<Redirect> {
    Ok(redirect(&route("admin.jobs")?).with("status", message))
}
