//! The connections to a server: how many there are, for how long, and what they cost.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use housekey_core::Secret;
use housekey_database::testing::TestDatabase;
use housekey_database::{ConnectionConfig, Database, Driver, on_every_server};
use housekey_test_support::{in_time, until_async};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

on_every_server!(
    a_statement_is_one_round_trip,
    a_failed_statement_leaves_a_connection_that_works,
    whoever_stops_waiting_on_the_last_connection_leaves_it_to_the_next,
    connections_that_nobody_needs_end,
    as_many_connections_are_kept_ready_as_was_said,
    a_connection_ends_after_its_time,
    a_pool_is_closed_when_everybody_is_done,
);

/// Everything beside a statement itself costs every page of an app.
async fn a_statement_is_one_round_trip(test: TestDatabase) {
    let (link, trips) = counting_link_to(&test.config).await;
    let db = test.configured(|config| {
        config.pool.max = 2;
        config.url = link;
    });
    db.raw("select 7 as number", []).await.unwrap();
    let before = trips.load(Ordering::SeqCst);
    for _ in 0..50 {
        db.raw("select 7 as number", []).await.unwrap();
    }
    // Time for what would happen behind our back.
    tokio::time::sleep(Duration::from_millis(100)).await;
    let trips = trips.load(Ordering::SeqCst) - before;
    // A busy machine may have let a connection wait for so long that it was asked whether it is still there.
    assert!((50..60).contains(&trips), "{trips} for 50 statements");
    assert_eq!(db.connections(), (1, 1));
    db.close().await;
}

async fn a_failed_statement_leaves_a_connection_that_works(test: TestDatabase) {
    let db = test.configured(|config| config.pool.max = 1);
    let me = id(&db).await;
    for _ in 0..5 {
        db.raw("select nothing from nowhere", []).await.unwrap_err();
        let failed =
            db.transaction(async |tx| tx.raw("select nothing from nowhere", []).await.map(drop)).await;
        failed.unwrap_err();
    }
    assert_eq!(id(&db).await, me);
    db.close().await;
}

async fn whoever_stops_waiting_on_the_last_connection_leaves_it_to_the_next(test: TestDatabase) {
    let db = test.configured(|config| config.pool.max = 1);
    let slow = match db.driver() {
        Driver::Postgres => "select pg_sleep(0.2)::text as slept",
        _ => "select sleep(0.2) as slept",
    };
    for _ in 0..3 {
        let asked = db.raw(slow, []);
        let _ = tokio::time::timeout(Duration::from_millis(20), asked).await;
        // In a transaction too, which must not be left open.
        let in_transaction = db.transaction(async |tx| tx.raw(slow, []).await.map(drop));
        let _ = tokio::time::timeout(Duration::from_millis(20), in_transaction).await;
        let rows = in_time("an answer", db.raw("select 7 as number", [])).await.unwrap();
        assert_eq!(rows[0].get::<i64>("number").unwrap(), 7);
    }
    db.close().await;
}

async fn connections_that_nobody_needs_end(test: TestDatabase) {
    // Long enough for four to be open at once on a busy machine.
    let db = test.configured(|config| config.pool.idle_timeout = 5);
    open(&db, 4).await;
    assert_eq!(db.connections(), (4, 4));
    until_async("their end", async || db.connections() == (0, 0)).await;
    open(&db, 1).await;
    db.close().await;
}

async fn as_many_connections_are_kept_ready_as_was_said(test: TestDatabase) {
    let db = test.configured(|config| {
        config.pool.min = 3;
        config.pool.idle_timeout = 1;
    });
    open(&db, 1).await;
    until_async("three connections", async || db.connections() == (3, 3)).await;
    db.close().await;
    assert_eq!(db.connections().1, 0);
}

async fn a_connection_ends_after_its_time(test: TestDatabase) {
    let db = test.configured(|config| {
        config.pool.max = 1;
        config.pool.max_lifetime = 1;
    });
    let first = id(&db).await;
    until_async("another connection", async || id(&db).await != first).await;
    db.close().await;
}

async fn a_pool_is_closed_when_everybody_is_done(test: TestDatabase) {
    let db = test.configured(|config| config.pool.max = 2);
    let (begun, has_begun) = tokio::sync::oneshot::channel();
    let (end, may_end) = tokio::sync::oneshot::channel::<()>();
    let working = db.clone();
    let working = tokio::spawn(async move {
        working
            .transaction(async |tx| {
                begun.send(()).unwrap();
                may_end.await.unwrap();
                tx.raw("select 7 as number", []).await.map(|rows| rows.len())
            })
            .await
    });
    has_begun.await.unwrap();
    let closing = db.close();
    tokio::pin!(closing);
    tokio::time::timeout(Duration::from_millis(50), &mut closing).await.unwrap_err();
    end.send(()).unwrap();
    in_time("the end of the pool", closing).await;
    assert_eq!(working.await.unwrap().unwrap(), 1);
    let error = db.raw("select 7 as number", []).await.unwrap_err();
    assert!(error.to_string().contains("has been closed"), "{error}");
}

/// What the server calls the connection.
async fn id(db: &Database) -> i64 {
    let ask = match db.driver() {
        Driver::Postgres => "select pg_backend_pid()::int8 as id",
        _ => "select connection_id() as id",
    };
    db.raw(ask, []).await.unwrap()[0].get("id").unwrap()
}

/// Uses this many connections at once.
async fn open(db: &Database, count: usize) {
    let together = tokio::sync::Barrier::new(count);
    let one = || {
        db.transaction(async |tx| {
            together.wait().await;
            tx.raw("select 7 as number", []).await.map(drop)
        })
    };
    futures_util::future::try_join_all((0..count).map(|_| one())).await.unwrap();
    // A connection is back when the one who had it says so, not when the server has answered.
    until_async("all are back", async || db.connections().0 == db.connections().1).await;
}

/// The address of the same database behind a line that counts how often somebody asks.
async fn counting_link_to(config: &ConnectionConfig) -> (Secret, Arc<AtomicUsize>) {
    let url = config.url.reveal();
    let (before, after) = url.split_once('@').unwrap();
    let (server, database) = after.split_once('/').unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let link = format!("{before}@{}/{database}", listener.local_addr().unwrap());
    let (server, trips) = (server.to_owned(), Arc::new(AtomicUsize::new(0)));
    let counted = Arc::clone(&trips);
    tokio::spawn(async move {
        while let Ok((client, _)) = listener.accept().await {
            let server = TcpStream::connect(&server).await.unwrap();
            let ((mut asked, mut answered), (mut answers, mut asks)) =
                (client.into_split(), server.into_split());
            let counted = Arc::clone(&counted);
            tokio::spawn(async move {
                let mut bytes = [0; 4096];
                while let Ok(count @ 1..) = asked.read(&mut bytes).await {
                    counted.fetch_add(1, Ordering::SeqCst);
                    asks.write_all(&bytes[..count]).await.unwrap();
                }
            });
            tokio::spawn(async move { tokio::io::copy(&mut answers, &mut answered).await });
        }
    });
    (link.into(), trips)
}
