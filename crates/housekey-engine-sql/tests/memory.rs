//! What is remembered of a database is never older than the database.

#![cfg(any(target_os = "linux", target_os = "macos"))]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]
#![allow(clippy::print_stdout, reason = "a process says what it has done to the one that started it")]

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicI64, Ordering};

use housekey_core::Paths;
use housekey_database::testing::Place;
use housekey_database::{ConnectionConfig, Database};
use housekey_engine::schema::{Schema, Table};
use housekey_engine::storage::{Comparison, Direction, Filter, Find, Records, Storage, conformance};
use housekey_engine::{Record, Value};
use housekey_engine_sql::SqlStorage;
use housekey_test_support::{Program, happens, run, this_test};
use time::OffsetDateTime;
use time::macros::datetime;

const ORDERS: &str = "HOUSEKEY_TEST_ORDERS";

/// `count` counts up in Ada's name and says so, until it is ended.
#[tokio::test]
#[ignore = "the other process of the tests in this file, which start it"]
async fn works_as_another_process() {
    let orders = std::env::var(ORDERS).expect("the tests in this file start it, with its orders");
    let mut orders = orders.lines();
    let config = ConnectionConfig::sqlite(orders.next().unwrap());
    let db = Database::open("child", config, &Paths::new(".")).unwrap();
    for order in orders {
        if order != "count" {
            db.raw(order, []).await.unwrap();
            continue;
        }
        for number in 1.. {
            let sql = format!("update user set name = '{number}' where id = 'u1'");
            db.execute_raw(&sql, []).await.unwrap();
            println!("\ncommitted {number}");
        }
    }
    db.close().await;
}

fn other_process(place: &Place, orders: &str) -> Command {
    let mut command = this_test("works_as_another_process");
    command.env(ORDERS, format!("{}\n{orders}", place.config.database));
    command
}

fn done_by_another_process(place: &Place, orders: &str) {
    let done = run(&mut other_process(place, orders));
    assert!(done.status.success(), "{done:?}");
}

struct House {
    place: Place,
    storage: SqlStorage,
    schema: Schema,
}

/// Ada, with one session.
async fn house() -> House {
    house_in(Place::sqlite().await, |place| place.db.clone()).await
}

async fn house_in(place: Place, database: impl FnOnce(&Place) -> Database) -> House {
    let storage = SqlStorage::new(database(&place));
    let schema = conformance::schema().unwrap();
    storage.create_tables(&schema).await.unwrap();
    let house = House { place, storage, schema };
    let moment = datetime!(2026-01-01 0:00 UTC);
    let user = Record::new().with("id", "u1").with("name", "Ada").with("email", "ada@example.com");
    let user = user.with("emailVerified", true).with("createdAt", moment).with("updatedAt", moment);
    house.storage.create(house.users(), &user).await.unwrap();
    house.storage.create(house.sessions(), &session("s1", datetime!(2026-02-01 0:00 UTC))).await.unwrap();
    house
}

fn session(id: &str, expires: OffsetDateTime) -> Record {
    let moment = datetime!(2026-01-01 0:00 UTC);
    let session = Record::new().with("id", id).with("token", format!("token-{id}")).with("userId", "u1");
    session.with("expiresAt", expires).with("createdAt", moment).with("updatedAt", moment)
}

impl House {
    fn users(&self) -> &Table {
        self.schema.table("user").unwrap()
    }

    fn sessions(&self) -> &Table {
        self.schema.table("session").unwrap()
    }

    /// Ada's name, as a request with her session finds it; `None` when nobody is signed in.
    async fn name(&self) -> Option<String> {
        name(&self.storage, &self.schema).await
    }

    async fn rename(&self, name: &str) {
        let changes = Record::new().with("name", name);
        assert_eq!(self.storage.update(self.users(), &Filter::by("id", "u1"), &changes).await.unwrap(), 1);
    }

