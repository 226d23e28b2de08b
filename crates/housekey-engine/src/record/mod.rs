//! Rows as the engine sees them: named values in order.

mod iso;
mod value;

use std::borrow::Cow;

use serde::ser::SerializeMap;
use serde::{Serialize, Serializer};

pub(crate) use iso::iso;
pub use iso::parse_iso;
pub use value::Value;

/// A field's name: usually one that the program text holds.
pub type FieldName = Cow<'static, str>;

/// One row, or some of its fields, in order. Fields carry the engine's names, not those of the columns.
///
/// ```
/// use housekey_engine::Record;
///
/// let record = Record::new().with("name", "Ada").with("emailVerified", true);
/// assert_eq!(record.text("name"), Some("Ada"));
/// assert_eq!(serde_json::to_string(&record).unwrap(), r#"{"name":"Ada","emailVerified":true}"#);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Record(Vec<(FieldName, Value)>);

impl Record {
    pub const fn new() -> Self {
        Self(Vec::new())
    }

    /// The record with one more field, or another value for it.
    #[must_use]
    pub fn with(mut self, field: impl Into<FieldName>, value: impl Into<Value>) -> Self {
        self.set(field, value);
        self
    }

    /// Sets a field, in place of the value it had.
    pub fn set(&mut self, field: impl Into<FieldName>, value: impl Into<Value>) {
        let (field, value) = (field.into(), value.into());
        match self.0.iter_mut().find(|(name, _)| *name == field) {
            Some((_, slot)) => *slot = value,
            None => self.0.push((field, value)),
        }
    }

    pub fn get(&self, field: &str) -> Option<&Value> {
        self.0.iter().find(|(name, _)| name == field).map(|(_, value)| value)
    }

    pub fn take(&mut self, field: &str) -> Option<Value> {
        let position = self.0.iter().position(|(name, _)| name == field)?;
        Some(self.0.remove(position).1)
    }

    /// A field's text; `None` where it holds something else.
    pub fn text(&self, field: &str) -> Option<&str> {
        self.get(field).and_then(Value::as_text)
    }

    pub fn has(&self, field: &str) -> bool {
        self.get(field).is_some()
    }

    /// Sets every field of another record.
    pub fn merge(&mut self, other: Self) {
        for (field, value) in other.0 {
            self.set(field, value);
        }
    }

    /// The fields in order.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &Value)> {
        self.0.iter().map(|(field, value)| (field.as_ref(), value))
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }
}

impl IntoIterator for Record {
    type Item = (FieldName, Value);
    type IntoIter = std::vec::IntoIter<Self::Item>;

    fn into_iter(self) -> Self::IntoIter {
        self.0.into_iter()
    }
}

impl FromIterator<(FieldName, Value)> for Record {
    fn from_iter<I: IntoIterator<Item = (FieldName, Value)>>(fields: I) -> Self {
        let fields = fields.into_iter();
        let mut record = Self(Vec::with_capacity(fields.size_hint().0));
        for (field, value) in fields {
            record.set(field, value);
        }
        record
    }
}

impl Serialize for Record {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(Some(self.0.len()))?;
        for (field, value) in &self.0 {
            map.serialize_entry(field, value)?;
        }
        map.end()
    }
}
