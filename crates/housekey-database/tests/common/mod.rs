//! One suite, run per engine: each test gets a database of its own, and it is gone afterwards.

#![allow(dead_code, reason = "each test binary uses a part of it")]

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::sync::atomic::{AtomicU64, Ordering};

use futures_util::FutureExt;
use housekey_core::Paths;
use housekey_database::{ConnectionConfig, Database, Driver};

/// A database that belongs to one test.
pub(crate) struct Place {
    pub(crate) db: Database,
    pub(crate) config: ConnectionConfig,
    folder: tempfile::TempDir,
}

impl Place {
    /// The same database through a pool of its own: what another process sees.
    pub(crate) fn another(&self) -> Database {
        Database::open("another", self.config.clone(), &self.paths()).unwrap()
    }

    /// The same database, configured otherwise.
    pub(crate) fn configured(&self, change: impl FnOnce(&mut ConnectionConfig)) -> Database {
        let mut config = self.config.clone();
        change(&mut config);
        Database::open("configured", config, &self.paths()).unwrap()
    }

    pub(crate) fn paths(&self) -> Paths {
        Paths::new(self.folder.path())
    }
}

/// Runs a test on a database of its own.
pub(crate) async fn on<F: Future<Output = ()>>(driver: Driver, test: impl FnOnce(Place) -> F) {
    let folder = tempfile::tempdir().unwrap();
    let name = unique_name();
    let config = match driver {
        Driver::Sqlite => ConnectionConfig::sqlite("database.sqlite"),
        Driver::Postgres => {
            let url = url(driver);
            admin(driver).execute_raw(&format!("create schema {name}"), []).await.unwrap();
            let mark = if url.contains('?') { '&' } else { '?' };
            ConnectionConfig::postgres(format!("{url}{mark}options[search_path]={name}"))
        }
        Driver::MySql => {
            admin(driver)
                .execute_raw(&format!("create database {name} collate utf8mb4_general_ci"), [])
                .await
                .unwrap();
            let url = url(driver);
            let (base, _) = url.rsplit_once('/').unwrap();
            ConnectionConfig::mysql(format!("{base}/{name}"))
        }
    };
    let db = Database::open("test", config.clone(), &Paths::new(folder.path())).unwrap();
    let place = Place { db: db.clone(), config, folder };
    let outcome = AssertUnwindSafe(test(place)).catch_unwind().await;
    db.close().await;
    match driver {
        Driver::Sqlite => {}
        Driver::Postgres => drop(admin(driver).execute_raw(&format!("drop schema {name} cascade"), []).await),
        Driver::MySql => drop(admin(driver).execute_raw(&format!("drop database {name}"), []).await),
    }
    if let Err(panic) = outcome {
        std::panic::resume_unwind(panic);
    }
}

fn unique_name() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("housekey_test_{}_{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Who makes and drops the databases of the tests.
pub(crate) fn admin(driver: Driver) -> Database {
    let config = match driver {
        Driver::MySql => ConnectionConfig::mysql(url(driver)),
        _ => ConnectionConfig::postgres(url(driver)),
    };
    Database::open("admin", config, &Paths::new(".")).unwrap()
}

/// The server that the test runner started. A missing one fails: a suite that passes has run everything.
pub(crate) fn url(driver: Driver) -> String {
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
