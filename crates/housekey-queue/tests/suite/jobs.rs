//! The jobs of the tests, and the log they write.

use std::sync::{Mutex, MutexGuard};
use std::time::Duration;

use housekey_core::{Error, Result, service};
use housekey_queue::{Job, JobRegistry, RateLimit, Unique, job, job_context, permanent_failure, queue};
use housekey_test_support::happens;
use serde::{Deserialize, Serialize};
use tokio::sync::Notify;

/// What jobs did, and how many did it at once.
#[derive(Debug, Default)]
pub(crate) struct JobLog {
    lines: Mutex<Vec<String>>,
    running: Mutex<(usize, usize)>,
    pub(crate) started: Notify,
    pub(crate) go_on: Notify,
}

impl JobLog {
    pub(crate) fn here() -> std::sync::Arc<Self> {
        service::<Self>().unwrap()
    }

    pub(crate) fn write(&self, line: impl Into<String>) {
        self.lock().push(line.into());
    }

    pub(crate) fn lines(&self) -> Vec<String> {
        self.lock().clone()
    }

    pub(crate) fn most_at_once(&self) -> usize {
        self.running.lock().unwrap().1
    }

    fn lock(&self) -> MutexGuard<'_, Vec<String>> {
        self.lines.lock().unwrap()
    }

    pub(crate) fn enter(&self) {
        let mut running = self.running.lock().unwrap();
        running.0 += 1;
        running.1 = running.1.max(running.0);
    }

    pub(crate) fn leave(&self) {
        self.running.lock().unwrap().0 -= 1;
    }
}

pub(crate) fn registry() -> JobRegistry {
    JobRegistry::from_iter([
        job::<Note>(),
        job::<Flaky>(),
        job::<Hopeless>(),
        job::<Panics>(),
        job::<Slow>(),
        job::<Waits>(),
        job::<Busy>(),
        job::<Chain>(),
        job::<Index>(),
        job::<CancelsItsBatch>(),
        job::<AskService>(),
        job::<Reindex>(),
    ])
}

/// Writes into the log.
#[derive(Serialize, Deserialize)]
pub(crate) struct Note(pub(crate) String);

impl Job for Note {
    const NAME: &'static str = "note";

    async fn handle(self) -> Result<()> {
        JobLog::here().write(self.0);
        Ok(())
    }
}

/// Fails until its last attempt.
#[derive(Serialize, Deserialize)]
pub(crate) struct Flaky {
    pub(crate) succeeds_at: u32,
    pub(crate) secret: String,
}

impl Job for Flaky {
    const NAME: &'static str = "flaky";

    async fn handle(self) -> Result<()> {
        let attempt = job_context().unwrap().attempt;
        JobLog::here().write(format!("attempt {attempt}"));
        if attempt < self.succeeds_at {
            return Err(Error::internal(format!("the server said no to {}", self.secret)));
        }
        Ok(())
    }

    fn retries(&self) -> u32 {
        2
    }

    fn backoff(&self, attempt: u32) -> Duration {
        housekey_queue::exponential(Duration::from_secs(10), attempt)
    }
}

/// Knows that trying again is no use.
#[derive(Serialize, Deserialize)]
pub(crate) struct Hopeless;

impl Job for Hopeless {
    const NAME: &'static str = "hopeless";

    async fn handle(self) -> Result<()> {
        Err(permanent_failure(Error::internal("the customer is gone")))
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) struct Panics {
    pub(crate) secret: String,
}

impl Job for Panics {
    const NAME: &'static str = "panics";

    async fn handle(self) -> Result<()> {
        panic!("cannot happen: {}", self.secret)
    }

    fn retries(&self) -> u32 {
        0
    }
}

/// Never ends by itself.
#[derive(Serialize, Deserialize)]
pub(crate) struct Slow;

impl Job for Slow {
    const NAME: &'static str = "slow";

    async fn handle(self) -> Result<()> {
        std::future::pending().await
    }

    fn retries(&self) -> u32 {
        0
    }

    fn timeout(&self) -> Duration {
        Duration::from_millis(20)
    }
}

/// Says that it has started, and waits to be told to go on.
#[derive(Serialize, Deserialize)]
pub(crate) struct Waits;

impl Job for Waits {
    const NAME: &'static str = "waits";

    async fn handle(self) -> Result<()> {
        let log = JobLog::here();
        log.started.notify_one();
        log.go_on.notified().await;
        log.write("went on");
        Ok(())
    }
}

/// Waits until three run at once, so that however slowly they begin they are seen together, and a moment longer for a
/// fourth that must not come.
#[derive(Serialize, Deserialize)]
pub(crate) struct Busy;

impl Job for Busy {
    const NAME: &'static str = "busy";

    async fn handle(self) -> Result<()> {
        let log = JobLog::here();
        log.enter();
        happens("three at once", || log.most_at_once() >= 3).await;
        tokio::time::sleep(Duration::from_millis(20)).await;
        log.leave();
        Ok(())
    }
}

/// Dispatches the next one.
#[derive(Serialize, Deserialize)]
pub(crate) struct Chain(pub(crate) u32);

impl Job for Chain {
    const NAME: &'static str = "chain";

    async fn handle(self) -> Result<()> {
        JobLog::here().write(format!("link {}", self.0));
        if self.0 > 0 {
            Self(self.0 - 1).dispatch().await?;
        }
        Ok(())
    }
}

/// One per book, for ten minutes.
#[derive(Serialize, Deserialize)]
pub(crate) struct Index {
    pub(crate) book: i64,
    pub(crate) fails: bool,
}

impl Job for Index {
    const NAME: &'static str = "index";

    async fn handle(self) -> Result<()> {
        if self.fails {
            return Err(permanent_failure(Error::internal("no such book")));
        }
        JobLog::here().write(format!("indexed {}", self.book));
        Ok(())
    }

    fn unique(&self) -> Option<Unique> {
        Some(Unique::by(self.book, Duration::from_secs(600)))
    }
}

/// Another kind with the same keys.
#[derive(Serialize, Deserialize)]
pub(crate) struct Reindex {
    pub(crate) book: i64,
}

impl Job for Reindex {
    const NAME: &'static str = "reindex";

    async fn handle(self) -> Result<()> {
        Ok(())
    }

    fn unique(&self) -> Option<Unique> {
        Some(Unique::by(self.book, Duration::from_secs(600)))
    }
}

#[derive(Serialize, Deserialize)]
pub(crate) struct CancelsItsBatch;

impl Job for CancelsItsBatch {
    const NAME: &'static str = "cancels-its-batch";

    async fn handle(self) -> Result<()> {
        let batch = job_context().unwrap().batch.clone().unwrap();
        assert!(queue()?.cancel_batch(&batch).await?);
        Ok(())
    }
}

/// Three a minute.
#[derive(Serialize, Deserialize)]
pub(crate) struct AskService;

impl Job for AskService {
    const NAME: &'static str = "ask-service";

    async fn handle(self) -> Result<()> {
        JobLog::here().write(format!("asked, attempt {}", job_context().unwrap().attempt));
        Ok(())
    }

    fn rate_limit(&self) -> Option<RateLimit> {
        Some(RateLimit::per_minute(3))
    }
}
