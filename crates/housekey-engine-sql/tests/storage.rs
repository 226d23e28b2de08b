//! The engine's own suite for storages, and the engine on top of it, on every database.

use std::sync::Arc;

use bytes::Bytes;
use housekey_database::on_every_engine;
use housekey_database::testing::TestDatabase;
use housekey_engine::options::{EmailAndPassword, EngineOptions};
use housekey_engine::storage::{Filter, Find, Records, Storage, Write, WriteAction, conformance};
use housekey_engine::{Engine, Record, SignUpEmail};
use housekey_engine_sql::SqlStorage;
use http::{Request, StatusCode};

on_every_engine!(
    the_storage_does_what_every_storage_must,
    many_who_count_at_once_get_a_number_each,
    of_many_who_take_a_row_one_gets_it,
    of_many_who_take_a_row_and_leave_another_one_does_both,
    writes_together_are_as_many_queries_and_part_of_the_transaction_around_them,
    the_engine_keeps_its_people_here,
    people_come_and_go_with_the_transaction_around_them,
    tables_that_are_there_are_left_alone,
    a_database_of_the_reference_gets_what_it_lacks,
);

async fn the_storage_does_what_every_storage_must(test: TestDatabase) {
    let storage = SqlStorage::new(test.db);
    let schema = conformance::schema().unwrap();
    storage.create_tables(&schema).await.unwrap();
    conformance::check(&storage, &schema).await.unwrap();
}

async fn many_who_count_at_once_get_a_number_each(test: TestDatabase) {
    let storage = Arc::new(SqlStorage::new(test.db));
    let schema = Arc::new(conformance::schema().unwrap());
    storage.create_tables(&schema).await.unwrap();
    let row = Record::new().with("id", "1").with("key", "k").with("count", 0_i64).with("lastRequest", 0_i64);
    storage.create(schema.table("rateLimit").unwrap(), &row).await.unwrap();
    let tasks = (0..20).map(|_| {
        let (storage, schema) = (Arc::clone(&storage), Arc::clone(&schema));
        tokio::spawn(async move {
            let table = schema.table("rateLimit").unwrap();
            storage.increment(table, &Filter::by("key", "k"), "count", 1).await.unwrap().unwrap()
        })
    });
    let mut numbers = Vec::new();
    for task in tasks.collect::<Vec<_>>() {
        numbers.push(task.await.unwrap());
    }
    numbers.sort_unstable();
    assert_eq!(numbers, (1..=20).collect::<Vec<i64>>());
}

async fn of_many_who_take_a_row_one_gets_it(test: TestDatabase) {
    let storage = Arc::new(SqlStorage::new(test.db));
    let schema = Arc::new(conformance::schema().unwrap());
    storage.create_tables(&schema).await.unwrap();
    let row = Record::new().with("id", "1").with("key", "k").with("count", 0_i64).with("lastRequest", 0_i64);
    storage.create(schema.table("rateLimit").unwrap(), &row).await.unwrap();
    let tasks = (0..10).map(|_| {
        let (storage, schema) = (Arc::clone(&storage), Arc::clone(&schema));
        tokio::spawn(async move {
            let table = schema.table("rateLimit").unwrap();
            let transaction = storage.begin().await.unwrap();
            let taken = transaction.delete(table, &Filter::by("key", "k")).await.unwrap();
            transaction.commit().await.unwrap();
            taken
        })
    });
    let mut taken = 0;
    for task in tasks.collect::<Vec<_>>() {
        taken += task.await.unwrap();
    }
    assert_eq!(taken, 1);
}

async fn of_many_who_take_a_row_and_leave_another_one_does_both(test: TestDatabase) {
    let storages = [SqlStorage::new(test.db.clone()), SqlStorage::new(test.database())].map(Arc::new);
    let schema = Arc::new(conformance::schema().unwrap());
    storages[0].create_tables(&schema).await.unwrap();
    let table = schema.table("rateLimit").unwrap();
    let row = |id: String| {
        Record::new().with("id", &id).with("key", id).with("count", 0_i64).with("lastRequest", 0_i64)
    };
    storages[0].create(table, &row("link".into())).await.unwrap();
    let tasks = (0..10).map(|number| {
        let (storage, schema) = (Arc::clone(&storages[number % 2]), Arc::clone(&schema));
        let session = row(format!("session-{number}"));
        tokio::spawn(async move {
            let (table, link) = (schema.table("rateLimit").unwrap(), Filter::by("key", "link"));
            let writes = [
                Write { table, action: WriteAction::Create(&session), expecting: false },
                Write { table, action: WriteAction::Delete(&link), expecting: true },
            ];
            storage.write_together(&writes).await.unwrap()
        })
    });
    let mut winners = 0;
    for task in tasks.collect::<Vec<_>>() {
        winners += usize::from(task.await.unwrap());
    }
    assert_eq!(winners, 1);
    assert_eq!(storages[0].count(table, &Filter::all()).await.unwrap(), 1);
    assert_eq!(storages[0].count(table, &Filter::by("key", "link")).await.unwrap(), 0);
}

