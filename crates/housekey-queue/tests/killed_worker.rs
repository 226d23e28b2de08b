//! Workers that are processes of their own, and what becomes of their jobs when they are killed or asked to stop.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../../housekey-cache/tests/services/mod.rs"]
mod services;
mod stores;

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use housekey_core::{AppKey, Clock, Encrypter, Result, Services};
use housekey_queue::{
    BatchId, BatchStatus, DatabaseDriver, DriverFuture, FailedJob, FailedJobFilter, Job, JobId, JobRegistry,
    NewBatch, NewJob, Queue, QueueDriver, QueueSize, QueuedJob, ReservedJob, Worker, batch, chain, job,
    job_context, tables,
};
use housekey_test_support::{Program, happens, in_time, this_test};
use serde::{Deserialize, Serialize};
use services::TestDatabase;
use stores::Store;

const CHILD: &str = "HOUSEKEY_QUEUE_TEST_WORKER";

/// Notes that it has started, waits until the file `go` is there, and notes that it is done.
#[derive(Serialize, Deserialize)]
struct Errand {
    folder: PathBuf,
}

impl Job for Errand {
    const NAME: &'static str = "errand";

    async fn handle(self) -> Result<()> {
        let attempt = job_context().unwrap().attempt;
        note(&self.folder.join("started"), &format!("{attempt} by {}", std::process::id()));
        has_lines(&self.folder.join("go"), 1).await;
        note(&self.folder.join("done"), &format!("{attempt}"));
        Ok(())
    }

    fn timeout(&self) -> Duration {
        Duration::from_secs(600)
    }
}

/// Notes which job it is, and takes a moment.
#[derive(Serialize, Deserialize)]
struct Step {
    folder: PathBuf,
    label: String,
}

impl Job for Step {
    const NAME: &'static str = "step";

    async fn handle(self) -> Result<()> {
        note(&self.folder.join("steps"), &format!("{}: {}", self.label, job_context().unwrap().id));
        tokio::time::sleep(Duration::from_millis(20)).await;
        Ok(())
    }

    fn retries(&self) -> u32 {
        1000
    }
}

fn note(file: &Path, line: &str) {
    let mut file = fs::OpenOptions::new().create(true).append(true).open(file).unwrap();
    writeln!(file, "{line}").unwrap();
}

fn lines(file: &Path) -> Vec<String> {
    fs::read_to_string(file).unwrap_or_default().lines().map(str::to_owned).collect()
}

/// Waits until so many lines are written, each to its end: a file is there before anything is in it.
async fn has_lines(file: &Path, count: usize) {
    let written = || fs::read_to_string(file).unwrap_or_default().matches('\n').count();
    happens(&format!("{count} lines in {}", file.display()), || written() >= count).await;
}

fn say_go(folder: &Path) {
    note(&folder.join("go"), "go");
}

/// What a parent tells its child.
#[derive(Serialize, Deserialize)]
struct Orders {
    store: Store,
    key: String,
}

impl Orders {
    fn new(store: Store) -> Self {
        Self { store, key: AppKey::generate().to_text().reveal().to_owned() }
    }

    fn queue(&self) -> Queue {
        let encrypter = Encrypter::new(AppKey::parse(&self.key).unwrap());
        let queue = Queue::builder(JobRegistry::from_iter([job::<Errand>(), job::<Step>()]))
            .encrypter(encrypter.into());
        queue.build_shared(self.store.driver())
    }

    /// One job at a time: with its hands full, it takes a second one only if it did not hear that it has to stop.
    fn worker(&self) -> Worker {
        Worker::new(self.queue(), Services::default())
            .concurrency(1)
            .lease(Duration::from_secs(2))
            .poll(Duration::from_millis(20))
    }

