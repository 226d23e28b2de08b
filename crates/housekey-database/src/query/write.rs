use housekey_core::{Error, Result};
use sea_query::{Expr, ExprTrait, Func, InsertStatement, OnConflict, Query as Build};

use super::{Query, column, iden, table};
use crate::engine::Outcome;
use crate::{DatabaseError, Driver, FromRow, Record, Value};

/// All engines take at least this many values in one statement.
const MOST_VALUES: usize = 30_000;

impl<T> Query<T> {
    /// Adds a row. Answers with the key that the engine gave it, where the table has such a key and the engine says it
    /// (SQLite and MySQL; ask for it with [`Query::insert_returning`] on any engine).
    pub async fn insert(&self, record: Record) -> Result<Option<i64>> {
        let outcome = self.insert_statement(vec![record], None).await?;
        Ok(outcome.last_insert_id)
    }

    /// Adds many rows, all of them or none. They must have the same columns.
    pub async fn insert_many(&self, records: impl IntoIterator<Item = Record>) -> Result<u64> {
        self.insert_in_pieces(records.into_iter().collect(), None).await
    }

    /// Adds a row and reads it back, with what the engine filled in. `key` is the column that tells rows apart.
    pub async fn insert_returning<U: FromRow>(&self, record: Record, key: &str) -> Result<U> {
        let row = if self.db.driver() == Driver::MySql {
            // No RETURNING here: read it again by its key, given or made.
            let given = record.get(key).filter(|value| !value.is_null()).cloned();
            let made = self.insert(record).await?;
            let key_value = given.or(made.map(Value::Int)).unwrap_or_default();
            let query = Query::<U>::new(self.db.clone(), self.table.clone()).where_eq(key, key_value);
            query.first().await?
        } else {
            let mut insert = self.inserting(vec![record])?;
            if U::COLUMNS.is_empty() {
                insert.returning_all();
            } else {
                insert.returning(Build::returning().columns(U::COLUMNS.iter().map(|name| iden(name))));
            }
            self.db.rows(self.db.build(&insert)).await?.first().map(U::from_row).transpose()?
        };
        row.ok_or_else(|| {
            Error::internal(format!("the row just added to `{}` cannot be found by `{key}`", self.table))
        })
    }

    /// Adds a row unless a unique column has its value already. Answers whether it was added.
    pub async fn insert_or_ignore(&self, record: Record) -> Result<bool> {
        if self.db.driver() == Driver::MySql {
            // IGNORE would swallow every other error as well, and a change that changes nothing is reported as one row
            // (we ask for the rows that matched). A refused row leaves the transaction it was for as it was.
            return match self.insert(record).await {
                Err(error) if DatabaseError::of(&error).is_some_and(DatabaseError::is_unique_violation) => {
                    Ok(false)
                }
                outcome => outcome.map(|_| true),
            };
        }
        let mut conflict = OnConflict::new();
        conflict.do_nothing();
        let outcome = self.insert_statement(vec![record], Some(conflict)).await?;
        Ok(outcome.rows_affected == 1)
    }

    /// Adds rows; where a row with the same `unique` columns exists, sets its `update` columns instead. There must be a
    /// unique index over exactly the `unique` columns (MySQL looks at every unique index of the table).
    pub async fn upsert(
        &self,
        records: impl IntoIterator<Item = Record>,
        unique: &[&str],
        update: &[&str],
    ) -> Result<()> {
        self.check_upsert(unique, update)?;
        let mut conflict = OnConflict::columns(unique.iter().map(|name| iden(name)));
        conflict.update_columns(update.iter().map(|name| iden(name)));
        self.insert_in_pieces(records.into_iter().collect(), Some(conflict)).await.map(drop)
    }

    /// Sets columns of every row that was asked for, and says how many rows that were.
    pub async fn update(&self, record: Record) -> Result<u64> {
        let set = self.kept(record)?.into_pairs().map(|(name, value)| (name.into_owned(), value.into_expr()));
        self.update_with(set.collect()).await
    }

    pub async fn increment(&self, name: &str, by: i64) -> Result<u64> {
        self.update_with(vec![(name.to_owned(), column(name).add(Value::Int(by).into_expr()))]).await
    }

    pub async fn decrement(&self, name: &str, by: i64) -> Result<u64> {
        self.increment(name, by.saturating_neg()).await
    }

