use serde::{Serialize, Serializer};
use time::OffsetDateTime;

use super::iso;

/// One value of a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    #[default]
    Null,
    /// Text, ids included.
    Text(String),
    Bool(bool),
    Integer(i64),
    /// A moment, in UTC, with milliseconds.
    Date(OffsetDateTime),
    /// Anything else.
    Json(serde_json::Value),
}

impl Value {
    pub fn as_text(&self) -> Option<&str> {
        match self {
            Self::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The truth value, if it is one.
    pub fn as_bool(&self) -> Option<bool> {
        match self {
            Self::Bool(value) => Some(*value),
            _ => None,
        }
    }

    pub fn as_integer(&self) -> Option<i64> {
        match self {
            Self::Integer(number) => Some(*number),
            _ => None,
        }
    }

    pub fn as_date(&self) -> Option<OffsetDateTime> {
        match self {
            Self::Date(moment) => Some(*moment),
            _ => None,
        }
    }

    pub fn is_null(&self) -> bool {
        matches!(self, Self::Null)
    }
}

macro_rules! from {
    ($($kind:ty => $variant:ident),*) => {$(
        impl From<$kind> for Value {
            fn from(value: $kind) -> Self {
                Self::$variant(value.into())
            }
        }
    )*};
}

from!(String => Text, &str => Text, &String => Text, bool => Bool, i64 => Integer, u32 => Integer,
    OffsetDateTime => Date, serde_json::Value => Json);

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

impl Serialize for Value {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Null => serializer.serialize_unit(),
            Self::Text(text) => serializer.serialize_str(text),
            Self::Bool(value) => serializer.serialize_bool(*value),
            Self::Integer(number) => serializer.serialize_i64(*number),
            Self::Date(moment) => serializer.serialize_str(&iso(*moment)),
            Self::Json(value) => value.serialize(serializer),
        }
    }
}
