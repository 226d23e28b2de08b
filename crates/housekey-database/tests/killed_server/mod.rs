//! The database server is killed while it works for us. What it promised is there afterwards, nothing is there by half,
//! and the same pool goes on.

mod server;

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, Ordering};
use std::sync::{Arc, Mutex};

use housekey_core::{Error, Paths, Result};
use housekey_database::{Database, DatabaseError, Driver, record};
use housekey_test_support::{in_time, until_async};
use server::Server;

/// Numbers of transfers that must not be there in the end.
const WAITING: i64 = -1;
const HELD: i64 = -2;

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_postgres_that_is_killed_keeps_whole_what_it_kept() {
    killed_in_the_middle(Driver::Postgres, "pg_sleep", "select query as text from pg_stat_activity").await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_mariadb_that_is_killed_keeps_whole_what_it_kept() {
    killed_in_the_middle(Driver::MySql, "sleep", "select info as text from information_schema.processlist")
        .await;
}

async fn killed_in_the_middle(driver: Driver, sleep: &str, running: &str) {
    let mut server = Server::start(driver).await;
    let db = Database::open("main", server.config(), &Paths::new(".")).unwrap();
    let schema = db.schema(|schema| {
        schema.create("entries", |table| {
            table.id();
            table.big_integer("transfer");
            table.string("side", 10);
        });
    });
    schema.await.unwrap();

    let kept = Arc::new(Mutex::new(Vec::new()));
    let next = Arc::new(AtomicI64::new(1));
    let writers: Vec<_> = (0..3)
        .map(|_| {
            let (db, kept, next) = (db.clone(), kept.clone(), next.clone());
            tokio::spawn(async move {
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    match transfer(&db, number).await {
                        Ok(()) => kept.lock().unwrap().push(number),
                        Err(error) => return error,
                    }
                }
            })
        })
        .collect();
    let waiting = {
        let (db, question) = (db.clone(), format!("select {sleep}(600)"));
        tokio::spawn(async move {
            db.transaction(async |tx| {
                entry(&tx, WAITING, "out").await?;
                tx.raw(&question, []).await?;
                entry(&tx, WAITING, "in").await
            })
            .await
        })
    };
    let held = db.begin().await.unwrap();
    entry(&held, HELD, "out").await.unwrap();
    let asked = format!("select {sleep}(600)");
    let is_asked = async || {
        let texts = db.raw(running, []).await.unwrap();
        texts.iter().any(|row| row.get::<Option<String>>("text").unwrap().as_deref() == Some(&*asked))
    };
    until_async("work to interrupt", async || kept.lock().unwrap().len() >= 30 && is_asked().await).await;

    server.kill();

    clear(driver, &in_time("the one who waits to hear of it", waiting).await.unwrap().unwrap_err());
    for writer in writers {
        clear(driver, &in_time("a writer to hear of it", writer).await.unwrap());
    }
    clear(driver, &entry(&held, HELD, "in").await.unwrap_err());
    clear(driver, &held.commit().await.unwrap_err());
    clear(driver, &transfer(&db, HELD).await.unwrap_err());

    server.start_again().await;

    // The first attempt after it is back, through the pool whose connections all died.
    transfer(&db, 0).await.unwrap();
    let mut found = BTreeMap::<i64, Vec<String>>::new();
    for (number, side) in db.table("entries").select(["transfer", "side"]).order_by("id").get().await.unwrap()
    {
        found.entry(number).or_default().push(side);
    }
    for (number, sides) in &found {
        assert_eq!(sides, &["out", "in"], "transfer {number}");
    }
    for number in kept.lock().unwrap().iter().chain(&[0]) {
        assert!(found.contains_key(number), "transfer {number} was promised and is gone");
    }
    assert!(!found.contains_key(&WAITING) && !found.contains_key(&HELD), "{found:?}");
    db.close().await;
}

async fn transfer(db: &Database, number: i64) -> Result<()> {
    db.transaction(async |tx| {
        entry(&tx, number, "out").await?;
        entry(&tx, number, "in").await
    })
    .await
}

async fn entry(db: &Database, number: i64, side: &str) -> Result<()> {
    db.table("entries").insert(record! { "transfer" => number, "side" => side }).await.map(drop)
}

/// Says what happened and where to look, and not the password.
fn clear(driver: Driver, error: &Error) {
    let text = error.to_string();
    assert!(DatabaseError::of(error).is_some_and(DatabaseError::is_unreachable), "{text}");
    assert!(text.contains(&driver.to_string()) && text.contains("127.0.0.1"), "{text}");
    assert!(!text.contains("hunter2"), "{text}");
}
