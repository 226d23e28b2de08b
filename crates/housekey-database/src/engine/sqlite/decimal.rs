//! Exact numbers, which SQLite does not have: they are text there, and this is what makes numbers of them.
//!
//! The order `decimal` has the name that SQLite's own extension of this kind gives it, which its shell brings along: a database
//! of an app can be looked at there.

use std::cmp::Ordering;

use rusqlite::functions::{Aggregate, Context, FunctionFlags};
use rusqlite::types::{Value as Made, ValueRef};
use rust_decimal::Decimal;

use crate::{ColumnType, Value};

/// Teaches a connection to sort and add exact numbers.
pub(super) fn teach(connection: &rusqlite::Connection) -> rusqlite::Result<()> {
    connection.create_collation("decimal", compare)?;
    let flags =
        FunctionFlags::SQLITE_UTF8 | FunctionFlags::SQLITE_DETERMINISTIC | FunctionFlags::SQLITE_INNOCUOUS;
    connection.create_aggregate_function("housekey_sum", 1, flags, Total { mean: false })?;
    connection.create_aggregate_function("housekey_avg", 1, flags, Total { mean: true })
}

/// How a number is written.
pub(super) fn text(number: Decimal) -> String {
    number.normalize().to_string()
}

/// How many places the numbers of a column have that was declared so.
pub(super) fn places(declared: Option<&str>) -> Option<u32> {
    let declared = declared.filter(|name| name.starts_with("decimaltext("))?;
    match ColumnType::parse(declared) {
        ColumnType::Decimal(_, places) => Some(places),
        _ => None,
    }
}

/// A number of such a column, with as many places as every other one: 5 is 5.00. What is no number stays what it is.
pub(super) fn read(value: Value, places: u32) -> Value {
    let Value::Text(text) = &value else { return value };
    let Ok(mut number) = Decimal::from_str_exact(text) else { return value };
    if number.scale() < places {
        number.rescale(places);
    }
    Value::Decimal(number)
}

/// By their size. What is no number comes last, as text.
fn compare(left: &str, right: &str) -> Ordering {
    match (number(left), number(right)) {
        (Some(left), Some(right)) => left.cmp(&right),
        (Some(_), None) => Ordering::Less,
        (None, Some(_)) => Ordering::Greater,
        (None, None) => left.cmp(right),
    }
}

/// SQLite writes large numbers with a fraction as `1.5e+20`.
fn number(text: &str) -> Option<Decimal> {
    Decimal::from_str_exact(text).ok().or_else(|| Decimal::from_scientific(text).ok())
}

/// The sum of a column, or the mean: whole numbers and exact ones without rounding, others as SQLite itself adds them.
struct Total {
    mean: bool,
}

#[derive(Default)]
struct Sum {
    exact: Decimal,
    /// Of the numbers that are not exact.
    real: Option<f64>,
    any_decimal: bool,
    count: u32,
}

impl Aggregate<Sum, Made> for Total {
    fn init(&self, _: &mut Context<'_>) -> rusqlite::Result<Sum> {
        Ok(Sum::default())
    }

    fn step(&self, context: &mut Context<'_>, sum: &mut Sum) -> rusqlite::Result<()> {
        let number = match context.get_raw(0) {
            ValueRef::Null => return Ok(()),
            ValueRef::Integer(number) => Decimal::from(number),
            ValueRef::Real(number) => {
                sum.count += 1;
                sum.real = Some(sum.real.unwrap_or_default() + number);
                return Ok(());
            }
            ValueRef::Text(text) => {
                sum.any_decimal = true;
                let text = std::str::from_utf8(text).unwrap_or_default();
                Decimal::from_str_exact(text).map_err(|_| problem("a text in this column is no number"))?
            }
            ValueRef::Blob(_) => return Err(problem("bytes cannot be added")),
        };
        sum.count += 1;
        sum.exact = sum.exact.checked_add(number).ok_or_else(too_large)?;
        Ok(())
    }

    fn finalize(&self, _: &mut Context<'_>, sum: Option<Sum>) -> rusqlite::Result<Made> {
        let Some(sum) = sum.filter(|sum| sum.count > 0) else { return Ok(Made::Null) };
        if let Some(real) = sum.real {
            let total = real + f64::try_from(sum.exact).unwrap_or_default();
            return Ok(Made::Real(if self.mean { total / f64::from(sum.count) } else { total }));
        }
        match (self.mean, sum.any_decimal) {
            (true, true) => Ok(Made::Text(text(sum.exact / Decimal::from(sum.count)))),
            (true, false) => {
                Ok(Made::Real(f64::try_from(sum.exact).unwrap_or_default() / f64::from(sum.count)))
            }
            (false, true) => Ok(Made::Text(text(sum.exact))),
            (false, false) => i64::try_from(sum.exact).map(Made::Integer).map_err(|_| too_large()),
        }
    }
}

fn too_large() -> rusqlite::Error {
    problem("the sum is too large")
}

fn problem(text: &str) -> rusqlite::Error {
    rusqlite::Error::UserFunctionError(text.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_as_sqlite_writes_them() {
        assert_eq!(compare("1.5e+20", "9"), Ordering::Greater);
    }

    #[test]
    fn numbers_are_sorted_by_their_size_and_not_by_their_letters() {
        assert_eq!(compare("9.9", "10"), Ordering::Less);
        assert_eq!(compare("-2", "-10"), Ordering::Greater);
        assert_eq!(compare("1.50", "1.5"), Ordering::Equal);
        assert_eq!(compare("nothing", "1"), Ordering::Greater);
    }
}
