//! Several things or none of them, on every engine.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use housekey_core::{Error, Scope, Services};
use housekey_database::testing::{self, TestDatabase};
use housekey_database::{
    Database, DatabaseConfig, DatabaseError, Databases, Driver, db, on_every_engine, record,
};
use housekey_test_support::in_time;

on_every_engine!(
    what_succeeds_is_kept,
    what_fails_is_taken_back,
    what_panics_is_taken_back,
    what_is_cancelled_is_taken_back,
    a_savepoint_fails_alone,
    a_savepoint_that_is_cancelled_takes_only_itself_back,
    savepoints_beside_each_other_wait_for_each_other,
    others_see_nothing_before_the_end,
    the_ambient_database_is_the_transaction,
    a_handle_kept_beyond_the_work_is_an_error,
    a_task_left_behind_cannot_write_into_the_next_transaction,
    many_transactions_at_once_lose_nothing,
    connections_come_back_to_the_pool,
    a_transaction_can_be_held_and_ended_later,
    a_held_transaction_that_is_dropped_takes_everything_back,
    a_held_transaction_can_fail_in_part,
    an_outer_transaction_does_not_end_before_the_one_inside_it,
    whichever_is_dropped_first_nothing_is_left_open,
    what_waits_for_the_commit_happens_after_it_or_never,
);

async fn notes(db: &Database) {
    db.schema(|schema| {
        schema.create("notes", |table| {
            table.id();
            table.big_integer("number");
        });
    })
    .await
    .unwrap();
}

async fn add(db: &Database, number: i64) {
    db.table("notes").insert(record! { "number" => number }).await.unwrap();
}

async fn added(db: &Database, number: i64) -> housekey_core::Result<()> {
    db.table("notes").insert(record! { "number" => number }).await.map(drop)
}

async fn numbers(db: &Database) -> Vec<i64> {
    db.table("notes").order_by("number").pluck("number").await.unwrap()
}

fn sorry<T>() -> housekey_core::Result<T> {
    Err(Error::internal("on purpose"))
}

async fn what_succeeds_is_kept(test: TestDatabase) {
    notes(&test.db).await;
    let answer = test
        .db
        .transaction(async |tx| {
            assert!(tx.in_transaction());
            add(&tx, 1).await;
            add(&tx, 2).await;
            Ok(numbers(&tx).await.len())
        })
        .await
        .unwrap();
    assert_eq!(answer, 2);
    assert_eq!(numbers(&test.database()).await, [1, 2]);
}

async fn what_waits_for_the_commit_happens_after_it_or_never(test: TestDatabase) {
    notes(&test.db).await;
    let done = Arc::new(Mutex::new(Vec::new()));
    let tell = |what: &'static str| {
        let (done, db) = (Arc::clone(&done), test.db.clone());
        async move {
            let seen = numbers(&db).await.len();
            done.lock().unwrap().push((what, seen));
        }
    };

    test.db.after_commit(tell("at once")).await;
    let all = test.db.transaction(async |tx| {
        added(&tx, 1).await?;
        tx.after_commit(tell("by its handle")).await;
        test.db.after_commit(tell("by the task")).await;
        tx.transaction(async |inner| {
            added(&inner, 2).await?;
            inner.after_commit(tell("from a savepoint")).await;
            Ok(())
        })
        .await?;
        let refused = tx.transaction(async |inner| {
            inner.after_commit(tell("never: its savepoint failed")).await;
            sorry::<()>()
        });
        assert!(refused.await.is_err());
        assert_eq!(*done.lock().unwrap(), [("at once", 0)]);
        Ok(())
    });
    all.await.unwrap();
    let expected = [("at once", 0), ("by its handle", 2), ("by the task", 2), ("from a savepoint", 2)];
    assert_eq!(*done.lock().unwrap(), expected);

    let failing = test.db.transaction(async |tx| {
        tx.after_commit(tell("never: all of it failed")).await;
        tx.transaction(async |inner| {
            inner.after_commit(tell("never: the outer one failed")).await;
            Ok(())
        })
        .await?;
        sorry::<()>()
    });
    assert!(failing.await.is_err());
    let tx = test.db.begin().await.unwrap();
    tx.after_commit(tell("never: it was dropped")).await;
    drop(tx);
    assert_eq!(*done.lock().unwrap(), expected);
}

