//! A stamp changes with every commit, whoever commits, and SQLite does not notice that stamps are taken.

#![cfg(any(target_os = "linux", target_os = "macos"))]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(clippy::exit, reason = "a process that ends on the spot is what some tests are about")]

use std::path::PathBuf;

use housekey_core::Paths;
use housekey_database::testing::Place;
use housekey_database::{ConnectionConfig, Database, record};
use housekey_test_support::{happens, run, this_test};

/// `die` ends it on the spot, with everything open.
#[tokio::test]
#[ignore = "the other process of the tests in this file, which start it"]
async fn runs_what_it_is_told_as_another_process() {
    let orders =
        std::env::var("HOUSEKEY_TEST_ORDERS").expect("the tests in this file start it, with its orders");
    let (file, statements): (String, Vec<String>) = serde_json::from_str(&orders).unwrap();
    let mut config = ConnectionConfig::sqlite(file);
    config.pool.max = 1;
    let db = Database::open("child", config, &Paths::new(".")).unwrap();
    for statement in statements {
        if statement == "die" {
            std::process::exit(0);
        }
        db.raw(&statement, []).await.unwrap();
    }
    db.close().await;
}

fn another_process(place: &Place, statements: &[&str]) {
    let orders = serde_json::to_string(&(&place.config.database, statements)).unwrap();
    let mut command = this_test("runs_what_it_is_told_as_another_process");
    let done = run(command.env("HOUSEKEY_TEST_ORDERS", orders));
    assert!(done.status.success(), "{done:?}");
}

/// A file with a row in it, so that there is a stamp.
async fn notes() -> Place {
    notes_in(Place::sqlite().await).await
}

async fn notes_in(place: Place) -> Place {
    place.db.execute_raw("create table notes (id integer primary key, text text)", []).await.unwrap();
    place.db.table("notes").insert(record! { "text" => "first" }).await.unwrap();
    assert!(place.db.stamp().is_some());
    place
}

fn wal_index(place: &Place) -> PathBuf {
    format!("{}-shm", place.config.database).into()
}

#[tokio::test]
async fn every_commit_changes_the_stamp_whoever_makes_it() {
    let place = notes().await;
    let other = place.database();
    let mut seen = vec![place.db.stamp()];
    let mut is_new = |who: &str| {
        let stamp = place.db.stamp();
        assert!(stamp.is_some() && !seen.contains(&stamp), "after a commit of {who}");
        assert_eq!(place.db.stamp(), stamp, "and nothing else happened");
        seen.push(stamp);
    };
    for _ in 0..3 {
        place.db.table("notes").insert(record! { "text" => "own" }).await.unwrap();
        is_new("this handle");
        // There and back again.
        for text in ["second", "first"] {
            place.db.table("notes").where_eq("id", 1).update(record! { "text" => text }).await.unwrap();
            is_new("this handle");
        }
        other.table("notes").insert(record! { "text" => "other" }).await.unwrap();
        is_new("another pool");
        another_process(&place, &["insert into notes (text) values ('theirs')"]);
        is_new("another process");
        let inside = place.db.begin().await.unwrap();
        inside.table("notes").delete().await.unwrap();
        inside.commit().await.unwrap();
        is_new("a transaction");
        for statement in ["pragma wal_checkpoint(TRUNCATE)", "vacuum"] {
            other.raw(statement, []).await.unwrap();
        }
        another_process(&place, &["pragma wal_checkpoint(RESTART)", "create table if not exists more (id)"]);
        place.db.table("notes").insert(record! { "text" => "first" }).await.unwrap();
        is_new("somebody after a checkpoint");
    }
}

#[tokio::test]
async fn what_is_not_committed_leaves_the_stamp_as_it_is() {
    let place = notes().await;
    // A new connection changes the stamp too.
    let db = place.configured(|config| config.pool.max = 1);
    assert_eq!(db.table("notes").count().await.unwrap(), 1);
    let before = db.stamp();
    assert!(before.is_some());
    let inside = db.begin().await.unwrap();
    inside.table("notes").delete().await.unwrap();
    assert_eq!(inside.stamp(), None, "a transaction has none");
    assert_eq!(db.stamp(), before);
    drop(inside);
    assert_eq!(db.table("notes").count().await.unwrap(), 1);
    assert_eq!(db.stamp(), before);
    another_process(&place, &["begin immediate", "delete from notes", "die"]);
    assert_eq!(db.stamp(), before);
    assert_eq!(db.table("notes").count().await.unwrap(), 1);
}

#[tokio::test]
async fn there_is_none_where_it_cannot_be_known() {
    assert_eq!(Database::memory().stamp(), None);
    let memory = notes_without_stamp(Database::memory()).await;
    assert_eq!(memory.stamp(), None, "in memory");

    let server = ConnectionConfig::postgres("postgres://ada:secret@127.0.0.1:1/shop");
    assert_eq!(Database::open("other", server, &Paths::new(".")).unwrap().stamp(), None, "another engine");

    let place = notes().await;
    let only_read = place.configured(|config| config.read_only = true);
    only_read.raw("select * from notes", []).await.unwrap();
    assert_eq!(only_read.stamp(), None, "only read");
    assert_eq!(place.database().stamp(), None, "not yet connected");
    let closed = place.database();
    closed.raw("select * from notes", []).await.unwrap();
    assert!(closed.stamp().is_some());
    closed.close().await;
    assert_eq!(closed.stamp(), None, "closed");
    only_read.close().await;
    place.db.close().await;

    let place = Place::sqlite().await;
    let journal = place.configured(|config| config.pool.max = 1);
    let journal = notes_without_stamp(journal).await;
    assert!(journal.stamp().is_some());
    journal.raw("pragma journal_mode = delete", []).await.unwrap();
    assert!(!wal_index(&place).exists());
    notes_without_stamp(journal.clone()).await;
    assert_eq!(journal.stamp(), None, "without a log");
    journal.raw("pragma journal_mode = wal", []).await.unwrap();
    notes_without_stamp(journal.clone()).await;
    assert_eq!(journal.stamp(), None, "with another log than this connection began with");
}

