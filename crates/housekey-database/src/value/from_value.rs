use housekey_core::Secret;
use rust_decimal::Decimal;
use rust_decimal::prelude::ToPrimitive;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use time::{Date, OffsetDateTime};
use uuid::Uuid;

use super::{Value, iso};

/// A column's value is of a kind that the field cannot hold.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch {
    /// What the field takes: "a whole number".
    pub expected: &'static str,
    /// What the column holds: "text", "NULL". Never the value itself.
    pub found: &'static str,
}

/// A type that can be read from a column.
///
/// Engines differ in how they keep a value (SQLite has a time as text, MySQL a truth as 1), so reading is by what the
/// field wants. A value that would lose something (a number too large, a fraction) is refused.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is not the type of a column",
    label = "cannot be read from a column",
    note = "a field with a type of your own is kept as JSON with `#[row(json)]`, or is no column with `#[row(skip)]`",
    note = "a type that has a column of its own kind implements `housekey::database::FromValue`"
)]
pub trait FromValue: Sized {
    /// Takes the value, or says why not.
    fn from_value(value: Value) -> Result<Self, Mismatch>;
}

fn mismatch<T>(expected: &'static str, value: &Value) -> Result<T, Mismatch> {
    Err(Mismatch { expected, found: value.kind() })
}

impl FromValue for Value {
    fn from_value(value: Value) -> Result<Self, Mismatch> {
        Ok(value)
    }
}

impl<T: FromValue> FromValue for Option<T> {
    fn from_value(value: Value) -> Result<Self, Mismatch> {
        if value.is_null() { Ok(None) } else { T::from_value(value).map(Some) }
    }
}

impl FromValue for bool {
    fn from_value(value: Value) -> Result<Self, Mismatch> {
        match value {
            Value::Bool(value) => Ok(value),
            Value::Int(0) => Ok(false),
            Value::Int(1) => Ok(true),
            other => mismatch("true or false", &other),
        }
    }
}

macro_rules! whole {
    ($($kind:ty),+) => {
        $(impl FromValue for $kind {
            fn from_value(value: Value) -> Result<Self, Mismatch> {
                const EXPECTED: &str = concat!("a whole number that fits ", stringify!($kind));
                let number = match &value {
                    Value::Int(number) => <$kind>::try_from(*number).ok(),
                    Value::Bool(value) => Some(<$kind>::from(*value)),
                    // A sum of whole numbers is a DECIMAL in MySQL, and a NUMERIC in PostgreSQL.
                    Value::Decimal(number) if number.is_integer() => number.normalize().to_string().parse().ok(),
                    Value::Text(text) => text.parse().ok(),
                    _ => None,
                };
                number.map_or_else(|| mismatch(EXPECTED, &value), Ok)
            }
        })+
    };
}

whole!(i8, i16, i32, i64, u8, u16, u32, u64, usize);

impl FromValue for f64 {
    fn from_value(value: Value) -> Result<Self, Mismatch> {
        match &value {
            Value::Real(number) => Ok(*number),
            // Exact up to 2^53, as far as anyone counts in fractions.
            #[expect(
                clippy::cast_precision_loss,
                reason = "a caller who asks for f64 asks for its precision"
            )]
            Value::Int(number) => Ok(*number as Self),
            Value::Decimal(number) => number.to_f64().map_or_else(|| mismatch("a number", &value), Ok),
            Value::Text(text) => text.parse().map_or_else(|_| mismatch("a number", &value), Ok),
            other => mismatch("a number", other),
        }
    }
}

/// A number that was kept as a [`Value::Real`] is refused: what it was is no longer known.
impl FromValue for Decimal {
    fn from_value(value: Value) -> Result<Self, Mismatch> {
        let number = match &value {
            Value::Decimal(number) => Some(*number),
            Value::Int(number) => Some(Self::from(*number)),
            Value::Text(text) => Self::from_str_exact(text).ok(),
            _ => None,
        };
        number.map_or_else(|| mismatch("an exact number", &value), Ok)
    }
}

impl FromValue for String {
    fn from_value(value: Value) -> Result<Self, Mismatch> {
        match value {
            Value::Text(text) => Ok(text),
            Value::Json(json) => Ok(json.to_string()),
            Value::Date(date) => Ok(iso::date_text(date)),
            Value::Decimal(number) => Ok(number.to_string()),
            Value::Uuid(uuid) => Ok(uuid.to_string()),
            Value::Bytes(bytes) => {
                Self::from_utf8(bytes).map_err(|_| Mismatch { expected: "text", found: "bytes" })
            }
            other => mismatch("text", &other),
        }
    }
}

impl FromValue for Secret {
    fn from_value(value: Value) -> Result<Self, Mismatch> {
        String::from_value(value).map(Self::from)
    }
}

impl FromValue for Vec<u8> {
    fn from_value(value: Value) -> Result<Self, Mismatch> {
        match value {
            Value::Bytes(bytes) => Ok(bytes),
            Value::Text(text) => Ok(text.into_bytes()),
            other => mismatch("bytes", &other),
        }
    }
}