async fn what_fails_is_taken_back(test: TestDatabase) {
    notes(&test.db).await;
    let outcome = test
        .db
        .transaction(async |tx| {
            add(&tx, 1).await;
            sorry::<()>()
        })
        .await;
    assert_eq!(outcome.unwrap_err().to_string(), "on purpose");
    assert!(numbers(&test.db).await.is_empty());
}

async fn what_panics_is_taken_back(test: TestDatabase) {
    notes(&test.db).await;
    let db = test.db.clone();
    let task = tokio::spawn(async move {
        db.transaction(async |tx| {
            add(&tx, 1).await;
            if numbers(&tx).await.len() == 1 {
                panic!("on purpose");
            }
            Ok(())
        })
        .await
    });
    assert!(task.await.unwrap_err().is_panic());
    assert!(numbers(&test.db).await.is_empty());
    test.db.transaction(async |tx| added(&tx, 2).await).await.unwrap();
    assert_eq!(numbers(&test.db).await, [2]);
}

async fn what_is_cancelled_is_taken_back(test: TestDatabase) {
    notes(&test.db).await;
    let (ready, wait) = tokio::sync::oneshot::channel();
    let db = test.db.clone();
    let task = tokio::spawn(async move {
        db.transaction(async |tx| {
            add(&tx, 1).await;
            ready.send(()).unwrap();
            std::future::pending::<()>().await;
            Ok(())
        })
        .await
    });
    wait.await.unwrap();
    task.abort();
    assert!(task.await.unwrap_err().is_cancelled());
    assert!(numbers(&test.db).await.is_empty());
    add(&test.db, 2).await;
    assert_eq!(numbers(&test.database()).await, [2]);
}

async fn a_savepoint_fails_alone(test: TestDatabase) {
    notes(&test.db).await;
    test.db
        .transaction(async |tx| {
            add(&tx, 1).await;
            let inner = tx.transaction(async |tx| {
                add(&tx, 2).await;
                tx.transaction(async |tx| added(&tx, 3).await).await?;
                sorry::<()>()
            });
            assert!(inner.await.is_err());
            assert_eq!(numbers(&tx).await, [1]);
            tx.transaction(async |tx| added(&tx, 4).await).await
        })
        .await
        .unwrap();
    assert_eq!(numbers(&test.db).await, [1, 4]);
}

async fn a_savepoint_that_is_cancelled_takes_only_itself_back(test: TestDatabase) {
    notes(&test.db).await;
    test.db
        .transaction(async |tx| {
            add(&tx, 1).await;
            let inner = tx.transaction(async |tx| {
                add(&tx, 2).await;
                std::future::pending::<housekey_core::Result<()>>().await
            });
            let mut inner = Box::pin(inner);
            // Polled until it waits for what never comes.
            in_time("the inner one's row", async {
                while numbers(&tx).await.len() < 2 {
                    let _ = tokio::time::timeout(Duration::from_millis(20), &mut inner).await;
                }
            })
            .await;
            drop(inner);
            assert_eq!(numbers(&tx).await, [1]);
            add(&tx, 3).await;
            Ok(())
        })
        .await
        .unwrap();
    assert_eq!(numbers(&test.db).await, [1, 3]);
}

async fn savepoints_beside_each_other_wait_for_each_other(test: TestDatabase) {
    notes(&test.db).await;
    test.db
        .transaction(async |tx| {
            let good = tx.transaction(async |tx| {
                add(&tx, 1).await;
                tokio::task::yield_now().await;
                added(&tx, 2).await
            });
            let bad = tx.transaction(async |tx| {
                add(&tx, 3).await;
                tokio::task::yield_now().await;
                sorry::<()>()
            });
            let (good, bad) = tokio::join!(good, bad);
            assert!(good.is_ok() && bad.is_err());
            Ok(())
        })
        .await
        .unwrap();
    assert_eq!(numbers(&test.db).await, [1, 2]);
}

async fn others_see_nothing_before_the_end(test: TestDatabase) {
    notes(&test.db).await;
    let elsewhere = test.database();
    test.db
        .transaction(async |tx| {
            add(&tx, 1).await;
            assert!(numbers(&elsewhere).await.is_empty());
            Ok(())
        })
        .await
        .unwrap();
    assert_eq!(numbers(&elsewhere).await, [1]);
}

