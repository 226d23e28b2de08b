use std::time::Duration;

use housekey_cache::LockGuard;
use housekey_core::{Error, Result, random};
use tokio::time::{Instant, sleep};

use super::lease::LeaseRenewal;
use super::{Endings, Parts};
use crate::record::{Due, Outcome, RunRecord};
use crate::store::StoredRecord;
use crate::task::PlannedTask;
use crate::work::Kind;

/// What became of a look at a task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Considered {
    /// Nothing was due, or another process has it.
    Nothing,
    Ended(Outcome),
}

/// What became of an attempt to take a time.
enum Attempt {
    /// The record had changed meanwhile: it wants another look.
    Lost,
    Over(Considered),
}

/// How often a look is taken that others keep coming before.
const MOST_LOOKS: u32 = 50;

/// How often the last word about a run is tried.
const WRITE_ATTEMPTS: u32 = 6;

impl Parts {
    /// Runs a task if it is due and no other process has taken its time.
    pub(super) async fn consider(&self, task: &PlannedTask, ends: &Endings) -> Result<Considered> {
        for _ in 0..MOST_LOOKS {
            if ends.is_stopping() {
                return Ok(Considered::Nothing);
            }
            let now = self.clock.unix_millis();
            let Some(found) = self.store.load(&task.name).await? else {
                self.store.add(&task.name, &RunRecord::first(now)).await?;
                return Ok(Considered::Nothing);
            };
            let grace = millis(self.config.misfire_grace);
            let attempt = match found.record.due(task.latest(now), now, task.catch_up, grace) {
                Due::Nothing => return Ok(Considered::Nothing),
                Due::Missed(time) => self.note_missed(task, &found, time).await?,
                Due::Run(time) => self.attempt(task, &found, time, ends).await?,
            };
            if let Attempt::Over(considered) = attempt {
                return Ok(considered);
            }
        }
        Err(Error::internal(format!("the record of `{}` changed under our hands for too long", task.name)))
    }

    async fn note_missed(&self, task: &PlannedTask, found: &StoredRecord, time: i64) -> Result<Attempt> {
        let missed = found.record.over(time, Outcome::Missed, self.clock.unix_millis());
        if !self.store.swap(&task.name, found, &missed).await? {
            return Ok(Attempt::Lost);
        }
        tracing::warn!(
            task = task.name,
            time = task.zone.shown(time),
            "scheduled task missed: nobody was there at its time, and it does not catch up"
        );
        Ok(Attempt::Over(Considered::Ended(Outcome::Missed)))
    }

    async fn attempt(
        &self,
        task: &PlannedTask,
        found: &StoredRecord,
        time: i64,
        ends: &Endings,
    ) -> Result<Attempt> {
        if let (Kind::Job { .. }, true) = (&task.work.0, self.shares_transaction()) {
            return self.dispatch_in_one_transaction(task, found, time).await;
        }
        // Who waits for the run before takes the lock first, so that the time stays for whoever gets it.
        let mut lock = None;
        if task.without_overlapping && task.catch_up {
            lock = self.lock(task).await?;
            if lock.is_none() {
                return Ok(Attempt::Over(Considered::Nothing));
            }
        }
        let owner = random::token();
        let taken = found.record.taken(time, &owner, self.clock.unix_millis() + millis(self.config.lease));
        if !self.store.swap(&task.name, found, &taken).await? {
            release(lock).await;
            return Ok(Attempt::Lost);
        }
        // Who does not wait takes the time first: it is used up, whether the lock is free or not.
        if task.without_overlapping && lock.is_none() {
            lock = match self.lock(task).await {
                Ok(lock) => lock,
                Err(error) => {
                    // Whether it is free could not be found out. The time goes back, for the next look.
                    self.put_back(task, found, &owner).await;
                    return Err(error);
                }
            };
            if lock.is_none() {
                tracing::warn!(
                    task = task.name,
                    time = task.zone.shown(time),
                    "scheduled task skipped: the run before is still going on"
                );
                self.end(task, &owner, time, Outcome::Skipped).await;
                return Ok(Attempt::Over(Considered::Ended(Outcome::Skipped)));
            }
        }
        self.run(task, found, &taken, lock, ends)
            .await
            .map(|outcome| Attempt::Over(Considered::Ended(outcome)))
    }

