use std::sync::Arc;

use futures_util::TryStreamExt;
use sqlx::{AssertSqlSafe, Executor, IntoArguments, SqlSafeStr, SqlStr};

use super::{Engine, EngineRow};
use crate::Value;

/// SQL text with its values beside it, never inside.
#[derive(Clone, Debug)]
pub(crate) struct Statement {
    pub(crate) sql: Arc<str>,
    pub(crate) values: Vec<Value>,
    /// It changes nothing, and nobody wants more than its first row.
    pub(crate) reads_one: bool,
}

impl Statement {
    pub(crate) fn new(sql: impl Into<Arc<str>>, values: Vec<Value>) -> Self {
        Self { sql: sql.into(), values, reads_one: false }
    }

    /// The one place where text becomes something sqlx will run. What reaches it was written by the query and
    /// schema builders (which quote every name and bind every value), by the framework, or by a developer who
    /// called a function with `raw` in its name.
    fn text(&self, prefix: Option<&str>) -> SqlStr {
        let text = match prefix {
            Some(prefix) => format!("{prefix}{}", self.sql).into(),
            None => self.sql.clone(),
        };
        AssertSqlSafe(text).into_sql_str()
    }
}

impl<T: Into<Arc<str>>> From<T> for Statement {
    fn from(sql: T) -> Self {
        Self::new(sql, Vec::new())
    }
}

/// What a statement did.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Outcome {
    pub(crate) rows_affected: u64,
    /// The key that SQLite or MySQL gave to the (first) inserted row.
    pub(crate) last_insert_id: Option<i64>,
}

/// Every row, on a pool or a connection.
pub(super) async fn rows<'c, E, X>(executor: X, statement: Statement) -> Result<Vec<EngineRow>, sqlx::Error>
where
    E: Engine<Row: Into<EngineRow>, Arguments: IntoArguments<E>>,
    X: Executor<'c, Database = E>,
{
    let stops = statement.reads_one && E::MAY_STOP;
    let mut results = executor.fetch_many(prepare::<E>(statement)?);
    let (mut rows, mut done) = (Vec::new(), false);
    while let Some(result) = results.try_next().await? {
        done = result.is_left();
        rows.extend(result.right().map(Into::into));
        if stops && !rows.is_empty() {
            return Ok(rows);
        }
    }
    if E::SAYS_WHEN_DONE && !done { Err(sqlx::Error::WorkerCrashed) } else { Ok(rows) }
}

pub(super) async fn execute<'c, E, X>(executor: X, statement: Statement) -> Result<Outcome, sqlx::Error>
where
    E: Engine<Arguments: IntoArguments<E>>,
    X: Executor<'c, Database = E>,
{
    Ok(E::outcome(&prepare::<E>(statement)?.execute(executor).await?))
}

/// Runs text as it is, several statements if it holds several, without preparing.
pub(super) async fn batch<'c, E, X>(executor: X, sql: &str) -> Result<(), sqlx::Error>
where
    E: Engine,
    X: Executor<'c, Database = E>,
{
    sqlx::raw_sql(Statement::from(sql).text(None)).execute(executor).await.map(drop)
}

fn prepare<E: Engine>(
    statement: Statement,
) -> Result<sqlx::query::Query<'static, E, E::Arguments>, sqlx::Error>
where
    E::Arguments: IntoArguments<E>,
{
    let text = statement.text(E::prefix(&statement.sql));
    let keeps = E::keeps_prepared(&statement.sql, &statement.values);
    let arguments = E::bind(statement.values).map_err(sqlx::Error::Encode)?;
    Ok(sqlx::query_with(text, arguments).persistent(keeps))
}
