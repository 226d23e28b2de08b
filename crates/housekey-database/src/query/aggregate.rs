//! Sums, means, the smallest and the largest: of all rows, and of groups of them.

use std::borrow::Cow;

use housekey_core::{Error, Result};
use sea_query::{Alias, Expr, Func, Query as Build, SelectStatement};

use super::conditions::Comparison;
use super::{Query, iden};
use crate::{Driver, FromValue, Value};

/// What is made of the values of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Aggregate {
    Count,
    Sum,
    Avg,
    Min,
    Max,
}

impl Aggregate {
    fn of(self, column: Expr, driver: Driver) -> Expr {
        let function = match (self, driver) {
            (Self::Count, _) => Func::count(column),
            // SQLite would make rounded numbers of exact ones.
            (Self::Sum, Driver::Sqlite) => Func::cust(Alias::new("housekey_sum")).arg(column),
            (Self::Avg, Driver::Sqlite) => Func::cust(Alias::new("housekey_avg")).arg(column),
            (Self::Sum, _) => Func::sum(column),
            (Self::Avg, _) => Func::avg(column),
            (Self::Min, _) => Func::min(column),
            (Self::Max, _) => Func::max(column),
        };
        function.into()
    }
}

/// Something that is read under a name. It is built with the query: only then is it known which tables its names can mean.
#[derive(Clone)]
pub(super) enum Selected {
    Expression(Expr),
    Aggregate(Aggregate, Option<String>),
}

impl From<Expr> for Selected {
    fn from(expression: Expr) -> Self {
        Self::Expression(expression)
    }
}

impl Selected {
    pub(super) fn build<T>(&self, query: &Query<T>) -> Expr {
        match self {
            Self::Expression(expression) => expression.clone(),
            Self::Aggregate(_, None) => Expr::cust("COUNT(*)"),
            Self::Aggregate(Aggregate::Count, Some(column)) => {
                Aggregate::Count.of(query.column(column), query.db.driver())
            }
            Self::Aggregate(aggregate, Some(column)) => {
                let made = aggregate.of(query.column(column), query.db.driver());
                match query.db.driver() {
                    // What was made of exact numbers is text again, and is to be sorted as what it means.
                    Driver::Sqlite => Expr::cust_with_exprs("? COLLATE decimal", [made]),
                    Driver::Postgres | Driver::MySql => made,
                }
            }
        }
    }
}

impl<T> Query<T> {
    /// The sum of a column; 0 when there are no rows.
    ///
    /// ```
    /// use housekey_database::Decimal;
    /// # use housekey_database::{FromRow, Model};
    /// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "loans")]
    /// # struct Loan { id: i64, days: i64, fee: Decimal }
    ///
    /// # async fn example() -> housekey_core::Result<()> {
    /// let fees: Decimal = Loan::query()?.sum(Loan::fee).await?;
    /// let days: i64 = Loan::query()?.where_eq("reader", "Mary").sum(Loan::days).await?;
    /// # Ok(()) }
    /// ```
    ///
    /// Whole and exact numbers are added without rounding, on every engine.
    pub async fn sum<V: FromValue + Default>(&self, column: impl AsRef<str>) -> Result<V> {
        Ok(self.aggregate(Aggregate::Sum, column.as_ref()).await?.unwrap_or_default())
    }

    /// The mean of a column; `None` when there are no rows. Of whole numbers it is read as an `f64`, of exact ones as a
    /// [`Decimal`](crate::Decimal) with as many places as the engine gives.
    pub async fn avg<V: FromValue>(&self, column: impl AsRef<str>) -> Result<Option<V>> {
        self.aggregate(Aggregate::Avg, column.as_ref()).await
    }

    /// The smallest value of a column; `None` when there are no rows.
    pub async fn min<V: FromValue>(&self, column: impl AsRef<str>) -> Result<Option<V>> {
        self.aggregate(Aggregate::Min, column.as_ref()).await
    }

    /// The largest value of a column; `None` when there are no rows.
    pub async fn max<V: FromValue>(&self, column: impl AsRef<str>) -> Result<Option<V>> {
        self.aggregate(Aggregate::Max, column.as_ref()).await
    }

    async fn aggregate<V: FromValue>(&self, aggregate: Aggregate, column: &str) -> Result<Option<V>> {
        let statement = self.aggregate_statement(aggregate, column)?;
        let row = self.db.first(self.db.build(&statement)).await?;
        Ok(row.map(|row| row.get::<Option<V>>("made")).transpose()?.flatten())
    }

    fn aggregate_statement(&self, aggregate: Aggregate, column: &str) -> Result<SelectStatement> {
        if self.distinct || !self.groups.is_empty() {
            return Err(Error::internal(format!(
                "a query on `{}`: one number is made of all rows, and not of groups or of different ones; for groups say \
                 select_sum, select_avg, select_min or select_max",
                self.table
            )));
        }
        let mut inner = self.clone();
        inner.lock = None;
        if self.limit.is_none() && self.offset.is_none() {
            inner.columns.clear();
            inner.orders.clear();
            inner.expressions =
                vec![(Selected::Aggregate(aggregate, Some(column.to_owned())), "made".into())];
            return inner.select_statement();
        }
        // Of the rows that are left.
        inner.columns = vec![Cow::Owned(format!("{column} as value"))];
        inner.expressions.clear();
        Ok(Build::select()
            .expr_as(aggregate.of(Expr::col(iden("value")), self.db.driver()), iden("made"))
            .from_subquery(inner.select_statement()?, iden("chosen"))
            .take())
    }

