//! Workers and queues where the driver does not matter.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::time::Duration;

use housekey_core::{AppKey, Clock, Encrypter, Error, Paths, Result, Scope, Services, service};
use housekey_database::{ConnectionConfig, Database, DatabaseConfig, DatabaseSource, Databases, db};
use housekey_queue::{
    BatchId, BatchStatus, DatabaseDriver, DriverFuture, FailedJob, FailedJobFilter, Job, JobId, JobRegistry,
    JobType, NewBatch, NewJob, Queue, QueueDriver, QueueSize, QueuedJob, ReservedJob, Unique, Worker, batch,
    chain, job, job_context, queue, tables,
};
use housekey_test_support::{happens, in_time};
use serde::{Deserialize, Serialize};

#[derive(Debug, Default)]
struct Tally(AtomicU32);

#[derive(Serialize, Deserialize)]
struct Count {
    by: u32,
}

impl Job for Count {
    const NAME: &'static str = "count";

    async fn handle(self) -> Result<()> {
        if self.by == 0 {
            return Err(Error::bad_request("Zero is no number to count by."));
        }
        service::<Tally>().unwrap().0.fetch_add(self.by, Ordering::SeqCst);
        Ok(())
    }
}

fn registry() -> JobRegistry {
    JobRegistry::from_iter([job::<Count>()])
}

fn services(queue: &Queue) -> (Services, Arc<Tally>) {
    let (mut services, tally) = (Services::builder(), Arc::new(Tally::default()));
    services.insert(queue.clone()).insert_shared(tally.clone());
    (services.build(), tally)
}

async fn memory() -> Database {
    let database = Database::memory();
    database.schema(tables::create).await.unwrap();
    database
}

#[tokio::test]
async fn without_a_store_a_job_is_done_where_it_is_dispatched_and_its_error_comes_back() {
    let queue = Queue::sync(registry());
    let (services, tally) = services(&queue);
    Scope::new(services)
        .enter(async {
            Count { by: 2 }.dispatch().await.unwrap();
            Count { by: 3 }.dispatch_after(Duration::from_secs(3600)).await.unwrap();
            let error = Count { by: 0 }.dispatch().await.unwrap_err();
            assert_eq!(error.message(), "Zero is no number to count by.");
        })
        .await;
    assert_eq!(tally.0.load(Ordering::SeqCst), 5);
    assert!(job_context().is_none());
}

#[tokio::test]
async fn outside_an_application_dispatching_says_what_is_missing() {
    let error = Count { by: 1 }.dispatch().await.unwrap_err().to_string();
    assert!(error.contains("queue provider"), "{error}");
    assert!(queue().is_err());
}

#[tokio::test]
async fn a_job_that_the_app_does_not_know_is_refused_when_it_is_dispatched() {
    let queue =
        Queue::builder(JobRegistry::default()).build(DatabaseDriver::new(memory().await, Clock::system()));
    let error = queue.dispatch(Count { by: 1 }).await.unwrap_err().to_string();
    assert!(error.contains("`count`") && error.contains(".jobs(["), "{error}");
}

#[tokio::test]
async fn a_worker_without_a_store_says_so_instead_of_waiting() {
    let queue = Queue::sync(registry());
    let error = Worker::new(queue, Services::default()).run_until(std::future::pending()).await.unwrap_err();
    assert!(error.to_string().contains("QUEUE_DRIVER"), "{error}");
}

#[tokio::test]
async fn a_worker_without_tables_says_how_to_make_them() {
    let queue = Queue::builder(registry()).build(DatabaseDriver::new(Database::memory(), Clock::system()));
    let error = Worker::new(queue, Services::default()).run_until(std::future::pending()).await.unwrap_err();
    assert!(error.to_string().contains("make:queue-table"), "{error}");
}

#[tokio::test]
async fn a_worker_takes_jobs_of_its_queues_or_of_every_queue() {
    let queue = Queue::builder(registry()).build(DatabaseDriver::new(memory().await, Clock::system()));
    let (services, tally) = services(&queue);
    for (name, by) in [("default", 1), ("mails", 10), ("payments", 100)] {
        queue.dispatch_to(name, Count { by }, Duration::ZERO).await.unwrap();
    }
    let worker = || Worker::new(queue.clone(), services.clone()).stop_when_empty();
    let work = async |worker: Worker| worker.run_until(std::future::pending()).await.unwrap().done;
    assert_eq!((work(worker()).await, tally.0.load(Ordering::SeqCst)), (1, 1));
    assert_eq!((work(worker().every_queue()).await, tally.0.load(Ordering::SeqCst)), (2, 111));
}

