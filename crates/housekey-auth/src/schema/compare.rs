//! What an engine's tables are, held against what a database has.

use std::fmt;

use housekey_database::{ColumnType, Driver, TableInfo};
use housekey_engine::Value;
use housekey_engine::schema::{Column, ColumnDefault, ColumnKind, Index, Schema, Table};

use super::Plan;
use super::plan::{Bounded, DefaultValue, Fill, Kind, NewColumn, NewIndex, NewTable, TableChange};

/// Characters of an id, as the engine makes them and as others do who write UUIDs.
const ID: u32 = 36;

impl Plan {
    /// Every table of the engine's schema, for a database that has none of them.
    pub fn fresh(schema: &Schema) -> Self {
        let tables = schema.tables().iter().map(new_table).collect();
        Self { tables, ..Self::default() }
    }

    /// What a database of this kind lacks of the engine's tables, columns, bounds and indexes. `present` is what
    /// [`Database::introspect`](housekey_database::Database::introspect) found in it.
    ///
    /// # Errors
    /// When an index that is lacking cannot be made, because another one has its name.
    pub fn missing(schema: &Schema, present: &[TableInfo], driver: Driver) -> Result<Self, Conflict> {
        let mut plan = Self::default();
        for table in schema.tables() {
            let Some(found) = present.iter().find(|found| found.name == table.name) else {
                plan.notes.extend(abandoned(schema, table, present));
                plan.tables.push(new_table(table));
                continue;
            };
            let change = missing_of(table, found, driver)?;
            for column in change.columns.iter().filter(|column| column.should_be_filled) {
                plan.notes.push(format!(
                    "{}.{} must have a value, but rows that are there have none: it is added as nullable. Fill it and \
                     make it required in a migration of your own.",
                    table.name, column.name
                ));
            }
            if !change.is_empty() {
                plan.changes.push(change);
            }
        }
        Ok(plan)
    }
}

/// An index with the name of one that is lacking.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Conflict {
    table: String,
    index: String,
    columns: Vec<String>,
    wanted: Vec<String>,
}

impl fmt::Display for Conflict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { table, index, columns, wanted } = self;
        write!(
            f,
            "`{table}` has an index `{index}` over ({}), but the auth tables need one of that name over ({}). Drop or \
             rename the one that is there, then run this again",
            columns.join(", "),
            wanted.join(", ")
        )
    }
}

impl std::error::Error for Conflict {}

fn new_table(table: &Table) -> NewTable {
    NewTable {
        key: table.key.clone(),
        name: table.name.clone(),
        columns: table.columns.iter().map(new_column).collect(),
        indexes: table.indexes.iter().map(new_index).collect(),
    }
}

fn missing_of(table: &Table, found: &TableInfo, driver: Driver) -> Result<TableChange, Conflict> {
    let is_new = |column: &&Column| found.column(&column.name).is_none();
    let mut change = TableChange {
        name: table.name.clone(),
        bounded: unbounded(table, found, driver),
        columns: table.columns.iter().filter(is_new).map(added_column).collect(),
        fill: fill(table, found),
        indexes: Vec::new(),
    };
    let unique_rules = table.columns.iter().filter(|column| column.unique && !is_new(column));
    let unique_rules = unique_rules.map(|column| NewIndex {
        name: None,
        columns: vec![column.name.clone()],
        unique: true,
        search: false,
    });
    for index in unique_rules.chain(table.indexes.iter().map(new_index)) {
        if has_index(found, &index) {
            continue;
        }
        refuse_taken_name(found, &index)?;
        for name in &index.columns {
            let bounded = table.columns.iter().find(|column| column.name == *name);
            let bounded = bounded.and_then(|column| bound(column, found));
            change.bounded.extend(bounded.filter(|new| change.bounded.iter().all(|old| old != new)));
        }
        change.indexes.push(index);
    }
    Ok(change)
}

/// Texts in an index that have no bound, as in a database of the reference. SQLite knows no bounds, and would copy the table
/// for the word alone.
// spec: CLI-10
fn unbounded(table: &Table, found: &TableInfo, driver: Driver) -> Vec<Bounded> {
    if driver == Driver::Sqlite {
        return Vec::new();
    }
    let is_indexed = |column: &&Column| {
        column.unique || table.indexes.iter().any(|index| index.columns.contains(&column.name))
    };
    let bounds = table.columns.iter().filter(is_indexed).filter_map(|column| bound(column, found));
    bounds.filter(|bounded| bounded.was == Kind::Text).collect()
}

/// A unique index also serves whoever only wants to look rows up. One for searching is known by its name: the catalogue does not tell
/// what it is made from.
fn has_index(found: &TableInfo, wanted: &NewIndex) -> bool {
    if wanted.search {
        return found.indexes.iter().any(|index| Some(&index.name) == wanted.name.as_ref());
    }
    found.indexes.iter().any(|index| index.columns == wanted.columns && (index.unique || !wanted.unique))
}

