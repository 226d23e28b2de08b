use data_encoding::BASE64URL_NOPAD;
use housekey_core::{Error, Result};
use sea_query::BinOper;
use serde::Serialize;
use serde_json::json;

use super::Query;
use super::conditions::{Comparison, Condition};
use crate::value::iso;
use crate::{Decimal, FromRow, Row, Uuid, Value};

/// Some rows of a result, and where the next ones begin: made by [`Query::cursor_paginate`].
///
/// ```
/// use housekey_database::CursorPage;
///
/// let page = CursorPage { items: vec!["a", "b"], next: None, per_page: 2 };
/// assert!(!page.has_more());
/// assert_eq!(serde_json::to_value(&page).unwrap()["perPage"], 2);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct CursorPage<T> {
    /// The rows.
    pub items: Vec<T>,
    /// What to ask the next rows with; `None` when there are no more.
    pub next: Option<String>,
    /// How many rows there are at most.
    pub per_page: u64,
}

impl<T> CursorPage<T> {
    /// Whether there are rows after these.
    pub fn has_more(&self) -> bool {
        self.next.is_some()
    }

    /// The same with every item changed.
    pub fn map<U>(self, change: impl FnMut(T) -> U) -> CursorPage<U> {
        let items = self.items.into_iter().map(change).collect();
        CursorPage { items, next: self.next, per_page: self.per_page }
    }
}

impl<T: FromRow> Query<T> {
    /// The rows after a cursor, with this key to tell rows apart that are equal in what they are sorted by.
    pub(crate) async fn page_after(
        &self,
        key: &str,
        after: Option<&str>,
        per_page: u64,
    ) -> Result<CursorPage<T>> {
        let per_page = per_page.max(1);
        let mut query = self.reading().limit(per_page.saturating_add(1));
        if !query.orders.iter().any(|(name, _)| bare(name) == key) {
            let descending = query.orders.last().is_some_and(|(_, descending)| *descending);
            query.orders.push((query.own_column(key), descending));
        }
        if let Some(after) = after {
            let values = parse(after, query.orders.len()).ok_or_else(unknown_cursor)?;
            let beyond = beyond(&query.orders, &values);
            query.conditions.push(beyond);
        }
        let mut rows = query.rows().await?;
        let kept = usize::try_from(per_page).unwrap_or(usize::MAX);
        let more = rows.len() > kept;
        rows.truncate(kept);
        let next = match rows.last() {
            Some(last) if more => Some(query.cursor_of(last)?),
            _ => None,
        };
        let items = rows.iter().map(T::from_row).collect::<Result<_>>()?;
        drop(rows);
        Ok(CursorPage { items: self.loaded(items).await?, next, per_page })
    }

    fn cursor_of(&self, row: &Row) -> Result<String> {
        let mut values = Vec::new();
        for (name, _) in &self.orders {
            values.push(match row.value(bare(name))? {
                Value::Bool(value) => json!(value),
                Value::Int(value) => json!(value),
                Value::Text(value) => json!(value),
                Value::Time(value) => json!({ "time": iso::text(value) }),
                Value::Date(value) => json!({ "date": iso::date_text(value) }),
                Value::Decimal(value) => json!({ "decimal": value.to_string() }),
                Value::Uuid(value) => json!({ "uuid": value.to_string() }),
                // A UUID of MySQL.
                Value::Bytes(value) => json!({ "bytes": BASE64URL_NOPAD.encode(&value) }),
                other => {
                    return Err(Error::internal(format!(
                        "`{}` cannot be read by a cursor when it is sorted by `{name}`, which holds {}; sort by numbers, texts or \
                         times that are never empty",
                        self.table,
                        other.kind()
                    )));
                }
            });
        }
        Ok(BASE64URL_NOPAD.encode(serde_json::Value::from(values).to_string().as_bytes()))
    }
}

/// Rows that come later in this order: later in the first column, or equal there and later in the second, and so on.
fn beyond(orders: &[(String, bool)], values: &[Value]) -> Condition {
    let compared = |at: usize, operator| {
        Condition::Compared(orders[at].0.clone(), Comparison::With(operator, values[at].clone()))
    };
    let later = (0..orders.len()).map(|at| {
        let operator = if orders[at].1 { BinOper::SmallerThan } else { BinOper::GreaterThan };
        let equal = (0..at).map(|before| compared(before, BinOper::Equal));
        Condition::All(equal.chain([compared(at, operator)]).collect())
    });
    Condition::Any(later.collect())
}

fn parse(cursor: &str, columns: usize) -> Option<Vec<Value>> {
    let bytes = BASE64URL_NOPAD.decode(cursor.as_bytes()).ok()?;
    let values: Vec<serde_json::Value> = serde_json::from_slice(&bytes).ok()?;
    let values = values.iter().map(|value| match value {
        serde_json::Value::Bool(value) => Some(Value::Bool(*value)),
        serde_json::Value::Number(number) => number.as_i64().map(Value::Int),
        serde_json::Value::String(text) => Some(Value::Text(text.clone())),
        serde_json::Value::Object(named) => {
            let (name, text) = named.iter().next()?;
            let text = text.as_str()?;
            match name.as_str() {
                "time" => iso::parse(text).map(Value::Time),
                "date" => iso::parse_date(text).map(Value::Date),
                "decimal" => Decimal::from_str_exact(text).ok().map(Value::Decimal),
                "uuid" => Uuid::try_parse(text).ok().map(Value::Uuid),
                "bytes" => BASE64URL_NOPAD.decode(text.as_bytes()).ok().map(Value::Bytes),
                _ => None,
            }
        }
        _ => None,
    });
    values.collect::<Option<Vec<_>>>().filter(|values| values.len() == columns)
}

fn unknown_cursor() -> Error {
    Error::bad_request("This place in the list is not known. Begin again at the top.")
}

fn bare(name: &str) -> &str {
    name.rsplit_once('.').map_or(name, |(_, name)| name)
}