async fn the_ambient_database_is_the_transaction(test: TestDatabase) {
    let config = DatabaseConfig { default: "main".into(), ..DatabaseConfig::default() };
    let config = config.with("main", test.config.clone());
    let mut services = Services::builder();
    services.insert(Databases::new(&config, &test.paths()));
    Scope::new(services.build())
        .enter(async {
            let main = db().unwrap();
            notes(&main).await;
            let outcome = main
                .transaction(async |_| {
                    assert!(db().unwrap().in_transaction());
                    add(&db().unwrap(), 1).await;
                    db().unwrap().transaction(async |_| added(&db().unwrap(), 2).await).await?;
                    // Work that is spawned is not part of it.
                    assert!(housekey_core::spawn(async { !db().unwrap().in_transaction() }).await.unwrap());
                    sorry::<()>()
                })
                .await;
            assert!(outcome.is_err());
            assert!(!db().unwrap().in_transaction());
            assert!(numbers(&main).await.is_empty());
            main.close().await;
        })
        .await;
    assert!(db().unwrap_err().to_string().contains("database provider"));
}

async fn a_handle_kept_beyond_the_work_is_an_error(test: TestDatabase) {
    notes(&test.db).await;
    let kept = test.db.transaction(async |tx| Ok(tx)).await.unwrap();
    let error = kept.table("notes").count().await.unwrap_err().to_string();
    assert!(error.contains("this transaction is over"), "{error}");
}

async fn a_task_left_behind_cannot_write_into_the_next_transaction(test: TestDatabase) {
    let db = test.configured(|config| config.pool.max = 1);
    notes(&db).await;
    let (go, gone) = tokio::sync::oneshot::channel::<()>();
    let straggler = db
        .transaction(async |tx| {
            Ok(tokio::spawn(async move {
                gone.await.unwrap();
                tx.table("notes").insert(record! { "number" => 9 }).await
            }))
        })
        .await
        .unwrap();
    db.transaction(async |tx| {
        add(&tx, 1).await;
        go.send(()).unwrap();
        assert!(in_time("the straggler", straggler).await.unwrap().is_err());
        Ok(())
    })
    .await
    .unwrap();
    assert_eq!(numbers(&db).await, [1]);
}

async fn many_transactions_at_once_lose_nothing(test: TestDatabase) {
    notes(&test.db).await;
    add(&test.db, 0).await;
    let elsewhere = test.database();
    let tasks: Vec<_> = (0..20)
        .map(|number| {
            let db = if number % 2 == 0 { test.db.clone() } else { elsewhere.clone() };
            tokio::spawn(async move {
                loop {
                    let outcome = db
                        .transaction(async |tx| {
                            let query = tx.table("notes").lock_for_update();
                            let before: i64 = query.value("number").await?.unwrap();
                            tokio::task::yield_now().await;
                            tx.table("notes").update(record! { "number" => before + 1 }).await
                        })
                        .await;
                    match outcome {
                        Ok(_) => return,
                        Err(error) => assert!(DatabaseError::of(&error).unwrap().is_deadlock(), "{error}"),
                    }
                }
            })
        })
        .collect();
    for task in tasks {
        in_time("a transaction", task).await.unwrap();
    }
    assert_eq!(numbers(&test.db).await, [20]);
    elsewhere.close().await;
}

async fn connections_come_back_to_the_pool(test: TestDatabase) {
    let db = test.configured(|config| {
        config.pool.max = 2;
    });
    notes(&db).await;
    for round in 0..30 {
        let outcome = db
            .transaction(async |tx| {
                add(&tx, round).await;
                if round % 3 == 0 { sorry() } else { Ok(()) }
            })
            .await;
        assert_eq!(outcome.is_err(), round % 3 == 0);
        let _ = tokio::time::timeout(
            Duration::from_millis(1),
            db.transaction(async |_| std::future::pending::<housekey_core::Result<()>>().await),
        )
        .await;
    }
    assert_eq!(numbers(&db).await.len(), 20);
    db.close().await;
}

async fn a_transaction_can_be_held_and_ended_later(test: TestDatabase) {
    notes(&test.db).await;
    let tx = test.db.begin().await.unwrap();
    assert!(tx.in_transaction());
    add(&tx, 1).await;
    // It is a value: another task can go on with it.
    let task = tokio::spawn(async move {
        add(&tx, 2).await;
        tx
    });
    let tx = task.await.unwrap();
    assert_eq!(numbers(&tx).await, [1, 2]);
    assert!(numbers(&test.database()).await.is_empty());
    let kept = Database::clone(&tx);
    tx.commit().await.unwrap();
    assert_eq!(numbers(&test.database()).await, [1, 2]);
    let error = kept.table("notes").count().await.unwrap_err().to_string();
    assert!(error.contains("this transaction is over"), "{error}");
}

