//! The tables of the database driver, for a migration.
//!
//! ```
//! use housekey_database::{Driver, Schema};
//! use housekey_queue::tables;
//!
//! pub fn up(schema: &mut Schema) {
//!     tables::create(schema);
//! }
//!
//! pub fn down(schema: &mut Schema) {
//!     tables::drop(schema);
//! }
//!
//! let mut schema = Schema::new(Driver::Sqlite);
//! up(&mut schema);
//! down(&mut schema);
//! assert!(!schema.is_empty());
//! ```

use housekey_database::Schema;

pub(crate) const JOBS: &str = "jobs";
pub(crate) const FAILED: &str = "failed_jobs";
pub(crate) const BATCHES: &str = "job_batches";

/// Makes `jobs`, `failed_jobs` and `job_batches`.
pub fn create(schema: &mut Schema) {
    schema.create(JOBS, |table| {
        table.string("id", 26).primary();
        table.string("queue", 100);
        table.string("name", 200);
        table.text("payload");
        table.integer("attempts");
        // Milliseconds since 1970. A job on loan is one that becomes available when the lease ends.
        table.big_integer("available_at");
        table.string("lease", 43).nullable();
        // The lock of a unique job, how many milliseconds it lasts and when that is over.
        table.string("unique_key", 43).nullable().unique();
        table.big_integer("unique_ms").nullable();
        table.big_integer("unique_until").nullable();
        // What follows it.
        table.text("chain").nullable();
        table.string("batch_id", 26).nullable();
        table.timestamp("created_at");
        table.index(["queue", "available_at", "id"]);
    });
    schema.create(FAILED, |table| {
        table.string("id", 26).primary();
        table.string("queue", 100);
        table.string("name", 200);
        table.text("payload");
        table.integer("attempts");
        table.text("error");
        table.string("unique_key", 43).nullable();
        table.big_integer("unique_ms").nullable();
        table.text("chain").nullable();
        table.timestamp("failed_at").index();
    });
    create_batches(schema);
}

fn create_batches(schema: &mut Schema) {
    schema.create(BATCHES, |table| {
        table.string("id", 26).primary();
        table.string("name", 200);
        table.big_integer("total");
        table.big_integer("done");
        table.big_integer("failed");
        table.big_integer("skipped");
        table.boolean("allows_failures");
        table.boolean("cancelled");
        // Jobs that are queued when it has succeeded, when its first job has failed and when it has ended.
        table.text("then_job").nullable();
        table.text("catch_job").nullable();
        table.text("finally_job").nullable();
        // Milliseconds since 1970.
        table.big_integer("created_at");
        table.big_integer("finished_at").nullable().index();
    });
}

/// Adds what `jobs` and `failed_jobs` from before unique jobs, chains and batches do not have, and `job_batches`. The jobs in them stay.
pub fn upgrade(schema: &mut Schema) {
    schema.table(JOBS, |table| {
        table.string("unique_key", 43).nullable().unique();
        table.big_integer("unique_ms").nullable();
        table.big_integer("unique_until").nullable();
        table.text("chain").nullable();
        table.string("batch_id", 26).nullable();
    });
    schema.table(FAILED, |table| {
        table.string("unique_key", 43).nullable();
        table.big_integer("unique_ms").nullable();
        table.text("chain").nullable();
    });
    create_batches(schema);
}

/// Removes them, and every job in them.
pub fn drop(schema: &mut Schema) {
    schema.drop_if_exists(BATCHES);
    schema.drop_if_exists(FAILED);
    schema.drop_if_exists(JOBS);
}
