//! The table of durable events, for a migration.
//!
//! ```
//! use housekey_database::{Driver, Schema};
//! use housekey_events::tables;
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

pub(crate) const OUTBOX: &str = "event_outbox";

/// Makes `event_outbox`: one row for each listener that is to be told of an event.
pub fn create(schema: &mut Schema) {
    schema.create(OUTBOX, |table| {
        table.string("id", 26).primary();
        table.string("event_id", 26);
        table.string("event", 200);
        table.string("listener", 200);
        table.text("payload");
        table.integer("attempts");
        // Milliseconds since 1970; nothing for one that was given up. One that a relay has in hand becomes available when
        // the lease ends.
        table.big_integer("available_at").nullable();
        table.string("lease", 43).nullable();
        table.text("error").nullable();
        table.timestamp("created_at");
        table.index(["available_at", "id"]);
    });
}

/// Removes it, and every event in it.
pub fn drop(schema: &mut Schema) {
    schema.drop_if_exists(OUTBOX);
}