async fn a_held_transaction_that_is_dropped_takes_everything_back(test: TestDatabase) {
    let db = test.configured(|config| {
        config.pool.max = 1;
    });
    notes(&db).await;
    for round in 0..10 {
        let tx = db.begin().await.unwrap();
        add(&tx, round).await;
        match round % 3 {
            0 => drop(tx),
            1 => tx.rollback().await,
            _ => {
                let task = tokio::spawn(async move {
                    std::future::pending::<()>().await;
                    drop(tx);
                });
                task.abort();
                assert!(task.await.unwrap_err().is_cancelled());
            }
        }
        assert!(numbers(&db).await.is_empty());
    }
    // The one connection is back, with nothing open on it.
    add(&db, 10).await;
    assert_eq!(numbers(&test.database()).await, [10]);
    db.close().await;
}

async fn a_held_transaction_can_fail_in_part(test: TestDatabase) {
    notes(&test.db).await;
    let tx = test.db.begin().await.unwrap();
    add(&tx, 1).await;
    let inner = tx.begin().await.unwrap();
    add(&inner, 2).await;
    inner.rollback().await;
    let inner = tx.begin().await.unwrap();
    add(&inner, 3).await;
    inner.commit().await.unwrap();
    let failed = tx.transaction(async |inner| {
        add(&inner, 4).await;
        sorry::<()>()
    });
    assert!(failed.await.is_err());
    tx.commit().await.unwrap();
    assert_eq!(numbers(&test.database()).await, [1, 3]);
}

async fn an_outer_transaction_does_not_end_before_the_one_inside_it(test: TestDatabase) {
    let db = test.configured(|config| config.pool.max = 1);
    notes(&db).await;
    let outer = db.begin().await.unwrap();
    let inner = outer.begin().await.unwrap();
    add(&inner, 1).await;
    let error = outer.commit().await.unwrap_err().to_string();
    assert!(error.contains("a transaction inside this one is still open"), "{error}");
    // What was inside went with it, and says so.
    assert!(inner.table("notes").count().await.unwrap_err().to_string().contains("is over"));
    assert!(inner.commit().await.is_err());
    assert!(numbers(&db).await.is_empty());
    add(&db, 2).await;
    assert_eq!(numbers(&test.database()).await, [2]);
    db.close().await;
}

/// The pool must never hand out a connection with somebody's half-done work on it.
async fn whichever_is_dropped_first_nothing_is_left_open(test: TestDatabase) {
    let db = test.configured(|config| config.pool.max = 1);
    notes(&db).await;
    let open = async || {
        let outer = db.begin().await.unwrap();
        add(&outer, 1).await;
        let middle = outer.begin().await.unwrap();
        add(&middle, 2).await;
        let inner = middle.begin().await.unwrap();
        add(&inner, 3).await;
        (outer, middle, inner)
    };
    let (outer, middle, inner) = open().await;
    drop(outer);
    add(&db, 10).await;
    drop((inner, middle));
    add(&db, 11).await;

    let (outer, middle, inner) = open().await;
    drop(middle);
    // A new savepoint in the place of the old ones; what is left of those does not touch it.
    let middle = outer.begin().await.unwrap();
    let newer = middle.begin().await.unwrap();
    add(&newer, 4).await;
    drop(inner);
    newer.commit().await.unwrap();
    middle.commit().await.unwrap();
    outer.commit().await.unwrap();

    let (outer, middle, inner) = open().await;
    middle.rollback().await;
    drop(inner);
    outer.rollback().await;
    assert_eq!(numbers(&test.database()).await, [1, 4, 10, 11]);
    db.close().await;
}

/// One writer at a time: a statement that runs beside the transaction it waits for would wait for ever.
#[tokio::test]
async fn a_statement_beside_the_open_transaction_says_what_is_wrong_on_sqlite() {
    testing::on(Driver::Sqlite, |test| async move {
        let db = test.configured(|config| config.pool.acquire_timeout = 3);
        notes(&test.db).await;
        let error = db
            .transaction(async |tx| {
                add(&tx, 1).await;
                db.table("notes").insert(record! { "number" => 2 }).await
            })
            .await
            .unwrap_err();
        assert!(DatabaseError::of(&error).unwrap().is_timeout());
        assert!(error.to_string().contains("use the handle the transaction gives you"), "{error}");
        assert!(numbers(&db).await.is_empty());
    })
    .await;
}
