use std::borrow::Cow;

use housekey_core::{Error, Result};
use sea_query::{Expr, LockBehavior, LockType, Order, Query as Build, SelectStatement};

use super::{Lock, Page, Query, column, iden, split_alias, table};
use crate::engine::Statement;
use crate::{Driver, FromRow, FromValue, Row};

/// A query of a table: what its rows are read as is said at the end.
impl Query {
    pub async fn get<U: FromRow>(&self) -> Result<Vec<U>> {
        self.retyped::<U>().get().await
    }

    /// The first row, if there is one.
    pub async fn first<U: FromRow>(&self) -> Result<Option<U>> {
        self.retyped::<U>().first().await
    }

    pub async fn first_or_404<U: FromRow>(&self) -> Result<U> {
        self.retyped::<U>().first_or_404().await
    }

    /// One page of the rows, counted from 1, with the number of all rows.
    ///
    /// Sort by something unique (at last), or a row can show up on two pages.
    pub async fn paginate<U: FromRow>(&self, page: u64, per_page: u64) -> Result<Page<U>> {
        self.retyped::<U>().paginate(page, per_page).await
    }
}

/// A query that knows what its rows are: a model's, or after [`Query::read_as`].
impl<T: FromRow> Query<T> {
    pub async fn get(&self) -> Result<Vec<T>> {
        let rows = self.reading().rows().await?;
        self.loaded(rows.iter().map(T::from_row).collect::<Result<_>>()?).await
    }

    /// The first row, if there is one.
    pub async fn first(&self) -> Result<Option<T>> {
        let row = self.db.first(self.reading().limit(1).statement()?).await?;
        let row = row.as_ref().map(T::from_row).transpose()?;
        Ok(self.loaded(row.into_iter().collect()).await?.pop())
    }

    pub async fn first_or_404(&self) -> Result<T> {
        self.first().await?.ok_or_else(Error::not_found)
    }

    /// One page of the rows, counted from 1, with the number of all rows.
    ///
    /// Sort by something unique (at last), or a row can show up on two pages.
    pub async fn paginate(&self, page: u64, per_page: u64) -> Result<Page<T>> {
        let (page, per_page) = (page.max(1), per_page.max(1));
        // What is read decides how many rows differ.
        let query = self.reading();
        let total = query.count().await?;
        let start = (page - 1).saturating_mul(per_page);
        let items = if start < total { query.limit(per_page).offset(start).get().await? } else { Vec::new() };
        Ok(Page { items, page, per_page, total })
    }

    /// The rows with what is to be loaded for them.
    pub(crate) async fn loaded(&self, rows: Vec<T>) -> Result<Vec<T>> {
        match &self.load {
            Some(load) if !rows.is_empty() => load.load_all(rows).await,
            _ => Ok(rows),
        }
    }

    /// Names the columns of `T` where nothing else was asked for: a star would bring what nobody reads. In a model's
    /// joined query they are columns of its own table; in another joined query only its author knows whose they are.
    pub(super) fn reading(&self) -> Self {
        let mut query = self.clone();
        if !query.columns.is_empty() || !query.expressions.is_empty() {
            return query;
        }
        if query.joins.is_empty() {
            query.columns.extend(T::COLUMNS.iter().copied().map(Cow::Borrowed));
        } else if query.model.is_some() {
            let own = query.own_name().to_owned();
            query.columns.extend(T::COLUMNS.iter().map(|name| Cow::Owned(format!("{own}.{name}"))));
        }
        query
    }
}

impl<T> Query<T> {
    /// Every row, unread.
    pub async fn rows(&self) -> Result<Vec<Row>> {
        self.db.rows(self.statement()?).await
    }

    /// One column of every row.
    pub async fn pluck<V: FromValue>(&self, name: impl AsRef<str>) -> Result<Vec<V>> {
        let rows = self.only(name.as_ref()).rows().await?;
        rows.iter().map(|row| row.at(0)).collect()
    }