    /// Twice: what was read, and what was remembered of it.
    async fn is_called(&self, name: &str) {
        for _ in 0..2 {
            assert_eq!(self.name().await.as_deref(), Some(name));
        }
        let find = Find::new(Filter::by("id", "u1"));
        let count = Filter::by("name", name);
        for _ in 0..2 {
            assert_eq!(self.storage.find(self.users(), &find).await.unwrap()[0].text("name"), Some(name));
            assert_eq!(self.storage.count(self.users(), &count).await.unwrap(), 1);
        }
    }
}

async fn name(storage: &SqlStorage, schema: &Schema) -> Option<String> {
    let (sessions, users) = (schema.table("session").unwrap(), schema.table("user").unwrap());
    let filter = Filter::by("token", "token-s1");
    let found = storage.find_with_parent(sessions, &filter, "userId", users).await.unwrap();
    found.map(|(_, user)| user.text("name").unwrap().to_owned())
}

#[tokio::test]
async fn a_change_by_another_process_is_in_the_next_answer() {
    let house = house().await;
    house.is_called("Ada").await;
    assert!(house.storage.database().stamp().is_some(), "it is remembered");
    done_by_another_process(&house.place, "update user set name = 'Grace' where id = 'u1'");
    house.is_called("Grace").await;
    done_by_another_process(&house.place, "delete from session where id = 's1'");
    assert_eq!(house.name().await, None);
    done_by_another_process(&house.place, "delete from user where id = 'u1'");
    assert_eq!(house.storage.find(house.users(), &Find::default()).await.unwrap(), []);
    assert_eq!(house.storage.count(house.users(), &Filter::all()).await.unwrap(), 0);
}

#[tokio::test]
async fn a_change_in_this_process_is_in_the_next_answer() {
    let house = house().await;
    house.is_called("Ada").await;
    house.rename("Grace").await;
    house.is_called("Grace").await;
    let db = house.storage.database();
    db.execute_raw("update user set name = 'Joan'", []).await.unwrap();
    house.is_called("Joan").await;
    let other = house.place.database();
    other.execute_raw("update user set name = 'Mary'", []).await.unwrap();
    house.is_called("Mary").await;
    let clone = house.storage.clone();
    clone.delete(house.sessions(), &Filter::by("id", "s1")).await.unwrap();
    assert_eq!(house.name().await, None);
    clone.create(house.sessions(), &session("s1", datetime!(2026-02-01 0:00 UTC))).await.unwrap();
    house.is_called("Mary").await;
}

#[tokio::test]
async fn a_transaction_sees_its_own_work_and_others_see_it_when_it_is_committed() {
    let house = house().await;
    house.is_called("Ada").await;
    let (users, of_ada) = (house.users(), Filter::by("id", "u1"));
    for commits in [false, true] {
        let inside = house.storage.begin().await.unwrap();
        inside.update(users, &of_ada, &Record::new().with("name", "Grace")).await.unwrap();
        let seen = inside.find_one(users, &of_ada).await.unwrap().unwrap();
        assert_eq!(seen.text("name"), Some("Grace"), "inside");
        house.is_called("Ada").await;
        if commits {
            inside.commit().await.unwrap();
            house.is_called("Grace").await;
        } else {
            drop(inside);
            house.is_called("Ada").await;
        }
    }
}

#[tokio::test]
async fn what_has_expired_meanwhile_is_left_out_of_what_is_remembered() {
    let house = house().await;
    let later = datetime!(2026-03-01 0:00 UTC);
    house.storage.create(house.sessions(), &session("s2", later)).await.unwrap();
    let living = async |moment: OffsetDateTime, limit: Option<u32>| {
        let filter = Filter::by("userId", "u1").and("expiresAt", Comparison::Greater, moment);
        let find = Find { limit, ..Find::new(filter).order("createdAt", Direction::Ascending) };
        let rows = house.storage.find(house.sessions(), &find).await.unwrap();
        rows.iter().map(|row| row.text("id").unwrap().to_owned()).collect::<Vec<_>>()
    };
    let day = |day: u8| datetime!(2026-01-01 0:00 UTC).replace_day(day).unwrap();
    for _ in 0..2 {
        assert_eq!(living(day(20), None).await, ["s1", "s2"]);
        assert_eq!(living(day(21), None).await, ["s1", "s2"]);
        assert_eq!(living(datetime!(2026-02-01 0:00 UTC), None).await, ["s2"], "at the very moment");
        assert_eq!(living(later, None).await, Vec::<String>::new());
        // Back in time: the answer about a later moment is not one about an earlier one.
        assert_eq!(living(day(2), None).await, ["s1", "s2"]);
        // The first one of those that live is another one when the first has expired.
        assert_eq!(living(day(20), Some(1)).await, ["s1"]);
        assert_eq!(living(datetime!(2026-02-01 0:00 UTC), Some(1)).await, ["s2"]);
    }
}

