//! Migrations forward and back, on every engine.

use std::sync::{Arc, Mutex};

use housekey_core::Paths;
use housekey_database::testing::{self, TestDatabase};
use housekey_database::{
    ConnectionConfig, Database, DatabaseError, Driver, Migration, MigrationState, Migrations, Migrator,
    on_every_engine, record,
};
use housekey_test_support::{Program, this_test, until_async};

on_every_engine!(
    migrations_run_once_in_the_order_of_their_names,
    a_batch_goes_back_together,
    steps_go_back_one_by_one,
    everything_goes_back_and_forth,
    a_fresh_start_drops_what_nobody_knows,
    the_status_tells_where_each_one_stands,
    pretending_shows_the_sql_and_changes_nothing,
    a_migration_that_fails_in_the_middle_is_clear_and_can_be_repeated,
    a_way_back_that_fails_can_be_repeated,
    what_has_no_file_cannot_go_back,
    several_processes_at_once_migrate_one_after_the_other,
    a_process_that_is_killed_leaves_nothing_half_done,
);

/// users, then posts, then a column for posts.
fn history() -> Migrations {
    Migrations::new()
        .with(Migration::new(
            "2026_01_03_000000_add_views_to_posts",
            |schema| {
                schema.table("posts", |table| {
                    table.integer("views").default(0).index();
                });
            },
            |schema| schema.table("posts", |table| table.drop_column("views")),
        ))
        .with(Migration::new(
            "2026_01_01_000000_create_users",
            |schema| {
                schema.create("users", |table| {
                    table.id();
                    table.string("email", 100).unique();
                });
            },
            |schema| schema.drop("users"),
        ))
        .with(Migration::new(
            "2026_01_02_000000_create_posts",
            |schema| {
                schema.create("posts", |table| {
                    table.id();
                    table.big_integer("author_id").references("users", "id").on_delete_cascade();
                });
            },
            |schema| schema.drop("posts"),
        ))
}

fn short(migrated: &[housekey_database::Migrated]) -> Vec<String> {
    let sign = |one: &housekey_database::Migrated| if one.rolled_back { "-" } else { "+" };
    migrated.iter().map(|one| format!("{}{}", sign(one), &one.name[8..10])).collect()
}

async fn migrations_run_once_in_the_order_of_their_names(test: TestDatabase) {
    let seen = Arc::new(Mutex::new(Vec::new()));
    let watcher = seen.clone();
    let migrator = Migrator::new(test.db.clone(), history())
        .watch(move |migrated| watcher.lock().unwrap().push(migrated.name.clone()));
    assert_eq!(short(&migrator.run().await.unwrap()), ["+01", "+02", "+03"]);
    assert!(migrator.run().await.unwrap().is_empty());
    assert_eq!(seen.lock().unwrap().len(), 3);
    assert_eq!(test.db.tables().await.unwrap(), ["migrations", "posts", "users"]);
}

async fn a_batch_goes_back_together(test: TestDatabase) {
    let first: Migrations = history().iter().take(1).cloned().collect();
    Migrator::new(test.db.clone(), first).run().await.unwrap();
    let migrator = Migrator::new(test.db.clone(), history());
    assert_eq!(short(&migrator.run().await.unwrap()), ["+02", "+03"]);
    assert_eq!(short(&migrator.rollback(None).await.unwrap()), ["-03", "-02"]);
    assert_eq!(test.db.tables().await.unwrap(), ["migrations", "users"]);
    assert_eq!(short(&migrator.rollback(None).await.unwrap()), ["-01"]);
    assert!(migrator.rollback(None).await.unwrap().is_empty());
}

async fn steps_go_back_one_by_one(test: TestDatabase) {
    let migrator = Migrator::new(test.db.clone(), history());
    assert!(migrator.rollback(Some(1)).await.unwrap().is_empty(), "there is not even a table yet");
    migrator.run().await.unwrap();
    assert_eq!(short(&migrator.rollback(Some(1)).await.unwrap()), ["-03"]);
    assert!(test.db.table_info("posts").await.unwrap().unwrap().column("views").is_none());
    assert_eq!(short(&migrator.run().await.unwrap()), ["+03"]);
}