    /// Starts a worker as a process of its own.
    fn start_worker(&self) -> Program {
        let mut command = this_test("works_when_started_as_a_child_process");
        Program::start(command.env(CHILD, serde_json::to_string(self).unwrap()))
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "the worker process of the tests in this file, which start it"]
async fn works_when_started_as_a_child_process() {
    let orders = std::env::var(CHILD).expect("the tests in this file start it, with its orders");
    let orders: Orders = serde_json::from_str(&orders).unwrap();
    orders.worker().run().await.unwrap();
}

async fn the_next_worker_does_the_job_of_a_killed_one(store: Store) {
    let folder = tempfile::tempdir().unwrap();
    let (started, done) = (folder.path().join("started"), folder.path().join("done"));
    let orders = Orders::new(store);
    orders.queue().dispatch(Errand { folder: folder.path().to_owned() }).await.unwrap();

    let mut victim = orders.start_worker();
    has_lines(&started, 1).await;
    victim.kill();
    assert!(!done.exists());
    let size = orders.queue().driver().size("default").await.unwrap();
    assert_eq!(size.total(), 1, "the job is still there");

    say_go(folder.path());
    let report = orders.worker().run_until(has_lines(&done, 1)).await.unwrap();
    assert_eq!(report.done, 1);
    assert_eq!(lines(&done), ["2"], "the second attempt, and it alone");
    let workers = lines(&started);
    assert_eq!(workers.len(), 2);
    assert!(workers[0].starts_with("1 by ") && workers[1] == format!("2 by {}", std::process::id()));
    assert_eq!(orders.queue().driver().size("default").await.unwrap().total(), 0);
    assert!(orders.queue().driver().failed(1).await.unwrap().is_empty());
}

async fn on_a_database(test: TestDatabase) {
    the_next_worker_does_the_job_of_a_killed_one(Store::in_database(&test).await).await;
}

#[tokio::test]
async fn a_job_in_sqlite_survives_the_killing_of_its_worker() {
    on_a_database(TestDatabase::sqlite().await).await;
}

#[tokio::test]
async fn a_job_in_postgres_survives_the_killing_of_its_worker() {
    on_a_database(TestDatabase::postgres().await).await;
}

#[tokio::test]
async fn a_job_in_mysql_survives_the_killing_of_its_worker() {
    on_a_database(TestDatabase::mysql().await).await;
}

#[tokio::test]
async fn a_job_in_redis_survives_the_killing_of_its_worker() {
    the_next_worker_does_the_job_of_a_killed_one(Store::redis()).await;
}

/// A job may run twice when its worker is killed. What follows it is queued once all the same: it is one job, by its id.
async fn what_follows_is_queued_once_over_killed_workers(store: Store) {
    let folder = tempfile::tempdir().unwrap();
    let steps = folder.path().join("steps");
    let step = |label: String| Step { folder: folder.path().to_owned(), label };
    let orders = Orders::new(store);
    let queue = orders.queue();
    let links: Vec<Step> = (1..=4).map(|number| step(format!("link {number}"))).collect();
    let parts: Vec<Step> = (1..=8).map(|number| step(format!("part {number}"))).collect();
    queue.dispatch_chain(chain(links)).await.unwrap();
    let all = batch(parts).then(step("then".into())).catch(step("catch".into()));
    let id = queue.dispatch_batch(all.finally(step("finally".into()))).await.unwrap();

    for kill in 1..=4 {
        let mut victim = orders.start_worker();
        has_lines(&steps, kill * 2).await;
        victim.kill();
    }
    let all_done = async {
        while queue.driver().size("default").await.unwrap().total() > 0 {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    in_time("all jobs", orders.worker().run_until(all_done)).await.unwrap();

    let mut ids: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
    for line in lines(&steps) {
        let (label, id) = line.split_once(": ").unwrap();
        ids.entry(label.to_owned()).or_default().insert(id.to_owned());
    }
    assert_eq!(ids.len(), 4 + 8 + 2, "{ids:?}");
    assert!(!ids.contains_key("catch"), "{ids:?}");
    assert!(ids.values().all(|ids| ids.len() == 1), "{ids:?}");
    let status = queue.batch(&id).await.unwrap().unwrap();
    assert_eq!((status.total, status.done, status.is_finished()), (8, 8, true));
    assert!(queue.driver().failed(1).await.unwrap().is_empty());
}

// spec: WRK-2
#[tokio::test]
async fn chains_and_batches_in_sqlite_survive_the_killing_of_workers() {
    let test = TestDatabase::sqlite().await;
    what_follows_is_queued_once_over_killed_workers(Store::in_database(&test).await).await;
}

// spec: WRK-2
#[tokio::test]
async fn chains_and_batches_in_postgres_survive_the_killing_of_workers() {
    let test = TestDatabase::postgres().await;
    what_follows_is_queued_once_over_killed_workers(Store::in_database(&test).await).await;
}

// spec: WRK-2
#[tokio::test]
async fn chains_and_batches_in_mysql_survive_the_killing_of_workers() {
    let test = TestDatabase::mysql().await;
    what_follows_is_queued_once_over_killed_workers(Store::in_database(&test).await).await;
}

// spec: WRK-2
#[tokio::test]
async fn chains_and_batches_in_redis_survive_the_killing_of_workers() {
    what_follows_is_queued_once_over_killed_workers(Store::redis()).await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_worker_that_gets_sigterm_finishes_its_job_and_ends_in_peace() {
    let test = TestDatabase::sqlite().await;
    let folder = tempfile::tempdir().unwrap();
    let orders = Orders::new(Store::in_database(&test).await);
    orders.queue().dispatch(Errand { folder: folder.path().to_owned() }).await.unwrap();

    let mut worker = orders.start_worker();
    has_lines(&folder.path().join("started"), 1).await;
    let asked = Command::new("kill").args(["-TERM", &worker.id().to_string()]).status().unwrap();
    assert!(asked.success());
    orders.queue().dispatch(Errand { folder: folder.path().to_owned() }).await.unwrap();
    say_go(folder.path());
    assert!(worker.ended().success());
    assert_eq!(lines(&folder.path().join("done")), ["1"]);
}

/// Longer than the loan: a worker that lives renews it, and nobody else gets the job. Loans run on a clock that the test
/// moves, and only when the loan was renewed: however slow the machine is, none runs out by itself.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_job_stays_with_its_worker() {
    let test = TestDatabase::sqlite().await;
    test.database().schema(tables::create).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let (started, done) = (folder.path().join("started"), folder.path().join("done"));
    let clock = Clock::frozen_now();
    let driver = Arc::new(Counting {
        inner: DatabaseDriver::new(test.database(), clock.clone()),
        renewals: AtomicU32::new(0),
        in_vain: AtomicU32::new(0),
    });
    let queue = Queue::builder(JobRegistry::from_iter([job::<Errand>()])).build_shared(driver.clone());
    queue.dispatch(Errand { folder: folder.path().to_owned() }).await.unwrap();
    let lease = Duration::from_millis(300);
    let worker =
        || Worker::new(queue.clone(), Services::default()).lease(lease).poll(Duration::from_millis(5));
    let time_passes = async {
        has_lines(&started, 1).await;
        for _ in 0..5 {
            let (renewals, in_vain) = driver.counts();
            happens("a renewal", || driver.counts().0 > renewals).await;
            clock.advance(lease * 4 / 5);
            happens("others to ask for the job", || driver.counts().1 > in_vain + 1).await;
        }
        say_go(folder.path());
        has_lines(&done, 1).await;
    };
    let (first, second) = (worker(), worker());
    let both = async { tokio::join!(first.run_until(time_passes), second.run_until(has_lines(&done, 1))) };
    let (one, two) = in_time("both workers", both).await;
    assert_eq!(one.unwrap().done + two.unwrap().done, 1);
    assert_eq!(lines(&started).len(), 1);
}

/// A driver that counts how often a loan was renewed, and how often there was nothing to lend.
#[derive(Debug)]
struct Counting {
    inner: DatabaseDriver,
    renewals: AtomicU32,
    in_vain: AtomicU32,
}

impl Counting {
    fn counts(&self) -> (u32, u32) {
        (self.renewals.load(Ordering::SeqCst), self.in_vain.load(Ordering::SeqCst))
    }
}

macro_rules! pass_on {
    ($($method:ident($($argument:ident: $kind:ty),*) -> $answer:ty;)*) => {
        $(fn $method<'a>(&'a self, $($argument: $kind),*) -> DriverFuture<'a, $answer> {
            self.inner.$method($($argument),*)
        })*
    };
}

impl QueueDriver for Counting {
    fn name(&self) -> &'static str {
        "counting"
    }