    /// Adds to numbers and sets other columns, in one statement. An empty number counts as 0.
    pub async fn update_adding<N: Into<String>>(
        &self,
        record: Record,
        add: impl IntoIterator<Item = (N, i64)>,
    ) -> Result<u64> {
        let adding = add.into_iter().map(|(name, by)| {
            let name = name.into();
            let before = Func::coalesce([column(&name), Value::Int(0).into_expr()]);
            let sum = Expr::from(before).add(Value::Int(by).into_expr());
            (name, sum)
        });
        let mut set: Vec<_> = adding.collect();
        let others = self.kept(record)?.into_pairs();
        set.extend(others.map(|(name, value)| (name.into_owned(), value.into_expr())));
        self.update_with(set).await
    }

    /// Sets columns to expressions made with [`sql`](crate::sql).
    pub async fn update_with(&self, set: Vec<(String, Expr)>) -> Result<u64> {
        self.check_plain("update")?;
        self.check_set(set.iter().map(|(name, _)| name.as_str()))?;
        if set.is_empty() {
            return Ok(0);
        }
        let mut update = Build::update();
        update.table(table(&self.table));
        update.values(set.into_iter().map(|(name, value)| (iden(&name), value)));
        if let Some(condition) = self.condition() {
            update.cond_where(condition);
        }
        Ok(self.db.execute(self.db.build(&update)).await?.rows_affected)
    }

    /// Removes every row that was asked for, and says how many that were. Rows of a model with `soft_deletes` stay and say
    /// since when they are gone; [`Query::force_delete`] removes those.
    pub async fn delete(&self) -> Result<u64> {
        match self.delete_softly().await {
            Some(outcome) => outcome,
            None => self.remove_rows().await,
        }
    }

    pub(super) async fn remove_rows(&self) -> Result<u64> {
        self.check_plain("delete")?;
        let mut delete = Build::delete();
        delete.from_table(table(&self.table));
        if let Some(condition) = self.condition() {
            delete.cond_where(condition);
        }
        Ok(self.db.execute(self.db.build(&delete)).await?.rows_affected)
    }

    async fn insert_in_pieces(&self, records: Vec<Record>, conflict: Option<OnConflict>) -> Result<u64> {
        // The query for the pieces is a new one, which knows nothing of what was wrong with this.
        self.check()?;
        let Some(first) = records.first() else { return Ok(0) };
        let most = (MOST_VALUES / first.len().max(1)).max(1);
        if records.len() <= most {
            return Ok(self.insert_statement(records, conflict).await?.rows_affected);
        }
        self.db
            .transaction(async |tx| {
                let inside = Self { bounds: self.bounds.clone(), ..Self::new(tx, self.table.clone()) };
                let mut count = 0;
                let mut records = records.into_iter().peekable();
                while records.peek().is_some() {
                    let piece = records.by_ref().take(most).collect();
                    count += inside.insert_statement(piece, conflict.clone()).await?.rows_affected;
                }
                Ok(count)
            })
            .await
    }

    async fn insert_statement(&self, records: Vec<Record>, conflict: Option<OnConflict>) -> Result<Outcome> {
        let mut insert = self.inserting(records)?;
        if let Some(conflict) = conflict {
            insert.on_conflict(conflict);
        }
        self.db.execute(self.db.build(&insert)).await
    }

    fn inserting(&self, records: Vec<Record>) -> Result<InsertStatement> {
        self.check()?;
        let records = records.into_iter().map(|record| self.owned(record)).collect::<Result<Vec<_>>>()?;
        let mut insert = Build::insert();
        insert.into_table(table(&self.table));
        let columns: Vec<String> =
            records.first().map_or_else(Vec::new, |first| first.columns().map(str::to_owned).collect());
        if columns.is_empty() {
            insert.or_default_values();
            return Ok(insert);
        }
        insert.columns(columns.iter().map(|name| iden(name)));
        for mut record in records {
            let differs = || {
                Error::internal(format!(
                    "the records for `{}` do not have the same columns; the first one has {}",
                    self.table,
                    columns.join(", ")
                ))
            };
            if record.len() != columns.len() {
                return Err(differs());
            }
            let mut values = Vec::with_capacity(columns.len());
            for name in &columns {
                values.push(record.remove(name).ok_or_else(differs)?.into_expr());
            }
            insert.values(values)?;
        }
        Ok(insert)
    }

    /// Joins, order and limits in a change are not the same thing on all engines.
    fn check_plain(&self, what: &str) -> Result<()> {
        self.check()?;
        if self.joins.is_empty() && self.limit.is_none() && self.offset.is_none() {
            return Ok(());
        }
        Err(Error::internal(format!(
            "{what} on `{}` takes conditions, but no join, limit or offset: choose the rows with where_in",
            self.table
        )))
    }
}
