use housekey_core::Result;
use housekey_database::{ColumnType, Database, Driver, Schema as Changes, Table as NewTable, TableInfo};
use housekey_engine::schema::{Column, ColumnDefault, ColumnKind, Index, Schema, Table};

/// Adds to some changes of a database's schema what an engine's tables lack in it: tables, columns, indexes. What is
/// `present` and not lacking stays as it is, and nothing is ever dropped.
///
/// ```
/// # tokio::runtime::Runtime::new().unwrap().block_on(async {
/// use housekey_database::{Driver, Schema};
/// use housekey_engine::{Engine, MemoryStorage, options::EngineOptions};
///
/// let options = EngineOptions { secret: "a secret of at least thirty-two characters".into(), ..Default::default() };
/// let engine = Engine::build(options, MemoryStorage::new()).unwrap();
/// let mut changes = Schema::new(Driver::Postgres);
/// housekey_engine_sql::describe(engine.schema(), &[], &mut changes);
/// assert!(changes.to_sql().unwrap()[0].starts_with("create table \"user\""));
/// # });
/// ```
pub fn describe(schema: &Schema, present: &[TableInfo], changes: &mut Changes) {
    let driver = changes.driver();
    for table in schema.tables() {
        let Some(found) = present.iter().find(|found| found.name == table.name) else {
            changes.create(&table.name, |new| {
                table.columns.iter().for_each(|column| add(new, column, driver));
                table.indexes.iter().for_each(|index| add_index(new, index));
            });
            continue;
        };
        let lacks = |index: &&Index| {
            // The catalogue does not tell what such an index is made from.
            if index.search {
                return found.indexes.iter().all(|present| present.name != index.name);
            }
            let columns: Vec<_> = index.columns.iter().map(String::as_str).collect();
            found.index(&columns).is_none()
        };
        let columns: Vec<_> =
            table.columns.iter().filter(|column| found.column(&column.name).is_none()).collect();
        let indexes: Vec<_> = table.indexes.iter().filter(lacks).collect();
        if columns.is_empty() && indexes.is_empty() {
            continue;
        }
        changes.table(&table.name, |old| {
            columns.iter().for_each(|column| add(old, column, driver));
            for index in indexes {
                bound_texts(old, found, table, index, driver);
                add_index(old, index);
            }
        });
    }
}

pub(crate) async fn create_missing(database: &Database, schema: &Schema) -> Result<()> {
    let present = database.introspect().await?;
    let mut changes = Changes::new(database.driver());
    describe(schema, &present, &mut changes);
    if changes.is_empty() { Ok(()) } else { database.schema(|empty| *empty = changes).await }
}

fn add(table: &mut NewTable, column: &Column, driver: Driver) {
    let new = table.column(&column.name, kind(column, driver));
    if column.field == "id" {
        new.primary();
    }
    if column.nullable {
        new.nullable();
    }
    if column.unique {
        new.unique();
    }
    // SQLite has no default here in the reference either: it would write its own form of the time.
    if column.default == Some(ColumnDefault::Now) && driver != Driver::Sqlite {
        new.default_now();
    }
    if let Some(reference) = &column.references {
        new.references(&reference.table_name, &reference.column_name).on_delete_cascade();
    }
}

fn add_index(table: &mut NewTable, index: &Index) {
    let new = match (&index.columns[..], index) {
        ([column], Index { search: true, .. }) => table.search_index(column),
        (columns, Index { unique: true, .. }) => table.unique(columns),
        (columns, _) => table.index(columns),
    };
    new.name(&index.name);
}

/// MySQL takes no text without a bound into an index, and newer versions of the reference have such a text.
fn bound_texts(changes: &mut NewTable, found: &TableInfo, table: &Table, index: &Index, driver: Driver) {
    if driver != Driver::MySql {
        return;
    }
    for column in index.fields.iter().filter_map(|field| table.column(field)) {
        if found.column(&column.name).is_some_and(|found| found.kind == ColumnType::Text) {
            let changed = changes.column(&column.name, kind(column, driver)).change();
            if column.nullable {
                changed.nullable();
            }
        }
    }
}

/// The reference's types, so that it finds nothing odd in a table of ours.
fn kind(column: &Column, driver: Driver) -> ColumnType {
    match (column.kind, driver) {
        (ColumnKind::Id, Driver::MySql) => ColumnType::String(36),
        (ColumnKind::Text, Driver::MySql) => {
            column.bound.map_or(ColumnType::Text, |most| ColumnType::String(most.into()))
        }
        (ColumnKind::Id | ColumnKind::Text, _) | (ColumnKind::Json, Driver::Sqlite) => ColumnType::Text,
        (ColumnKind::Integer, _) | (ColumnKind::Boolean, Driver::Sqlite) => ColumnType::Integer,
        (ColumnKind::Boolean, _) => ColumnType::Boolean,
        (ColumnKind::BigInteger, _) => ColumnType::BigInteger,
        (ColumnKind::Date, Driver::Sqlite) => ColumnType::Other("date".into()),
        (ColumnKind::Date, _) => ColumnType::Timestamp,
        (ColumnKind::Json, _) => ColumnType::Json,
    }
}