    /// One column of the first row.
    pub async fn value<V: FromValue>(&self, name: impl AsRef<str>) -> Result<Option<V>> {
        let row = self.db.first(self.only(name.as_ref()).limit(1).statement()?).await?;
        row.map(|row| row.at(0)).transpose()
    }

    pub async fn exists(&self) -> Result<bool> {
        let mut query = self.clone().limit(1);
        query.orders.clear();
        // Conditions on groups may be about what is read.
        if query.havings.is_empty() {
            query.columns.clear();
            query.expressions = vec![(Expr::val(1_i64).into(), "found".into())];
        }
        Ok(self.db.first(query.statement()?).await?.is_some())
    }

    pub async fn count(&self) -> Result<u64> {
        let mut inner = self.clone();
        inner.orders.clear();
        inner.lock = None;
        let statement =
            if self.groups.is_empty() && !self.distinct && self.limit.is_none() && self.offset.is_none() {
                inner.columns.clear();
                inner.expressions = vec![(Expr::cust("COUNT(*)").into(), "count".into())];
                inner.select_statement()?
            } else {
                // Groups and cut results are counted as the rows they are.
                Build::select()
                    .expr_as(Expr::cust("COUNT(*)"), iden("count"))
                    .from_subquery(inner.select_statement()?, iden("counted"))
                    .take()
            };
        let row = self.db.first(self.db.build(&statement)).await?;
        row.map_or(Ok(0), |row| row.get("count"))
    }

    /// What is read when no column was asked for.
    fn everything(&self) -> Vec<Expr> {
        let own = |name: &str| column(&format!("{}.{name}", self.own_name()));
        match self.joined_model() {
            Some([]) => vec![own("*")],
            Some(columns) => columns.iter().map(|name| own(name)).collect(),
            None => vec![column("*")],
        }
    }

    fn only(&self, name: &str) -> Self {
        let mut query = self.clone();
        query.columns = vec![Cow::Owned(name.to_owned())];
        query.expressions.clear();
        query
    }

    pub(super) fn statement(&self) -> Result<Statement> {
        Ok(self.db.build(&self.select_statement()?))
    }

    pub(crate) fn select_statement(&self) -> Result<SelectStatement> {
        self.check()?;
        let mut select = Build::select();
        select.from(table(&self.table));
        for name in &self.columns {
            match split_alias(name) {
                (name, Some(alias)) => select.expr_as(self.column(name), iden(alias)),
                (name, None) => select.expr(self.column(name)),
            };
        }
        for (expression, name) in &self.expressions {
            select.expr_as(expression.build(self), iden(name));
        }
        if self.columns.is_empty() && self.expressions.is_empty() {
            select.exprs(self.everything());
        }
        if self.distinct {
            select.distinct();
        }
        for (kind, joined, left, right) in &self.joins {
            select.join(*kind, table(joined), self.equal(left, right));
        }
        if let Some(condition) = self.condition() {
            select.cond_where(condition);
        }
        for name in &self.groups {
            select.add_group_by([self.result_column(name)]);
        }
        for condition in self.having_conditions()? {
            select.and_having(condition);
        }
        for (name, descending) in &self.orders {
            select
                .order_by_expr(self.result_column(name), if *descending { Order::Desc } else { Order::Asc });
        }
        if let Some(limit) = self.limit_said() {
            select.limit(limit);
        }
        if let Some(offset) = self.offset {
            select.offset(offset);
        }
        match self.lock {
            Some(Lock::Wait) => {
                select.lock(LockType::Update);
            }
            Some(Lock::SkipLocked) => {
                select.lock_with_behavior(LockType::Update, LockBehavior::SkipLocked);
            }
            None => {}
        }
        Ok(select)
    }

    /// SQLite and MySQL know OFFSET only behind a LIMIT.
    fn limit_said(&self) -> Option<u64> {
        let needed = self.offset.is_some() && self.db.driver() != Driver::Postgres;
        self.limit.or(needed.then_some(i64::MAX.unsigned_abs()))
    }
}