    /// Runs what was taken, and writes down how it ended.
    async fn run(
        &self,
        task: &PlannedTask,
        before: &StoredRecord,
        taken: &RunRecord,
        lock: Option<LockGuard>,
        ends: &Endings,
    ) -> Result<Outcome> {
        let (time, owner) = (taken.time, taken.owner.clone().unwrap_or_default());
        let lease = Duration::from_secs(self.config.lease);
        let renewal = LeaseRenewal::start(&self.store, &self.clock, &task.name, &owner, lock, lease);
        let started = Instant::now();
        let attempt = u32::try_from(taken.attempts).unwrap_or(u32::MAX);
        let result = tokio::select! {
            result = self.perform(task, time, attempt, ends) => Some(result),
            () = ends.now() => None,
        };
        let ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        let shown = task.zone.shown(time);
        let lock = renewal.end().await;
        let outcome = match result {
            Some(Ok(())) => {
                tracing::info!(task = task.name, time = shown, attempt, ms, "scheduled task done");
                Outcome::Done
            }
            Some(Err(error)) if self.is_queued(task) => {
                // The queue does not answer. The time goes back, for the next look.
                release(lock).await;
                self.put_back(task, before, &owner).await;
                return Err(error);
            }
            Some(Err(error)) => {
                tracing::error!(task = task.name, time = shown, attempt, ms, %error, "scheduled task failed");
                Outcome::Failed
            }
            None => {
                tracing::warn!(
                    task = task.name,
                    time = shown,
                    attempt,
                    ms,
                    "scheduled task cut off: the process ends"
                );
                Outcome::CutOff
            }
        };
        // The last word first: who gets the lock finds this run over.
        self.end(task, &owner, time, outcome).await;
        release(lock).await;
        Ok(outcome)
    }

    async fn lock(&self, task: &PlannedTask) -> Result<Option<LockGuard>> {
        let name = format!("schedule:{}", task.name);
        self.cache.lock(&name, Duration::from_secs(self.config.lease)).try_acquire().await
    }

    /// Whether it is a job that waits for a worker.
    fn is_queued(&self, task: &PlannedTask) -> bool {
        let keeps_jobs = self.queue.as_ref().is_some_and(|queue| queue.driver().keeps_jobs());
        keeps_jobs && matches!(task.work.0, Kind::Job { .. })
    }

    async fn end(&self, task: &PlannedTask, owner: &str, time: i64, outcome: Outcome) {
        let over = |record: &RunRecord| record.over(time, outcome, self.clock.unix_millis());
        self.write_end(task, owner, over).await;
    }

    async fn put_back(&self, task: &PlannedTask, before: &StoredRecord, owner: &str) {
        self.write_end(task, owner, |record| before.record.instead_of(record)).await;
    }

    /// Writes the end of a run down, several times if the store does not answer; not over the run of another.
    async fn write_end(&self, task: &PlannedTask, owner: &str, changed: impl Fn(&RunRecord) -> RunRecord) {
        let mut pause = Duration::from_millis(100);
        for attempt in 1..=WRITE_ATTEMPTS {
            let written = async {
                match self.store.load(&task.name).await? {
                    Some(found) if found.record.is_of(owner) => {
                        self.store.swap(&task.name, &found, &changed(&found.record)).await
                    }
                    _ => Ok(true),
                }
            };
            match written.await {
                Ok(true) => return,
                Ok(false) => {}
                Err(error) if attempt == WRITE_ATTEMPTS => {
                    tracing::error!(task = task.name, %error, "the end of a scheduled task could not be written down");
                }
                Err(_) => sleep(pause).await,
            }
            pause *= 2;
        }
    }
}

pub(super) fn millis(seconds: u64) -> i64 {
    i64::try_from(seconds).unwrap_or(i64::MAX).saturating_mul(1000)
}

async fn release(lock: Option<LockGuard>) {
    if let Some(lock) = lock
        && let Err(error) = lock.release().await
    {
        tracing::warn!(%error, "a lock could not be given back; it ends by itself");
    }
}

/// A job and the record of its time, both or neither.
#[cfg(feature = "database")]
impl Parts {
    /// Whether the queue keeps its jobs on the connection that has the records.
    fn shares_transaction(&self) -> bool {
        let crate::store::RunStore::Database(runs) = &self.store else { return false };
        let Some(queue) = &self.queue else { return false };
        queue.driver().name() == "database" && runs.is_on(self.queue_config.connection.as_deref())
    }

    async fn dispatch_in_one_transaction(
        &self,
        task: &PlannedTask,
        found: &StoredRecord,
        time: i64,
    ) -> Result<Attempt> {
        let crate::store::RunStore::Database(runs) = &self.store else { return Ok(Attempt::Lost) };
        let taken = found.record.over(time, Outcome::Done, self.clock.unix_millis());
        let outcome = runs
            .database()?
            .transaction(async |_| {
                let is_ours = self.store.swap(&task.name, found, &taken).await?;
                if is_ours {
                    self.dispatch(task).await?;
                }
                Ok(is_ours)
            })
            .await;
        match outcome {
            Ok(true) => {
                tracing::info!(task = task.name, time = task.zone.shown(time), "scheduled job dispatched");
                Ok(Attempt::Over(Considered::Ended(Outcome::Done)))
            }
            Ok(false) => Ok(Attempt::Lost),
            Err(error) if crate::store::is_deadlock(&error) => Ok(Attempt::Lost),
            Err(error) => Err(error),
        }
    }
}

#[cfg(not(feature = "database"))]
impl Parts {
    #[allow(clippy::unused_self, reason = "the other build asks its store")]
    fn shares_transaction(&self) -> bool {
        false
    }

    async fn dispatch_in_one_transaction(
        &self,
        _: &PlannedTask,
        _: &StoredRecord,
        _: i64,
    ) -> Result<Attempt> {
        Ok(Attempt::Lost)
    }
}
