//! One suite, run per database engine: each test gets a database of its own, and it is gone afterwards.

use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};

use housekey_core::Paths;
use housekey_database::{ConnectionConfig, Database, Driver};

/// A database that belongs to one test.
pub(crate) struct Place {
    pub(crate) database: Database,
}

/// Runs a test on a database of its own.
pub(crate) async fn on<F>(driver: Driver, test: impl FnOnce(Place) -> F)
where
    F: Future<Output = ()> + Send + 'static,
{
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let name = format!("housekey_auth_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed));
    let folder = tempfile::tempdir().unwrap();
    let config = match driver {
        Driver::Sqlite => ConnectionConfig::sqlite("auth.sqlite"),
        Driver::Postgres => {
            admin(driver).execute_raw(&format!("create schema {name}"), []).await.unwrap();
            let url = url(driver);
            let mark = if url.contains('?') { '&' } else { '?' };
            ConnectionConfig::postgres(format!("{url}{mark}options[search_path]={name}"))
        }
        Driver::MySql => {
            admin(driver).execute_raw(&format!("create database {name}"), []).await.unwrap();
            let url = url(driver);
            let (base, _) = url.rsplit_once('/').unwrap();
            ConnectionConfig::mysql(format!("{base}/{name}"))
        }
    };
    let database = Database::open("test", config, &Paths::new(folder.path())).unwrap();
    // A task of its own, so that the database is dropped even when the test fails.
    let outcome = tokio::spawn(test(Place { database: database.clone() })).await;
    database.close().await;
    match driver {
        Driver::Sqlite => {}
        Driver::Postgres => drop(admin(driver).execute_raw(&format!("drop schema {name} cascade"), []).await),
        Driver::MySql => drop(admin(driver).execute_raw(&format!("drop database {name}"), []).await),
    }
    outcome.unwrap();
}

fn admin(driver: Driver) -> Database {
    let config = match driver {
        Driver::MySql => ConnectionConfig::mysql(url(driver)),
        _ => ConnectionConfig::postgres(url(driver)),
    };
    Database::open("admin", config, &Paths::new(".")).unwrap()
}

/// The server that the test runner started. A missing one fails: a suite that passes has run everything.
fn url(driver: Driver) -> String {
    let key = match driver {
        Driver::Postgres => "HOUSEKEY_TEST_POSTGRES_URL",
        _ => "HOUSEKEY_TEST_MYSQL_URL",
    };
    std::env::var(key).unwrap_or_else(|_| {
        panic!("no {driver} server to test on: run through `cargo xtask test`, or set {key} (`cargo xtask services` prints it)")
    })
}

/// Declares each test once per engine.
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
                    $crate::common::on(housekey_database::Driver::$driver, super::$name).await;
                }
            )+
        }
    };
}
