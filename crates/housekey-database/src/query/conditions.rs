use std::sync::Arc;

use sea_query::{Alias, BinOper, Condition as Built, Expr, ExprTrait, Func};

use super::Query;
use super::like::{self, Pattern};
use crate::{Driver, Value};

impl<T> Query<T> {
    /// Rows where the column has this value. `None` asks for NULL.
    pub fn where_eq(self, name: impl AsRef<str>, value: impl Into<Value>) -> Self {
        self.where_(name, "=", value)
    }

    /// Rows where the comparison holds: `=`, `!=`, `<`, `<=`, `>`, `>=`, `like`, `not like`.
    ///
    /// `like` takes a pattern and means the same on every engine: upper and lower case are one, `%` is any text, `_` any
    /// one character, and `\` makes the next one mean itself. For text that somebody typed, use
    /// [`Query::where_contains`], [`Query::where_starts_with`] or [`Query::where_ends_with`].
    pub fn where_(mut self, name: impl AsRef<str>, operator: &str, value: impl Into<Value>) -> Self {
        match Comparison::parse(operator, value.into()) {
            Ok(comparison) => self.compared(name, comparison),
            Err(problem) => {
                self.problem = Some(problem);
                self
            }
        }
    }

    /// Rows where the column has this text in it, whatever its case. The text means itself: `50%` looks for `50%`.
    ///
    /// PostgreSQL takes the cases of letters outside of ASCII from the locale of the database; under `C` it knows none.
    ///
    /// ```
    /// # use housekey_core::Result;
    /// # use housekey_database::{Database, FromRow};
    /// # #[derive(FromRow)] #[row(crate = "housekey_database")] struct Post { id: i64 }
    /// # async fn search(db: Database, words: &str) -> Result<Vec<Post>> {
    /// db.table("posts").where_contains("title", words).get().await
    /// # }
    /// ```
    pub fn where_contains(self, name: impl AsRef<str>, text: impl AsRef<str>) -> Self {
        self.like(name, Pattern::containing(text.as_ref()))
    }

    /// Rows where the column begins with this text, as [`Query::where_contains`] looks for it.
    pub fn where_starts_with(self, name: impl AsRef<str>, text: impl AsRef<str>) -> Self {
        self.like(name, Pattern::starting_with(text.as_ref()))
    }

    /// Rows where the column ends with this text, as [`Query::where_contains`] looks for it.
    pub fn where_ends_with(self, name: impl AsRef<str>, text: impl AsRef<str>) -> Self {
        self.like(name, Pattern::ending_with(text.as_ref()))
    }

    fn like(self, name: impl AsRef<str>, pattern: Pattern) -> Self {
        self.compared(name, Comparison::Like { negated: false, pattern })
    }

    /// Rows where the two columns are equal.
    pub fn where_column(self, left: impl AsRef<str>, right: impl AsRef<str>) -> Self {
        self.also(Condition::Columns(left.as_ref().to_owned(), right.as_ref().to_owned()))
    }

    /// Rows where the column has one of these values. No values: no rows.
    pub fn where_in<V: Into<Value>>(
        self,
        name: impl AsRef<str>,
        values: impl IntoIterator<Item = V>,
    ) -> Self {
        self.compared(name, Comparison::In(values.into_iter().map(Into::into).collect()))
    }

    /// Rows where the column has one of many keys: [`where_in`](Self::where_in) for hundreds of them.
    pub(crate) fn where_among(self, name: impl AsRef<str>, keys: Vec<Value>) -> Self {
        let array = if self.db.driver() == Driver::Postgres { array_of(&keys) } else { None };
        self.compared(
            name,
            match array {
                Some((text, kind)) => Comparison::InArray(text.into(), kind),
                None => Comparison::Among(keys.into()),
            },
        )
    }

    /// Rows where the column has none of these values. No values: every row.
    pub fn where_not_in<V: Into<Value>>(
        self,
        name: impl AsRef<str>,
        values: impl IntoIterator<Item = V>,
    ) -> Self {
        self.compared(name, Comparison::NotIn(values.into_iter().map(Into::into).collect()))
    }

    pub fn where_null(self, name: impl AsRef<str>) -> Self {
        self.compared(name, Comparison::IsNull)
    }

    /// Rows where the column is not NULL.
    pub fn where_not_null(self, name: impl AsRef<str>) -> Self {
        self.compared(name, Comparison::IsNotNull)
    }

