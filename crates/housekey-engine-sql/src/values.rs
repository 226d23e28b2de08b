use housekey_core::Result;
use housekey_database::{Row, Value as Stored};
use housekey_engine::schema::{Column, ColumnKind};
use housekey_engine::{FieldName, Record, Value};
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
pub(crate) fn read(row: &Row, name: &str, kind: ColumnKind) -> Result<Value> {
    Ok(match kind {
        ColumnKind::Id | ColumnKind::Text => row.get::<Option<String>>(name)?.into(),
        ColumnKind::Boolean => row.get::<Option<bool>>(name)?.into(),
        ColumnKind::Integer | ColumnKind::BigInteger => row.get::<Option<i64>>(name)?.into(),
        ColumnKind::Date => row.get::<Option<OffsetDateTime>>(name)?.map(whole_milliseconds).into(),
        ColumnKind::Json => row.get::<Option<serde_json::Value>>(name)?.into(),
    })
}

/// A row as a record. With each column comes the name that it has in the result.
pub(crate) fn read_row<'a>(
    row: &Row,
    columns: impl Iterator<Item = (&'a Column, &'a str)>,
) -> Result<Record> {
    columns
        .map(|(column, name)| Ok((FieldName::Owned(column.field.clone()), read(row, name, column.kind)?)))
        .collect()
}

/// The engine's time has milliseconds and nothing finer; a database that others write to may hold more.
fn whole_milliseconds(moment: OffsetDateTime) -> OffsetDateTime {
    moment.replace_millisecond(moment.millisecond()).unwrap_or(moment)
}