async fn everything_goes_back_and_forth(test: TestDatabase) {
    let migrator = Migrator::new(test.db.clone(), history()).table("history");
    migrator.run().await.unwrap();
    let before = test.db.introspect().await.unwrap();
    assert_eq!(short(&migrator.refresh().await.unwrap()), ["-03", "-02", "-01", "+01", "+02", "+03"]);
    assert_eq!(test.db.introspect().await.unwrap(), before);
    assert_eq!(short(&migrator.reset().await.unwrap()), ["-03", "-02", "-01"]);
    assert_eq!(test.db.tables().await.unwrap(), ["history"]);
}

async fn a_fresh_start_drops_what_nobody_knows(test: TestDatabase) {
    let migrator = Migrator::new(test.db.clone(), history());
    migrator.run().await.unwrap();
    test.db
        .schema(|schema| {
            schema.create("stray", |table| {
                table.id();
                table.big_integer("user_id").references("users", "id");
            });
        })
        .await
        .unwrap();
    test.db.table("users").insert(record! { "email" => "a" }).await.unwrap();
    test.db.table("stray").insert(record! { "user_id" => 1 }).await.unwrap();
    assert_eq!(short(&migrator.fresh().await.unwrap()), ["+01", "+02", "+03"]);
    assert_eq!(test.db.tables().await.unwrap(), ["migrations", "posts", "users"]);
    assert_eq!(test.db.table("users").count().await.unwrap(), 0);
}

async fn the_status_tells_where_each_one_stands(test: TestDatabase) {
    let first: Migrations = history().iter().take(1).cloned().collect();
    let migrator = Migrator::new(test.db.clone(), first);
    assert!(migrator.status().await.unwrap().iter().all(|one| one.state == MigrationState::Pending));
    assert!(test.db.tables().await.unwrap().is_empty(), "looking changes nothing");
    migrator.run().await.unwrap();
    assert!(!migrator.install().await.unwrap());
    let rest: Migrations = history().iter().skip(1).cloned().collect();
    let states: Vec<MigrationState> = Migrator::new(test.db.clone(), rest)
        .status()
        .await
        .unwrap()
        .into_iter()
        .map(|one| one.state)
        .collect();
    assert_eq!(
        states,
        [MigrationState::Missing { batch: 1 }, MigrationState::Pending, MigrationState::Pending]
    );
}

async fn pretending_shows_the_sql_and_changes_nothing(test: TestDatabase) {
    let db = test.db.clone();
    let widen = Migration::new(
        "2026_01_04_000000_widen_email",
        |schema| {
            schema.table("users", |table| {
                table.string("email", 200).change();
            });
        },
        |_| {},
    );
    let migrator = Migrator::new(db.clone(), history().with(widen));
    let planned = migrator.pretend().await.unwrap();
    let all: Vec<&str> = planned.iter().flat_map(|one| &one.statements).map(String::as_str).collect();
    let quoted = db.driver().quote("users");
    assert!(all[0].starts_with(&format!("create table {quoted} (")), "{all:#?}");
    assert!(all.last().unwrap().contains("email"), "{all:#?}");
    assert!(!all.iter().any(|sql| sql.starts_with("--")), "what would be copied is shown as well: {all:#?}");
    assert!(db.tables().await.unwrap().is_empty());

    // What it shows is what runs.
    migrator.run().await.unwrap();
    assert_eq!(db.table_info("users").await.unwrap().unwrap().column("email").unwrap().length(), Some(200));
    assert!(migrator.pretend().await.unwrap().is_empty());
}

/// Fails at its third statement as long as `b` is in the way.
fn stumbling() -> Migrations {
    history().with(Migration::new(
        "2026_01_09_000000_stumble",
        |schema| {
            schema.create("a", |table| {
                table.id();
                table.string("name", 10).index();
            });
            schema.create("b", |table| {
                table.id();
            });
            schema.raw("insert into a (name) values ('kept')");
        },
        |schema| {
            schema.drop("a");
            schema.drop("b");
        },
    ))
}

