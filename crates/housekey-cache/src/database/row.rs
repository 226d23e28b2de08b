use housekey_core::{Clock, Result};
use housekey_database::{FromRow, Query, Record, Row, Value, record};
use sha2::{Digest, Sha256};
use std::time::Duration;

use crate::millis::{self, Moment};
use crate::store::Entry;

/// A value as the table keeps it: what reads as a whole number stands in a column of its own, where the database
/// itself can count.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum StoredValue {
    Number(i64),
    Bytes(Vec<u8>),
}

impl StoredValue {
    pub(super) fn of(bytes: Vec<u8>) -> Self {
        // Only what would be written the same way again: `007` is not 7.
        let number = std::str::from_utf8(&bytes).ok().and_then(|text| text.parse::<i64>().ok());
        match number.filter(|number| number.to_string().as_bytes() == bytes) {
            Some(number) => Self::Number(number),
            None => Self::Bytes(bytes),
        }
    }

    fn into_columns(self) -> (Value, Value) {
        match self {
            Self::Number(number) => (Value::Null, Value::Int(number)),
            Self::Bytes(bytes) => (Value::Bytes(bytes), Value::Null),
        }
    }

    /// The columns that make up this value and its life.
    pub(super) fn into_record(self, expires_at: Option<Moment>) -> Record {
        let (value, number) = self.into_columns();
        record! { "value" => value, "number" => number, "expires_at" => expires_at }
    }

    /// The same for a row that is not there yet.
    pub(super) fn into_row(self, key: &str, expires_at: Option<Moment>) -> Record {
        record! { "id" => id(key), "key" => key.as_bytes() }.merge(self.into_record(expires_at))
    }

    /// Rows that hold this value.
    pub(super) fn held_by(self, query: Query) -> Query {
        match self {
            Self::Number(number) => query.where_eq("number", number),
            Self::Bytes(bytes) => query.where_eq("value", bytes),
        }
    }
}

/// A row of the table.
pub(super) struct CacheRow {
    pub(super) number: Option<i64>,
    value: Option<Vec<u8>>,
    pub(super) expires_at: Option<Moment>,
}

impl CacheRow {
    pub(super) const COLUMNS: [&str; 3] = ["number", "value", "expires_at"];

    pub(super) fn into_entry(self) -> Entry {
        let value = self.number.map(|number| number.to_string().into_bytes()).or(self.value);
        Entry { value: value.unwrap_or_default(), expires_at: self.expires_at.and_then(millis::time) }
    }
}

impl FromRow for CacheRow {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self { number: row.get("number")?, value: row.get("value")?, expires_at: row.get("expires_at")? })
    }
}

pub(super) fn expiry(clock: &Clock, ttl: Option<Duration>) -> Option<Moment> {
    ttl.map(|ttl| millis::end(clock, ttl))
}

/// What a key's row is found by.
pub(super) fn id(key: &str) -> String {
    data_encoding::HEXLOWER.encode(&Sha256::digest(key.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_number_that_reads_back_the_same_is_kept_as_one() {
        for text in ["0", "-3", "9223372036854775807", "-9223372036854775808"] {
            assert!(matches!(StoredValue::of(text.into()), StoredValue::Number(_)), "{text}");
        }
        for text in ["", "+3", "007", "-0", "1.0", " 1", "9223372036854775808", "seven"] {
            assert!(matches!(StoredValue::of(text.into()), StoredValue::Bytes(_)), "{text}");
        }
    }
}
