//! Workers that are processes of their own, and what becomes of their jobs when they are killed or asked to stop.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../../housekey-cache/tests/services/mod.rs"]
mod services;

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use housekey_cache::redis::Redis;
use housekey_core::{AppKey, Clock, Encrypter, Result, Services};
use housekey_database::ConnectionConfig;
use housekey_queue::{
    DatabaseDriver, Job, JobRegistry, Queue, RedisDriver, Worker, job, job_context, tables,
};
use serde::{Deserialize, Serialize};
use services::Place;

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
        appears(&self.folder.join("go")).await;
        note(&self.folder.join("done"), &format!("{attempt}"));
        Ok(())
    }

    fn timeout(&self) -> Duration {
        Duration::from_secs(600)
    }
}

fn note(file: &Path, line: &str) {
    let mut file = fs::OpenOptions::new().create(true).append(true).open(file).unwrap();
    writeln!(file, "{line}").unwrap();
}

fn lines(file: &Path) -> Vec<String> {
    fs::read_to_string(file).unwrap_or_default().lines().map(str::to_owned).collect()
}

async fn appears(file: &Path) {
    while !file.exists() {
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}

/// What a parent tells its child.
#[derive(Clone, Serialize, Deserialize)]
enum Store {
    Redis { url: String, prefix: String },
    Database(Box<ConnectionConfig>),
}

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
        let queue = Queue::builder(JobRegistry::from_iter([job::<Errand>()])).encrypter(encrypter.into());
        match &self.store {
            Store::Redis { url, prefix } => {
                queue.build(RedisDriver::new(Redis::at(url, prefix).unwrap(), Clock::system()))
            }
            Store::Database(config) => {
                queue.build(DatabaseDriver::new(services::open(config), Clock::system()))
            }
        }
    }

    fn worker(&self) -> Worker {
        Worker::new(self.queue(), Services::default())
            .lease(Duration::from_secs(2))
            .poll(Duration::from_millis(20))
    }

    /// Starts a worker as a process of its own.
    fn spawn(&self) -> Child {
        Command::new(std::env::current_exe().unwrap())
            .args(["--exact", "works_when_started_as_a_child_process"])
            .env(CHILD, serde_json::to_string(self).unwrap())
            .stdout(Stdio::null())
            .spawn()
            .unwrap()
    }
}

/// Does nothing in a plain run; the tests below start it.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn works_when_started_as_a_child_process() {
    let Ok(orders) = std::env::var(CHILD) else { return };
    let orders: Orders = serde_json::from_str(&orders).unwrap();
    orders.worker().run().await.unwrap();
}

async fn the_next_worker_does_the_job_of_a_killed_one(store: Store) {
    let folder = tempfile::tempdir().unwrap();
    let (started, done) = (folder.path().join("started"), folder.path().join("done"));
    let orders = Orders::new(store);
    orders.queue().dispatch(Errand { folder: folder.path().to_owned() }).await.unwrap();

    let mut victim = orders.spawn();
    appears(&started).await;
    // SIGKILL: nothing of the process gets to say a last word.
    victim.kill().unwrap();
    victim.wait().unwrap();
    assert!(!done.exists());
    let size = orders.queue().driver().size("default").await.unwrap();
    assert_eq!(size.total(), 1, "the job is still there");

    fs::write(folder.path().join("go"), "").unwrap();
    let report = orders.worker().run_until(appears(&done)).await.unwrap();
    assert_eq!(report.done, 1);
    assert_eq!(lines(&done), ["2"], "the second attempt, and it alone");
    let workers = lines(&started);
    assert_eq!(workers.len(), 2);
    assert!(workers[0].starts_with("1 by ") && workers[1] == format!("2 by {}", std::process::id()));
    assert_eq!(orders.queue().driver().size("default").await.unwrap().total(), 0);
    assert!(orders.queue().driver().failed(1).await.unwrap().is_empty());
}

async fn on_a_database(place: Place) {
    place.database().schema(tables::create).await.unwrap();
    the_next_worker_does_the_job_of_a_killed_one(Store::Database(Box::new(place.config.clone()))).await;
}

#[tokio::test]
async fn a_job_in_sqlite_survives_the_killing_of_its_worker() {
    on_a_database(Place::sqlite().await).await;
}

#[tokio::test]
async fn a_job_in_postgres_survives_the_killing_of_its_worker() {
    on_a_database(Place::postgres().await).await;
}

#[tokio::test]
async fn a_job_in_mysql_survives_the_killing_of_its_worker() {
    on_a_database(Place::mysql().await).await;
}

#[tokio::test]
async fn a_job_in_redis_survives_the_killing_of_its_worker() {
    let (url, prefix) = (services::url(services::REDIS), services::name());
    the_next_worker_does_the_job_of_a_killed_one(Store::Redis { url, prefix }).await;
}

#[cfg(unix)]
#[tokio::test]
async fn a_worker_that_gets_sigterm_finishes_its_job_and_ends_in_peace() {
    let place = Place::sqlite().await;
    place.database().schema(tables::create).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let orders = Orders::new(Store::Database(Box::new(place.config.clone())));
    orders.queue().dispatch(Errand { folder: folder.path().to_owned() }).await.unwrap();

    let mut worker = orders.spawn();
    appears(&folder.path().join("started")).await;
    let asked = Command::new("kill").args(["-TERM", &worker.id().to_string()]).status().unwrap();
    assert!(asked.success());
    orders.queue().dispatch(Errand { folder: folder.path().to_owned() }).await.unwrap();
    fs::write(folder.path().join("go"), "").unwrap();
    assert!(worker.wait().unwrap().success());
    assert_eq!(lines(&folder.path().join("done")), ["1"]);
}

/// Longer than the loan: a worker that lives renews it, and nobody else gets the job.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_long_job_stays_with_its_worker() {
    let place = Place::sqlite().await;
    place.database().schema(tables::create).await.unwrap();
    let folder = tempfile::tempdir().unwrap();
    let done = folder.path().join("done");
    let orders = Orders::new(Store::Database(Box::new(place.config.clone())));
    orders.queue().dispatch(Errand { folder: folder.path().to_owned() }).await.unwrap();
    let lease = Duration::from_millis(300);
    let go = folder.path().join("go");
    let others = async {
        tokio::time::sleep(lease * 5).await;
        fs::write(go, "").unwrap();
        appears(&done).await;
    };
    let (first, second) = (orders.worker().lease(lease), orders.worker().lease(lease));
    let (one, two) = tokio::join!(first.run_until(others), second.run_until(appears(&done)));
    assert_eq!(one.unwrap().done + two.unwrap().done, 1);
    assert_eq!(lines(&folder.path().join("started")).len(), 1);
}
