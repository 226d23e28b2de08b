//! A plan as the text of a migration file.

use std::fmt::Write as _;

use super::Plan;
use super::plan::{Bounded, DefaultValue, Fill, Kind, NewColumn, NewIndex, TableChange};

/// The widest line of the kits' `rustfmt.toml`.
const WIDTH: usize = 110;

impl Plan {
    /// The file for `database/migrations`.
    pub fn to_rust(&self) -> String {
        let mut text = String::from("use housekey::database::Schema;\n\n");
        text += &self.summary();
        text += "pub fn up(schema: &mut Schema) {\n";
        text += &blocks(self.tables.iter().map(created).chain(self.changes.iter().flat_map(changed)));
        text += "}\n\n/// What takes it back.\npub fn down(schema: &mut Schema) {\n";
        let dropped = self.tables.iter().rev().map(|table| format!("    schema.drop({:?});\n", table.name));
        text += &self.changes.iter().rev().map(taken_back).chain(dropped).collect::<String>();
        text += "}\n";
        text
    }

    fn summary(&self) -> String {
        let mut text = String::from("/// What config/auth.rs asks for:\n");
        for line in self.adds() {
            let _ = writeln!(text, "/// - {line}");
        }
        text
    }
}

/// Blocks with an empty line between them.
fn blocks(blocks: impl Iterator<Item = String>) -> String {
    blocks.collect::<Vec<_>>().join("\n")
}

fn created(table: &super::plan::NewTable) -> String {
    let columns = table.columns.iter().map(new_column);
    block("create", &table.name, columns.chain(table.indexes.iter().map(new_index)))
}

fn changed(change: &TableChange) -> Vec<String> {
    let mut blocks = Vec::new();
    let bounded = change.bounded.iter().map(|one| bounded_line(one, one.becomes));
    let lines: Vec<String> = bounded.chain(change.columns.iter().map(new_column)).collect();
    if !lines.is_empty() {
        blocks.push(block("table", &change.name, lines.into_iter()));
    }
    blocks.extend(change.fill.as_ref().map(|fill| filled(fill, &change.name)));
    if !change.indexes.is_empty() {
        blocks.push(block("table", &change.name, change.indexes.iter().map(new_index)));
    }
    blocks
}

fn taken_back(change: &TableChange) -> String {
    let indexes = change.indexes.iter().rev().map(|index| match &index.name {
        Some(name) => format!("table.drop_index_named({name:?});"),
        None => format!("table.drop_unique({:?});", index.columns),
    });
    let columns = change.columns.iter().rev().map(|column| format!("table.drop_column({:?});", column.name));
    let bounded = change.bounded.iter().rev().map(|one| bounded_line(one, one.was));
    block("table", &change.name, indexes.chain(columns).chain(bounded))
}

fn block(call: &str, table: &str, lines: impl Iterator<Item = String>) -> String {
    let mut text = format!("    schema.{call}({table:?}, |table| {{\n");
    for line in lines.flat_map(|line| line.lines().map(str::to_owned).collect::<Vec<_>>()) {
        let _ = writeln!(text, "        {line}");
    }
    text + "    });\n"
}

fn new_column(column: &NewColumn) -> String {
    let mut calls = vec![typed(&column.name, column.kind)];
    if column.primary {
        calls.push("primary()".into());
    }
    if column.nullable {
        calls.push("nullable()".into());
    }
    if column.unique {
        calls.push("unique()".into());
    }
    match &column.default {
        Some(DefaultValue::Now) => calls.push("default_now()".into()),
        Some(DefaultValue::Boolean(value)) => calls.push(format!("default({value})")),
        Some(DefaultValue::Integer(number)) => {
            let suffix = if i32::try_from(*number).is_ok() { "" } else { "_i64" };
            calls.push(format!("default({number}{suffix})"));
        }
        Some(DefaultValue::Text(text)) => calls.push(format!("default({text:?})")),
        None => {}
    }
    if let Some((table, column)) = &column.references {
        calls.push(format!("references({table:?}, {column:?})"));
        calls.push("on_delete_cascade()".into());
    }
    let why =
        "// Required, but the rows that are there have no value: fill them, then leave out `nullable()`.\n";
    let comment = if column.should_be_filled { why } else { "" };
    format!("{comment}{}", chain(&calls))
}

/// `table.a().b();` on one line, or one call to a line where that is too long: as rustfmt has it.
fn chain(calls: &[String]) -> String {
    let line = format!("table.{};", calls.join("."));
    if line.len() + 8 <= WIDTH {
        return line;
    }
    let mut text = String::from("table");
    for call in calls {
        let _ = write!(text, "\n    .{call}");
    }
    text + ";"
}

fn new_index(index: &NewIndex) -> String {
    let mut calls = vec![match (&index.columns[..], index) {
        ([column], NewIndex { search: true, .. }) => format!("search_index({column:?})"),
        (columns, NewIndex { unique: true, .. }) => format!("unique({columns:?})"),
        (columns, _) => format!("index({columns:?})"),
    }];
    calls.extend(index.name.iter().map(|name| format!("name({name:?})")));
    chain(&calls)
}

fn bounded_line(bounded: &Bounded, kind: Kind) -> String {
    let mut calls = vec![typed(&bounded.column, kind)];
    if bounded.nullable {
        calls.push("nullable()".into());
    }
    calls.push("change()".into());
    chain(&calls)
}

fn typed(name: &str, kind: Kind) -> String {
    match kind {
        Kind::String(length) => format!("string({name:?}, {length})"),
        Kind::Text => format!("text({name:?})"),
        Kind::Boolean => format!("boolean({name:?})"),
        Kind::Integer => format!("integer({name:?})"),
        Kind::BigInteger => format!("big_integer({name:?})"),
        Kind::Timestamp => format!("timestamp({name:?})"),
        Kind::Json => format!("json({name:?})"),
    }
}

fn filled(fill: &Fill, table: &str) -> String {
    let (column, value) = &fill.only;
    format!(
        "    // {}\n    let [table, column, other] = [{table:?}, {:?}, {column:?}].map(|name| schema.driver().quote(name));\n    \
         schema.raw(format!(\"update {{table}} set {{column}} = '{}' where {{other}} = '{value}'\"));\n",
        fill.why, fill.column, fill.value
    )
}