async fn notes_without_stamp(db: Database) -> Database {
    db.execute_raw("create table if not exists notes (id integer primary key, text text)", []).await.unwrap();
    db.table("notes").insert(record! { "text" => "first" }).await.unwrap();
    db
}

#[tokio::test]
async fn a_log_that_holds_nothing_has_no_stamp() {
    let place = notes().await;
    place.db.close().await;
    assert!(!wal_index(&place).exists(), "the last one to leave takes the log away");
    let again = place.database();
    assert_eq!(again.table("notes").count().await.unwrap(), 1);
    assert!(wal_index(&place).exists());
    // Every database that was opened and not written to looks like this one.
    assert_eq!(again.stamp(), None);
    again.table("notes").insert(record! { "text" => "second" }).await.unwrap();
    assert!(again.stamp().is_some());
}

#[tokio::test]
async fn what_happened_while_no_connection_was_open_is_noticed() {
    let place = notes().await;
    place.db.close().await;
    let db = place.configured(|config| config.pool.idle_timeout = 1);
    for round in 0..2 {
        db.table("notes").insert(record! { "text" => "again" }).await.unwrap();
        let before = db.stamp();
        assert!(before.is_some());
        let is_closed = || db.connections().0 == 0 && !wal_index(&place).exists();
        happens("the last connection to be closed", is_closed).await;
        assert_eq!(db.stamp(), None, "nothing is open");
        another_process(&place, &["delete from notes", "insert into notes (text) values ('theirs')"]);
        assert_eq!(db.table("notes").count().await.unwrap(), 1);
        assert_eq!(db.stamp(), None, "round {round}: not yet written to");
        db.table("notes").insert(record! { "text" => "again" }).await.unwrap();
        assert!(db.stamp().is_some() && db.stamp() != before, "round {round}");
    }
}

#[tokio::test]
async fn a_link_to_the_file_leads_to_the_stamps_of_the_file() {
    let place = notes().await;
    let folder = tempfile::tempdir().unwrap();
    let link = folder.path().join("link.sqlite");
    std::os::unix::fs::symlink(&place.config.database, &link).unwrap();
    let linked = place.configured(|config| config.database = link.display().to_string());
    linked.raw("select * from notes", []).await.unwrap();
    let before = linked.stamp();
    assert!(before.is_some());
    place.db.table("notes").delete().await.unwrap();
    assert!(linked.stamp().is_some() && linked.stamp() != before);
}

/// A process that closes a file gives up all of its locks on it, also those that SQLite took. The next process would then
/// start the wal-index anew, under the connections of this one.
#[tokio::test]
async fn taking_stamps_costs_sqlite_none_of_its_locks() {
    let place = notes().await;
    let locks = locks_on(&place);
    let linux = cfg!(target_os = "linux");
    assert!(!linux || !locks.is_empty(), "SQLite holds a lock while a connection is open");
    for _ in 0..3 {
        let other = place.database();
        other.raw("select * from notes", []).await.unwrap();
        assert!(other.stamp().is_some());
        other.close().await;
        drop(other);
    }
    // Something that makes room among the descriptors.
    drop(notes().await);
    drop(notes().await);
    assert_eq!(locks_on(&place), locks);

    let before = place.db.stamp();
    another_process(&place, &["select * from notes"]);
    assert_eq!(place.db.stamp(), before, "the other process found that somebody was there");
    assert_eq!(place.db.table("notes").count().await.unwrap(), 1);
}

/// This process's locks on the wal-index, as the system tells them. Reading the file to find them would lose them.
fn locks_on(place: &Place) -> Vec<String> {
    use std::os::unix::fs::MetadataExt;
    let inode = std::fs::metadata(wal_index(place)).unwrap().ino();
    let (file, process) = (format!(":{inode} "), format!(" {} ", std::process::id()));
    let locks = std::fs::read_to_string("/proc/locks").unwrap_or_default();
    let own = locks.lines().filter(|line| line.contains(&file) && line.contains(&process));
    own.filter_map(|line| line.split_once(':')).map(|(_, lock)| lock.to_owned()).collect()
}

#[cfg(target_os = "linux")]
#[tokio::test]
async fn descriptors_of_files_that_are_gone_are_given_back() {
    let mut gone = Vec::new();
    for _ in 0..20 {
        let place = notes().await;
        gone.push(wal_index(&place));
        place.db.close().await;
    }
    let place = notes().await;
    let open: Vec<_> = std::fs::read_dir("/proc/self/fd").unwrap().flatten().collect();
    let open: Vec<_> = open.iter().filter_map(|entry| std::fs::read_link(entry.path()).ok()).collect();
    let is_open =
        |file: &PathBuf| open.iter().any(|open| open.to_string_lossy().starts_with(&*file.to_string_lossy()));
    assert!(is_open(&wal_index(&place)));
    assert_eq!(gone.iter().filter(|file| is_open(file)).count(), 0);
}