#[tokio::test]
async fn what_waits_in_the_store_is_sealed() {
    let database = memory().await;
    let encrypter = Arc::new(Encrypter::new(AppKey::generate()));
    let queue = Queue::builder(registry())
        .encrypter(encrypter)
        .build(DatabaseDriver::new(database.clone(), Clock::system()));
    queue.dispatch(Count { by: 4711 }).await.unwrap();
    let kept: String = database.table("jobs").value("payload").await.unwrap().unwrap();
    assert!(kept.starts_with("v1.") && !kept.contains("4711"), "{kept}");
}

#[tokio::test]
async fn a_job_that_was_dispatched_in_a_transaction_exists_only_if_the_transaction_does() {
    let config = DatabaseConfig::default().with("sqlite", ConnectionConfig::memory());
    let databases = Arc::new(Databases::new(&config, &Paths::new("/nowhere")));
    let source = DatabaseSource::named(databases.clone(), None).unwrap();
    let queue = Queue::builder(registry()).build(DatabaseDriver::new(source, Clock::system()));
    let mut services = Services::builder();
    services.insert_shared(databases).insert(queue.clone());
    Scope::new(services.build())
        .enter(async {
            db().unwrap().schema(tables::create).await.unwrap();
            let failed: Result<()> = db()
                .unwrap()
                .transaction(async |_| {
                    Count { by: 1 }.dispatch().await?;
                    Err(Error::internal("the order was not valid"))
                })
                .await;
            assert!(failed.is_err());
            assert_eq!(queue.driver().size("default").await.unwrap().total(), 0);
            db().unwrap().transaction(async |_| Count { by: 1 }.dispatch().await).await.unwrap();
            assert_eq!(queue.driver().size("default").await.unwrap().total(), 1);
        })
        .await;
}

/// Counts, says that it did, and waits to be told to end.
#[derive(Serialize, Deserialize)]
struct CountOnce {
    by: u32,
}

#[derive(Debug, Default)]
struct Gate(tokio::sync::Notify);

impl Job for CountOnce {
    const NAME: &'static str = "count-once";

    async fn handle(self) -> Result<()> {
        service::<Tally>().unwrap().0.fetch_add(self.by, Ordering::SeqCst);
        if let Some(gate) = service::<Gate>() {
            gate.0.notified().await;
        }
        Ok(())
    }

    fn unique(&self) -> Option<Unique> {
        Some(Unique::by(self.by, Duration::from_secs(60)))
    }
}

// spec: WRK-2
#[tokio::test]
async fn a_unique_job_of_a_transaction_that_was_taken_back_keeps_nobody_out() {
    let config = DatabaseConfig::default().with("sqlite", ConnectionConfig::memory());
    let databases = Arc::new(Databases::new(&config, &Paths::new("/nowhere")));
    let source = DatabaseSource::named(databases.clone(), None).unwrap();
    let queue = Queue::builder(JobRegistry::from_iter([job::<CountOnce>()]))
        .build(DatabaseDriver::new(source, Clock::system()));
    let mut services = Services::builder();
    services.insert_shared(databases).insert(queue.clone());
    Scope::new(services.build())
        .enter(async {
            db().unwrap().schema(tables::create).await.unwrap();
            let mut first = None;
            let failed: Result<()> = db()
                .unwrap()
                .transaction(async |_| {
                    first = Some(CountOnce { by: 1 }.dispatch().await?);
                    Err(Error::internal("the order was not valid"))
                })
                .await;
            assert!(failed.is_err());
            let again = async |_| {
                let ids = [CountOnce { by: 1 }.dispatch().await?, CountOnce { by: 1 }.dispatch().await?];
                Ok(ids)
            };
            let [second, third] = db().unwrap().transaction(again).await.unwrap();
            assert_eq!(second, third);
            assert_ne!(Some(second), first);
            assert_eq!(queue.driver().size("default").await.unwrap().total(), 1);
        })
        .await;
}