impl FromValue for OffsetDateTime {
    fn from_value(value: Value) -> Result<Self, Mismatch> {
        match &value {
            Value::Time(time) => Ok(*time),
            // A day in a table of somebody else's is its beginning.
            Value::Date(date) => Ok(date.midnight().assume_utc()),
            Value::Text(text) => iso::parse(text).map_or_else(|| mismatch("a time", &value), Ok),
            other => mismatch("a time", other),
        }
    }
}

impl FromValue for Date {
    fn from_value(value: Value) -> Result<Self, Mismatch> {
        match &value {
            Value::Date(date) => Ok(*date),
            Value::Text(text) => iso::parse_date(text).map_or_else(|| mismatch("a date", &value), Ok),
            other => mismatch("a date", other),
        }
    }
}

/// MySQL keeps its sixteen bytes, SQLite its text.
impl FromValue for Uuid {
    fn from_value(value: Value) -> Result<Self, Mismatch> {
        let uuid = match &value {
            Value::Uuid(uuid) => Some(*uuid),
            Value::Text(text) => Self::try_parse(text).ok(),
            Value::Bytes(bytes) => Self::from_slice(bytes).ok(),
            _ => None,
        };
        uuid.map_or_else(|| mismatch("a UUID", &value), Ok)
    }
}

impl FromValue for serde_json::Value {
    fn from_value(value: Value) -> Result<Self, Mismatch> {
        match &value {
            Value::Json(_) => {}
            Value::Text(text) => {
                return serde_json::from_str(text).or_else(|_| mismatch("JSON", &value));
            }
            other => return mismatch("JSON", other),
        }
        match value {
            Value::Json(json) => Ok(json),
            other => mismatch("JSON", &other),
        }
    }
}

/// A type of yours in a JSON column.
///
/// ```
/// use housekey_database::{FromValue, Json, Value};
///
/// let kept = Value::from(Json(vec!["red", "green"]));
/// let Json(colours) = Json::<Vec<String>>::from_value(kept).unwrap();
/// assert_eq!(colours, ["red", "green"]);
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Json<T>(pub T);

impl<T: DeserializeOwned> FromValue for Json<T> {
    fn from_value(value: Value) -> Result<Self, Mismatch> {
        let json = serde_json::Value::from_value(value)?;
        let read = serde_json::from_value(json);
        read.map(Self).map_err(|_| Mismatch { expected: "JSON of the field's shape", found: "other JSON" })
    }
}

/// A value that JSON cannot say (a map whose keys are not text) becomes `null`.
impl<T: Serialize> From<Json<T>> for Value {
    fn from(Json(value): Json<T>) -> Self {
        Self::Json(serde_json::to_value(value).unwrap_or_default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_that_does_not_fit_is_refused_rather_than_cut() {
        assert_eq!(u8::from_value(Value::Int(255)), Ok(255));
        assert_eq!(u8::from_value(Value::Int(256)).unwrap_err().expected, "a whole number that fits u8");
        assert!(u64::from_value(Value::Int(-1)).is_err());
        assert!(i64::from_value(Value::Real(1.5)).is_err());
    }

    #[test]
    fn each_engines_way_of_keeping_a_truth_or_a_time_is_read() {
        assert_eq!(bool::from_value(Value::Int(1)), Ok(true));
        assert!(bool::from_value(Value::Int(2)).is_err());
        let kept = Value::Text("2026-01-31T09:05:07.042Z".into());
        assert_eq!(OffsetDateTime::from_value(kept).unwrap().millisecond(), 42);
    }

    #[test]
    fn an_exact_number_is_read_as_what_it_is_and_never_from_a_rounded_one() {
        let price: Decimal = "19.90".parse().unwrap();
        assert_eq!(Decimal::from_value(Value::Text("19.90".into())), Ok(price));
        assert_eq!(i64::from_value(Value::Decimal("42.00".parse().unwrap())), Ok(42));
        assert_eq!(f64::from_value(Value::Decimal(price)), Ok(19.9));
        assert!(i64::from_value(Value::Decimal(price)).is_err(), "a fraction is not cut off");
        assert!(Decimal::from_value(Value::Real(19.9)).is_err());
        let too_exact = Value::Text("0.00000000000000000000000000001".into());
        assert!(Decimal::from_value(too_exact).is_err(), "29 places do not fit and are not rounded");
    }

    #[test]
    fn nothing_is_only_read_by_a_field_that_can_be_empty() {
        assert_eq!(Option::<i64>::from_value(Value::Null), Ok(None));
        assert_eq!(i64::from_value(Value::Null).unwrap_err().found, "NULL");
    }

    #[test]
    fn a_mismatch_never_shows_the_value() {
        let error = i64::from_value(Value::Text("hunter2".into())).unwrap_err();
        assert!(!format!("{error:?}").contains("hunter2"));
    }
}