    fn reserve<'a>(&'a self, queue: &'a str, lease: Duration) -> DriverFuture<'a, Option<ReservedJob>> {
        Box::pin(async move {
            let lent = self.inner.reserve(queue, lease).await?;
            self.in_vain.fetch_add(u32::from(lent.is_none()), Ordering::SeqCst);
            Ok(lent)
        })
    }

    fn extend<'a>(&'a self, job: &'a ReservedJob, lease: Duration) -> DriverFuture<'a, bool> {
        Box::pin(async move {
            let renewed = self.inner.extend(job, lease).await?;
            self.renewals.fetch_add(1, Ordering::SeqCst);
            Ok(renewed)
        })
    }

    pass_on! {
        push(jobs: Vec<NewJob>) -> Vec<JobId>;
        complete(job: &'a ReservedJob, next: &'a [NewJob]) -> bool;
        release(job: &'a ReservedJob, delay: Duration, attempts: u32) -> bool;
        fail(job: &'a ReservedJob, error: &'a str, next: &'a [NewJob]) -> bool;
        skip(job: &'a ReservedJob) -> bool;
        start_batch(batch: NewBatch, jobs: Vec<NewJob>) -> ();
        batch(id: &'a BatchId) -> Option<BatchStatus>;
        batches(limit: u64) -> Vec<BatchStatus>;
        cancel_batch(id: &'a BatchId) -> bool;
        size(queue: &'a str) -> QueueSize;
        jobs(limit: u64) -> Vec<QueuedJob>;
        queues() -> Vec<String>;
        clear(queue: &'a str) -> u64;
        failed(limit: u64) -> Vec<FailedJob>;
        retry(which: &'a FailedJobFilter) -> u64;
        flush(which: &'a FailedJobFilter) -> u64;
    }
}