#[tokio::test]
async fn questions_that_differ_in_anything_are_not_taken_for_one_another() {
    let house = house().await;
    for (id, expires) in [("s2", datetime!(2026-03-01 0:00 UTC)), ("s3", datetime!(2026-04-01 0:00 UTC))] {
        house.storage.create(house.sessions(), &session(id, expires)).await.unwrap();
    }
    let all = || Find::new(Filter::by("userId", "u1"));
    let by_expiry = |direction| all().order("expiresAt", direction);
    let until = |comparison| {
        Find::new(Filter::all().and("expiresAt", comparison, datetime!(2026-03-01 0:00 UTC)))
            .order("id", Direction::Ascending)
    };
    let asked: [(Find, &[&str]); 12] = [
        (by_expiry(Direction::Ascending), &["s1", "s2", "s3"]),
        (by_expiry(Direction::Descending), &["s3", "s2", "s1"]),
        (by_expiry(Direction::Ascending).limit(2), &["s1", "s2"]),
        (by_expiry(Direction::Ascending).limit(2).offset(1), &["s2", "s3"]),
        (Find::new(Filter::by("userId", Value::Null)), &[]),
        (Find::new(Filter::by("token", "token-s2")), &["s2"]),
        (Find::new(Filter::by("id", "s2")), &["s2"]),
        (Find::new(Filter::by("id", "token-s2")), &[]),
        (until(Comparison::Less), &["s1"]),
        (until(Comparison::LessOrEqual), &["s1", "s2"]),
        (until(Comparison::Greater), &["s3"]),
        (until(Comparison::GreaterOrEqual), &["s2", "s3"]),
    ];
    for _ in 0..3 {
        for (find, ids) in &asked {
            let rows = house.storage.find(house.sessions(), find).await.unwrap();
            let found: Vec<_> = rows.iter().map(|row| row.text("id").unwrap()).collect();
            assert_eq!(&found, ids, "{find:?}");
            let count = house.storage.count(house.sessions(), &find.filter).await.unwrap();
            assert!(count >= found.len() as u64, "{find:?}");
        }
        let mut narrow = house.sessions().clone();
        narrow.columns.retain(|column| column.field != "token");
        let row = house.storage.find_one(&narrow, &Filter::by("id", "s2")).await.unwrap().unwrap();
        assert!(!row.has("token"), "a table with other columns");
        assert_eq!(house.storage.count(house.users(), &Filter::by("id", "s2")).await.unwrap(), 0);
    }
}

#[tokio::test]
async fn what_happened_while_no_connection_was_open_is_in_the_next_answer() {
    let place = Place::sqlite().await;
    let house = house_in(place, |place| place.configured(|config| config.pool.idle_timeout = 1)).await;
    let wal_index = format!("{}-shm", house.place.config.database);
    for name in ["Grace", "Joan", "Mary"] {
        assert!(house.name().await.is_some());
        let is_closed =
            || house.storage.database().connections().0 == 0 && !std::fs::exists(&wal_index).unwrap();
        happens("the last connection to be closed", is_closed).await;
        let orders = format!("update user set name = '{name}'\npragma wal_checkpoint(TRUNCATE)");
        done_by_another_process(&house.place, &orders);
        house.is_called(name).await;
        // Once with something in the log, once with a log that looks like the one of the next round.
        if name == "Grace" {
            house.rename("Grace Hopper").await;
            house.is_called("Grace Hopper").await;
        }
    }
}

