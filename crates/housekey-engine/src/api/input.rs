use http::StatusCode;
use serde_json::{Map, Value as Json};

use super::Api;
use crate::record::Value;
use crate::schema::{Column, value_of};
use crate::{Record, Result, codes};

/// Columns that have a way of their own to be set, or none.
const HANDLED: [&str; 10] = [
    "id",
    "name",
    "email",
    "emailVerified",
    "image",
    "createdAt",
    "updatedAt",
    "token",
    "userId",
    "expiresAt",
];

/// Whether a column of a user or a session is set in a way of its own, or not at all.
pub(crate) fn is_handled(field: &str) -> bool {
    HANDLED.contains(&field)
}

impl Api {
    /// The columns of plugins and of the app's own that a client sent for a table.
    ///
    /// `creating` asks for those that must have a value.
    pub fn additional_input(&self, table: &str, body: &Map<String, Json>, creating: bool) -> Result<Record> {
        let mut record = Record::new();
        let columns = self.core.table(table)?.columns.iter();
        for column in columns.filter(|column| !HANDLED.contains(&&*column.field)) {
            match body.get(&*column.field) {
                // A new row has the default, whatever a client says.
                Some(_) if !column.input && creating && column.default.is_some() => {}
                Some(_) if !column.input => {
                    let message = format!("{} is not allowed to be set", column.field);
                    return Err(codes::FIELD_NOT_ALLOWED.saying(StatusCode::BAD_REQUEST, message));
                }
                Some(given) => record.set(column.field.clone(), accept(column, given)?),
                None if creating && column.input && !column.nullable && column.default.is_none() => {
                    let message = format!("{} is required", column.field);
                    return Err(codes::MISSING_FIELD.saying(StatusCode::BAD_REQUEST, message));
                }
                None => {}
            }
        }
        Ok(record)
    }

    /// The columns of plugins and of the app's own that a provider's profile was mapped to. What a client may not set, no
    /// table has or no column can hold is left out: a person cannot correct it.
    #[cfg(feature = "social")]
    pub(crate) fn mapped_input(&self, table: &str, fields: &Map<String, Json>) -> Result<Record> {
        let columns = self.core.table(table)?.columns.iter();
        let own = columns.filter(|column| column.input && !HANDLED.contains(&&*column.field));
        let mapped = own.filter_map(|column| {
            let value = accept(column, fields.get(&*column.field)?).ok()?;
            Some((column.field.clone(), value))
        });
        Ok(mapped.collect())
    }
}

fn accept(column: &Column, given: &Json) -> Result<Value> {
    let value = value_of(column.kind, given).filter(|value| column.nullable || !value.is_null());
    value.ok_or_else(|| {
        let message = format!("[body.{}] Invalid input", column.field);
        codes::VALIDATION_ERROR.saying(StatusCode::BAD_REQUEST, message)
    })
}
