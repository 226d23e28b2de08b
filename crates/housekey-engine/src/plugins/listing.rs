//! Filters of lists, as clients write them in a query: a field, an operator and a value.

use http::StatusCode;
use serde_json::Value as Json;

use crate::schema::{Column, ColumnKind, Table};
use crate::storage::{Comparison, Condition, Filter};
use crate::{ApiError, Result, Value, codes, parse_iso};

pub(super) const OPERATORS: [&str; 11] =
    ["eq", "ne", "lt", "lte", "gt", "gte", "in", "not_in", "contains", "starts_with", "ends_with"];

/// A number of rows; what is none, and 0, is as if nothing was said.
pub(super) fn number(given: Option<&Json>) -> Option<u32> {
    given?.as_str()?.trim().parse().ok().filter(|number| *number > 0)
}

/// A column by its name, if clients may see it: what is hidden must not be guessed letter by letter either.
pub(super) fn visible<'a>(table: &'a Table, field: &str, parameter: &str) -> Result<&'a Column> {
    let column = table.column(field).filter(|column| column.returned && column.kind != ColumnKind::Json);
    column.ok_or_else(|| wrong(parameter, "Invalid option: there is no such field"))
}

/// A filter with one more condition.
pub(super) fn filtered(filter: Filter, column: &Column, operator: &str, given: &[String]) -> Result<Filter> {
    let values = given.iter().map(|text| value_of(column, text)).collect::<Result<Vec<_>>>()?;
    let is_text = matches!(column.kind, ColumnKind::Text | ColumnKind::Id);
    let is_role = column.field == "role";
    let field = || column.field.clone();
    let one = || values.first().cloned().unwrap_or_default();
    Ok(match operator {
        // Somebody may have several roles: whoever asks for one means those too.
        "eq" | "in" if is_role => filter.and_any(given.iter().flat_map(|role| having_role(role))),
        "in" => {
            filter.and_any(values.into_iter().map(|value| Condition::new(field(), Comparison::Equal, value)))
        }
        "not_in" => {
            values.into_iter().fold(filter, |filter, value| filter.and(field(), Comparison::NotEqual, value))
        }
        "contains" | "starts_with" | "ends_with" if !is_text => {
            return Err(wrong("filterOperator", "Invalid option: this field holds no text"));
        }
        other => filter.and(field(), comparison(other), one()),
    })
}

pub(super) fn comparison(operator: &str) -> Comparison {
    match operator {
        "ne" => Comparison::NotEqual,
        "lt" => Comparison::Less,
        "lte" => Comparison::LessOrEqual,
        "gt" => Comparison::Greater,
        "gte" => Comparison::GreaterOrEqual,
        "contains" => Comparison::Contains,
        "starts_with" => Comparison::StartsWith,
        "ends_with" => Comparison::EndsWith,
        _ => Comparison::Equal,
    }
}

/// What a query says, once or several times.
pub(super) fn texts(given: &Json) -> Vec<String> {
    match given {
        Json::Array(items) => items.iter().filter_map(Json::as_str).map(str::to_owned).collect(),
        one => one.as_str().map(str::to_owned).into_iter().collect(),
    }
}

/// A row with this role, alone or among others.
pub(super) fn having_role(role: &str) -> [Condition; 4] {
    [
        Condition::new("role", Comparison::Equal, role),
        Condition::new("role", Comparison::StartsWith, format!("{role},")),
        Condition::new("role", Comparison::EndsWith, format!(",{role}")),
        Condition::new("role", Comparison::Contains, format!(",{role},")),
    ]
}

/// A query has texts only; the column says what they mean.
fn value_of(column: &Column, text: &str) -> Result<Value> {
    let value = match column.kind {
        ColumnKind::Text | ColumnKind::Id => (!text.contains('\0')).then(|| Value::from(text)),
        ColumnKind::Boolean => match text {
            "true" | "1" => Some(Value::Bool(true)),
            "false" | "0" => Some(Value::Bool(false)),
            _ => None,
        },
        ColumnKind::Integer | ColumnKind::BigInteger => text.parse().ok().map(Value::Integer),
        ColumnKind::Date => parse_iso(text).map(Value::Date),
        ColumnKind::Json => None,
    };
    value.ok_or_else(|| wrong("filterValue", "Invalid input: it is not of the field's type"))
}

fn wrong(parameter: &str, what: &str) -> ApiError {
    codes::VALIDATION_ERROR.saying(StatusCode::BAD_REQUEST, format!("[query.{parameter}] {what}"))
}