// spec: WRK-2
#[tokio::test]
async fn without_a_store_a_unique_job_is_not_started_beside_itself() {
    let queue = Queue::sync(JobRegistry::from_iter([job::<CountOnce>()]));
    let (mut services, tally) = (Services::builder(), Arc::new(Tally::default()));
    let gate = Arc::new(Gate::default());
    services.insert(queue.clone()).insert_shared(tally.clone()).insert_shared(gate.clone());
    let services = services.build();
    let dispatch = |services: Services| {
        tokio::spawn(Scope::new(services).enter(async { CountOnce { by: 1 }.dispatch().await.unwrap() }))
    };
    let first = dispatch(services.clone());
    happens("the first to start", || tally.0.load(Ordering::SeqCst) == 1).await;
    let second = in_time("the second", dispatch(services.clone())).await.unwrap();
    assert_eq!(tally.0.load(Ordering::SeqCst), 1);
    gate.0.notify_one();
    assert_eq!(first.await.unwrap(), second);
    // One whose dispatcher goes away holds nothing either.
    let dropped = dispatch(services.clone());
    happens("another to start", || tally.0.load(Ordering::SeqCst) == 2).await;
    dropped.abort();
    assert!(dropped.await.is_err());
    gate.0.notify_one();
    in_time("the next", dispatch(services)).await.unwrap();
    assert_eq!(tally.0.load(Ordering::SeqCst), 3);
}

// spec: WRK-2
#[tokio::test]
async fn a_fake_takes_a_unique_job_down_once() {
    let clock = Clock::frozen_now();
    let queue =
        Queue::builder(JobRegistry::from_iter([job::<CountOnce>()])).clock(clock.clone()).build_sync();
    let fake = queue.fake();
    let first = queue.dispatch(CountOnce { by: 1 }).await.unwrap();
    assert_eq!(queue.dispatch(CountOnce { by: 1 }).await.unwrap(), first);
    queue.dispatch(CountOnce { by: 2 }).await.unwrap();
    fake.assert_dispatched_times::<CountOnce>(2);
    clock.advance(Duration::from_secs(60));
    assert_ne!(queue.dispatch(CountOnce { by: 1 }).await.unwrap(), first);
}

// spec: WRK-2
#[tokio::test]
async fn without_a_store_a_chain_is_done_where_it_is_dispatched_until_one_fails() {
    let queue = Queue::sync(registry());
    let (services, tally) = services(&queue);
    Scope::new(services)
        .enter(async {
            chain([Count { by: 1 }, Count { by: 10 }]).dispatch().await.unwrap();
            assert_eq!(tally.0.load(Ordering::SeqCst), 11);
            let stops = chain([Count { by: 100 }, Count { by: 0 }, Count { by: 1000 }]);
            let error = stops.catch(Count { by: 10_000 }).dispatch().await.unwrap_err();
            assert_eq!(error.message(), "Zero is no number to count by.");
            assert!(format!("{error:?} {error}").contains("the chain stops here"), "{error:?} {error}");
        })
        .await;
    assert_eq!(tally.0.load(Ordering::SeqCst), 10_111);
}

#[tokio::test]
async fn a_fake_takes_a_chain_down_with_what_follows() {
    let queue = Queue::sync(JobRegistry::from_iter([job::<Count>(), job::<Unplug>()]));
    let fake = queue.fake();
    queue.dispatch_chain(chain((Count { by: 1 }, Unplug, Count { by: 2 }))).await.unwrap();
    fake.assert_chained([Count::NAME, Unplug::NAME, Count::NAME]).assert_dispatched_times::<Count>(1);
    assert_eq!(fake.all()[0].chain[1].payload["by"], 2);
    let other = fake.clone();
    let refused = std::panic::catch_unwind(move || {
        other.assert_chained([Count::NAME, Unplug::NAME]);
    });
    let words = refused.unwrap_err().downcast::<String>().unwrap();
    assert!(words.contains("count {\"by\":1} → unplug → count"), "{words}");
}

// spec: WRK-2
#[tokio::test]
async fn without_a_store_a_batch_is_done_where_it_is_dispatched_and_tells_what_became_of_it() {
    let queue = Queue::sync(registry());
    let (services, tally) = services(&queue);
    Scope::new(services)
        .enter(async {
            let all =
                batch([Count { by: 1 }, Count { by: 2 }]).then(Count { by: 10 }).catch(Count { by: 20 });
            let id = all.finally(Count { by: 100 }).dispatch().await.unwrap();
            let status = queue.batch(&id).await.unwrap().unwrap();
            assert_eq!((status.done, status.percent(), status.is_finished()), (2, 100, true));
            assert_eq!(tally.0.swap(0, Ordering::SeqCst), 113);

            let stops = batch([Count { by: 1 }, Count { by: 0 }, Count { by: 2 }]).then(Count { by: 10 });
            let stops = stops.catch(Count { by: 20 }).finally(Count { by: 100 });
            let id = stops.dispatch().await.unwrap();
            let status = queue.batch(&id).await.unwrap().unwrap();
            assert_eq!((status.done, status.failed, status.skipped), (1, 1, 1));
            assert_eq!(tally.0.swap(0, Ordering::SeqCst), 121);

            let goes_on = batch([Count { by: 0 }, Count { by: 0 }, Count { by: 2 }]).allow_failures();
            goes_on.then(Count { by: 10 }).catch(Count { by: 20 }).dispatch().await.unwrap();
            assert_eq!(tally.0.load(Ordering::SeqCst), 22, "the first failure is told, and it alone");
        })
        .await;
}

