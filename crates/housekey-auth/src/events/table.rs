//! The table of events. It comes into the schema as the tables of the engine's plugins do, so `auth:schema` writes it.

use housekey_engine::Plugin;
use housekey_engine::schema::{Column, ColumnKind, SchemaContribution, Table};

pub(crate) const TABLE: &str = "securityEvent";

pub(super) fn plugin() -> Plugin {
    let contribution = SchemaContribution::new().table(table()).index(TABLE, ["userId", "createdAt"]);
    Plugin::new("security-events").schema(contribution)
}

/// `userId` names a user and refers to none: what happened to an account outlives it, until its days are over. Whoever takes
/// an account over and deletes it must not delete the traces.
pub(super) fn table() -> Table {
    let short = |field: &'static str| Column { bound: Some(64), ..Column::text(field) };
    Table::new(TABLE)
        .column_with(short("kind"))
        .column_with(Column::new("userId", ColumnKind::Id).nullable())
        .column_with(Column::new("sessionId", ColumnKind::Id).nullable())
        .column_with(short("address").nullable())
        .column_with(Column::text("userAgent").nullable())
        .column_with(Column::new("detail", ColumnKind::Json).nullable())
        .column_with(Column::date("createdAt").default_now().indexed())
}