    /// Rows where the column lies between two values, both included.
    pub fn where_between(self, name: impl AsRef<str>, from: impl Into<Value>, to: impl Into<Value>) -> Self {
        self.compared(name, Comparison::Between(from.into(), to.into()))
    }

    /// Rows where an expression made with [`sql`](crate::sql) holds.
    pub fn where_expr(self, expression: impl Into<Expr>) -> Self {
        self.also(Condition::Expression(Arc::new(expression.into())))
    }

    /// Rows where at least one of the group's conditions holds, besides everything else asked for.
    ///
    /// ```
    /// # use housekey_database::Database;
    /// let db = Database::memory();
    /// let query = db.table("posts").where_eq("published", true)
    ///     .where_any(|either| either.where_("views", ">", 100).where_null("body"));
    /// assert!(query.to_sql().unwrap().ends_with(
    ///     "WHERE `published` = ? AND (`views` > ? OR `body` IS NULL)"
    /// ));
    /// ```
    pub fn where_any(mut self, group: impl FnOnce(Self) -> Self) -> Self {
        let group = self.group(group);
        self.also(Condition::Any(group))
    }

    /// Rows for which what was asked so far holds, or else all of the group's conditions.
    pub fn or_where(mut self, group: impl FnOnce(Self) -> Self) -> Self {
        let group = Condition::All(self.group(group));
        let so_far = std::mem::take(&mut self.conditions);
        if so_far.is_empty() {
            return self.also(group);
        }
        self.also(Condition::Any(vec![Condition::All(so_far), group]))
    }

    fn group(&mut self, group: impl FnOnce(Self) -> Self) -> Vec<Condition> {
        let empty = Self {
            model: self.model,
            bounds: self.bounds.clone(),
            across: self.across,
            ..Self::new(self.db.clone(), self.table.clone())
        };
        let made = group(empty);
        self.problem = self.problem.take().or(made.problem);
        made.conditions
    }

    fn compared(self, name: impl AsRef<str>, comparison: Comparison) -> Self {
        self.also(Condition::Compared(name.as_ref().to_owned(), comparison))
    }

    fn also(mut self, condition: Condition) -> Self {
        self.conditions.push(condition);
        self
    }

    /// Everything that a row must be, if anything.
    pub(super) fn condition(&self) -> Option<Built> {
        let asked = (!self.conditions.is_empty()).then(|| all(&self.conditions, self));
        self.besides_deleted(self.within_bounds(asked))
    }
}

fn all<T>(conditions: &[Condition], query: &Query<T>) -> Built {
    conditions.iter().map(|condition| condition.build(query)).fold(Built::all(), Built::add)
}

/// One condition of a query. It is built with the query: only then is it known which tables its names can mean.
#[derive(Clone)]
pub(super) enum Condition {
    /// A column and what it is compared with.
    Compared(String, Comparison),
    Columns(String, String),
    /// Shared: it may hold a whole query, and this one is copied on its way.
    Expression(Arc<Expr>),
    All(Vec<Self>),
    Any(Vec<Self>),
}

impl Condition {
    fn build<T>(&self, query: &Query<T>) -> Built {
        let one = |expression: Expr| Built::all().add(expression);
        match self {
            Self::Compared(name, comparison) => one(comparison.build(query.column(name), query.db.driver())),
            Self::Columns(left, right) => one(query.equal(left, right)),
            Self::Expression(expression) => one(Expr::clone(expression)),
            Self::All(conditions) => all(conditions, query),
            Self::Any(conditions) => {
                conditions.iter().map(|condition| condition.build(query)).fold(Built::any(), Built::add)
            }
        }
    }
}

