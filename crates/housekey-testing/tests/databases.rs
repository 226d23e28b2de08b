//! On a database server every test has a database of its own, as it has a file of its own with SQLite.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::panic::{AssertUnwindSafe, catch_unwind};

use housekey_core::{ConfigFiles, Paths, Result, random};
use housekey_database::{
    ConnectionConfig, Database, DatabaseConfig, Driver, Migration, Migrations, PoolConfig, connection, db,
    record, testing,
};
use housekey_http::{App, Provider, Registrar};
use housekey_testing::{TestApp, run};

macro_rules! on_servers {
    ($($name:ident),+ $(,)?) => {
        mod postgres { $(#[test] fn $name() { super::$name(&super::Configured::on(super::Driver::Postgres)); })+ }
        mod mysql { $(#[test] fn $name() { super::$name(&super::Configured::on(super::Driver::MySql)); })+ }
    };
}

on_servers!(
    tests_at_the_same_time_see_nothing_of_each_other,
    connections_to_one_database_stay_together,
    its_databases_are_gone_when_a_test_is_over,
    its_databases_are_gone_when_a_test_has_failed,
    what_a_killed_run_left_behind_goes_and_what_is_in_use_stays,
    a_user_who_may_make_no_database_is_told_what_to_do,
);

// spec: DAT-6
fn tests_at_the_same_time_see_nothing_of_each_other(configured: &Configured) {
    run(app(configured.url()), async |one: TestApp| {
        let other = one.with_env("ANY", "thing");
        one.post("/notes").await.assert_ok();
        one.post("/notes").await.assert_ok();
        other.post("/notes").await.assert_ok();
        one.get("/notes").await.assert_see("2");
        other.get("/notes").await.assert_see("1");
    });
}

fn connections_to_one_database_stay_together(configured: &Configured) {
    run(app(configured.url()), async |app: TestApp| {
        app.post("/notes").await.assert_ok();
        let seen = app.within(async { connection("same")?.table("notes").count().await }).await;
        assert_eq!(seen.unwrap(), 1);
        assert_eq!(configured.databases_of_tests().len(), 1);
    });
}

// spec: DAT-6
fn its_databases_are_gone_when_a_test_is_over(configured: &Configured) {
    run(app(configured.url()), async |app: TestApp| {
        assert_eq!(configured.databases_of_tests(), [""; 0], "none before it is used");
        app.post("/notes").await.assert_ok();
        assert_eq!(configured.databases_of_tests().len(), 1);
        // A transaction that nobody ends must not keep it.
        let db = app.within(async { db() }).await.unwrap();
        Box::leak(Box::new(db.begin().await.unwrap()));
    });
    assert_eq!(configured.databases_of_tests(), [""; 0]);
}

fn its_databases_are_gone_when_a_test_has_failed(configured: &Configured) {
    let mut during = Vec::new();
    let failed = catch_unwind(AssertUnwindSafe(|| {
        run(app(configured.url()), async |app: TestApp| {
            app.post("/notes").await.assert_ok();
            during = configured.databases_of_tests();
            app.get("/notes").await.assert_see("17");
        });
    }));
    assert!(failed.is_err());
    assert_eq!((during.len(), configured.databases_of_tests().len()), (1, 0));
}

// spec: DAT-6
fn what_a_killed_run_left_behind_goes_and_what_is_in_use_stays(configured: &Configured) {
    let [left, in_use, new] = ["00000001_left0000", "00000002_inuse000", "ffffffff_new00000"].map(|suffix| {
        let name = format!("{}_test_{suffix}", configured.name);
        configured.admin(&format!("create database {name}"));
        name
    });
    blocking(async {
        let user = open(configured.driver, &configured.url_of(&in_use));
        user.ping().await.unwrap();
        tokio::task::block_in_place(|| {
            run(app(configured.url()), async |app: TestApp| app.get("/notes").await.assert_ok().status());
        });
        let names = configured.databases_of_tests();
        assert!(!names.contains(&left) && names.contains(&in_use) && names.contains(&new), "{names:?}");
        user.close().await;
    });
}

fn a_user_who_may_make_no_database_is_told_what_to_do(configured: &Configured) {
    let user = format!("guest_{}", &random::short_id()[..8]);
    match configured.driver {
        Driver::Postgres => configured.admin(&format!("create role {user} login password 'guest'")),
        _ => {
            configured.admin(&format!("create user {user} identified by 'guest'"));
            configured.admin(&format!("grant all on {}.* to {user}", configured.name));
        }
    }
    let (scheme, rest) =
        configured.url().split_once("://").map(|(a, b)| (a.to_owned(), b.to_owned())).unwrap();
    let url = format!("{scheme}://{user}:guest@{}", rest.split_once('@').unwrap().1);
    let failed = catch_unwind(|| {
        run(app(url), async |app: TestApp| {
            app.get("/notes").await;
        });
    });
    configured.admin(&format!(
        "drop {} {user}",
        if configured.driver == Driver::Postgres { "role" } else { "user" }
    ));
    let said = failed.unwrap_err().downcast::<String>().unwrap();
    let right = match configured.driver {
        Driver::Postgres => "alter role <user> createdb".to_owned(),
        _ => format!("grant all on `{}\\_test\\_%`.* to <user>", configured.name),
    };
    assert!(said.contains("every test has a database of its own") && said.contains(&right), "{said}");
}

/// Counts notes. It knows a server that does not exist, as an app knows engines that its tests do without.
fn app(url: String) -> impl Fn() -> App + Send + Sync + 'static {
    move || {
        let url = url.clone();
        let app = App::new(ConfigFiles::new()).provider(Notes).configure(move |config| {
            config.update::<DatabaseConfig>(|database| {
                let driver = if url.starts_with("postgres") { Driver::Postgres } else { Driver::MySql };
                let own = config_of(driver, &url);
                let absent = ConnectionConfig::postgres("postgres://nobody@nowhere.invalid/shop");
                *database = DatabaseConfig { default: "main".into(), ..DatabaseConfig::default() }
                    .with("main", own.clone())
                    .with("same", own)
                    .with("absent", absent);
            });
        });
        app.routes(|route| {
            route.get("/notes", async || -> Result<String> {
                Ok(db()?.table("notes").count().await?.to_string())
            });
            route.post("/notes", async || -> Result<()> {
                db()?.table("notes").insert(record! { "text" => "hello" }).await.map(drop)
            });
        })
    }
}

struct Notes;

impl Provider for Notes {
    fn name(&self) -> &'static str {
        "notes"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        let create = Migration::new(
            "2026_01_31_090000_create_notes",
            |schema| {
                schema.create("notes", |table| {
                    table.id();
                    table.string("text", 200);
                });
            },
            |schema| {
                schema.drop("notes");
            },
        );
        app.services().insert(Migrations::new().with(create));
        Ok(())
    }
}

/// A database that an app is configured with.
struct Configured {
    driver: Driver,
    name: String,
}

impl Configured {
    fn on(driver: Driver) -> Self {
        let configured = Self { driver, name: format!("shop_{}", &random::short_id()[..8]) };
        configured.admin(&format!("create database {}", configured.name));
        configured
    }

    fn url(&self) -> String {
        self.url_of(&self.name)
    }

    fn url_of(&self, database: &str) -> String {
        let url = testing::server(self.driver);
        format!("{}/{database}", url.rsplit_once('/').unwrap().0)
    }

    fn databases_of_tests(&self) -> Vec<String> {
        let sql = match self.driver {
            Driver::Postgres => "select datname as name from pg_database",
            _ => "select schema_name as name from information_schema.schemata",
        };
        let rows = self.ask(async |server| server.raw(sql, []).await).unwrap();
        let names = rows.iter().map(|row| row.get::<String>("name").unwrap());
        names.filter(|name| name.starts_with(&format!("{}_test_", self.name))).collect()
    }

    fn admin(&self, sql: &str) {
        self.ask(async |server| server.execute_raw(sql, []).await).unwrap();
    }

    fn ask<T: Send>(&self, work: impl AsyncFnOnce(&Database) -> Result<T> + Send) -> Result<T> {
        let url = testing::server(self.driver);
        let asking = || {
            blocking(async {
                let server = open(self.driver, &url);
                let outcome = work(&server).await;
                server.close().await;
                outcome
            })
        };
        std::thread::scope(|scope| scope.spawn(asking).join().unwrap())
    }
}

impl Drop for Configured {
    fn drop(&mut self) {
        for name in self.databases_of_tests().iter().chain([&self.name]) {
            let _ = self.ask(async |server| server.execute_raw(&format!("drop database {name}"), []).await);
        }
    }
}

fn open(driver: Driver, url: &str) -> Database {
    Database::open("admin", config_of(driver, url), &Paths::new(".")).unwrap()
}

/// A machine that is busy is no server that is away.
fn config_of(driver: Driver, url: &str) -> ConnectionConfig {
    let pool = PoolConfig { acquire_timeout: 120, ..PoolConfig::default() };
    ConnectionConfig { driver, url: url.into(), pool, ..ConnectionConfig::default() }
}

fn blocking<T>(work: impl Future<Output = T>) -> T {
    tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap().block_on(work)
}
