//! The shared suite on every database engine, and what only a database has to stand.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod services;
mod suite;

use std::time::Duration;

use housekey_cache::database::{DatabaseStore, create_table};
use housekey_cache::{Cache, Store};
use housekey_core::{Clock, Error, Paths, Scope, Services};
use housekey_database::{ConnectionConfig, Database, DatabaseConfig, Databases, db};
use services::TestDatabase;

async fn store(test: TestDatabase, clock: Clock) -> (DatabaseStore, TestDatabase) {
    let database = test.database();
    database.schema(create_table).await.unwrap();
    (DatabaseStore::new(database, clock), test)
}

suite::store_suite!(sqlite, |clock| {
    super::services::wait_for(async { super::store(super::TestDatabase::sqlite().await, clock).await })
});

suite::store_suite!(postgres, |clock| {
    super::services::wait_for(async { super::store(super::TestDatabase::postgres().await, clock).await })
});

suite::store_suite!(mysql, |clock| {
    super::services::wait_for(async { super::store(super::TestDatabase::mysql().await, clock).await })
});

#[tokio::test]
async fn what_has_ended_is_swept_out_of_the_table() {
    let (database, clock) = (Database::memory(), Clock::frozen_now());
    database.schema(create_table).await.unwrap();
    let store = DatabaseStore::new(database.clone(), clock.clone());
    store.put("short", b"v".to_vec(), Some(Duration::from_secs(1))).await.unwrap();
    clock.advance(Duration::from_secs(1));
    for _ in 0..1000 {
        store.put("other", b"v".to_vec(), None).await.unwrap();
    }
    assert_eq!(database.table("cache").count().await.unwrap(), 1);
}

#[tokio::test]
async fn a_missing_table_is_an_error_that_says_how_to_make_it() {
    let cache = Cache::new(DatabaseStore::new(Database::memory(), Clock::system()), Clock::system());
    for error in [cache.get::<u8>("k").await.unwrap_err(), cache.increment("k", 1, None).await.unwrap_err()] {
        assert!(
            error.to_string().contains("make:cache-table") && error.to_string().contains("migrate"),
            "{error}"
        );
    }
}

#[tokio::test]
async fn an_unreachable_server_is_an_error_and_never_a_miss() {
    let closed = housekey_test_support::ClosedPort::take().unwrap();
    let config = ConnectionConfig::postgres(format!("postgres://ada:secret@{}/shop", closed.address()));
    let store = DatabaseStore::new(services::open(&config), Clock::system());
    let error = store.get("k").await.unwrap_err().to_string();
    assert!(error.contains("cannot reach") && !error.contains("secret"), "{error}");
    assert!(store.increment("k", 1, None).await.is_err());
}

/// On SQLite it could not be otherwise: the transaction is the one writer.
#[tokio::test]
async fn inside_a_transaction_the_cache_is_part_of_it() {
    let config = DatabaseConfig::default().with("sqlite", ConnectionConfig::memory());
    let mut services = Services::builder();
    services.insert(Databases::new(&config, &Paths::new("/nowhere"))).insert(Clock::system());
    services.insert(Paths::new("/nowhere"));
    let config = housekey_cache::CacheConfig { store: "database".into(), ..Default::default() };
    let cache = Cache::from_services(&config, &services).unwrap();
    Scope::new(services.build())
        .enter(async {
            db().unwrap().schema(create_table).await.unwrap();
            let outcome: Result<(), Error> = db()
                .unwrap()
                .transaction(async |_| {
                    assert_eq!(cache.increment("n", 1, None).await?, 1);
                    Err(Error::internal("given up"))
                })
                .await;
            assert!(outcome.is_err());
            assert_eq!(cache.increment("n", 1, None).await.unwrap(), 1, "the first was taken back");
        })
        .await;
}