#[tokio::test]
async fn a_fake_takes_a_batch_down_with_its_jobs() {
    let queue = Queue::sync(registry());
    let fake = queue.fake();
    let all = batch([Count { by: 1 }, Count { by: 2 }]).name("two").then(Count { by: 3 });
    let id = queue.dispatch_batch(all).await.unwrap();
    fake.assert_batched(|batch| batch.name == "two" && batch.then.is_some() && batch.catch.is_none());
    fake.assert_dispatched_times::<Count>(2);
    let status = queue.batch(&id).await.unwrap().unwrap();
    assert_eq!((status.total, status.pending()), (2, 2));
    assert!(queue.cancel_batch(&id).await.unwrap());
    assert!(queue.batch(&id).await.unwrap().unwrap().is_cancelled);
}

// spec: WRK-2
#[tokio::test]
async fn a_batch_of_a_transaction_that_was_taken_back_does_not_exist() {
    let config = DatabaseConfig::default().with("sqlite", ConnectionConfig::memory());
    let databases = Arc::new(Databases::new(&config, &Paths::new("/nowhere")));
    let source = DatabaseSource::named(databases.clone(), None).unwrap();
    let queue = Queue::builder(registry()).build(DatabaseDriver::new(source, Clock::system()));
    let mut services = Services::builder();
    services.insert_shared(databases).insert(queue.clone());
    Scope::new(services.build())
        .enter(async {
            db().unwrap().schema(tables::create).await.unwrap();
            let failed: Result<()> = db()
                .unwrap()
                .transaction(async |_| {
                    batch([Count { by: 1 }]).then(Count { by: 2 }).dispatch().await?;
                    batch(Vec::<Count>::new()).then(Count { by: 2 }).dispatch().await?;
                    Err(Error::internal("the order was not valid"))
                })
                .await;
            assert!(failed.is_err());
            assert_eq!(queue.driver().batches(10).await.unwrap(), []);
            assert_eq!(queue.driver().size("default").await.unwrap().total(), 0);
        })
        .await;
}

#[tokio::test]
async fn tables_from_before_unique_jobs_are_brought_up_to_date() {
    let database = Database::memory();
    let before = |schema: &mut housekey_database::Schema| {
        schema.create("jobs", |table| {
            table.string("id", 26).primary();
            table.string("queue", 100);
            table.string("name", 200);
            table.text("payload");
            table.integer("attempts");
            table.big_integer("available_at");
            table.string("lease", 43).nullable();
            table.timestamp("created_at");
            table.index(["queue", "available_at", "id"]);
        });
        schema.create("failed_jobs", |table| {
            table.string("id", 26).primary();
            table.string("queue", 100);
            table.string("name", 200);
            table.text("payload");
            table.integer("attempts");
            table.text("error");
            table.timestamp("failed_at").index();
        });
    };
    database.schema(before).await.unwrap();
    let old = housekey_database::record! {
        "id" => "old", "queue" => "default", "name" => "count", "payload" => "{\"by\":5}", "attempts" => 0,
        "available_at" => 0, "lease" => None::<String>, "created_at" => Clock::system().now(),
    };
    database.table("jobs").insert(old).await.unwrap();
    database.schema(tables::upgrade).await.unwrap();
    let queue = Queue::builder(registry()).build(DatabaseDriver::new(database, Clock::system()));
    let (services, tally) = services(&queue);
    let worker = Worker::new(queue, services).stop_when_empty();
    assert_eq!(worker.run_until(std::future::pending()).await.unwrap().done, 1);
    assert_eq!(tally.0.load(Ordering::SeqCst), 5);
}

#[tokio::test]
async fn a_waiting_worker_is_woken_by_a_job_of_its_own_process() {
    let driver = Arc::new(Shaky::new().await);
    let queue = Queue::builder(registry()).build_shared(driver.clone());
    let (services, tally) = services(&queue);
    // It would look again in an hour.
    let worker = Worker::new(queue.clone(), services).poll(Duration::from_secs(3600)).max_jobs(1);
    let work = async {
        tokio::join!(worker.run_until(std::future::pending()), async {
            happens("the worker to find nothing", || driver.in_vain.load(Ordering::SeqCst) > 0).await;
            queue.dispatch(Count { by: 7 }).await
        })
    };
    let (report, dispatched) = in_time("the worker to be woken", work).await;
    dispatched.unwrap();
    assert_eq!(report.unwrap().done, 1);
    assert_eq!(tally.0.load(Ordering::SeqCst), 7);
}

