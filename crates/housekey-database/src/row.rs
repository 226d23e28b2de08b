use std::fmt;

use housekey_core::{Error, Result};
use sqlx::error::BoxDynError;

use crate::engine::{EngineRow, Position};
use crate::error::{DatabaseError, Kind};
use crate::value::Mismatch;
use crate::{FromValue, Value};

/// One row of a result.
///
/// ```
/// # use housekey_core::Result;
/// # use housekey_database::Database;
/// # async fn example(db: Database) -> Result<()> {
/// for row in db.raw("select name, age from users", []).await? {
///     let name: String = row.get("name")?;
///     let age: Option<u8> = row.get("age")?;
/// }
/// # Ok(()) }
/// ```
pub struct Row(pub(crate) EngineRow);

impl Row {
    /// A column by its name, as the type that is asked for. A name that two columns of the result have is an error.
    pub fn get<T: FromValue>(&self, column: &str) -> Result<T> {
        convert(self.value(column)?, column)
    }

    /// A column by its place, counted from 0.
    pub fn at<T: FromValue>(&self, index: usize) -> Result<T> {
        self.converted(index, self.0.read(index))
    }

    /// The same, taken out of the row: a text is not copied. What was taken may be gone from the row.
    pub fn take<T: FromValue>(&mut self, index: usize) -> Result<T> {
        let taken = self.0.take(index);
        self.converted(index, taken)
    }

    /// A column by its name, whatever it holds.
    pub fn value(&self, column: &str) -> Result<Value> {
        match self.0.position(column) {
            Position::At(index) => self.0.read(index).map_err(|cause| unreadable(column, &cause)),
            Position::Nowhere => Err(self.missing(column)),
            Position::Several => Err(decode(format!(
                "the result has more than one column `{column}`; select the one you mean (\"table.{column}\"), or give \
                 one another name (\"table.{column} as …\")"
            ))),
        }
    }

    /// The name of a column is looked for where something is wrong with it, and else not.
    fn converted<T: FromValue>(&self, index: usize, read: Result<Value, BoxDynError>) -> Result<T> {
        let name = || self.0.name(index).ok_or_else(|| self.missing(&format!("{index} (counted from 0)")));
        match read.map(T::from_value) {
            Ok(Ok(value)) => Ok(value),
            Ok(Err(mismatch)) => Err(mismatched(name()?, mismatch)),
            Err(cause) => Err(unreadable(name()?, &cause)),
        }
    }

    /// Whether the result has such a column.
    pub fn has(&self, column: &str) -> bool {
        !matches!(self.0.position(column), Position::Nowhere)
    }

    /// The names of the columns, in order.
    pub fn columns(&self) -> Vec<&str> {
        self.0.names()
    }

    fn missing(&self, column: &str) -> Error {
        decode(format!("the result has no column `{column}`; it has {}", self.0.names().join(", ")))
    }
}

fn convert<T: FromValue>(value: Value, column: &str) -> Result<T> {
    T::from_value(value).map_err(|mismatch| mismatched(column, mismatch))
}

fn mismatched(column: &str, Mismatch { expected, found }: Mismatch) -> Error {
    decode(format!("column `{column}` holds {found} where {expected} was expected"))
}

fn unreadable(column: &str, cause: &BoxDynError) -> Error {
    decode(format!("column `{column}` cannot be read: {cause}"))
}

fn decode(text: String) -> Error {
    DatabaseError::new(Kind::Decode, text).into()
}

/// Column names only: a row that ends up in a log must not take its values there.
impl fmt::Debug for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Row").field(&self.columns()).finish()
    }
}

/// A type that can be read from a row. Derive it: every field is read from the column of its name.
///
/// ```
/// use housekey_database::FromRow;
///
/// #[derive(FromRow)]
/// #[row(crate = "housekey_database", rename_all = "camelCase")]
/// struct Post {
///     id: i64,
///     title: String,
///     published_at: Option<time::OffsetDateTime>, // the column `publishedAt`
///     #[row(rename = "tag_list", json)]
///     tags: Vec<String>,                          // JSON in the column `tag_list`
/// }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be read from a row",
    note = "add `#[derive(FromRow)]` to it, or ask for one column with `pluck`"
)]
pub trait FromRow: Sized {
    /// The columns that are read, for a query that does not name any. Empty: all there are.
    const COLUMNS: &'static [&'static str] = &[];

    fn from_row(row: &Row) -> Result<Self>;
}

/// What the derive calls for each field: the error names the type and the field.
#[doc(hidden)]
pub fn field<T: FromValue>(row: &Row, owner: &str, field: &str, column: &str) -> Result<T> {
    row.get(column).map_err(|error| error.context(format!("reading {owner}.{field}")))
}

/// What the derive calls for each field that was written: the value as the field has it.
#[doc(hidden)]
pub fn written<T: FromValue>(value: &Value, owner: &str, field: &str) -> Result<T> {
    convert(value.clone(), field).map_err(|error| error.context(format!("setting {owner}.{field}")))
}

macro_rules! tuples {
    ($($name:ident $index:tt),+) => {
        impl<$($name: FromValue),+> FromRow for ($($name,)+) {
            fn from_row(row: &Row) -> Result<Self> {
                Ok(($(row.at::<$name>($index)?,)+))
            }
        }
    };
}

tuples!(A 0);
tuples!(A 0, B 1);
tuples!(A 0, B 1, C 2);
tuples!(A 0, B 1, C 2, D 3);
