use housekey_core::{Error, Result};

use crate::{FromValue, Model, Query, Uuid, Value};

/// Which columns of two tables say that their rows belong together. Columns carry their tables.
pub(super) enum Link<M, R> {
    /// This table has the other's key.
    Here { column: &'static str, value: fn(&M) -> Value },
    /// The other table has this one's key; of several rows perhaps the latest only.
    There { column: &'static str, value: fn(&R) -> Value, latest: bool },
    /// A table between them has both.
    Between(Pivot),
}

impl<M, R> Clone for Link<M, R> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M, R> Copy for Link<M, R> {}

/// A table that says which rows of two others belong together.
#[derive(Clone, Copy)]
pub(super) struct Pivot {
    pub(super) table: &'static str,
    /// The column with the key of the model that has the relation.
    pub(super) here: &'static str,
    pub(super) there: &'static str,
}

impl Pivot {
    pub(super) fn here(&self) -> String {
        format!("{}.{}", self.table, self.here)
    }

    /// The other rows, each as often as the table between names it.
    pub(super) fn joined<R: Model>(&self, query: Query<R>) -> Query<R> {
        let key = query.own_column(R::KEY);
        query.join(self.table, format!("{}.{}", self.table, self.there), key)
    }
}

/// A key, to find rows by.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) enum Key {
    Number(i64),
    Text(String),
    Bytes(Vec<u8>),
    Uuid(Uuid),
}

impl Key {
    /// `None` for no value: such a row has no partner.
    pub(super) fn of(value: Value, relation: &str) -> Result<Option<Self>> {
        match value {
            Value::Null => Ok(None),
            Value::Int(number) => Ok(Some(Self::Number(number))),
            Value::Text(text) => Ok(Some(Self::Text(text))),
            Value::Bytes(bytes) => Ok(Some(Self::Bytes(bytes))),
            Value::Uuid(uuid) => Ok(Some(Self::Uuid(uuid))),
            other => Err(Error::internal(format!(
                "{relation} cannot be loaded: rows are found by a number, a text, bytes or a UUID, not by {}",
                other.kind()
            ))),
        }
    }

    /// A key that no field of a model has read, of the kind that is looked for: SQLite gives a UUID as its text, MySQL as its
    /// bytes.
    pub(super) fn read(value: Value, wanted: &[Self], relation: &str) -> Result<Option<Self>> {
        let Some(Self::Uuid(_)) = wanted.first() else { return Self::of(value, relation) };
        Option::<Uuid>::from_value(value).map(|uuid| uuid.map(Self::Uuid)).map_err(|mismatch| {
            Error::internal(format!(
                "{relation} is found by UUIDs, and a column with a key holds {} instead",
                mismatch.found
            ))
        })
    }
}

impl From<Key> for Value {
    fn from(key: Key) -> Self {
        match key {
            Key::Number(number) => Self::Int(number),
            Key::Text(text) => Self::Text(text),
            Key::Bytes(bytes) => Self::Bytes(bytes),
            Key::Uuid(uuid) => Self::Uuid(uuid),
        }
    }
}