#[tokio::test]
async fn a_kind_of_job_by_name_gets_what_was_pushed() {
    let registry = JobRegistry::from_iter([JobType::by_name("echo", async |payload: serde_json::Value| {
        assert_eq!(payload["by"], 3);
        service::<Tally>().unwrap().0.fetch_add(3, Ordering::SeqCst);
        Ok(())
    })]);
    let queue = Queue::builder(registry).build(DatabaseDriver::new(memory().await, Clock::system()));
    let (services, tally) = services(&queue);
    queue.push("echo", serde_json::json!({ "by": 3 }), Some("mails"), Duration::ZERO).await.unwrap();
    let worker = Worker::new(queue, services).queues(["mails"]).stop_when_empty();
    assert_eq!(worker.run_until(std::future::pending()).await.unwrap().done, 1);
    assert_eq!(tally.0.load(Ordering::SeqCst), 3);
}

#[tokio::test]
async fn a_store_that_goes_away_for_a_while_loses_nothing() {
    let driver = Arc::new(Shaky::new().await);
    let queue = Queue::builder(JobRegistry::from_iter([job::<Unplug>()])).build_shared(driver.clone());
    let mut services = Services::builder();
    services.insert_shared(driver.clone());
    queue.dispatch(Unplug).await.unwrap();
    let worker = Worker::new(queue.clone(), services.build()).max_jobs(2).concurrency(1);
    let back = async {
        // Down since the job pulled the plug; the worker has asked in vain by now.
        happens("three refusals", || driver.refused.load(Ordering::SeqCst) >= 3).await;
        driver.down.store(false, Ordering::SeqCst);
        queue.dispatch(Unplug).await
    };
    let work = async { tokio::join!(worker.run_until(std::future::pending()), back) };
    let (report, dispatched) = in_time("both jobs", work).await;
    dispatched.unwrap();
    assert_eq!(report.unwrap().done, 2);
    assert_eq!(queue.driver().size("default").await.unwrap().total(), 0, "both were ticked off");
}

/// Takes the store off the network, the first time.
#[derive(Serialize, Deserialize)]
struct Unplug;

impl Job for Unplug {
    const NAME: &'static str = "unplug";

    async fn handle(self) -> Result<()> {
        let driver = service::<Shaky>().unwrap();
        if driver.refused.load(Ordering::SeqCst) == 0 {
            driver.down.store(true, Ordering::SeqCst);
        }
        Ok(())
    }
}

/// A driver that can be taken off the network, and that counts how often it had nothing to lend.
#[derive(Debug)]
struct Shaky {
    inner: DatabaseDriver,
    down: AtomicBool,
    refused: AtomicU32,
    in_vain: AtomicU32,
}

impl Shaky {
    async fn new() -> Self {
        Self {
            inner: DatabaseDriver::new(memory().await, Clock::system()),
            down: AtomicBool::new(false),
            refused: AtomicU32::new(0),
            in_vain: AtomicU32::new(0),
        }
    }

    fn check(&self) -> Result<()> {
        if self.down.load(Ordering::SeqCst) {
            self.refused.fetch_add(1, Ordering::SeqCst);
            return Err(Error::internal("the store cannot be reached"));
        }
        Ok(())
    }
}

macro_rules! pass_on {
    ($($method:ident($($argument:ident: $kind:ty),*) -> $answer:ty;)*) => {
        $(fn $method<'a>(&'a self, $($argument: $kind),*) -> DriverFuture<'a, $answer> {
            Box::pin(async move {
                self.check()?;
                self.inner.$method($($argument),*).await
            })
        })*
    };
}

impl QueueDriver for Shaky {
    fn name(&self) -> &'static str {
        "shaky"
    }

    fn reserve<'a>(&'a self, queue: &'a str, lease: Duration) -> DriverFuture<'a, Option<ReservedJob>> {
        Box::pin(async move {
            self.check()?;
            let lent = self.inner.reserve(queue, lease).await?;
            self.in_vain.fetch_add(u32::from(lent.is_none()), Ordering::SeqCst);
            Ok(lent)
        })
    }

    pass_on! {
        push(jobs: Vec<NewJob>) -> Vec<JobId>;
        extend(job: &'a ReservedJob, lease: Duration) -> bool;
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
