//! What a test says about the tables of its app, and about how often they were asked. On every engine.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use housekey_core::{ConfigFiles, Result, service, spawn};
use housekey_database::{
    ConnectionConfig, DatabaseConfig, Driver, Migration, Migrations, PoolConfig, Row, connection, db, record,
    testing,
};
use housekey_http::{App, Provider, Registrar};
use housekey_testing::{TestApp, both, run};

macro_rules! on_every_engine {
    ($($name:ident),+ $(,)?) => {
        mod sqlite { $(#[test] fn $name() { super::$name(super::Driver::Sqlite); })+ }
        mod postgres { $(#[test] fn $name() { super::$name(super::Driver::Postgres); })+ }
        mod mysql { $(#[test] fn $name() { super::$name(super::Driver::MySql); })+ }
    };
}

on_every_engine!(
    every_test_has_a_database_of_its_own,
    rows_that_should_be_there_are_found_and_those_that_should_not_are_shown,
    a_query_in_a_loop_does_not_go_unnoticed,
    what_an_answer_sets_in_motion_counts_and_what_the_test_does_not,
);

// spec: DAT-6
fn every_test_has_a_database_of_its_own(driver: Driver) {
    run(app(driver), async |one: TestApp| {
        let other = one.with_env("ANY", "thing");
        let (first, second) = both(one.post("/books"), other.post("/books")).await;
        first.assert_ok();
        second.assert_ok();
        one.post("/books").await.assert_ok();
        one.assert_database_count("books", 2).await;
        other.assert_database_count("books", 1).await;
    });
}

fn rows_that_should_be_there_are_found_and_those_that_should_not_are_shown(driver: Driver) {
    run(app(driver), async |app: TestApp| {
        // The tables are there before any request.
        app.assert_database_count("books", 0).await;
        app.post("/books").await.assert_ok();
        app.assert_database_has("books", record! { "title" => "Dune", "returned_at" => None::<String> })
            .await;
        app.assert_database_has("books", record! { "pages" => 412 }).await;
        app.assert_database_missing("books", record! { "title" => "Dune", "pages" => 1 }).await;
        app.assert_database_missing("books", record! { "title" => "dune" }).await;

        for (said, failing) in [
            (
                r#"expected a row in books with title = "Emma", there is none among 1"#,
                failing(app.assert_database_has("books", record! { "title" => "Emma" })).await,
            ),
            (
                r#"expected no row in books with title = "Dune", there are 1"#,
                failing(app.assert_database_missing("books", record! { "title" => "Dune" })).await,
            ),
            ("expected 3 rows in books, there are 1", failing(app.assert_database_count("books", 3)).await),
        ] {
            assert!(failing.contains(said), "{failing}");
            assert!(failing.contains(r#"title = "Dune", pages = 412, returned_at = NULL"#), "{failing}");
            assert!(failing.contains("tests/database.rs:"), "{failing}");
        }
        let no_table = failing(app.assert_database_count("boks", 0)).await;
        assert!(no_table.contains("boks") && no_table.contains("tests/database.rs:"), "{no_table}");
    });
}

// spec: DAT-6
fn a_query_in_a_loop_does_not_go_unnoticed(driver: Driver) {
    run(app(driver), async |app: TestApp| {
        for _ in 0..4 {
            app.post("/books").await.assert_ok().assert_queries(1);
        }
        app.get("/nothing").await.assert_queries(0);
        let loops = app.get("/loop").await;
        loops.assert_ok().assert_queries(5);
        let failed = catch_unwind(AssertUnwindSafe(|| {
            loops.assert_queries(2);
        }));
        let said = failed.unwrap_err().downcast::<String>().unwrap();
        assert!(said.starts_with("GET /loop: expected 2 queries, there were 5:\n  SELECT"), "{said}");
        assert!(said.contains("\n  4 times: SELECT") && !said.contains("412"), "{said}");
    });
}

fn what_an_answer_sets_in_motion_counts_and_what_the_test_does_not(driver: Driver) {
    run(app(driver), async |app: TestApp| {
        app.post("/books").await;
        // Two connections, one of them opened by this request; work beside it; work that no answer waits for.
        app.get("/everywhere").await.assert_ok().assert_queries(4);
        app.within(async { db()?.table("books").count().await }).await.unwrap();
        app.get("/nothing").await.assert_queries(0);
        // In a transaction the statements count, its beginning and its end do not.
        app.post("/two").await.assert_ok().assert_queries(2);
        assert!(app.get("/loop").await.queries()[0].to_lowercase().contains("from"));
    });
}

async fn failing(assertion: impl Future<Output = ()> + Send + 'static) -> String {
    let panic = tokio::spawn(assertion).await.unwrap_err().into_panic();
    *panic.downcast::<String>().unwrap()
}

fn app(driver: Driver) -> impl Fn() -> App + Send + Sync + 'static {
    move || {
        let app = App::new(ConfigFiles::new()).provider(Books).configure(move |config| {
            config.update::<DatabaseConfig>(|database| {
                // A machine that is busy is no server that is away.
                let pool = PoolConfig { acquire_timeout: 120, ..PoolConfig::default() };
                let own = match driver {
                    Driver::Sqlite => ConnectionConfig::sqlite("storage/database.sqlite"),
                    Driver::Postgres => ConnectionConfig::postgres(testing::server(driver)),
                    Driver::MySql => ConnectionConfig::mysql(testing::server(driver)),
                };
                *database = DatabaseConfig { default: "main".into(), ..DatabaseConfig::default() }
                    .with("main", own.clone().pool(pool.clone()))
                    .with("same", own.pool(pool));
            });
        });
        app.routes(|route| {
            route.post("/books", async || -> Result<()> { insert().await });
            route.get("/nothing", async || "nothing");
            route.get("/loop", async || -> Result<()> {
                for row in db()?.table("books").rows().await? {
                    let id: i64 = row.get("id")?;
                    let _: Option<Row> = db()?.table("books").where_eq("id", id).rows().await?.pop();
                }
                Ok(())
            });
            route.get("/everywhere", async || -> Result<()> {
                db()?.table("books").count().await?;
                connection("same")?.table("books").count().await?;
                let beside = spawn(async { db()?.table("books").count().await });
                let later = async {
                    tokio::time::sleep(std::time::Duration::from_millis(50)).await;
                    db()?.table("books").count().await
                };
                let background = service::<housekey_core::Background>().unwrap();
                background.spawn("a count", async { drop(later.await) });
                beside.await.unwrap().map(drop)
            });
            route.post("/two", async || -> Result<()> {
                let work = async |_| {
                    insert().await?;
                    insert().await
                };
                db()?.transaction(work).await
            });
        })
    }
}

async fn insert() -> Result<()> {
    db()?.table("books").insert(record! { "title" => "Dune", "pages" => 412 }).await.map(drop)
}

struct Books;

impl Provider for Books {
    fn name(&self) -> &'static str {
        "books"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        let create = Migration::new(
            "2026_01_31_090000_create_books",
            |schema| {
                schema.create("books", |table| {
                    table.id();
                    table.string("title", 200);
                    table.integer("pages");
                    table.timestamp("returned_at").nullable();
                });
            },
            |schema| {
                schema.drop("books");
            },
        );
        app.services().insert(Migrations::new().with(create));
        Ok(())
    }
}
