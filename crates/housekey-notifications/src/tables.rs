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

use crate::table::{ColumnKind, NOTIFICATIONS_TABLE, TableDefinition};

/// Makes `notifications`.
pub fn create(schema: &mut Schema) {
    let TableDefinition { name, columns, indexes } = NOTIFICATIONS_TABLE;
    schema.create(name, |table| {
        for (number, definition) in columns.iter().enumerate() {
            let column = match definition.kind {
                ColumnKind::String(length) => table.string(definition.name, length),
                ColumnKind::Json => table.json(definition.name),
                ColumnKind::Timestamp => table.timestamp(definition.name),
            };
            if definition.nullable {
                column.nullable();
            }
            if number == 0 {
                column.primary();
            }
        }
        for index in indexes {
            table.index(index.iter().copied());
        }
    });
}

/// Removes it, and every notification in it.
pub fn drop(schema: &mut Schema) {
    schema.drop_if_exists(NOTIFICATIONS_TABLE.name);
}
