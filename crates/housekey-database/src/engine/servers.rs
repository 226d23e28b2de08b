//! What PostgreSQL and MySQL share: both are reached through sqlx.

use std::sync::Arc;
use std::time::Duration;

use futures_util::TryStreamExt;
use sqlx::pool::{PoolConnection, PoolOptions};
use sqlx::{AssertSqlSafe, ConnectOptions, Connection, Executor, IntoArguments, SqlSafeStr, SqlStr};
use sqlx_core::transaction::TransactionManager;

use super::pool_history::PoolHistory;
use super::{EngineRow, Outcome, Statement};
use crate::{ConnectionConfig, Value};

/// How long a connection may have been idle before it is asked whether it still lives. Asking costs a round trip.
const TRUSTED_IDLE: Duration = Duration::from_secs(1);

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

/// Every row.
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

pub(super) async fn begin<D: sqlx::Database>(connection: &mut PoolConnection<D>) -> Result<(), sqlx::Error> {
    D::TransactionManager::begin(connection, None).await
}

pub(super) async fn commit<D: sqlx::Database>(connection: &mut PoolConnection<D>) -> Result<(), sqlx::Error> {
    D::TransactionManager::commit(connection).await
}

pub(super) async fn roll_back<D: sqlx::Database>(
    connection: &mut PoolConnection<D>,
) -> Result<(), sqlx::Error> {
    D::TransactionManager::rollback(connection).await
}

pub(super) fn start_roll_back<D: sqlx::Database>(connection: &mut PoolConnection<D>) {
    D::TransactionManager::start_rollback(connection);
}

pub(super) fn pool_options<D: sqlx::Database>(config: &ConnectionConfig) -> PoolOptions<D> {
    let seconds = |seconds: u64| (seconds > 0).then(|| Duration::from_secs(seconds));
    PoolOptions::new()
        .max_connections(config.pool.max.max(1))
        .min_connections(config.pool.min.min(config.pool.max))
        .acquire_timeout(Duration::from_secs(config.pool.acquire_timeout.max(1)))
        .idle_timeout(seconds(config.pool.idle_timeout))
        .max_lifetime(seconds(config.pool.max_lifetime))
}

/// Connects once, beside the pool.
pub(super) async fn try_to_connect<D: sqlx::Database>(pool: &sqlx::Pool<D>) -> Result<(), sqlx::Error> {
    pool.connect_options().connect().await?.close().await
}

/// Pings a connection before it is used only where there is doubt: it was idle for a while, or it has not been used
/// since another one broke. So a restarted server costs the request it interrupts, and not the next ones.
///
/// A connection that is older than the last change of the schema is given up: it keeps prepared statements that no
/// longer fit their tables.
pub(super) fn checked<D: sqlx::Database>(
    options: PoolOptions<D>,
    pool_history: &PoolHistory,
) -> PoolOptions<D> {
    let PoolHistory { broken, changed } = pool_history.clone();
    options.test_before_acquire(false).before_acquire(move |connection, meta| {
        let outdated = changed.since().is_some_and(|ago| meta.age >= ago);
        let trusted = broken.since().map_or(TRUSTED_IDLE, |ago| ago.min(TRUSTED_IDLE));
        let doubtful = meta.idle_for >= trusted;
        Box::pin(async move {
            if doubtful && !outdated {
                connection.ping().await?;
            }
            Ok(!outdated)
        })
    })
}