async fn a_migration_that_fails_in_the_middle_is_clear_and_can_be_repeated(test: TestDatabase) {
    let db = test.db.clone();
    let in_the_way = |schema: &mut housekey_database::Schema| {
        schema.create("b", |table| {
            table.string("x", 5);
        });
    };
    db.schema(in_the_way).await.unwrap();
    let migrator = Migrator::new(db.clone(), stumbling());
    let error = migrator.run().await.unwrap_err();
    let text = error.to_string();
    assert!(text.contains("2026_01_09_000000_stumble"), "{text}");
    assert_eq!(
        db.table("migrations").count().await.unwrap(),
        if db.driver() == Driver::MySql { 4 } else { 3 }
    );
    let state = migrator.status().await.unwrap().pop().unwrap().state;
    if db.driver() == Driver::MySql {
        assert!(text.contains("stopped at statement 3 of 4. MySQL keeps the 2 before it"), "{text}");
        assert_eq!(state, MigrationState::Unfinished { rolling_back: false, statements: 2 });
        assert!(db.has_table("a").await.unwrap());
        assert!(migrator.rollback(None).await.unwrap_err().to_string().contains("only half done"));
    } else {
        assert!(text.contains("nothing of it was kept"), "{text}");
        assert_eq!(state, MigrationState::Pending);
        assert!(!db.has_table("a").await.unwrap());
    }
    assert!(migrator.run().await.is_err(), "still in the way");

    db.schema(|schema| schema.drop("b")).await.unwrap();
    assert_eq!(short(&migrator.run().await.unwrap()), ["+09"]);
    assert_eq!(db.table("a").pluck::<String>("name").await.unwrap(), ["kept"]);
    assert!(
        migrator.status().await.unwrap().iter().all(|one| matches!(one.state, MigrationState::Ran { .. }))
    );
}

async fn a_way_back_that_fails_can_be_repeated(test: TestDatabase) {
    let db = test.db.clone();
    let migrator = Migrator::new(db.clone(), stumbling());
    migrator.run().await.unwrap();
    db.schema(|schema| schema.drop("b")).await.unwrap();
    let error = migrator.rollback(Some(1)).await.unwrap_err().to_string();
    assert!(error.contains("2026_01_09_000000_stumble"), "{error}");
    assert_eq!(db.has_table("a").await.unwrap(), db.driver().has_transactional_schema());
    if db.driver() == Driver::MySql {
        assert!(migrator.run().await.unwrap_err().to_string().contains("migrate:rollback first"));
    }
    assert!(migrator.rollback(Some(1)).await.is_err(), "still missing");
    db.schema(|schema| {
        schema.create("b", |table| {
            table.id();
        });
    })
    .await
    .unwrap();
    assert_eq!(short(&migrator.rollback(Some(1)).await.unwrap()), ["-09"]);
    assert!(!db.has_table("a").await.unwrap());
}

async fn what_has_no_file_cannot_go_back(test: TestDatabase) {
    Migrator::new(test.db.clone(), history()).run().await.unwrap();
    let rest: Migrations = history().iter().take(2).cloned().collect();
    let error = Migrator::new(test.db.clone(), rest).rollback(None).await.unwrap_err().to_string();
    assert!(
        error.contains("2026_01_03_000000_add_views_to_posts") && error.contains("file is gone"),
        "{error}"
    );
    assert_eq!(test.db.table("migrations").count().await.unwrap(), 3);
}

async fn several_processes_at_once_migrate_one_after_the_other(test: TestDatabase) {
    let tasks: Vec<_> = (0..6)
        .map(|_| {
            let migrator = Migrator::new(test.configured(|config| config.pool.max = 2), history());
            tokio::spawn(async move { migrator.run().await.unwrap().len() })
        })
        .collect();
    let mut ran = 0;
    for task in tasks {
        ran += task.await.unwrap();
    }
    assert_eq!(ran, 3, "each migration ran in one of them");
    let batches: Vec<i64> = test.db.table("migrations").pluck("batch").await.unwrap();
    assert_eq!(batches, [1, 1, 1]);
}

/// Takes long in its middle.
fn slow(driver: Driver) -> Migrations {
    let nap = match driver {
        Driver::Sqlite => {
            "insert into first (name) select 'never' where (with recursive numbers (n) as \
             (select 1 union all select n + 1 from numbers where n < 1000000000) select count(*) from numbers) = 0"
        }
        Driver::Postgres => "do $$ begin perform pg_sleep(600); end $$",
        Driver::MySql => "do sleep(600)",
    };
    let nap = if std::env::var_os("HOUSEKEY_TEST_CHILD").is_some() { nap } else { "delete from first" };
    Migrations::new().with(Migration::new(
        "2026_01_01_000000_slow",
        move |schema| {
            schema.create("first", |table| {
                table.id();
                table.string("name", 20);
            });
            schema.raw(nap);
            schema.create("second", |table| {
                table.id();
            });
        },
        |schema| {
            schema.drop("first");
            schema.drop("second");
        },
    ))
}

