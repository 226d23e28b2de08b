//! Databases for tests: one suite, run per engine, each test on a database of its own that is gone afterwards.
//!
//! The servers are those that `cargo xtask test` starts. A missing one fails the test: a suite that passes has run
//! everything.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use housekey_core::{Paths, random};

use crate::{ConnectionConfig, Database, Driver};

/// Seconds that a test waits for a connection. A machine that is busy is no server that is away.
const ACQUIRE_TIMEOUT: u64 = 120;

/// Ends a test that hangs, and decides nothing else.
const DEADLINE: Duration = Duration::from_mins(10);

/// Declares each test once per engine. A test is an async function that takes a [`TestDatabase`].
///
/// ```ignore
/// use housekey_database::on_every_engine;
/// use housekey_database::testing::TestDatabase;
///
/// on_every_engine!(an_empty_table_has_no_rows);
///
/// async fn an_empty_table_has_no_rows(test: TestDatabase) {
///     test.db.schema(|schema| schema.create("posts", |table| { table.id(); })).await.unwrap();
///     assert_eq!(test.db.table("posts").count().await.unwrap(), 0);
/// }
/// ```
#[macro_export]
macro_rules! on_every_engine {
    ($($name:ident),+ $(,)?) => {
        $crate::on_every_engine!(@engine sqlite Sqlite: $($name)+);
        $crate::on_every_engine!(@engine postgres Postgres: $($name)+);
        $crate::on_every_engine!(@engine mysql MySql: $($name)+);
    };
    (@engine $module:ident $driver:ident: $($name:ident)+) => {
        mod $module {
            $(
                #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
                async fn $name() {
                    $crate::testing::on($crate::Driver::$driver, super::$name).await;
                }
            )+
        }
    };
}

/// Declares each test once per server, where SQLite has nothing to show.
#[macro_export]
macro_rules! on_every_server {
    ($($name:ident),+ $(,)?) => {
        $crate::on_every_engine!(@engine postgres Postgres: $($name)+);
        $crate::on_every_engine!(@engine mysql MySql: $($name)+);
    };
}

/// An empty database that belongs to one test. What it left on a server goes with the last clone of this.
#[derive(Clone)]
pub struct TestDatabase {
    /// The database, open.
    pub db: Database,
    /// How to open it, for another pool or another process.
    pub config: ConnectionConfig,
    cleanup: Arc<Cleanup>,
}

impl TestDatabase {
    pub async fn on(driver: Driver) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (mut config, left) = match driver {
            Driver::Sqlite => {
                let file = folder.path().join("database.sqlite").display().to_string();
                (ConnectionConfig::sqlite(file), None)
            }
            // A schema of its own: making a whole database takes much longer.
            Driver::Postgres => {
                let (url, name) = (server(driver), unique_name());
                execute(driver, &format!("create schema {name}")).await.unwrap();
                let mark = if url.contains('?') { '&' } else { '?' };
                let config = ConnectionConfig::postgres(format!("{url}{mark}options[search_path]={name}"));
                (config, Some(format!("drop schema {name} cascade")))
            }
            // A collation that takes upper and lower case for the same, as servers often have it: our tables must not.
            Driver::MySql => {
                let (url, name) = (server(driver), unique_name());
                execute(driver, &format!("create database {name} collate utf8mb4_general_ci")).await.unwrap();
                let (server, _) = url.rsplit_once('/').unwrap();
                (ConnectionConfig::mysql(format!("{server}/{name}")), Some(format!("drop database {name}")))
            }
        };
        config.pool.acquire_timeout = ACQUIRE_TIMEOUT;
        let db = Database::open("test", config.clone(), &Paths::new(folder.path())).unwrap();
        Self { db, config, cleanup: Arc::new(Cleanup { driver, folder, left }) }
    }

    /// A new SQLite file.
    pub async fn sqlite() -> Self {
        Self::on(Driver::Sqlite).await
    }

    /// A new schema on the PostgreSQL server.
    pub async fn postgres() -> Self {
        Self::on(Driver::Postgres).await
    }

    /// A new database on the MySQL or MariaDB server.
    pub async fn mysql() -> Self {
        Self::on(Driver::MySql).await
    }

    /// The same database through a pool of its own: what another process sees.
    pub fn database(&self) -> Database {
        self.configured(|_| ())
    }

    /// The same database through a pool of its own, configured otherwise.
    pub fn configured(&self, change: impl FnOnce(&mut ConnectionConfig)) -> Database {
        let mut config = self.config.clone();
        change(&mut config);
        Database::open("test", config, &self.paths()).unwrap()
    }

    /// A folder that is gone with the database.
    pub fn paths(&self) -> Paths {
        Paths::new(self.cleanup.folder.path())
    }
}

impl fmt::Debug for TestDatabase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("TestDatabase").field(&self.db).finish()
    }
}

/// Runs a test on a database of its own.
pub async fn on<F: Future<Output = ()>>(driver: Driver, test: impl FnOnce(TestDatabase) -> F) {
    let database = TestDatabase::on(driver).await;
    let outcome =
        AssertUnwindSafe(tokio::time::timeout(DEADLINE, test(database.clone()))).catch_unwind().await;
    // Before the database goes: a transaction that is left open would keep its tables from being dropped.
    database.db.close().await;
    drop(database);
    match outcome {
        Ok(in_time) => in_time.expect("the test hangs"),
        Err(panic) => std::panic::resume_unwind(panic),
    }
}

/// The address of the server that the test runner started.
///
/// # Panics
///
/// When there is none.
pub fn server(driver: Driver) -> String {
    let key = match driver {
        Driver::Postgres => "HOUSEKEY_TEST_POSTGRES_URL",
        _ => "HOUSEKEY_TEST_MYSQL_URL",
    };
    std::env::var(key).unwrap_or_else(|_| {
        panic!("no {driver} server to test on: run through `cargo xtask test`, or set {key} (`cargo xtask services` prints it)")
    })
}

/// What is left to tidy up.
struct Cleanup {
    driver: Driver,
    folder: tempfile::TempDir,
    left: Option<String>,
}

impl Drop for Cleanup {
    fn drop(&mut self) {
        let (driver, Some(sql)) = (self.driver, self.left.take()) else { return };
        // A thread of its own: the test's runtime may be one that cannot wait here.
        let tidy = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
            drop(runtime.block_on(execute(driver, &sql)));
        });
        drop(tidy.join());
    }
}

/// As the one who makes and drops the databases of the tests.
async fn execute(driver: Driver, sql: &str) -> housekey_core::Result<u64> {
    let mut config = ConnectionConfig::postgres(server(driver));
    config.driver = driver;
    config.pool.acquire_timeout = ACQUIRE_TIMEOUT;
    let admin = Database::open("admin", config, &Paths::new("."))?;
    let outcome = admin.execute_raw(sql, []).await;
    admin.close().await;
    outcome
}

fn unique_name() -> String {
    format!("housekey_test_{}", random::short_id())
}
