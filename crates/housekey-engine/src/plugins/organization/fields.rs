//! Columns of the app's own on the plugin's tables, as clients send and see them.

use http::StatusCode;
use serde_json::{Map, Value as Json};

use crate::schema::{ColumnKind, value_of};
use crate::{Api, Record, Result, Value, codes, type_of};

/// Reads what a client sent for a table. What it may not set is left out, as in the reference. `place` is where it stood:
/// `body` or `body.data`.
pub(super) fn input(
    api: &Api,
    table: &str,
    sent: &Map<String, Json>,
    place: &str,
    creating: bool,
) -> Result<Record> {
    let options = super::options(api)?;
    let mut record = Record::new();
    for (field, declared) in options.additional_fields.get(table).into_iter().flatten() {
        let Some(column) = api.table(table)?.column(field).filter(|_| declared.takes_input()) else {
            continue;
        };
        let given = sent.get(field);
        if given.is_none() && (!creating || column.nullable || column.default.is_some()) {
            continue;
        }
        let value = given.and_then(|given| value_of(column.kind, given));
        let value = value.filter(|value| column.nullable || !value.is_null()).ok_or_else(|| {
            let (expected, received) = (name_of(column.kind), type_of(given));
            let message =
                format!("[{place}.{field}] Invalid input: expected {expected}, received {received}");
            codes::VALIDATION_ERROR.saying(StatusCode::BAD_REQUEST, message)
        })?;
        record.set(field.clone(), value);
    }
    Ok(record)
}

/// What JavaScript calls what a column holds.
fn name_of(kind: ColumnKind) -> &'static str {
    match kind {
        ColumnKind::Id | ColumnKind::Text => "string",
        ColumnKind::Boolean => "boolean",
        ColumnKind::Integer | ColumnKind::BigInteger => "number",
        ColumnKind::Date => "date",
        ColumnKind::Json => "object",
    }
}

/// A row as clients may see it: schema order, `id` last, hidden columns left out.
pub(super) fn view(api: &Api, table: &str, row: &Record) -> Result<Record> {
    let columns = api.table(table)?.columns.iter().skip(1).filter(|column| column.returned);
    let mut seen: Record = columns
        .map(|column| (column.field.clone(), row.get(&column.field).cloned().unwrap_or_default()))
        .collect();
    seen.set("id", row.get("id").cloned().unwrap_or(Value::Null));
    Ok(seen)
}
