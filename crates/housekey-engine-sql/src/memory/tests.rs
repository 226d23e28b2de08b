#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use housekey_database::testing::Place as File;
use housekey_engine::schema::{Column, Schema};
use housekey_engine::storage::{Filter, Find, Records, Storage, conformance};
use time::macros::datetime;

use super::kept::GENERATION;
use super::*;
use crate::SqlStorage;

struct House {
    _file: File,
    storage: SqlStorage,
    schema: Schema,
}

impl House {
    async fn new() -> Self {
        let file = File::sqlite().await;
        // With one connection: a new one changes the stamp too.
        let storage = SqlStorage::new(file.configured(|config| config.pool.max = 1));
        let schema = conformance::schema().unwrap();
        storage.create_tables(&schema).await.unwrap();
        Self { _file: file, storage, schema }
    }

    fn table(&self, key: &str) -> &Table {
        self.schema.table(key).unwrap()
    }

    async fn user(&self, id: &str, name: &str) {
        let moment = datetime!(2026-01-01 0:00 UTC);
        let user = Record::new().with("id", id).with("name", name).with("email", format!("{id}@example.com"));
        let user = user.with("emailVerified", true).with("createdAt", moment).with("updatedAt", moment);
        self.storage.create(self.table("user"), &user).await.unwrap();
    }

    fn is_kept(&self, table: &Table, find: &Find) -> bool {
        let recalled =
            self.storage.memory_of_reads().rows(self.storage.database(), &Question::rows(table, find));
        matches!(recalled, Recalled::Known(_))
    }

    fn kept(&self) -> usize {
        self.storage.memory_of_reads().kept().len()
    }
}

#[tokio::test]
async fn an_answer_is_kept_until_something_is_committed() {
    let house = House::new().await;
    house.user("u1", "Ada").await;
    let (users, find) = (house.table("user"), Find::new(Filter::by("id", "u1")));
    assert!(!house.is_kept(users, &find));
    house.storage.find(users, &find).await.unwrap();
    assert!(house.is_kept(users, &find));
    let clone = house.storage.clone();
    assert!(matches!(
        clone.memory_of_reads().rows(clone.database(), &Question::rows(users, &find)),
        Recalled::Known(_)
    ));
    house.user("u2", "Grace").await;
    assert!(!house.is_kept(users, &find));
    assert_eq!(house.kept(), 0, "and then it is gone");
}

#[tokio::test]
async fn secrets_are_not_kept() {
    let house = House::new().await;
    house.user("u1", "Ada").await;
    let second_factor = Table::new("twoFactor")
        .column_with(Column::text("secret").hidden())
        .column_with(Column::reference("userId", "user"));
    house.storage.database().execute_raw("create table twoFactor (id, secret, userId)", []).await.unwrap();
    let passkey = Table::new("passkey").column_with(Column::reference("userId", "user"));
    house.storage.database().execute_raw("create table passkey (id, userId)", []).await.unwrap();
    let [account, verification, limits] =
        ["account", "verification", "rateLimit"].map(|key| house.table(key));
    let find = Find::default();
    for (table, keeps) in [
        (account, false),
        (verification, false),
        (limits, false),
        (&second_factor, false),
        (&passkey, true),
        (house.table("user"), true),
        (house.table("session"), true),
    ] {
        house.storage.find(table, &find).await.unwrap();
        assert_eq!(house.is_kept(table, &find), keeps, "{}", table.key);
    }
}

#[tokio::test]
async fn a_transaction_neither_keeps_nor_recalls() {
    let house = House::new().await;
    house.user("u1", "Ada").await;
    let (users, find) = (house.table("user"), Find::new(Filter::by("id", "u1")));
    let inside = house.storage.begin().await.unwrap();
    inside.find(users, &find).await.unwrap();
    inside.count(users, &find.filter).await.unwrap();
    drop(inside);
    assert_eq!(house.kept(), 0);
    let within = house.storage.database().begin().await.unwrap();
    let storage = SqlStorage::new(Database::clone(&within));
    storage.find(users, &find).await.unwrap();
    assert_eq!(storage.memory_of_reads().kept().len(), 0, "a storage in a transaction");
}

#[tokio::test]
async fn there_is_a_bound_to_what_is_kept_and_what_is_asked_for_stays() {
    let house = House::new().await;
    house.user("u1", "Ada").await;
    let users = house.table("user");
    let of_ada = Find::new(Filter::by("id", "u1"));
    house.storage.find(users, &of_ada).await.unwrap();
    for number in 0..GENERATION * 3 {
        let find = Find::new(Filter::by("name", format!("nobody {number}")));
        house.storage.find(users, &find).await.unwrap();
        assert!(house.kept() <= GENERATION * 2);
        if number % (GENERATION / 2) == 0 {
            assert!(house.is_kept(users, &of_ada), "after {number}");
        }
    }
    assert!(house.kept() >= GENERATION);
    assert!(!house.is_kept(users, &Find::new(Filter::by("name", "nobody 0"))));
}

#[tokio::test]
async fn guesses_leave_nothing_behind() {
    let house = House::new().await;
    house.user("u1", "Ada").await;
    let (users, sessions) = (house.table("user"), house.table("session"));
    for guess in ["a", "b", "c"] {
        let by_token = Filter::by("token", guess);
        assert_eq!(house.storage.find_with_parent(sessions, &by_token, "userId", users).await.unwrap(), None);
        house.storage.find_one(sessions, &by_token).await.unwrap();
        house.storage.find_one(users, &Filter::by("email", guess)).await.unwrap();
        house.storage.find_one(users, &Filter::by("id", guess)).await.unwrap();
    }
    assert_eq!(house.kept(), 0);
}

#[tokio::test]
async fn what_is_large_is_not_kept() {
    let house = House::new().await;
    house.user("u1", &"A".repeat(MOST_BYTES)).await;
    for number in 0..=MOST_ROWS {
        house.user(&format!("small{number}"), "Ada").await;
    }
    let users = house.table("user");
    let by_name = || Filter::by("name", "Ada");
    for (find, keeps) in [
        (Find::new(Filter::by("id", "u1")), false),
        (Find::new(by_name()), false),
        (Find::new(by_name()).limit(32), true),
    ] {
        house.storage.find(users, &find).await.unwrap();
        assert_eq!(house.is_kept(users, &find), keeps, "{find:?}");
    }
}

/// Even if two questions met in one place.
#[tokio::test]
async fn the_hash_finds_and_the_question_decides() {
    let house = House::new().await;
    house.user("u1", "Ada").await;
    house.user("u2", "Grace").await;
    let users = house.table("user");
    let [ada, grace] = ["u1", "u2"].map(|id| Find::new(Filter::by("id", id)));
    let (ada, grace) = (Question::rows(users, &ada), Question::rows(users, &grace));
    let memory = house.storage.memory_of_reads();
    let Recalled::Unknown(Place(Some((stamp, _)))) = memory.rows(house.storage.database(), &ada) else {
        panic!("nothing was asked yet");
    };
    let hash = memory.0.hasher.hash_one(&grace);
    memory.keep_rows(Place(Some((stamp, hash))), &ada, &[Record::new().with("id", "u1")]);
    assert_eq!(memory.kept().len(), 1);
    assert!(matches!(memory.rows(house.storage.database(), &grace), Recalled::Unknown(_)));
}
