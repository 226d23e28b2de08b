//! What is true of SQLite alone: it is read in the thread that asks, and nobody else waits for that.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::cell::Cell;
use std::time::Duration;

use housekey_database::testing::Place;
use housekey_database::{Database, record};

/// Counts to this, slowly enough to be noticed.
const LONG: &str = "with recursive n(i) as (select 1 union all select i + 1 from n where i < 1000000) select count(*) from n";

async fn notes(db: &Database) {
    db.schema(|schema| {
        schema.create("notes", |table| {
            table.id();
            table.text("text");
        });
    })
    .await
    .unwrap();
}

/// The runtime of this test has one thread: whoever blocks it blocks everybody.
#[tokio::test]
async fn a_long_read_keeps_nobody_waiting() {
    let place = Place::sqlite().await;
    place.db.ping().await.unwrap();
    let (ticks, done) = (Cell::new(0), Cell::new(false));
    let read = async {
        let rows = place.db.raw(LONG, []).await.unwrap();
        done.set(true);
        rows[0].at::<i64>(0).unwrap()
    };
    let others = async {
        while !done.get() {
            tokio::time::sleep(Duration::from_millis(1)).await;
            ticks.set(ticks.get() + 1);
        }
    };
    let (count, ()) = tokio::join!(read, others);
    assert_eq!(count, 1_000_000);
    assert!(ticks.get() > 3, "others ran {} times meanwhile", ticks.get());
}

/// A task that does nothing but read would never end its turn: each of its reads is ready at once.
#[tokio::test]
async fn many_short_reads_let_others_run() {
    let place = Place::sqlite().await;
    place.db.ping().await.unwrap();
    let (turns, done) = (Cell::new(0), Cell::new(false));
    let read = async {
        for _ in 0..1000 {
            place.db.ping().await.unwrap();
        }
        done.set(true);
    };
    let others = async {
        while !done.get() {
            tokio::task::yield_now().await;
            turns.set(turns.get() + 1);
        }
    };
    tokio::join!(read, others);
    assert!(turns.get() > 3, "others ran {} times meanwhile", turns.get());
}

#[tokio::test]
async fn a_reader_sees_what_was_written_a_moment_ago_through_any_connection() {
    let place = Place::sqlite().await;
    notes(&place.db).await;
    let other = place.database();
    for number in 1..=50_u64 {
        place.db.table("notes").insert(record! { "text" => "x" }).await.unwrap();
        assert_eq!(place.db.table("notes").count().await.unwrap(), number);
        assert_eq!(other.table("notes").count().await.unwrap(), number);
    }
}

#[cfg(unix)]
#[tokio::test]
async fn the_file_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let place = Place::sqlite().await;
    notes(&place.db).await;
    for ending in ["", "-wal"] {
        let file = format!("{}{ending}", place.config.database);
        let mode = std::fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
}
