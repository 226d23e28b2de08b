//! What PostgreSQL and MySQL share: both are reached through sqlx.

use std::sync::Arc;

use futures_util::TryStreamExt;
use sqlx::{AssertSqlSafe, Executor, IntoArguments, SqlSafeStr, SqlStr};
use sqlx_core::transaction::TransactionManager;

use super::{EngineRow, Outcome, Statement};
use crate::Value;

/// What an engine behind sqlx has to bring.
pub(crate) trait Engine: sqlx::Database + sqlx::database::HasStatementCache {
    /// Whether a connection can be read on from when somebody stopped waiting in the middle of a statement.
    const SURVIVES_CANCELLATION: bool;

    /// Hands values to the engine in the form its columns take.
    fn bind(values: Vec<Value>) -> Result<Self::Arguments, sqlx::error::BoxDynError>;

    /// Reads a column, whatever its type.
    fn read(row: &Self::Row, index: usize) -> Result<Value, sqlx::error::BoxDynError>;

    /// How many rows a statement touched, and the key the engine gave to an inserted one.
    fn outcome(result: &Self::QueryResult) -> Outcome;

    /// What to add to the text of a statement, so that it is kept apart from one with values of other types.
    fn mark(_values: &[Value]) -> Option<String> {
        None
    }

    /// Whether the statement may be kept prepared for the next one with the same text.
    fn keeps_prepared(_values: &[Value]) -> bool {
        true
    }
}

pub(super) fn read<R>(row: &R, index: usize) -> Result<Value, sqlx::error::BoxDynError>
where
    R: sqlx::Row,
    R::Database: Engine<Row = R>,
{
    <R::Database as Engine>::read(row, index)
}

pub(super) async fn rows<'c, E, X>(executor: X, statement: Statement) -> Result<Vec<EngineRow>, sqlx::Error>
where
    E: Engine<Row: Into<EngineRow>, Arguments: IntoArguments<E>>,
    X: Executor<'c, Database = E>,
{
    prepare::<E>(statement)?.fetch(executor).map_ok(Into::into).try_collect().await
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
    sqlx::raw_sql(text(&Arc::from(sql))).execute(executor).await.map(drop)
}

fn prepare<E: Engine>(
    statement: Statement,
) -> Result<sqlx::query::Query<'static, E, E::Arguments>, sqlx::Error>
where
    E::Arguments: IntoArguments<E>,
{
    let text = match E::mark(&statement.values) {
        Some(mark) => text(&format!("{} {mark}", statement.sql).into()),
        None => text(&statement.sql),
    };
    let keeps = E::keeps_prepared(&statement.values);
    let arguments = E::bind(statement.values).map_err(sqlx::Error::Encode)?;
    Ok(sqlx::query_with(text, arguments).persistent(keeps))
}

/// The one place where text becomes something sqlx will run. What reaches it was written by the query and
/// schema builders (which quote every name and bind every value), by the framework, or by a developer who
/// called a function with `raw` in its name.
fn text(sql: &Arc<str>) -> SqlStr {
    AssertSqlSafe(Arc::clone(sql)).into_sql_str()
}

pub(super) async fn begin<D: sqlx::Database>(connection: &mut D::Connection) -> Result<(), sqlx::Error> {
    D::TransactionManager::begin(connection, None).await
}

pub(super) async fn commit<D: sqlx::Database>(connection: &mut D::Connection) -> Result<(), sqlx::Error> {
    D::TransactionManager::commit(connection).await
}

pub(super) async fn roll_back<D: sqlx::Database>(connection: &mut D::Connection) -> Result<(), sqlx::Error> {
    D::TransactionManager::rollback(connection).await
}

pub(super) fn start_roll_back<D: sqlx::Database>(connection: &mut D::Connection) {
    D::TransactionManager::start_rollback(connection);
}
