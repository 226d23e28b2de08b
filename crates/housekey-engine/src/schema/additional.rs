//! Columns that an app declares, and values from JSON by the type of their column.

use super::{Column, ColumnKind, SchemaError};
use crate::options::{AdditionalField, FieldKind};
use crate::record::{Value, parse_iso};

/// A column that an app declared for a table.
pub fn additional_column(
    table: &str,
    field: &str,
    declared: &AdditionalField,
) -> Result<Column, SchemaError> {
    let kind = match declared.kind {
        FieldKind::String => ColumnKind::Text,
        FieldKind::Boolean => ColumnKind::Boolean,
        FieldKind::Number => ColumnKind::BigInteger,
        FieldKind::Date => ColumnKind::Date,
        FieldKind::Json => ColumnKind::Json,
    };
    let mut column = Column::new(field.to_owned(), kind);
    if let Some(name) = &declared.field_name {
        column.name.clone_from(name);
    }
    column.nullable = !declared.required;
    (column.unique, column.indexed) = (declared.unique, declared.index);
    (column.input, column.returned) = (declared.takes_input(), declared.returned);
    if let Some(value) = &declared.default_value {
        let value = value_of(kind, value).ok_or_else(|| {
            SchemaError(format!(
                "{table}.additionalFields.{field}: the default {value} is not of the column's type"
            ))
        })?;
        column = column.default_value(value);
    }
    Ok(column)
}

/// A JSON value as a value of a column, if it can be one.
pub fn value_of(kind: ColumnKind, value: &serde_json::Value) -> Option<Value> {
    use serde_json::Value as Json;
    Some(match (kind, value) {
        (_, Json::Null) => Value::Null,
        (ColumnKind::Text | ColumnKind::Id, Json::String(text)) => Value::from(text),
        (ColumnKind::Boolean, Json::Bool(value)) => Value::Bool(*value),
        (ColumnKind::Integer | ColumnKind::BigInteger, Json::Number(number)) => {
            Value::Integer(number.as_i64()?)
        }
        (ColumnKind::Date, Json::String(text)) => Value::Date(parse_iso(text)?),
        (ColumnKind::Json, value) => Value::Json(value.clone()),
        _ => return None,
    })
}
