use sea_query::{BinOper, Condition as Built, Expr, ExprTrait};

use super::Query;
use crate::Value;

impl Query {
    /// Rows where the column has this value. `None` asks for NULL.
    pub fn where_eq(self, name: impl AsRef<str>, value: impl Into<Value>) -> Self {
        self.where_(name, "=", value)
    }

    /// Rows where the comparison holds: `=`, `!=`, `<`, `<=`, `>`, `>=`, `like`, `not like`.
    ///
    /// How `like` treats upper and lower case is up to the engine.
    pub fn where_(mut self, name: impl AsRef<str>, operator: &str, value: impl Into<Value>) -> Self {
        match Comparison::parse(operator, value.into()) {
            Ok(comparison) => self.compared(name, comparison),
            Err(problem) => {
                self.problem = Some(problem);
                self
            }
        }
    }

    /// Rows where the two columns are equal.
    pub fn where_column(self, left: &str, right: &str) -> Self {
        self.also(Condition::Columns(left.to_owned(), right.to_owned()))
    }

    /// Rows where the column has one of these values. No values: no rows.
    pub fn where_in<V: Into<Value>>(
        self,
        name: impl AsRef<str>,
        values: impl IntoIterator<Item = V>,
    ) -> Self {
        self.compared(name, Comparison::In(values.into_iter().map(Into::into).collect()))
    }

    /// Rows where the column has none of these values. No values: every row.
    pub fn where_not_in<V: Into<Value>>(
        self,
        name: impl AsRef<str>,
        values: impl IntoIterator<Item = V>,
    ) -> Self {
        self.compared(name, Comparison::NotIn(values.into_iter().map(Into::into).collect()))
    }

    /// Rows where the column is NULL.
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
        self.also(Condition::Expression(expression.into()))
    }

    /// Rows where at least one of the group's conditions holds, besides everything else asked for.
    ///
    /// ```
    /// # use housekey_database::Database;
    /// let db = Database::memory();
    /// let query = db.table("posts").where_eq("published", true)
    ///     .where_any(|either| either.where_("title", "like", "%rust%").where_("body", "like", "%rust%"));
    /// assert!(query.to_sql().unwrap().ends_with(
    ///     "WHERE `published` = ? AND (`title` LIKE ? OR `body` LIKE ?)"
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
        let made = group(Self::new(self.db.clone(), self.table.clone()));
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

    pub(super) fn condition(&self) -> Built {
        all(&self.conditions, self)
    }
}

fn all(conditions: &[Condition], query: &Query) -> Built {
    conditions.iter().map(|condition| condition.build(query)).fold(Built::all(), Built::add)
}

/// One condition of a query. It is built with the query: only then is it known which tables its names can mean.
#[derive(Clone)]
pub(super) enum Condition {
    /// A column and what it is compared with. Most are of this kind, and their text needs no building each time.
    Compared(String, Comparison),
    Columns(String, String),
    Expression(Expr),
    All(Vec<Self>),
    Any(Vec<Self>),
}

impl Condition {
    fn build(&self, query: &Query) -> Built {
        let one = |expression: Expr| Built::all().add(expression);
        match self {
            Self::Compared(name, comparison) => one(comparison.build(query.column(name))),
            Self::Columns(left, right) => one(query.equal(left, right)),
            Self::Expression(expression) => one(expression.clone()),
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
    With(Operator, Value),
    In(Vec<Value>),
    NotIn(Vec<Value>),
    Between(Value, Value),
}

/// A comparison as it is asked for, and as it is built.
type Operator = (&'static str, BinOper);

const OPERATORS: [Operator; 9] = [
    ("=", BinOper::Equal),
    ("!=", BinOper::NotEqual),
    ("<>", BinOper::NotEqual),
    ("<", BinOper::SmallerThan),
    ("<=", BinOper::SmallerThanOrEqual),
    (">", BinOper::GreaterThan),
    (">=", BinOper::GreaterThanOrEqual),
    ("like", BinOper::Like),
    ("not like", BinOper::NotLike),
];

impl Comparison {
    fn parse(operator: &str, value: Value) -> Result<Self, String> {
        let known = OPERATORS.into_iter().find(|(name, _)| name.eq_ignore_ascii_case(operator));
        let Some(known) = known else {
            return Err(format!("there is no comparison `{operator}`; use = != < <= > >= like, not like"));
        };
        match (known.1, value) {
            (BinOper::Equal, Value::Null) => Ok(Self::IsNull),
            (BinOper::NotEqual, Value::Null) => Ok(Self::IsNotNull),
            (BinOper::Like | BinOper::NotLike, value) if !matches!(value, Value::Text(_)) => {
                Err(format!("`{operator}` compares with text, not with {}", value.kind()))
            }
            (_, value) => Ok(Self::With(known, value)),
        }
    }

    fn build(&self, column: Expr) -> Expr {
        let bound = |value: &Value| value.clone().into_expr();
        match self {
            Self::IsNull => column.is_null(),
            Self::IsNotNull => column.is_not_null(),
            Self::With((_, operator), value) => column.binary(*operator, bound(value)),
            Self::In(values) => column.is_in(values.iter().map(bound)),
            Self::NotIn(values) => column.is_not_in(values.iter().map(bound)),
            Self::Between(from, to) => column.between(bound(from), bound(to)),
        }
    }
}
