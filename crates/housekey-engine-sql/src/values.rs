use housekey_core::Result;
use housekey_database::{Row, Value as Stored};
use housekey_engine::schema::{ColumnKind, Table};
use housekey_engine::{Record, Value};
use time::OffsetDateTime;

/// A value on its way into the database.
pub(crate) fn to_stored(value: &Value) -> Stored {
    match value {
        Value::Null => Stored::Null,
        Value::Text(text) => text.into(),
        Value::Bool(value) => (*value).into(),
        Value::Integer(number) => (*number).into(),
        Value::Date(moment) => (*moment).into(),
        Value::Json(json) => json.clone().into(),
    }
}

/// A column's value in the type of its column, whatever the engine keeps it as.
fn take(row: &mut Row, index: usize, kind: ColumnKind) -> Result<Value> {
    Ok(match kind {
        ColumnKind::Id | ColumnKind::Text => row.take::<Option<String>>(index)?.into(),
        ColumnKind::Boolean => row.take::<Option<bool>>(index)?.into(),
        ColumnKind::Integer | ColumnKind::BigInteger => row.take::<Option<i64>>(index)?.into(),
        ColumnKind::Date => row.take::<Option<OffsetDateTime>>(index)?.map(whole_milliseconds).into(),
        ColumnKind::Json => row.take::<Option<serde_json::Value>>(index)?.into(),
    })
}

/// A row as a record: the table's columns stand in it in their order, from this place on.
pub(crate) fn take_record(row: &mut Row, table: &Table, from: usize) -> Result<Record> {
    let columns = table.columns.iter().zip(from..);
    columns.map(|(column, index)| Ok((column.field.clone(), take(row, index, column.kind)?))).collect()
}

/// The engine's time has milliseconds and nothing finer; a database that others write to may hold more.
fn whole_milliseconds(moment: OffsetDateTime) -> OffsetDateTime {
    moment.replace_millisecond(moment.millisecond()).unwrap_or(moment)
}
