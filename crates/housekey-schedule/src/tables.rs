//! The table of the store `database`, for a migration.
//!
//! ```
//! use housekey_database::{Driver, Schema};
//! use housekey_schedule::tables;
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

pub(crate) const RUNS: &str = "schedule_runs";

/// Makes `schedule_runs`: a row for each task, with its newest run.
pub fn create(schema: &mut Schema) {
    schema.create(RUNS, |table| {
        table.string("name", 150).primary();
        table.big_integer("revision");
        // Moments are milliseconds since 1970. This one is a time of the schedule, not the time of the run.
        table.big_integer("time");
        table.big_integer("attempts");
        table.string("owner", 43).nullable();
        table.big_integer("lease_ends");
        table.string("outcome", 20).nullable();
        table.big_integer("ended_at").nullable();
    });
}

/// Removes it. Tasks are then seen as new.
pub fn drop(schema: &mut Schema) {
    schema.drop_if_exists(RUNS);
}
