/// A table as data: whoever writes migrations turns it into one.
#[derive(Clone, Copy, Debug)]
pub struct TableDefinition {
    pub name: &'static str,
    /// Its columns, in order. The first is the primary key.
    pub columns: &'static [ColumnDefinition],
    /// Its indexes, each by its columns in order.
    pub indexes: &'static [&'static [&'static str]],
}

/// A column as data.
#[derive(Clone, Copy, Debug)]
pub struct ColumnDefinition {
    pub name: &'static str,
    /// What it holds.
    pub kind: ColumnKind,
    /// Whether it may be empty.
    pub nullable: bool,
}

/// What a column holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ColumnKind {
    /// Text up to a length.
    String(u32),
    Json,
    /// A moment, to the millisecond.
    Timestamp,
}

/// The `notifications` table: what the database channel writes. A column each for the fields of
/// [`StoredNotification`](crate::StoredNotification); the index serves "the unread ones of somebody, newest first".
pub const NOTIFICATIONS_TABLE: TableDefinition = TableDefinition {
    name: "notifications",
    columns: &[
        column("id", ColumnKind::String(36)),
        column("type", ColumnKind::String(191)),
        column("notifiable_type", ColumnKind::String(64)),
        column("notifiable_id", ColumnKind::String(64)),
        column("data", ColumnKind::Json),
        ColumnDefinition { nullable: true, ..column("read_at", ColumnKind::Timestamp) },
        column("created_at", ColumnKind::Timestamp),
    ],
    indexes: &[&["notifiable_type", "notifiable_id", "read_at", "created_at"]],
};

const fn column(name: &'static str, kind: ColumnKind) -> ColumnDefinition {
    ColumnDefinition { name, kind, nullable: false }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_index_names_columns_there_are() {
        let names: Vec<&str> = NOTIFICATIONS_TABLE.columns.iter().map(|column| column.name).collect();
        for index in NOTIFICATIONS_TABLE.indexes {
            assert!(index.iter().all(|column| names.contains(column)), "{index:?}");
        }
    }
}