async fn writes_together_are_as_many_queries_and_part_of_the_transaction_around_them(test: TestDatabase) {
    let storage = SqlStorage::new(test.db.clone());
    let schema = conformance::schema().unwrap();
    storage.create_tables(&schema).await.unwrap();
    let table = schema.table("rateLimit").unwrap();
    let row = |id: &str| {
        Record::new().with("id", id).with("key", id).with("count", 0_i64).with("lastRequest", 0_i64)
    };
    let (one, two, three, gone) = (row("one"), row("two"), row("three"), Filter::by("key", "gone"));
    let create = |record| Write { table, action: WriteAction::Create(record), expecting: false };
    let take = Write { table, action: WriteAction::Delete(&gone), expecting: true };
    let both = [create(&one), create(&two)];

    let log = test.db.log_queries();
    let outcome = test.db.transaction(async |_| {
        assert!(storage.write_together(&both).await.unwrap());
        assert!(!storage.write_together(&[create(&three), take]).await.unwrap());
        assert_eq!(storage.count(table, &Filter::all()).await.unwrap(), 2);
        Err::<(), _>(housekey_core::Error::internal("on purpose"))
    });
    assert!(outcome.await.is_err());
    log.assert_queries(5);
    assert_eq!(storage.count(table, &Filter::all()).await.unwrap(), 0);
    log.assert_queries(1);
    assert!(storage.write_together(&both).await.unwrap());
    log.assert_queries(2);
}

async fn the_engine_keeps_its_people_here(test: TestDatabase) {
    let storage = SqlStorage::new(test.db);
    let options = EngineOptions {
        secret: "a secret of at least thirty-two characters".into(),
        email_and_password: EmailAndPassword { enabled: true, ..Default::default() },
        ..Default::default()
    };
    let engine = Engine::build(options, storage.clone()).unwrap();
    storage.create_tables(engine.schema()).await.unwrap();
    let sign_up = Request::post("/api/auth/sign-up/email")
        .header("content-type", "application/json")
        .body(Bytes::from_static(br#"{"name":"Ada","email":"ada@example.com","password":"correct horse"}"#))
        .unwrap();
    let answer = engine.handle(sign_up.clone()).await;
    assert_eq!(answer.status(), StatusCode::OK, "{:?}", answer.body());
    let cookie = answer.headers()["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let who = Request::get("/api/auth/get-session").header("cookie", cookie).body(Bytes::new()).unwrap();
    let answer = engine.handle(who).await;
    assert!(String::from_utf8_lossy(answer.body()).contains("ada@example.com"), "{:?}", answer.body());
    assert_eq!(engine.handle(sign_up).await.status(), StatusCode::UNPROCESSABLE_ENTITY);
}

// spec: SEC-11
async fn people_come_and_go_with_the_transaction_around_them(test: TestDatabase) {
    let db = test.db.clone();
    let storage = SqlStorage::new(test.db);
    let options = EngineOptions {
        secret: "a secret of the tests, with more than 32 characters".into(),
        email_and_password: EmailAndPassword { enabled: true, ..Default::default() },
        ..Default::default()
    };
    let engine = Engine::build(options, storage.clone()).unwrap();
    storage.create_tables(engine.schema()).await.unwrap();
    let ada = || SignUpEmail {
        name: "Ada".into(),
        email: "ada@example.com".into(),
        password: "correct horse".into(),
        ..Default::default()
    };
    let count = async || db.table("user").count().await.unwrap();

    let taken_back = db.transaction(async |_| {
        engine.api().sign_up_email(ada()).await.unwrap();
        Err::<(), _>(housekey_core::Error::internal("on purpose"))
    });
    assert!(taken_back.await.is_err());
    assert_eq!(count().await, 0);

    let users = engine.schema().table("user").unwrap();
    let kept = db.transaction(async |tx| {
        engine.api().sign_up_email(ada()).await.unwrap();
        // Past the engine's own look at the address, to the database's: a race that was lost looks like this.
        let found = storage.find(users, &Find::new(Filter::all())).await.unwrap();
        let twice = found.first().unwrap();
        assert!(storage.create(users, twice).await.unwrap_err().is_conflict());
        tx.table("user").count().await
    });
    assert_eq!(kept.await.unwrap(), 1, "the transaction went on");
    assert_eq!(count().await, 1);
}

async fn tables_that_are_there_are_left_alone(test: TestDatabase) {
    let storage = SqlStorage::new(test.db);
    let schema = conformance::schema().unwrap();
    storage.create_tables(&schema).await.unwrap();
    let row = Record::new().with("id", "1").with("key", "k").with("count", 0_i64).with("lastRequest", 0_i64);
    storage.create(schema.table("rateLimit").unwrap(), &row).await.unwrap();
    storage.create_tables(&schema).await.unwrap();
    assert_eq!(storage.count(schema.table("rateLimit").unwrap(), &Filter::all()).await.unwrap(), 1);
}

/// Versions from 1.7.3 on have no `issuer`, and on MySQL an `accountId` without a bound.
async fn a_database_of_the_reference_gets_what_it_lacks(test: TestDatabase) {
    let schema = conformance::schema().unwrap();
    let storage = SqlStorage::new(test.db.clone());
    storage.create_tables(&schema).await.unwrap();
    let index = "account_issuer_accountId_uidx";
    let as_there = |table: &mut housekey_database::Table| {
        table.drop_index_named(index);
        table.drop_column("issuer");
        table.text("accountId").change();
    };
    test.db.schema(|schema| schema.table("account", as_there)).await.unwrap();
    storage.create_tables(&schema).await.unwrap();
    let table = test.db.table_info("account").await.unwrap().unwrap();
    assert!(table.column("issuer").unwrap().nullable);
    let found = table.index(&["issuer", "accountId"]).unwrap();
    assert_eq!((found.name.as_str(), found.unique), (index, true));
    conformance::check(&storage, &schema).await.unwrap();
}
