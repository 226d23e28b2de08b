//! Several processes count in one store, and no step is lost.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod services;

use std::sync::Arc;

use housekey_cache::database::{DatabaseStore, create_table};
use housekey_cache::redis::RedisStore;
use housekey_cache::{FileStore, Store};
use housekey_core::Clock;
use housekey_database::ConnectionConfig;
use housekey_redis::Redis;
use housekey_test_support::{Program, this_test};
use services::TestDatabase;

const CHILD: &str = "HOUSEKEY_CACHE_TEST_STORE";
const PROCESSES: usize = 4;
const TASKS: usize = 10;
const EACH: usize = 250;

/// Opens a store by what the parent says: `kind` and where it is.
fn open(kind: &str, address: &str) -> Arc<dyn Store> {
    let clock = Clock::system();
    match kind {
        "file" => Arc::new(FileStore::open(address, clock).unwrap()),
        "redis" => {
            let (prefix, url) = address.split_once(' ').unwrap();
            Arc::new(RedisStore::new(Redis::at(url, prefix).unwrap(), clock))
        }
        _ => {
            let config: ConnectionConfig = serde_json::from_str(address).unwrap();
            Arc::new(DatabaseStore::new(services::open(&config), clock))
        }
    }
}

async fn ten_thousand_increments(kind: &str, address: &str) {
    let children: Vec<_> = (0..PROCESSES)
        .map(|_| {
            let mut command = this_test("counts_when_started_as_a_child_process");
            Program::start(command.env(CHILD, format!("{kind} {address}")))
        })
        .collect();
    for mut child in children {
        assert!(child.ended().success(), "{}", child.said());
    }
    let total = open(kind, address).increment("hits", 0, None).await.unwrap().value;
    assert_eq!(total, 10_000);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
#[ignore = "one of the processes of the tests in this file, which start four at a time"]
async fn counts_when_started_as_a_child_process() {
    let store = std::env::var(CHILD).expect("the tests in this file start it, and say where the store is");
    let (kind, address) = store.split_once(' ').unwrap();
    let store = open(kind, address);
    let tasks: Vec<_> = (0..TASKS)
        .map(|_| {
            let store = store.clone();
            tokio::spawn(async move {
                for _ in 0..EACH {
                    store.increment("hits", 1, None).await.unwrap();
                }
            })
        })
        .collect();
    for task in tasks {
        task.await.unwrap();
    }
}

async fn on_a_database(test: TestDatabase) {
    test.database().schema(create_table).await.unwrap();
    ten_thousand_increments("database", &serde_json::to_string(&test.config).unwrap()).await;
}

#[tokio::test]
async fn ten_thousand_increments_in_files_are_all_counted() {
    let folder = tempfile::tempdir().unwrap();
    ten_thousand_increments("file", folder.path().to_str().unwrap()).await;
}

#[tokio::test]
async fn ten_thousand_increments_in_redis_are_all_counted() {
    let address = format!("{}: {}", services::name(), services::url(services::REDIS));
    ten_thousand_increments("redis", &address).await;
    open("redis", &address).clear("").await.unwrap();
}

#[tokio::test]
async fn ten_thousand_increments_in_sqlite_are_all_counted() {
    on_a_database(TestDatabase::sqlite().await).await;
}

#[tokio::test]
async fn ten_thousand_increments_in_postgres_are_all_counted() {
    on_a_database(TestDatabase::postgres().await).await;
}

#[tokio::test]
async fn ten_thousand_increments_in_mysql_are_all_counted() {
    on_a_database(TestDatabase::mysql().await).await;
}
