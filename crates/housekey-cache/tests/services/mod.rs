//! The servers that tests run against, and a place of its own on each for every test.
//!
//! Other crates' tests include this file by its path.

#![allow(
    dead_code,
    unused_imports,
    clippy::unwrap_used,
    reason = "each test file uses its part, and a test that cannot go on fails"
)]

use housekey_core::{Paths, random};
pub(crate) use housekey_database::testing::TestDatabase;
use housekey_database::{ConnectionConfig, Database};

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

pub(crate) fn open(config: &ConnectionConfig) -> Database {
    Database::open("test", config.clone(), &Paths::new("/")).unwrap()
}

/// A prefix that no other test has.
pub(crate) fn name() -> String {
    format!("hk_{}", random::short_id())
}

/// Waits inside a test that runs on several threads, where the caller cannot be async.
pub(crate) fn wait_for<F: Future>(work: F) -> F::Output {
    tokio::task::block_in_place(|| tokio::runtime::Handle::current().block_on(work))
}
