//! Statements that are handed over together, on every engine.

use std::time::Duration;

use housekey_core::Error;
use housekey_database::sql::{Alias, Expr, ExprTrait, InsertStatement, Query, UpdateStatement};
use housekey_database::testing::TestDatabase;
use housekey_database::{Batch, Database, DatabaseError, on_every_engine, record};
use housekey_test_support::in_time;

on_every_engine!(
    a_batch_is_kept_as_a_whole,
    a_statement_that_fails_takes_the_others_back,
    a_statement_that_meets_other_rows_takes_the_others_back,
    of_many_who_want_the_last_seat_one_gets_it,
    whoever_stops_waiting_leaves_nothing_half_done_and_nothing_open,
    a_batch_waits_for_another_writer,
    a_batch_belongs_to_the_transaction_around_it,
    the_query_log_counts_what_was_run,
);

/// A table of seats with one free seat, and one of tickets with a number each.
async fn theatre(db: &Database) {
    db.schema(|schema| {
        schema.create("seats", |table| {
            table.id();
            table.big_integer("taken");
        });
        schema.create("tickets", |table| {
            table.id();
            table.big_integer("number");
            table.unique(["number"]);
        });
    })
    .await
    .unwrap();
    db.table("seats").insert(record! { "taken" => 0 }).await.unwrap();
}

fn ticket(number: i64) -> InsertStatement {
    let mut insert = Query::insert();
    let columns = insert.into_table(Alias::new("tickets")).columns([Alias::new("number")]);
    columns.values_panic([number.into()]);
    insert
}

/// Takes the seat, if it is free.
fn take() -> UpdateStatement {
    let mut update = Query::update();
    let is_free = Expr::col(Alias::new("taken")).eq(0);
    update.table(Alias::new("seats")).value(Alias::new("taken"), 1).and_where(is_free);
    update
}

/// The seat, and a ticket for it.
fn buy(db: &Database, number: i64) -> Batch {
    db.batch().run(&take()).expecting(1).run(&ticket(number))
}

async fn tickets(db: &Database) -> Vec<i64> {
    db.table("tickets").order_by("number").pluck("number").await.unwrap()
}

async fn taken(db: &Database) -> i64 {
    db.table("seats").pluck::<i64>("taken").await.unwrap()[0]
}

async fn a_batch_is_kept_as_a_whole(test: TestDatabase) {
    theatre(&test.db).await;
    let free = "update seats set taken = 0 where taken = 1";
    let batch = buy(&test.db, 1).execute_raw(free, []).expecting(1).run(&ticket(2));
    assert!(batch.commit().await.unwrap());
    let elsewhere = test.database();
    assert_eq!((tickets(&elsewhere).await, taken(&elsewhere).await), (vec![1, 2], 0));
    assert!(test.db.batch().commit().await.unwrap());
}

async fn a_statement_that_fails_takes_the_others_back(test: TestDatabase) {
    theatre(&test.db).await;
    assert!(test.db.batch().run(&ticket(7)).commit().await.unwrap());
    let error = buy(&test.db, 7).run(&ticket(8)).commit().await.unwrap_err();
    assert!(DatabaseError::of(&error).unwrap().is_unique_violation(), "{error}");
    assert!(error.to_string().to_lowercase().contains("insert into"), "{error}");
    assert_eq!((tickets(&test.db).await, taken(&test.db).await), (vec![7], 0));
    assert!(buy(&test.db, 9).commit().await.unwrap());
}

async fn a_statement_that_meets_other_rows_takes_the_others_back(test: TestDatabase) {
    theatre(&test.db).await;
    // Too few, and too many.
    let batch = test.db.batch().run(&ticket(1)).run(&take()).expecting(2);
    assert!(!batch.commit().await.unwrap());
    test.db.table("seats").insert(record! { "taken" => 0 }).await.unwrap();
    assert!(!test.db.batch().run(&ticket(1)).run(&take()).expecting(1).commit().await.unwrap());
    assert_eq!((tickets(&test.db).await, taken(&test.db).await), (vec![], 0));
    assert!(test.db.batch().run(&take()).expecting(2).run(&ticket(1)).commit().await.unwrap());
    assert_eq!(tickets(&test.database()).await, [1]);
}