fn refuse_taken_name(found: &TableInfo, wanted: &NewIndex) -> Result<(), Conflict> {
    let taken = found.indexes.iter().find(|index| Some(&index.name) == wanted.name.as_ref());
    taken.map_or(Ok(()), |index| {
        Err(Conflict {
            table: found.name.clone(),
            index: index.name.clone(),
            columns: index.columns.clone(),
            wanted: wanted.columns.clone(),
        })
    })
}

/// MySQL takes no text without a bound into an index; the other engines get the same, so that a database that came
/// step by step equals a fresh one.
fn bound(column: &Column, found: &TableInfo) -> Option<Bounded> {
    // An id has its length by nature, and changing a column that others refer to is no small thing.
    let most = u32::from(column.bound.filter(|_| column.kind == ColumnKind::Text)?);
    let present = found.column(&column.name)?;
    let was = match present.kind {
        ColumnType::Text => Kind::Text,
        ColumnType::String(length) if length > most => Kind::String(length),
        _ => return None,
    };
    Some(Bounded {
        column: column.name.clone(),
        was,
        becomes: Kind::String(most),
        nullable: present.nullable,
    })
}

/// A column for a table that may have rows: it is empty in them, or has its default, unless that may be there only once.
fn added_column(column: &Column) -> NewColumn {
    let mut new = new_column(column);
    new.default = new.default.filter(|_| !column.unique);
    new.should_be_filled = !new.nullable && new.default.is_none();
    new.nullable |= new.should_be_filled;
    new
}

fn new_column(column: &Column) -> NewColumn {
    NewColumn {
        name: column.name.clone(),
        kind: kind(column),
        primary: column.field == "id",
        nullable: column.nullable,
        should_be_filled: false,
        unique: column.unique,
        default: column.default.as_ref().and_then(default),
        references: column.references.as_ref().map(|to| (to.table_name.clone(), to.column_name.clone())),
    }
}

fn new_index(index: &Index) -> NewIndex {
    let Index { name, columns, unique, search, .. } = index.clone();
    NewIndex { name: Some(name), columns, unique, search }
}

fn kind(column: &Column) -> Kind {
    match column.kind {
        ColumnKind::Id => Kind::String(ID),
        ColumnKind::Text => column.bound.map_or(Kind::Text, |most| Kind::String(most.into())),
        ColumnKind::Boolean => Kind::Boolean,
        ColumnKind::Integer => Kind::Integer,
        ColumnKind::BigInteger => Kind::BigInteger,
        ColumnKind::Date => Kind::Timestamp,
        ColumnKind::Json => Kind::Json,
    }
}

/// The default as the database keeps it, new table or old, so that both ways lead to the same table. A fixed date is
/// left to the engine: no spelling of it is a literal on all three databases.
fn default(default: &ColumnDefault) -> Option<DefaultValue> {
    match default {
        ColumnDefault::Now => Some(DefaultValue::Now),
        ColumnDefault::Value(Value::Bool(value)) => Some(DefaultValue::Boolean(*value)),
        ColumnDefault::Value(Value::Integer(number)) => Some(DefaultValue::Integer(*number)),
        ColumnDefault::Value(Value::Text(text)) => Some(DefaultValue::Text(text.clone())),
        ColumnDefault::Value(Value::Json(json)) => Some(DefaultValue::Text(json.to_string())),
        ColumnDefault::Value(Value::Null | Value::Date(_)) => None,
    }
}

/// Databases of the reference before 1.7.0 and from 1.7.3 on have no `issuer`. It may be empty, and stays so for
/// accounts of other providers; those with a password get what the engine writes into new ones, so that the unique
/// rule holds for them too.
fn fill(table: &Table, found: &TableInfo) -> Option<Fill> {
    let (issuer, provider) = (table.column("issuer")?, table.column("providerId")?);
    let is_new = table.key == "account" && found.column(&issuer.name).is_none();
    (is_new && found.column(&provider.name).is_some()).then(|| Fill {
        why: "Accounts with a password get the issuer that new ones have; those of other providers have none.",
        column: issuer.name.clone(),
        value: "local:credential",
        only: (provider.name.clone(), "credential"),
    })
}

/// A table that was renamed in the configuration: its rows stay where they are.
fn abandoned(schema: &Schema, table: &Table, present: &[TableInfo]) -> Option<String> {
    let renamed = table.name != table.key;
    let is_used = schema.tables().iter().any(|other| other.name == table.key);
    let is_there = present.iter().any(|found| found.name == table.key);
    (renamed && !is_used && is_there).then(|| {
        let (old, new) = (&table.key, &table.name);
        format!(
            "`{old}` is there and no longer used. To keep its rows, replace the creation of `{new}` by \
             schema.rename({old:?}, {new:?})."
        )
    })
}
