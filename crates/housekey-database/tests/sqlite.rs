//! What is true of SQLite alone: it is read in the thread that asks, and nobody else waits for that.

use std::cell::Cell;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use housekey_core::Paths;
use housekey_database::testing::TestDatabase;
use housekey_database::{ConnectionConfig, Database, record};
use housekey_test_support::{Program, this_test};

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
    let test = TestDatabase::sqlite().await;
    test.db.ping().await.unwrap();
    let (ticks, done) = (Cell::new(0), Cell::new(false));
    let read = async {
        let rows = test.db.raw(LONG, []).await.unwrap();
        done.set(true);
        rows[0].at::<i64>(0).unwrap()
    };
    let others = async {
        while !done.get() {
            tokio::task::yield_now().await;
            ticks.set(ticks.get() + 1);
        }
    };
    let (count, ()) = tokio::join!(read, others);
    assert_eq!(count, 1_000_000);
    // One or two turns they have also beside a read that blocks, before it begins; beside one that does not, thousands.
    assert!(ticks.get() > 100, "others ran {} times meanwhile", ticks.get());
}

/// A task that does nothing but read would never end its turn: each of its reads is ready at once.
#[tokio::test]
async fn many_short_reads_let_others_run() {
    let test = TestDatabase::sqlite().await;
    test.db.ping().await.unwrap();
    let (turns, done) = (Cell::new(0), Cell::new(false));
    let read = async {
        for _ in 0..1000 {
            test.db.ping().await.unwrap();
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
    let test = TestDatabase::sqlite().await;
    notes(&test.db).await;
    let other = test.database();
    for number in 1..=50_u64 {
        test.db.table("notes").insert(record! { "text" => "x" }).await.unwrap();
        assert_eq!(test.db.table("notes").count().await.unwrap(), number);
        assert_eq!(other.table("notes").count().await.unwrap(), number);
    }
}

/// Two handles, as two processes have: each has a queue of writers of its own. The runtime has one thread, and goes on meanwhile.
#[tokio::test]
async fn a_transaction_waits_for_a_writer_elsewhere_and_keeps_nobody_else_waiting() {
    let test = TestDatabase::sqlite().await;
    notes(&test.db).await;
    let other = test.database();
    let first = test.db.begin().await.unwrap();
    first.table("notes").insert(record! { "text" => "first" }).await.unwrap();
    let committed = Cell::new(false);
    let second = async {
        let second = other.begin().await.unwrap();
        assert!(committed.get(), "two wrote at the same time");
        second.table("notes").insert(record! { "text" => "second" }).await.unwrap();
        second.commit().await.unwrap();
    };
    let end = async {
        for _ in 0..20 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
        committed.set(true);
        first.commit().await.unwrap();
    };
    tokio::join!(second, end);
    assert_eq!(test.db.table("notes").count().await.unwrap(), 2);
}

/// SQLite counts the steps of a kept statement over all its runs, and ours is told to stop after so many: a transaction that is open
/// must not be taken for one that is not.
#[tokio::test]
async fn after_thousands_of_transactions_the_next_one_begins_like_the_first() {
    let test = TestDatabase::sqlite().await;
    for _ in 0..12_000 {
        test.db.begin().await.unwrap().commit().await.unwrap();
    }
}

#[cfg(unix)]
#[tokio::test]
async fn the_file_is_for_its_owner_alone() {
    use std::os::unix::fs::PermissionsExt;
    let test = TestDatabase::sqlite().await;
    notes(&test.db).await;
    for ending in ["", "-wal"] {
        let file = format!("{}{ending}", test.config.database);
        let mode = std::fs::metadata(&file).unwrap().permissions().mode();
        assert_eq!(mode & 0o777, 0o600, "{file}");
    }
}

/// An app and its worker begin at the same time, and the file is new.
#[test]
fn processes_that_open_a_new_file_at_the_same_moment_all_can() {
    let folder = tempfile::tempdir().unwrap();
    let begin = SystemTime::now() + Duration::from_millis(500);
    let begin = begin.duration_since(UNIX_EPOCH).unwrap().as_millis().to_string();
    let start = || {
        let mut command = this_test("sqlite::a_process_that_opens_new_files");
        command.env("HOUSEKEY_TEST_FOLDER", folder.path()).env("HOUSEKEY_TEST_BEGIN", &begin);
        Program::start(&mut command)
    };
    for mut process in [start(), start(), start(), start()] {
        assert!(process.ended().success(), "{}", process.said());
    }
}

#[tokio::test]
#[ignore = "the process that the test above starts"]
async fn a_process_that_opens_new_files() {
    let folder = std::env::var("HOUSEKEY_TEST_FOLDER").expect("the test above starts it");
    let begin: u64 = std::env::var("HOUSEKEY_TEST_BEGIN").unwrap().parse().unwrap();
    for round in 0..60 {
        let moment = UNIX_EPOCH + Duration::from_millis(begin + round * 30);
        while SystemTime::now() < moment {
            std::hint::spin_loop();
        }
        let config = ConnectionConfig::sqlite(format!("{round}.sqlite"));
        Database::open("one", config, &Paths::new(&folder)).unwrap().ping().await.unwrap();
    }
}