async fn of_many_who_want_the_last_seat_one_gets_it(test: TestDatabase) {
    theatre(&test.db).await;
    let elsewhere = test.database();
    let buyers: Vec<_> = (0..20)
        .map(|number| {
            let db = if number % 2 == 0 { test.db.clone() } else { elsewhere.clone() };
            tokio::spawn(async move { buy(&db, number).commit().await.unwrap() })
        })
        .collect();
    let mut winners = Vec::new();
    for (number, buyer) in (0..).zip(buyers) {
        if buyer.await.unwrap() {
            winners.push(number);
        }
    }
    assert_eq!(winners.len(), 1);
    assert_eq!(tickets(&test.db).await, winners);
}

async fn whoever_stops_waiting_leaves_nothing_half_done_and_nothing_open(test: TestDatabase) {
    let db = test.configured(|config| config.pool.max = 2);
    theatre(&db).await;
    for number in 0..60 {
        let batch = db.batch().run(&ticket(2 * number)).run(&ticket(2 * number + 1));
        let time_limit = Duration::from_micros(50 * number.unsigned_abs());
        let _ = tokio::time::timeout(time_limit, batch.commit()).await;
    }
    // The last one may still be at it. This one comes after it, and finds every connection free.
    in_time("a batch after all of them", async { assert!(buy(&db, 1000).commit().await.unwrap()) }).await;
    in_time("the connections", async {
        while db.connections().0 != db.connections().1 {
            tokio::time::sleep(Duration::from_millis(5)).await;
        }
    })
    .await;
    let sold = tickets(&test.database()).await;
    let (pairs, rest) = sold.as_chunks::<2>();
    assert!(pairs.iter().all(|[even, odd]| even % 2 == 0 && *odd == even + 1), "{sold:?}");
    assert_eq!(rest, [1000]);
}

async fn a_batch_waits_for_another_writer(test: TestDatabase) {
    theatre(&test.db).await;
    let other = test.database().begin().await.unwrap();
    other.run(&take()).await.unwrap();
    let db = test.db.clone();
    let late = tokio::spawn(async move { buy(&db, 1).commit().await });
    tokio::time::sleep(Duration::from_millis(100)).await;
    assert!(!late.is_finished());
    other.commit().await.unwrap();
    assert!(!late.await.unwrap().unwrap(), "it sees what the other has done");
    assert!(tickets(&test.db).await.is_empty());
}

async fn a_batch_belongs_to_the_transaction_around_it(test: TestDatabase) {
    theatre(&test.db).await;
    let outcome = test.db.transaction(async |tx| {
        assert!(buy(&tx, 1).commit().await?);
        // It fails alone, and what was there before it stays.
        assert!(!tx.batch().run(&ticket(2)).run(&take()).expecting(1).commit().await?);
        assert!(tx.batch().run(&ticket(3)).run(&ticket(1)).commit().await.is_err());
        assert_eq!((tickets(&tx).await, taken(&tx).await), (vec![1], 1));
        assert!(tickets(&test.database()).await.is_empty());
        Err::<(), _>(Error::internal("on purpose"))
    });
    assert_eq!(outcome.await.unwrap_err().to_string(), "on purpose");
    assert_eq!((tickets(&test.db).await, taken(&test.db).await), (vec![], 0));
}

async fn the_query_log_counts_what_was_run(test: TestDatabase) {
    theatre(&test.db).await;
    let log = test.db.log_queries();
    assert!(buy(&test.db, 1).commit().await.unwrap());
    let statements = log.statements();
    assert!(statements[0].to_lowercase().starts_with("update"), "{statements:?}");
    assert!(statements[1].to_lowercase().starts_with("insert"), "{statements:?}");
    log.assert_queries(2);
    // Of one that was lost with its first statement, the second did not run; one that failed did.
    assert!(!buy(&test.db, 2).commit().await.unwrap());
    log.assert_queries(1);
    assert!(test.db.batch().run(&ticket(1)).run(&ticket(5)).commit().await.is_err());
    log.assert_queries(1);
}
