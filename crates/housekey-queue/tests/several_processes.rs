//! What several processes that share a store do to each other.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

#[path = "../../housekey-cache/tests/services/mod.rs"]
mod services;
mod stores;

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use housekey_core::{AppKey, Encrypter, Result};
use housekey_queue::{Job, JobRegistry, Queue, Unique, job};
use housekey_test_support::{Program, happens, this_test};
use serde::{Deserialize, Serialize};
use services::TestDatabase;
use stores::Store;

const CHILD: &str = "HOUSEKEY_QUEUE_TEST_DISPATCHER";
const PROCESSES: usize = 3;
const BOOKS: i64 = 5;

#[derive(Serialize, Deserialize)]
struct Index {
    book: i64,
}

impl Job for Index {
    const NAME: &'static str = "index";

    async fn handle(self) -> Result<()> {
        Ok(())
    }

    fn unique(&self) -> Option<Unique> {
        Some(Unique::by(self.book, Duration::from_secs(3600)))
    }
}

#[derive(Serialize, Deserialize)]
struct Orders {
    store: Store,
    key: String,
    folder: PathBuf,
}

impl Orders {
    fn queue(&self) -> Queue {
        let encrypter = Encrypter::new(AppKey::parse(&self.key).unwrap());
        let queue = Queue::builder(JobRegistry::from_iter([job::<Index>()])).encrypter(encrypter.into());
        queue.build_shared(self.store.driver())
    }
}

fn is_there(file: &Path) -> bool {
    fs::read_to_string(file).is_ok_and(|text| text.ends_with('\n'))
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "a process of the tests in this file, which start it"]
async fn dispatches_when_started_as_a_child_process() {
    let orders = std::env::var(CHILD).expect("the tests in this file start it, with its orders");
    let orders: Orders = serde_json::from_str(&orders).unwrap();
    let queue = orders.queue();
    fs::write(orders.folder.join(format!("ready {}", std::process::id())), "ready\n").unwrap();
    happens("the start", || is_there(&orders.folder.join("go"))).await;
    for _ in 0..4 {
        for book in 0..BOOKS {
            queue.dispatch(Index { book }).await.unwrap();
        }
    }
}

async fn of_unique_jobs_dispatched_by_several_processes_one_is_queued(store: Store) {
    let folder = tempfile::tempdir().unwrap();
    let key = AppKey::generate().to_text().reveal().to_owned();
    let orders = Orders { store, key, folder: folder.path().to_owned() };
    let mut children: Vec<Program> = (0..PROCESSES)
        .map(|_| {
            let mut command = this_test("dispatches_when_started_as_a_child_process");
            Program::start(command.env(CHILD, serde_json::to_string(&orders).unwrap()))
        })
        .collect();
    let ready = || {
        let files = fs::read_dir(folder.path()).unwrap().map(|file| file.unwrap().path());
        files.filter(|file| is_there(file)).count()
    };
    happens("every process to be ready", || ready() == PROCESSES).await;
    fs::write(folder.path().join("go"), "go\n").unwrap();
    for child in &mut children {
        assert!(child.ended().success());
    }
    let queue = orders.queue();
    assert_eq!(queue.driver().size("default").await.unwrap().total(), BOOKS.unsigned_abs());
}

// spec: WRK-2
#[tokio::test]
async fn of_unique_jobs_dispatched_by_several_processes_one_is_in_sqlite() {
    let test = TestDatabase::sqlite().await;
    of_unique_jobs_dispatched_by_several_processes_one_is_queued(Store::in_database(&test).await).await;
}

// spec: WRK-2
#[tokio::test]
async fn of_unique_jobs_dispatched_by_several_processes_one_is_in_postgres() {
    let test = TestDatabase::postgres().await;
    of_unique_jobs_dispatched_by_several_processes_one_is_queued(Store::in_database(&test).await).await;
}

// spec: WRK-2
#[tokio::test]
async fn of_unique_jobs_dispatched_by_several_processes_one_is_in_mysql() {
    let test = TestDatabase::mysql().await;
    of_unique_jobs_dispatched_by_several_processes_one_is_queued(Store::in_database(&test).await).await;
}

// spec: WRK-2
#[tokio::test]
async fn of_unique_jobs_dispatched_by_several_processes_one_is_in_redis() {
    of_unique_jobs_dispatched_by_several_processes_one_is_queued(Store::redis()).await;
}
