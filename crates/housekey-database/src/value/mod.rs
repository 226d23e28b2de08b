//! Values on their way into and out of a database.

mod db_enum;
mod from_value;
pub(crate) mod iso;

use std::borrow::Cow;

use housekey_core::Secret;
use rust_decimal::Decimal;
use time::{Date, OffsetDateTime};
use uuid::Uuid;

pub use db_enum::DbEnum;
pub use from_value::{FromValue, Json, Mismatch};

/// A value in a column or a statement, the same for every engine.
///
/// Anything that fits turns into one by itself; `None` is `Null`.
///
/// ```
/// use housekey_database::Value;
///
/// assert_eq!(Value::from("Ada"), Value::Text("Ada".into()));
/// assert_eq!(Value::from(36_u8), Value::Int(36));
/// assert_eq!(Value::from(None::<bool>), Value::Null);
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub enum Value {
    #[default]
    Null,
    /// True or false. SQLite and MySQL keep 1 or 0.
    Bool(bool),
    Int(i64),
    Real(f64),
    Text(String),
    Bytes(Vec<u8>),
    /// A moment, kept in UTC with milliseconds.
    Time(OffsetDateTime),
    Date(Date),
    /// An exact number with a fraction.
    Decimal(Decimal),
    Uuid(Uuid),
    Json(serde_json::Value),
}

impl Value {
    /// What kind of value this is, for messages.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Null => "NULL",
            Self::Bool(_) => "true or false",
            Self::Int(_) => "a whole number",
            Self::Real(_) => "a number",
            Self::Text(_) => "text",
            Self::Bytes(_) => "bytes",
            Self::Time(_) => "a time",
            Self::Date(_) => "a date",
            Self::Decimal(_) => "an exact number",
            Self::Uuid(_) => "a UUID",
            Self::Json(_) => "JSON",
        }
    }

    pub fn is_null(&self) -> bool {
        *self == Self::Null
    }
}

macro_rules! from {
    ($($kind:ty: $value:ident => $made:expr),+ $(,)?) => {
        $(impl From<$kind> for Value {
            fn from($value: $kind) -> Self {
                $made
            }
        })+
    };
}

from! {
    bool: value => Self::Bool(value),
    i8: value => Self::Int(value.into()),
    i16: value => Self::Int(value.into()),
    i32: value => Self::Int(value.into()),
    i64: value => Self::Int(value),
    u8: value => Self::Int(value.into()),
    u16: value => Self::Int(value.into()),
    u32: value => Self::Int(value.into()),
    f32: value => Self::Real(value.into()),
    f64: value => Self::Real(value),
    &str: value => Self::Text(value.to_owned()),
    &String: value => Self::Text(value.clone()),
    String: value => Self::Text(value),
    Cow<'_, str>: value => Self::Text(value.into_owned()),
    Secret: value => Self::Text(value.reveal().to_owned()),
    &Secret: value => Self::Text(value.reveal().to_owned()),
    Vec<u8>: value => Self::Bytes(value),
    &[u8]: value => Self::Bytes(value.to_owned()),
    OffsetDateTime: value => Self::Time(iso::to_millis(value)),
    Date: value => Self::Date(value),
    Decimal: value => Self::Decimal(value),
    Uuid: value => Self::Uuid(value),
    serde_json::Value: value => Self::Json(value),
}

impl<T: Into<Self>> From<Option<T>> for Value {
    fn from(value: Option<T>) -> Self {
        value.map_or(Self::Null, Into::into)
    }
}

/// Into the query builder. There `Null` is a bound value; where the word NULL is needed, the expression says it.
impl From<Value> for sea_query::Value {
    fn from(value: Value) -> Self {
        match value {
            Value::Null => Self::String(None),
            Value::Bool(value) => Self::Bool(Some(value)),
            Value::Int(value) => Self::BigInt(Some(value)),
            Value::Real(value) => Self::Double(Some(value)),
            Value::Text(value) => Self::String(Some(value)),
            Value::Bytes(value) => Self::Bytes(Some(value)),
            Value::Time(value) => Self::TimeDateTimeWithTimeZone(Some(value)),
            Value::Date(value) => Self::TimeDate(Some(value)),
            Value::Decimal(value) => Self::Decimal(Some(value)),
            Value::Uuid(value) => Self::Uuid(Some(value)),
            Value::Json(value) => Self::Json(Some(Box::new(value))),
        }
    }
}

impl Value {
    /// As an expression. A NULL is written out rather than bound: PostgreSQL could not tell its type.
    pub(crate) fn into_expr(self) -> sea_query::Expr {
        match self {
            Self::Null => sea_query::Expr::null(),
            value => sea_query::Expr::Value(value.into()),
        }
    }
}

/// Out of the query builder.
impl From<sea_query::Value> for Value {
    fn from(value: sea_query::Value) -> Self {
        use sea_query::Value as Built;
        match value {
            Built::Bool(value) => value.into(),
            Built::TinyInt(value) => value.into(),
            Built::SmallInt(value) => value.into(),
            Built::Int(value) => value.into(),
            Built::BigInt(value) => value.into(),
            Built::TinyUnsigned(value) => value.into(),
            Built::SmallUnsigned(value) => value.into(),
            Built::Unsigned(value) => value.into(),
            // LIMIT and OFFSET come as this.
            Built::BigUnsigned(value) => value.map(|value| i64::try_from(value).unwrap_or(i64::MAX)).into(),
            Built::Float(value) => value.into(),
            Built::Double(value) => value.into(),
            Built::String(value) => value.into(),
            Built::Char(value) => value.map(|value| value.to_string()).into(),
            Built::Bytes(value) => value.into(),
            Built::Json(value) => value.map(|value| *value).into(),
            Built::TimeDateTimeWithTimeZone(value) => value.into(),
            Built::TimeDateTime(value) => value.map(|value| value.assume_utc()).into(),
            Built::TimeDate(value) => value.into(),
            Built::Decimal(value) => value.into(),
            Built::Uuid(value) => value.into(),
            Built::TimeTime(value) => value.map(|value| value.to_string()).into(),
            other => Self::Text(other.to_string()),
        }
    }
}
