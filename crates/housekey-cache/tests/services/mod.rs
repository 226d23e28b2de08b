//! The servers that tests run against, and a place of its own on each for every test.
//!
//! Other crates' tests include this file by its path.

#![allow(
    dead_code,
    clippy::unwrap_used,
    reason = "each test file uses its part, and a test that cannot go on fails"
)]

use std::sync::Arc;

use housekey_core::{Paths, id};
use housekey_database::{ConnectionConfig, Database};

pub(crate) const POSTGRES: &str = "HOUSEKEY_TEST_POSTGRES_URL";
pub(crate) const MYSQL: &str = "HOUSEKEY_TEST_MYSQL_URL";
pub(crate) const REDIS: &str = "HOUSEKEY_TEST_REDIS_URL";

/// The address of a test server.
pub(crate) fn url(variable: &str) -> String {
    std::env::var(variable).unwrap_or_else(|_| {
        panic!(
            "{variable} is not set: run the tests through `cargo xtask test`, or start the servers with \
             `cargo xtask services` and set what it prints"
        )
    })
}

/// An empty database, gone with this value. It can be opened by other processes by its configuration.
pub(crate) struct Place {
    pub(crate) config: ConnectionConfig,
    _rubble: Arc<Rubble>,
}

/// What is left to tidy up.
enum Rubble {
    Folder { _folder: tempfile::TempDir },
    Server { config: ConnectionConfig, sql: String },
}

impl Place {
    pub(crate) async fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("test.sqlite").to_str().unwrap().to_owned();
        Self { config: ConnectionConfig::sqlite(file), _rubble: Arc::new(Rubble::Folder { _folder: folder }) }
    }

    /// A schema of its own: making a whole database takes much longer.
    pub(crate) async fn postgres() -> Self {
        let (url, name) = (url(POSTGRES), name());
        let mark = if url.contains('?') { '&' } else { '?' };
        let config = ConnectionConfig::postgres(format!("{url}{mark}options=-csearch_path%3D{name}"));
        Self::on_server(ConnectionConfig::postgres(url), config, "schema", &name, " cascade").await
    }

    pub(crate) async fn mysql() -> Self {
        let (url, name) = (url(MYSQL), name());
        let (server, _) = url.rsplit_once('/').unwrap();
        let config = ConnectionConfig::mysql(format!("{server}/{name}"));
        Self::on_server(ConnectionConfig::mysql(url), config, "database", &name, "").await
    }

    async fn on_server(
        server: ConnectionConfig,
        config: ConnectionConfig,
        kind: &str,
        name: &str,
        how: &str,
    ) -> Self {
        let admin = open(&server);
        admin.execute_raw(&format!("create {kind} {name}"), []).await.unwrap();
        admin.close().await;
        let sql = format!("drop {kind} {name}{how}");
        Self { config, _rubble: Arc::new(Rubble::Server { config: server, sql }) }
    }

    pub(crate) fn database(&self) -> Database {
        open(&self.config)
    }
}

impl Drop for Rubble {
    fn drop(&mut self) {
        let Self::Server { config, sql } = self else { return };
        let (config, sql) = (config.clone(), std::mem::take(sql));
        // A thread of its own: the test's runtime may be one that cannot wait here.
        let tidy = std::thread::spawn(move || {
            block_on(async {
                let admin = open(&config);
                let _ = admin.execute_raw(&sql, []).await;
                admin.close().await;
            });
        });
        let _ = tidy.join();
    }
}

pub(crate) fn open(config: &ConnectionConfig) -> Database {
    Database::open("test", config.clone(), &Paths::new("/")).unwrap()
}

/// A prefix that no other test has.
pub(crate) fn name() -> String {
    format!("hk_{}", id::request_id())
}

pub(crate) fn block_on<F: Future>(work: F) -> F::Output {
    tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap().block_on(work)
}

/// Waits inside a test that runs on several threads, where the caller cannot be async.
pub(crate) fn wait_for<F: Future>(work: F) -> F::Output {
    tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(work))
}
