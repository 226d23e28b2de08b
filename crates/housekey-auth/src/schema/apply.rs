//! A plan into the schema builder: call for call what the file of [`Plan::to_rust`] says.

use housekey_database::{Column, Schema, Table};

use super::Plan;
use super::plan::{Bounded, DefaultValue, Fill, Kind, NewColumn, NewIndex, TableChange};

impl Plan {
    /// Adds what the plan does to a schema.
    pub fn up(&self, schema: &mut Schema) {
        for table in &self.tables {
            schema.create(&table.name, |new| {
                table.columns.iter().for_each(|column| add_column(new, column));
                table.indexes.iter().for_each(|index| add_index(new, index));
            });
        }
        for change in &self.changes {
            if !change.bounded.is_empty() || !change.columns.is_empty() {
                schema.table(&change.name, |table| {
                    change.bounded.iter().for_each(|one| bound(table, one, one.becomes));
                    change.columns.iter().for_each(|column| add_column(table, column));
                });
            }
            if let Some(fill) = &change.fill {
                schema.raw(fill.sql(schema, &change.name));
            }
            if !change.indexes.is_empty() {
                schema.table(&change.name, |table| {
                    change.indexes.iter().for_each(|index| add_index(table, index));
                });
            }
        }
    }

    /// Adds what takes the plan back.
    pub fn down(&self, schema: &mut Schema) {
        for change in self.changes.iter().rev() {
            schema.table(&change.name, |table| take_back(table, change));
        }
        for table in self.tables.iter().rev() {
            schema.drop(&table.name);
        }
    }
}

fn take_back(table: &mut Table, change: &TableChange) {
    for index in change.indexes.iter().rev() {
        match &index.name {
            Some(name) => table.drop_index_named(name),
            None => table.drop_unique(&index.columns),
        }
    }
    change.columns.iter().rev().for_each(|column| table.drop_column(&column.name));
    change.bounded.iter().rev().for_each(|one| bound(table, one, one.was));
}

fn add_column(table: &mut Table, column: &NewColumn) {
    let new = typed(table, &column.name, column.kind);
    if column.primary {
        new.primary();
    }
    if column.nullable {
        new.nullable();
    }
    if column.unique {
        new.unique();
    }
    match &column.default {
        Some(DefaultValue::Now) => new.default_now(),
        Some(DefaultValue::Boolean(value)) => new.default(*value),
        Some(DefaultValue::Integer(number)) => new.default(*number),
        Some(DefaultValue::Text(text)) => new.default(text.as_str()),
        None => new,
    };
    if let Some((table, column)) = &column.references {
        new.references(table, column).on_delete_cascade();
    }
}

fn add_index(table: &mut Table, index: &NewIndex) {
    let new = match (&index.columns[..], index) {
        ([column], NewIndex { search: true, .. }) => table.search_index(column),
        (columns, NewIndex { unique: true, .. }) => table.unique(columns),
        (columns, _) => table.index(columns),
    };
    if let Some(name) = &index.name {
        new.name(name);
    }
}

fn bound(table: &mut Table, bounded: &Bounded, kind: Kind) {
    let column = typed(table, &bounded.column, kind);
    if bounded.nullable {
        column.nullable();
    }
    column.change();
}

fn typed<'a>(table: &'a mut Table, name: &str, kind: Kind) -> &'a mut Column {
    match kind {
        Kind::String(length) => table.string(name, length),
        Kind::Text => table.text(name),
        Kind::Boolean => table.boolean(name),
        Kind::Integer => table.integer(name),
        Kind::BigInteger => table.big_integer(name),
        Kind::Timestamp => table.timestamp(name),
        Kind::Json => table.json(name),
    }
}

impl Fill {
    fn sql(&self, schema: &Schema, table: &str) -> String {
        let quote = |name: &str| schema.driver().quote(name);
        let (column, value) = &self.only;
        format!(
            "update {} set {} = '{}' where {} = '{value}'",
            quote(table),
            quote(&self.column),
            self.value,
            quote(column)
        )
    }
}
