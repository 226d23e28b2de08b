//! How a statement gets to its engine and what becomes of it: the pool or the transaction it runs on, the log of slow ones,
//! the explanation of failed ones.

use std::time::{Duration, Instant};

use housekey_core::{Error, Result};
use tokio::sync::OwnedSemaphorePermit;

use crate::database::Inner;
#[cfg(feature = "sqlite")]
use crate::engine::sqlite::SqlitePool;
use crate::engine::{DetachedConnection, EngineRow, Outcome, Pool, Statement};
use crate::error::{DatabaseError, Kind};
use crate::{Database, Driver, Row};

impl Database {
    pub(crate) async fn rows(&self, statement: Statement) -> Result<Vec<Row>> {
        let again = self.to_repeat(&statement);
        let rows = match (self.rows_once(statement).await, again) {
            (Err(error), Some(statement)) if is_outdated(&error) => {
                Box::pin(self.rows_once(statement)).await
            }
            (outcome, _) => outcome,
        }?;
        Ok(rows.into_iter().map(Row).collect())
    }

    async fn rows_once(&self, statement: Statement) -> Result<Vec<EngineRow>> {
        let sql = statement.sql.clone();
        self.inner.query_logs.write(&sql);
        let started = Instant::now();
        let outcome = match &self.level {
            Some(level) => level.connection().await?.rows(statement).await,
            None => {
                let _turn = self.turn_for(&statement).await?;
                self.pool()?.rows(statement).await
            }
        };
        self.log_and_explain(&sql, started, outcome).await
    }

    /// The first row of a statement that only reads.
    pub(crate) async fn first(&self, statement: Statement) -> Result<Option<Row>> {
        Ok(self.rows(statement).await?.into_iter().next())
    }

    pub(crate) async fn execute(&self, statement: Statement) -> Result<Outcome> {
        let sql = statement.sql.clone();
        self.inner.query_logs.write(&sql);
        let started = Instant::now();
        let outcome = match &self.level {
            Some(level) => level.connection().await?.execute(statement).await,
            None => {
                let _turn = self.turn_for(&statement).await?;
                self.pool()?.execute(statement).await
            }
        };
        self.log_and_explain(&sql, started, outcome).await
    }

    /// PostgreSQL refuses a prepared statement whose result would no longer look as it did, say after another process
    /// migrated. Nothing has happened then, and on a fresh connection the statement works; in a transaction there is
    /// no other connection.
    fn to_repeat(&self, statement: &Statement) -> Option<Statement> {
        (self.driver() == Driver::Postgres && self.level.is_none()).then(|| statement.clone())
    }

    /// The pool, made on first use: it needs the runtime that the first use runs on.
    pub(crate) fn pool(&self) -> Result<&Pool> {
        if let Some(pool) = self.inner.pool.get() {
            return Ok(pool);
        }
        if let Some(work) = &self.inner.config.before_first_use {
            work.run()?;
        }
        let pool = self.make_pool().map_err(|error| self.inner.target.explain(&error))?;
        Ok(self.inner.pool.get_or_init(|| pool))
    }

    fn make_pool(&self) -> Result<Pool, sqlx::Error> {
        let Inner { config, paths, pool_history, .. } = &*self.inner;
        // Each engine needs some of these.
        let _ = (paths, pool_history);
        match config.driver {
            #[cfg(feature = "sqlite")]
            Driver::Sqlite => Ok(Pool::Sqlite(SqlitePool::new(config, paths))),
            #[cfg(feature = "postgres")]
            Driver::Postgres => Pool::postgres(config, pool_history),
            #[cfg(feature = "mysql")]
            Driver::MySql => Pool::mysql(config, pool_history),
            #[allow(unreachable_patterns, reason = "unreachable when every engine is compiled")]
            // `open` has refused it.
            driver => Err(sqlx::Error::InvalidArgument(format!("{driver} is not compiled in"))),
        }
    }

    /// A connection for settings and locks that nobody else may see. It ends when dropped.
    pub(crate) async fn detached_connection(&self) -> Result<DetachedConnection> {
        let acquired = self.pool()?.acquire().await;
        Ok(self.log_and_explain("connect", Instant::now(), acquired).await?.detach())
    }

    /// Logs what was slow and explains what failed.
    pub(crate) async fn log_and_explain<T>(
        &self,
        sql: &str,
        started: Instant,
        outcome: Result<T, sqlx::Error>,
    ) -> Result<T> {
        let took = started.elapsed();
        let outcome = match outcome {
            Ok(value) => Ok(value),
            // Boxed: what goes well would carry the room for finding out what went wrong.
            Err(error) => Err(Box::pin(self.explain(&error)).await),
        };
        // What never got to the database was not slow: its time went by waiting for a connection.
        let has_run = !outcome.as_ref().is_err_and(DatabaseError::is_without_connection);
        if has_run && self.inner.slow.is_some_and(|slow| took >= slow) {
            tracing::warn!(
                target: "housekey::database",
                connection = self.name(),
                ms = u64::try_from(took.as_millis()).unwrap_or(u64::MAX),
                sql,
                "slow query"
            );
        }
        outcome.map_err(|error| error.with_sql(sql).into())
    }

    pub(crate) async fn explain(&self, error: &sqlx::Error) -> DatabaseError {
        let target = &self.inner.target;
        if let (sqlx::Error::PoolTimedOut, Some(pool)) = (error, self.inner.pool.get())
            && let Some(cause) = pool.diagnose().await
        {
            self.inner.pool_history.broken.mark();
            return target.explain(&cause);
        }
        let explained = target.explain(error);
        if explained.is_unreachable() {
            self.inner.pool_history.broken.mark();
        }
        if explained.is_outdated() {
            self.schema_changed();
        }
        explained
    }

    async fn turn_for(&self, statement: &Statement) -> Result<Option<OwnedSemaphorePermit>> {
        if self.driver() == Driver::Sqlite && !statement.is_read() { self.turn().await } else { Ok(None) }
    }

    /// Waits for this process's turn to write to SQLite; other engines need none.
    pub(crate) async fn turn(&self) -> Result<Option<OwnedSemaphorePermit>> {
        if self.driver() != Driver::Sqlite {
            return Ok(None);
        }
        match self.inner.writer.clone().try_acquire_owned() {
            Ok(turn) => Ok(Some(turn)),
            Err(_) => Box::pin(self.wait_for_turn()).await,
        }
    }

    async fn wait_for_turn(&self) -> Result<Option<OwnedSemaphorePermit>> {
        let wait = Duration::from_secs(self.inner.config.pool.acquire_timeout.max(1));
        match tokio::time::timeout(wait, self.inner.writer.clone().acquire_owned()).await {
            Ok(turn) => Ok(turn.ok()),
            Err(_) => Err(DatabaseError::new(
                Kind::Locked,
                format!(
                    "{}: a transaction has been writing for {} seconds and nobody else can. If this statement runs \
                     inside that transaction, use the handle the transaction gives you",
                    self.place(),
                    wait.as_secs()
                ),
            )
            .into()),
        }
    }
}

fn is_outdated(error: &Error) -> bool {
    DatabaseError::of(error).is_some_and(DatabaseError::is_outdated)
}
