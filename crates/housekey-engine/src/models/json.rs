use std::fmt;

use serde::Deserialize;
use serde::de::{DeserializeSeed, Deserializer, Error, IgnoredAny, MapAccess, Visitor};
use serde_json::value::RawValue;

use crate::Record;
use crate::record::{Value, parse_iso};
use crate::schema::{Column, ColumnKind, Table};

/// A row from the JSON that clients see, by the types of the table's columns, without a tree of JSON in between: every
/// request with a cookie cache reads two.
pub(crate) fn read_record(table: &Table, json: &RawValue) -> Option<Record> {
    let mut deserializer = serde_json::Deserializer::from_str(json.get());
    deserializer.deserialize_map(Row(table)).ok()
}

struct Row<'a>(&'a Table);

impl<'de> Visitor<'de> for Row<'_> {
    type Value = Record;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a row of `{}`", self.0.key)
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Record, A::Error> {
        let mut record = Record::new();
        while let Some(column) = fields.next_key_seed(Name(self.0))? {
            match column {
                Some(column) => record.set(column.field.clone(), fields.next_value_seed(Cell(column.kind))?),
                None => drop(fields.next_value::<IgnoredAny>()?),
            }
        }
        Ok(record)
    }
}

/// The column that a field belongs to.
struct Name<'a>(&'a Table);

impl<'de, 'a> DeserializeSeed<'de> for Name<'a> {
    type Value = Option<&'a Column>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'a> Visitor<'_> for Name<'a> {
    type Value = Option<&'a Column>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a field's name")
    }

    fn visit_str<E: Error>(self, name: &str) -> Result<Self::Value, E> {
        Ok(self.0.column(name))
    }
}

/// A value in the type of its column; anything may be empty.
struct Cell(ColumnKind);

impl<'de> DeserializeSeed<'de> for Cell {
    type Value = Value;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Value, D::Error> {
        match self.0 {
            ColumnKind::Json => Ok(match serde_json::Value::deserialize(deserializer)? {
                serde_json::Value::Null => Value::Null,
                json => Value::Json(json),
            }),
            _ => deserializer.deserialize_any(self),
        }
    }
}

impl Visitor<'_> for Cell {
    type Value = Value;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "a value for a column of kind {:?}", self.0)
    }

    fn visit_unit<E: Error>(self) -> Result<Value, E> {
        Ok(Value::Null)
    }

    fn visit_bool<E: Error>(self, value: bool) -> Result<Value, E> {
        match self.0 {
            ColumnKind::Boolean => Ok(Value::Bool(value)),
            _ => Err(E::custom("a truth value")),
        }
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Value, E> {
        match self.0 {
            ColumnKind::Integer | ColumnKind::BigInteger => Ok(Value::Integer(number)),
            _ => Err(E::custom("a number")),
        }
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Value, E> {
        self.visit_i64(i64::try_from(number).map_err(E::custom)?)
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Value, E> {
        match self.0 {
            ColumnKind::Id | ColumnKind::Text => Ok(text.into()),
            ColumnKind::Date => parse_iso(text).map(Value::Date).ok_or_else(|| E::custom("no date")),
            _ => Err(E::custom("a text")),
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::models::record_of;

    fn table() -> Table {
        Table {
            columns: vec![
                Column::text("name"),
                Column::boolean("on"),
                Column::integer("count"),
                Column::new("at", ColumnKind::Date),
                Column::new("more", ColumnKind::Json),
            ],
            ..Table::new("thing")
        }
    }

    #[test]
    fn json_is_read_as_through_a_tree_of_it() {
        let table = table();
        for value in [
            json!({}),
            json!({ "name": "A \" \u{e9}", "on": true, "count": -3, "at": "2026-01-02T03:04:05.006Z", "more": { "a": [1] } }),
            json!({ "name": null, "on": null, "count": null, "at": null, "more": null, "other": { "x": [null] } }),
            json!({ "name": 1 }),
            json!({ "name": "" , "on": "true" }),
            json!({ "count": u64::MAX }),
            json!({ "count": 1.5 }),
            json!({ "at": "yesterday" }),
            json!({ "at": 5 }),
        ] {
            let raw = serde_json::value::to_raw_value(&value).unwrap();
            let sorted = |record: Option<Record>| {
                let mut fields: Vec<_> = record?.into_iter().collect();
                fields.sort_by(|a, b| a.0.cmp(&b.0));
                Some(fields)
            };
            let expected = record_of(&table, value.as_object().unwrap());
            assert_eq!(sorted(read_record(&table, &raw)), sorted(expected), "{value}");
        }
        for no_row in ["[]", "null", "5", "\"text\""] {
            let raw = RawValue::from_string(no_row.to_owned()).unwrap();
            assert_eq!(read_record(&table, &raw), None, "{no_row}");
        }
    }
}