#[tokio::test]
async fn a_checkpoint_a_vacuum_and_a_new_table_lose_nothing() {
    let house = house().await;
    let truncate = "pragma wal_checkpoint(TRUNCATE)";
    let steps = [
        (truncate, truncate),
        ("vacuum", "vacuum"),
        ("pragma wal_checkpoint(RESTART)", "pragma wal_checkpoint"),
        ("create table more (id)", "drop table more"),
    ];
    for (at, (own, theirs)) in steps.into_iter().enumerate() {
        let name = format!("Ada {at}");
        house.rename(&name).await;
        house.is_called(&name).await;
        house.storage.database().raw(own, []).await.unwrap();
        house.is_called(&name).await;
        let name = format!("Grace {at}");
        done_by_another_process(&house.place, &format!("update user set name = '{name}'\n{theirs}"));
        house.is_called(&name).await;
    }
}

#[tokio::test]
async fn without_a_stamp_it_works_as_well() {
    let place = Place::sqlite().await;
    let memory = house_in(place.clone(), |_| Database::memory()).await;
    let journal = house_in(place, |place| place.configured(|config| config.pool.max = 1)).await;
    journal.storage.database().raw("pragma journal_mode = delete", []).await.unwrap();
    for house in [memory, journal] {
        assert_eq!(house.storage.database().stamp(), None);
        house.is_called("Ada").await;
        house.rename("Grace").await;
        house.is_called("Grace").await;
        house.storage.delete(house.sessions(), &Filter::by("id", "s1")).await.unwrap();
        assert_eq!(house.name().await, None);
    }
}

/// A reader must find at least what was committed before it began to read.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn readers_beside_a_writer_never_read_what_is_over() {
    let house = Arc::new(house().await);
    house.rename("0").await;
    let (committed, over) = (Arc::new(AtomicI64::new(0)), Arc::new(AtomicBool::new(false)));
    let readers: Vec<_> = (0..4)
        .map(|reader| {
            let (house, committed, over) = (Arc::clone(&house), Arc::clone(&committed), Arc::clone(&over));
            tokio::spawn(async move {
                let (mut last, mut rounds) = (0, 0_u64);
                while !over.load(Ordering::Acquire) {
                    let at_least = committed.load(Ordering::Acquire).max(last);
                    last = house.name().await.unwrap().parse().unwrap();
                    assert!(last >= at_least, "reader {reader} read {last} after {at_least} was committed");
                    rounds += 1;
                    // An answer from memory waits for nothing, and the writer needs its turn.
                    tokio::task::yield_now().await;
                }
                rounds
            })
        })
        .collect();
    for number in 1..=3000_i64 {
        house.rename(&number.to_string()).await;
        committed.store(number, Ordering::Release);
        // Now and then there is time to remember something.
        if number % 4 == 0 {
            tokio::task::yield_now().await;
            assert_eq!(house.name().await.unwrap(), number.to_string());
            assert_eq!(house.name().await.unwrap(), number.to_string());
        }
    }
    over.store(true, Ordering::Release);
    for reader in readers {
        assert!(reader.await.unwrap() > 0);
    }
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn a_writer_in_another_process_is_never_ahead_of_what_is_read_and_may_be_killed_at_any_time() {
    let house = house().await;
    for round in 0..5 {
        let mut writer = Program::start(&mut other_process(&house.place, "count"));
        let mut last = 0;
        while last < 400 {
            let line = writer.says("committed ");
            let committed: i64 = line.trim_start_matches("committed ").parse().unwrap();
            for _ in 0..2 {
                let read: i64 = house.name().await.unwrap().parse().unwrap();
                assert!(read >= committed.max(last), "round {round}: {read} after {committed} and {last}");
                last = read;
            }
        }
        writer.kill();
        // Whatever the end of it was, memory and database agree on it.
        let there = house.place.database();
        let row = there.raw("select name from user where id = 'u1'", []).await.unwrap();
        assert_eq!(house.name().await.unwrap(), row[0].get::<String>("name").unwrap());
        there.close().await;
        house.rename("Ada").await;
        house.is_called("Ada").await;
    }
}