#[derive(Clone)]
pub(super) enum Comparison {
    IsNull,
    IsNotNull,
    With(BinOper, Value),
    Like {
        negated: bool,
        pattern: Pattern,
    },
    In(Vec<Value>),
    /// The same for many: a query is copied often on its way.
    Among(Arc<[Value]>),
    /// An array of PostgreSQL, as it is written, and its type. One value in place of hundreds, and the same statement for
    /// however many there are, so that it stays prepared.
    InArray(Arc<str>, &'static str),
    NotIn(Vec<Value>),
    Between(Value, Value),
}

/// Comparisons as they are asked for, and as they are built.
pub(super) const OPERATORS: [(&str, BinOper); 7] = [
    ("=", BinOper::Equal),
    ("!=", BinOper::NotEqual),
    ("<>", BinOper::NotEqual),
    ("<", BinOper::SmallerThan),
    ("<=", BinOper::SmallerThanOrEqual),
    (">", BinOper::GreaterThan),
    (">=", BinOper::GreaterThanOrEqual),
];

/// Their names, for messages.
pub(super) fn operators() -> String {
    OPERATORS.map(|(name, _)| name).join(" ")
}

impl Comparison {
    pub(super) fn parse(operator: &str, value: Value) -> Result<Self, String> {
        for (name, negated) in [("like", false), ("not like", true)] {
            if name.eq_ignore_ascii_case(operator) {
                let Value::Text(pattern) = &value else {
                    return Err(format!("`{name}` compares with text, not with {}", value.kind()));
                };
                return Ok(Self::Like { negated, pattern: Pattern::parse(pattern) });
            }
        }
        let known = OPERATORS.into_iter().find(|(name, _)| *name == operator);
        let Some((_, known)) = known else {
            return Err(format!("there is no comparison `{operator}`; use = != < <= > >= like, not like"));
        };
        match (known, value) {
            (BinOper::Equal, Value::Null) => Ok(Self::IsNull),
            (BinOper::NotEqual, Value::Null) => Ok(Self::IsNotNull),
            (_, value) => Ok(Self::With(known, value)),
        }
    }

    pub(super) fn build(&self, column: Expr, driver: Driver) -> Expr {
        let bound = |value: &Value| value.clone().into_expr();
        match self {
            Self::IsNull => column.is_null(),
            Self::IsNotNull => column.is_not_null(),
            Self::With(operator, value) => column.binary(*operator, bound(value)),
            Self::Like { negated, pattern } => like::matches(driver, column, *negated, pattern),
            Self::In(values) => column.is_in(values.iter().map(bound)),
            Self::Among(values) => column.is_in(values.iter().map(bound)),
            Self::InArray(text, kind) => {
                let array = Expr::val(&**text).cast_as(Alias::new(*kind));
                column.eq(Func::cust(Alias::new("ANY")).arg(array))
            }
            Self::NotIn(values) => column.is_not_in(values.iter().map(bound)),
            Self::Between(from, to) => column.between(bound(from), bound(to)),
        }
    }
}

/// Values of one kind as PostgreSQL writes an array, with its type; nothing where they are of a kind that is rarely a key.
fn array_of(values: &[Value]) -> Option<(String, &'static str)> {
    let kind = match values.first()? {
        Value::Int(_) => "bigint[]",
        Value::Text(_) => "text[]",
        Value::Uuid(_) => "uuid[]",
        _ => return None,
    };
    let mut text = String::with_capacity(values.len() * 8);
    for value in values {
        text.push(if text.is_empty() { '{' } else { ',' });
        match value {
            Value::Int(number) if kind == "bigint[]" => text.push_str(&number.to_string()),
            Value::Uuid(uuid) if kind == "uuid[]" => text.push_str(&uuid.to_string()),
            Value::Text(value) if kind == "text[]" => {
                text.push('"');
                for character in value.chars() {
                    if matches!(character, '"' | '\\') {
                        text.push('\\');
                    }
                    text.push(character);
                }
                text.push('"');
            }
            _ => return None,
        }
    }
    text.push('}');
    Some((text, kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_written_as_postgres_writes_an_array() {
        let array = |values: Vec<Value>| array_of(&values);
        assert_eq!(array(vec![7.into(), (-1).into()]), Some(("{7,-1}".into(), "bigint[]")));
        let texts = array(vec!["a".into(), "b,}{".into(), "\"c\\".into(), "NULL".into(), "".into()]);
        assert_eq!(texts, Some((r#"{"a","b,}{","\"c\\","NULL",""}"#.into(), "text[]")));
        let uuids = array(vec![uuid::Uuid::nil().into(), uuid::Uuid::max().into()]);
        let written = "{00000000-0000-0000-0000-000000000000,ffffffff-ffff-ffff-ffff-ffffffffffff}";
        assert_eq!(uuids, Some((written.into(), "uuid[]")));
        assert_eq!(array(vec![Value::Bytes(vec![1])]), None);
        assert_eq!(array(vec![7.into(), "a".into()]), None);
        assert_eq!(array(Vec::new()), None);
    }
}
