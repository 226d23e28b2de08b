//! The table of the database channel, for a migration and for tests.
//!
//! ```
//! use housekey_database::{Driver, Schema};
//! use housekey_notifications::tables;
//!
//! let mut schema = Schema::new(Driver::Sqlite);
//! tables::create(&mut schema);
//! tables::drop(&mut schema);
//! assert!(!schema.is_empty());
//! ```

use housekey_database::Schema;

pub(crate) const TABLE: &str = "notifications";

/// Makes `notifications`: a column for each field of [`StoredNotification`](crate::StoredNotification).
pub fn create(schema: &mut Schema) {
    schema.create(TABLE, |table| {
        table.string("id", 36).primary();
        table.string("type", 191);
        table.string("notifiable_type", 64);
        table.string("notifiable_id", 64);
        table.json("data");
        table.timestamp("read_at").nullable();
        table.timestamp("created_at");
        // For "the unread ones of somebody, newest first".
        table.index(["notifiable_type", "notifiable_id", "read_at", "created_at"]);
    });
}

/// Removes it, and every notification in it.
pub fn drop(schema: &mut Schema) {
    schema.drop_if_exists(TABLE);
}
