//! Conditions that ask another query.

use housekey_core::Result;
use sea_query::{Expr, ExprTrait, Order, Query as Build, SelectStatement};

use super::conditions::{OPERATORS, operators};
use super::{Query, column, iden, split_alias};
use crate::Driver;

impl<T> Query<T> {
    /// Rows where the column has one of the values that another query reads. That one selects a single column:
    ///
    /// ```
    /// # use housekey_database::{FromRow, Model};
    /// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "books")]
    /// # struct Book { id: i64, author_id: i64 }
    /// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "authors")]
    /// # struct Author { id: i64, country: String }
    /// # async fn example() -> housekey_core::Result<()> {
    /// let finns = Author::query()?.where_eq(Author::country, "fi").select([Author::id]);
    /// let books = Book::query()?.where_in_query(Book::author_id, finns).get().await?;
    /// # Ok(()) }
    /// ```
    pub fn where_in_query<U>(self, name: impl AsRef<str>, query: Query<U>) -> Self {
        match query.one_column() {
            Ok(found) => {
                let name = self.sub_select_column(name.as_ref());
                self.where_expr(name.in_subquery(found))
            }
            Err(problem) => self.failing(problem),
        }
    }

    /// Rows where the column has none of the values that another query reads. Empty ones among them do not count.
    pub fn where_not_in_query<U>(self, name: impl AsRef<str>, query: Query<U>) -> Self {
        // One NULL among the values, and SQL would say of no row that it is not in the list.
        let query = match query.columns.first().map(|name| split_alias(name).0.to_owned()) {
            Some(name) => query.where_not_null(name),
            None => query,
        };
        match query.one_column() {
            Ok(found) => {
                let name = self.sub_select_column(name.as_ref());
                self.where_expr(name.not_in_subquery(found))
            }
            Err(problem) => self.failing(problem),
        }
    }

    /// Rows where the column compares so with the one value that another query reads: `=`, `!=`, `<`, `<=`, `>`, `>=`.
    ///
    /// ```
    /// # use housekey_database::{FromRow, Model};
    /// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "books")]
    /// # struct Book { id: i64, pages: i64 }
    /// # async fn example() -> housekey_core::Result<()> {
    /// let mean = Book::query()?.select_avg(Book::pages, "mean");
    /// let long = Book::query()?.where_query(Book::pages, ">", mean).get().await?;
    /// # Ok(()) }
    /// ```
    pub fn where_query<U>(self, name: impl AsRef<str>, operator: &str, query: Query<U>) -> Self {
        let Some((_, known)) = OPERATORS.into_iter().find(|(known, _)| *known == operator) else {
            return self
                .failing(format!("there is no comparison `{operator}` with a query; use {}", operators()));
        };
        match query.one_column() {
            Ok(found) => {
                let name = self.sub_select_column(name.as_ref());
                self.where_expr(name.binary(known, Expr::SubQuery(None, Box::new(found.into()))))
            }
            Err(problem) => self.failing(problem),
        }
    }

    /// Rows for which another query finds something. It names columns of this one with their table:
    ///
    /// ```
    /// # use housekey_database::{FromRow, Model};
    /// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "books")]
    /// # struct Book { id: i64 }
    /// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "loans")]
    /// # struct Loan { id: i64, book_id: i64, days: i64 }
    /// # async fn example() -> housekey_core::Result<()> {
    /// let long = Loan::query()?.where_column(Loan::book_id, Book::id).where_(Loan::days, ">", 28);
    /// let books = Book::query()?.where_exists(long).get().await?;
    /// # Ok(()) }
    /// ```
    ///
    /// Of models with relations, [`where_has`](Query::where_has) says the same in fewer words.
    pub fn where_exists<U>(self, query: Query<U>) -> Self {
        match query.anything() {
            Ok(found) => self.where_expr(Expr::exists(found)),
            Err(problem) => self.failing(problem),
        }
    }

    /// Rows for which another query finds nothing.
    pub fn where_not_exists<U>(self, query: Query<U>) -> Self {
        match query.anything() {
            Ok(found) => self.where_expr(Expr::exists(found).not()),
            Err(problem) => self.failing(problem),
        }
    }

    /// One expression of the rows, to look for something in.
    pub(crate) fn sub_select(&self, expression: Expr) -> Result<SelectStatement> {
        let mut query = self.clone();
        query.columns.clear();
        query.orders.clear();
        query.groups.clear();
        query.lock = None;
        query.expressions = vec![(expression.into(), "found".into())];
        query.select_statement()
    }

    /// Of the rows with the same value in one column of this table, the greatest in another: a key, to look for it.
    pub(crate) fn greatest_for_each(&self, greatest: &str, same: &str) -> Result<SelectStatement> {
        let greatest = self.own_column_expr(greatest);
        let same = same.rsplit_once('.').map_or(same, |(_, name)| name);
        let group = (iden(self.own_name()), iden(same));
        if self.db.driver() != Driver::Postgres {
            return Ok(self.sub_select(greatest.max())?.add_group_by([Expr::col(group)]).take());
        }
        // MAX knows neither UUIDs nor bytes before PostgreSQL 18. What can be a key can be sorted.
        let mut found = self.sub_select(greatest.clone())?;
        found.distinct_on([group.clone()]).order_by_expr(Expr::col(group), Order::Asc);
        Ok(found.order_by_expr(greatest, Order::Desc).take())
    }

    /// A bare name is this table's own: inside of the other query it could be another one.
    fn sub_select_column(&self, name: &str) -> Expr {
        if name.contains('.') { column(name) } else { self.own_column_expr(name) }
    }

    /// The query as a list of values, or what is wrong with it.
    fn one_column(self) -> Result<SelectStatement, String> {
        if self.columns.len() + self.expressions.len() != 1
            || self.columns.iter().any(|name| name.ends_with('*'))
        {
            return Err(format!(
                "the query on `{}` in a condition has to read one column: say which with select([…])",
                self.table
            ));
        }
        let found = self.select_statement().map_err(|error| error.to_string())?;
        // MySQL has no LIMIT in such a place, but one query further inside.
        if self.db.driver() == Driver::MySql && (self.limit.is_some() || self.offset.is_some()) {
            let star = Expr::col(sea_query::Asterisk);
            return Ok(Build::select().expr(star).from_subquery(found, iden("chosen")).take());
        }
        Ok(found)
    }

    fn anything(mut self) -> Result<SelectStatement, String> {
        self.orders.clear();
        self.lock = None;
        if self.groups.is_empty() {
            self.columns.clear();
            self.expressions = vec![(Expr::val(1_i64).into(), "found".into())];
        }
        self.select_statement().map_err(|error| error.to_string())
    }
}