async fn a_process_that_is_killed_leaves_nothing_half_done(test: TestDatabase) {
    let db = test.db.clone();
    let config = serde_json::to_string(&test.config).unwrap();
    let mut command = this_test("migrations::the_process_that_is_killed");
    command.env("HOUSEKEY_TEST_CHILD", config).env("HOUSEKEY_TEST_FOLDER", test.paths().root());
    let mut child = Program::start(&mut command);
    child.says("migrating");
    // Until it is in the middle: past the first statement, before the last.
    match db.driver() {
        Driver::Sqlite => {
            // Nobody else can write.
            let probe = test.configured(|config| config.pool.max = 1);
            until_async("its table", async || probe.has_table("migrations").await.unwrap()).await;
            probe.raw("pragma busy_timeout = 0", []).await.unwrap();
            until_async("its lock", async || probe.table("migrations").delete().await.is_err()).await;
            probe.close().await;
        }
        Driver::Postgres => {
            let sql = "select 1 from pg_stat_activity where query like '%pg_sleep(600)%' and state = 'active' \
                       and pid <> pg_backend_pid()";
            until_async("its nap", async || !db.raw(sql, []).await.unwrap().is_empty()).await;
        }
        Driver::MySql => {
            let sql = "select 1 from information_schema.processlist where db = database() and info like 'do sleep%'";
            until_async("its nap", async || !db.raw(sql, []).await.unwrap().is_empty()).await;
        }
    }
    child.kill();

    // The server notices a dead client at its own pace; a migration that waits for the lock waits for that as well.
    let migrator = Migrator::new(db.clone(), slow(db.driver()));
    if db.driver() == Driver::Sqlite {
        assert!(!db.has_table("first").await.unwrap(), "nothing half done");
    }
    if db.driver() != Driver::Sqlite {
        end_the_dead(&db).await;
    }
    let state = migrator.status().await.unwrap().pop().unwrap().state;
    match db.driver() {
        Driver::MySql => assert_eq!(state, MigrationState::Unfinished { rolling_back: false, statements: 1 }),
        _ => {
            assert_eq!(state, MigrationState::Pending);
            assert!(!db.has_table("first").await.unwrap());
        }
    }
    assert_eq!(migrator.run().await.unwrap().len(), 1);
    assert!(db.has_table("second").await.unwrap());
    migrator.rollback(None).await.unwrap();
}

/// What the server does by itself when its nap is over, and a restart of it at once.
async fn end_the_dead(db: &Database) {
    let (list, end) = match db.driver() {
        Driver::Postgres => (
            "select pid::int8 as id from pg_stat_activity where query like '%pg_sleep(600)%' and state = 'active' and pid <> pg_backend_pid()",
            "select pg_terminate_backend({})",
        ),
        _ => (
            "select id as id from information_schema.processlist where db = database() and info like 'do sleep%'",
            "kill {}",
        ),
    };
    for row in db.raw(list, []).await.unwrap() {
        let _ = db.raw(&end.replace("{}", &row.get::<i64>("id").unwrap().to_string()), []).await;
    }
}

#[tokio::test]
#[ignore = "the process that the test above starts and kills"]
async fn the_process_that_is_killed() {
    let config = std::env::var("HOUSEKEY_TEST_CHILD").expect("the test above starts it, with its database");
    let config: ConnectionConfig = serde_json::from_str(&config).unwrap();
    let folder = std::env::var("HOUSEKEY_TEST_FOLDER").unwrap();
    let db = Database::open("child", config, &Paths::new(folder)).unwrap();
    println!("migrating");
    let migrations = slow(db.driver());
    Migrator::new(db, migrations).run().await.unwrap();
}

#[tokio::test]
async fn a_file_changed_after_it_stopped_is_not_continued_blindly() {
    testing::on(Driver::MySql, |test| async move {
        let db = test.db.clone();
        let with = |name: &'static str, last: &'static str| {
            Migrations::new().with(Migration::new(
                "2026_01_01_000000_a",
                move |schema| {
                    schema.create(name, |table| {
                        table.id();
                    });
                    schema.raw(last);
                },
                |_| {},
            ))
        };
        let error = Migrator::new(db.clone(), with("a", "no sql")).run().await.unwrap_err();
        assert!(DatabaseError::of(&error).is_some());
        let error = Migrator::new(db.clone(), with("b", "select 1")).run().await.unwrap_err().to_string();
        assert!(error.contains("have been changed in the file since"), "{error}");
        assert!(!db.has_table("b").await.unwrap());
        assert_eq!(Migrator::new(db.clone(), with("a", "delete from a")).run().await.unwrap().len(), 1);
    })
    .await;
}
