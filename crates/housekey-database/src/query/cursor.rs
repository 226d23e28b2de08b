use data_encoding::BASE64URL_NOPAD;
use housekey_core::{Error, Result};
use sea_query::BinOper;
use serde::{Deserialize, Serialize};
use serde_json::{Value as Json, json};

use super::conditions::{Comparison, Condition};
use super::{Query, column};
use crate::value::iso;
use crate::{DatabaseError, Decimal, FromRow, Row, Uuid, Value};

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
        query.orders = self.own_orders(key)?;
        if let Some(after) = after {
            let values = Cursor::parse(after, &query.orders).ok_or_else(unknown_cursor)?;
            let beyond = beyond(&query.orders, &values);
            query.conditions.push(beyond);
        }
        let mut rows = match query.also_reading_orders().rows().await {
            // A text where the column has numbers: somebody has changed the cursor.
            Err(error) if after.is_some() && is_refused(&error) => {
                return Err(unknown_cursor().context(error.to_string()));
            }
            outcome => outcome?,
        };
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

    /// What the rows are sorted by, as columns of this table, and the key to tell apart those that are equal in it.
    fn own_orders(&self, key: &str) -> Result<Vec<(String, bool)>> {
        let own = |(name, descending): &(String, bool)| match self.own_order(name) {
            Some(column) => Ok((self.own_column(column), *descending)),
            None => Err(Error::internal(format!(
                "`{}` cannot be read by a cursor when it is sorted by `{name}`, which is a column of another table or a name that \
                 this query gave; sort by columns of its own, as `{}`",
                self.table,
                self.own_column(key)
            ))),
        };
        let mut orders = self.orders.iter().map(own).collect::<Result<Vec<_>>>()?;
        let key = self.own_column(key);
        if !orders.iter().any(|(name, _)| *name == key) {
            let descending = orders.last().is_some_and(|(_, descending)| *descending);
            orders.push((key, descending));
        }
        Ok(orders)
    }

    /// The bare name of a column, if it is one of this table.
    fn own_order<'a>(&self, name: &'a str) -> Option<&'a str> {
        match name.rsplit_once('.') {
            Some((table, column)) => (table == self.own_name()).then_some(column),
            None if self.gives(name) => None,
            // In a join, only what the model has is known to be its own.
            None => {
                self.joined_model().is_none_or(|own| own.is_empty() || own.contains(&name)).then_some(name)
            }
        }
    }

    /// The same rows, with what they are sorted by under names that nothing else in the result has.
    fn also_reading_orders(&self) -> Self {
        let mut query = self.clone();
        if query.columns.is_empty() && query.expressions.is_empty() {
            query.columns.push(self.own_column("*").into());
        }
        for (at, (name, _)) in self.orders.iter().enumerate() {
            query.expressions.push((column(name).into(), order_name(at)));
        }
        query
    }

    fn cursor_of(&self, row: &Row) -> Result<String> {
        let mut values = Vec::new();
        for (at, (name, _)) in self.orders.iter().enumerate() {
            values.push(match row.value(&order_name(at))? {
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
        Cursor { order: order_text(&self.orders), values }.text()
    }
}

/// A place in a list: the order that it is a place in, and what its row has there.
#[derive(Serialize, Deserialize)]
struct Cursor {
    order: String,
    values: Vec<Json>,
}

impl Cursor {
    fn text(&self) -> Result<String> {
        Ok(BASE64URL_NOPAD.encode(&serde_json::to_vec(self)?))
    }

    /// The values of a cursor in this order; `None` when it is in another one, or none at all.
    fn parse(cursor: &str, orders: &[(String, bool)]) -> Option<Vec<Value>> {
        let bytes = BASE64URL_NOPAD.decode(cursor.as_bytes()).ok()?;
        let Self { order, values } = serde_json::from_slice(&bytes).ok()?;
        if order != order_text(orders) || values.len() != orders.len() {
            return None;
        }
        values.iter().map(value).collect()
    }
}

/// `books.title asc, books.id asc`.
fn order_text(orders: &[(String, bool)]) -> String {
    let words = orders.iter().map(|(name, descending)| match descending {
        true => format!("{name} desc"),
        false => format!("{name} asc"),
    });
    words.collect::<Vec<_>>().join(", ")
}

/// What a value that is sorted by is called in a result.
fn order_name(at: usize) -> String {
    format!("housekey_order_{at}")
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

fn value(json: &Json) -> Option<Value> {
    match json {
        Json::Bool(value) => Some(Value::Bool(*value)),
        Json::Number(number) => number.as_i64().map(Value::Int),
        // PostgreSQL knows no text with a NUL, and validation lets none in.
        Json::String(text) => (!text.contains('\0')).then(|| Value::Text(text.clone())),
        Json::Object(named) => {
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
        Json::Null | Json::Array(_) => None,
    }
}

fn is_refused(error: &Error) -> bool {
    DatabaseError::of(error).is_some_and(DatabaseError::is_statement)
}

fn unknown_cursor() -> Error {
    Error::bad_request("This place in the list is not known. Begin again at the top.")
}