    /// Reads how many rows a group has, under a name.
    pub fn select_count(self, name: impl Into<String>) -> Self {
        self.selected(Aggregate::Count, None, name.into())
    }

    /// Reads the sum of a column in a group, under a name.
    pub fn select_sum(self, column: impl AsRef<str>, name: impl Into<String>) -> Self {
        self.selected(Aggregate::Sum, Some(column.as_ref()), name.into())
    }

    /// Reads the mean of a column in a group, under a name.
    pub fn select_avg(self, column: impl AsRef<str>, name: impl Into<String>) -> Self {
        self.selected(Aggregate::Avg, Some(column.as_ref()), name.into())
    }

    /// Reads the smallest value of a column in a group, under a name.
    pub fn select_min(self, column: impl AsRef<str>, name: impl Into<String>) -> Self {
        self.selected(Aggregate::Min, Some(column.as_ref()), name.into())
    }

    /// Reads the largest value of a column in a group, under a name.
    pub fn select_max(self, column: impl AsRef<str>, name: impl Into<String>) -> Self {
        self.selected(Aggregate::Max, Some(column.as_ref()), name.into())
    }

    fn selected(mut self, aggregate: Aggregate, column: Option<&str>, name: String) -> Self {
        self.expressions.push((Selected::Aggregate(aggregate, column.map(str::to_owned)), name));
        self
    }

    /// Groups for which the comparison holds. The name is one that `select_count` and its like were given, or a column of
    /// [`Query::group_by`].
    ///
    /// ```
    /// # use housekey_database::{FromRow, Model};
    /// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "loans")]
    /// # struct Loan { id: i64, reader: String, days: i64 }
    /// #[derive(FromRow)]
    /// # #[row(crate = "housekey_database")]
    /// struct Reader {
    ///     reader: String,
    ///     loans: i64,
    ///     days: i64,
    /// }
    ///
    /// # async fn example() -> housekey_core::Result<()> {
    /// let busy = Loan::query()?
    ///     .group_by([Loan::reader])
    ///     .select([Loan::reader])
    ///     .select_count("loans")
    ///     .select_sum(Loan::days, "days")
    ///     .having("loans", ">", 3)
    ///     .order_by_desc("days")
    ///     .read_as::<Reader>()
    ///     .get()
    ///     .await?;
    /// # Ok(()) }
    /// ```
    pub fn having(mut self, name: impl AsRef<str>, operator: &str, value: impl Into<Value>) -> Self {
        match Comparison::parse(operator, value.into()) {
            Ok(comparison) => self.havings.push((name.as_ref().to_owned(), comparison)),
            Err(problem) => self.problem = self.problem.or(Some(problem)),
        }
        self
    }

    /// The conditions on groups.
    pub(super) fn having_conditions(&self) -> Result<Vec<Expr>> {
        if !self.havings.is_empty() && self.groups.is_empty() {
            return Err(Error::internal(format!(
                "a query on `{}`: `having` is about groups; say group_by, or where_ for single rows",
                self.table
            )));
        }
        Ok(self.havings.iter().map(|(name, comparison)| self.having_condition(name, comparison)).collect())
    }

    /// What has a name is written out: PostgreSQL does not know names of results here.
    fn having_condition(&self, name: &str, comparison: &Comparison) -> Expr {
        let driver = self.db.driver();
        let found = self.expressions.iter().find(|(_, given)| given == name).map(|(made, _)| made);
        match found {
            None => comparison.build(self.column(name), driver),
            Some(made @ Selected::Aggregate(_, Some(_))) if driver == Driver::Sqlite => {
                match comparison.with_numbers_as_text() {
                    // Without a column, SQLite does not know that a text is a number.
                    Some(comparison) => {
                        let text =
                            Expr::cust_with_exprs("CAST(? AS TEXT) COLLATE decimal", [made.build(self)]);
                        comparison.build(text, driver)
                    }
                    None => comparison.build(made.build(self), driver),
                }
            }
            Some(made) => comparison.build(made.build(self), driver),
        }
    }
}

impl Comparison {
    /// The same comparison of texts, if it is one of numbers.
    fn with_numbers_as_text(&self) -> Option<Self> {
        match self {
            Self::With(operator, value) => number_text(value).map(|text| Self::With(*operator, text)),
            _ => None,
        }
    }
}

fn number_text(value: &Value) -> Option<Value> {
    match value {
        Value::Int(number) => Some(Value::Text(number.to_string())),
        Value::Real(number) => Some(Value::Text(number.to_string())),
        Value::Decimal(number) => Some(Value::Text(number.normalize().to_string())),
        _ => None,
    }
}
