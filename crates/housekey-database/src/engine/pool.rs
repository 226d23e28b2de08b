use std::time::Duration;

#[cfg(any(feature = "postgres", feature = "mysql"))]
use super::pool_history::PoolHistory;
#[cfg(any(feature = "postgres", feature = "mysql"))]
use super::server_connection::ServerConnection;
#[cfg(any(feature = "postgres", feature = "mysql"))]
use super::server_pool::ServerPool;
#[cfg(any(feature = "postgres", feature = "mysql"))]
use super::servers;
#[cfg(feature = "sqlite")]
use super::sqlite::{SqliteConnection, SqlitePool};
use super::{EngineRow, Outcome, Statement, on_engine};
#[cfg(any(feature = "postgres", feature = "mysql"))]
use crate::ConnectionConfig;

/// The connections to one database.
///
/// What waits for a server is boxed: beside the way to it that costs nothing, and a read of SQLite would carry the room for it.
#[derive(Clone)]
pub(crate) enum Pool {
    #[cfg(feature = "sqlite")]
    Sqlite(SqlitePool),
    #[cfg(feature = "postgres")]
    Postgres(ServerPool<sqlx::Postgres>),
    #[cfg(feature = "mysql")]
    MySql(ServerPool<sqlx::MySql>),
}

/// One connection, given back to its pool when dropped.
pub(crate) enum Connection {
    #[cfg(feature = "sqlite")]
    Sqlite(SqliteConnection),
    #[cfg(feature = "postgres")]
    Postgres(ServerConnection<sqlx::Postgres>),
    #[cfg(feature = "mysql")]
    MySql(ServerConnection<sqlx::MySql>),
}

impl Pool {
    /// A pool that connects when it is first asked for something.
    #[cfg(feature = "postgres")]
    pub(crate) fn postgres(
        config: &ConnectionConfig,
        pool_history: &PoolHistory,
    ) -> Result<Self, sqlx::Error> {
        let options = super::postgres::options(config)?;
        Ok(Self::Postgres(ServerPool::new(config, options, pool_history)))
    }

    /// A pool that connects when it is first asked for something.
    #[cfg(feature = "mysql")]
    pub(crate) fn mysql(config: &ConnectionConfig, pool_history: &PoolHistory) -> Result<Self, sqlx::Error> {
        let options = super::mysql::options(config)?;
        Ok(Self::MySql(ServerPool::new(config, options, pool_history)))
    }

    pub(crate) async fn acquire(&self) -> Result<Connection, sqlx::Error> {
        Ok(match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(pool) => Connection::Sqlite(pool.acquire().await?),
            #[cfg(feature = "postgres")]
            Self::Postgres(pool) => Connection::Postgres(ServerConnection::of(pool).await?),
            #[cfg(feature = "mysql")]
            Self::MySql(pool) => Connection::MySql(ServerConnection::of(pool).await?),
        })
    }

    pub(crate) async fn rows(&self, statement: Statement) -> Result<Vec<EngineRow>, sqlx::Error> {
        on_engine!(Pool, self,
            sqlite(pool) => own_rows(pool.rows(statement).await),
            pool => Box::pin(async { ServerConnection::of(pool).await?.rows(statement).await }).await)
    }

    pub(crate) async fn execute(&self, statement: Statement) -> Result<Outcome, sqlx::Error> {
        on_engine!(Pool, self,
            sqlite(pool) => pool.execute(statement).await,
            pool => Box::pin(async { ServerConnection::of(pool).await?.execute(statement).await }).await)
    }

    /// Connects once, beside the pool: a pool that waited in vain does not say what it waited for.
    pub(crate) async fn diagnose(&self) -> Option<sqlx::Error> {
        let attempt = async {
            // SQLite has nobody to reach.
            on_engine!(Pool, self,
            sqlite(_pool) => Ok(()),
            pool => pool.try_to_connect().await)
        };
        match tokio::time::timeout(Duration::from_secs(2), attempt).await {
            Ok(outcome) => outcome.err(),
            Err(_) => Some(sqlx::Error::Io(std::io::Error::new(
                std::io::ErrorKind::TimedOut,
                "no answer within 2 seconds",
            ))),
        }
    }

    /// How many connections are open, and how many of them wait for work.
    pub(crate) fn counts(&self) -> (usize, usize) {
        on_engine!(Pool, self,
            sqlite(pool) => pool.counts(),
            pool => pool.counts())
    }

    pub(crate) async fn close(&self) {
        on_engine!(Pool, self,
            sqlite(pool) => pool.close().await,
            pool => pool.close().await);
    }
}

impl Connection {
    pub(crate) async fn rows(&mut self, statement: Statement) -> Result<Vec<EngineRow>, sqlx::Error> {
        on_engine!(Connection, self,
            sqlite(connection) => own_rows(connection.rows(statement).await),
            connection => Box::pin(connection.rows(statement)).await)
    }

    pub(crate) async fn execute(&mut self, statement: Statement) -> Result<Outcome, sqlx::Error> {
        on_engine!(Connection, self,
            sqlite(connection) => connection.execute(statement).await,
            connection => Box::pin(connection.execute(statement)).await)
    }

    pub(crate) async fn batch(&mut self, sql: &str) -> Result<(), sqlx::Error> {
        on_engine!(Connection, self,
            sqlite(connection) => connection.batch(sql).await,
            connection => connection.batch(sql).await)
    }

    /// Opens a transaction, or a savepoint inside the open one.
    pub(crate) async fn begin(&mut self) -> Result<(), sqlx::Error> {
        on_engine!(Connection, self,
            sqlite(connection) => connection.begin().await,
            connection => connection.begin().await)
    }

    pub(crate) async fn commit(&mut self) -> Result<(), sqlx::Error> {
        on_engine!(Connection, self,
            sqlite(connection) => connection.commit().await,
            connection => connection.commit().await)
    }

    pub(crate) async fn roll_back(&mut self) -> Result<(), sqlx::Error> {
        on_engine!(Connection, self,
            sqlite(connection) => connection.roll_back().await,
            connection => connection.roll_back().await)
    }

    /// Queues a roll-back that runs before the connection does anything else: for where nothing can be awaited.
    pub(crate) fn start_roll_back(&mut self) {
        on_engine!(Connection, self,
            sqlite(connection) => connection.start_roll_back(),
            connection => connection.start_roll_back());
    }

    /// Ends the connection instead of giving it back: its settings are not those of the pool.
    pub(crate) fn close_on_drop(&mut self) {
        on_engine!(Connection, self,
            sqlite(connection) => connection.close_on_drop(),
            connection => connection.close_on_drop());
    }
}

/// A connection that belongs to no pool and ends when dropped.
pub(crate) enum DetachedConnection {
    #[cfg(feature = "sqlite")]
    Sqlite(SqliteConnection),
    #[cfg(feature = "postgres")]
    Postgres(sqlx::PgConnection),
    #[cfg(feature = "mysql")]
    MySql(sqlx::MySqlConnection),
}

impl DetachedConnection {
    pub(crate) async fn rows(&mut self, statement: Statement) -> Result<Vec<EngineRow>, sqlx::Error> {
        on_engine!(DetachedConnection, self,
            sqlite(connection) => own_rows(connection.rows(statement).await),
            connection => servers::rows(&mut *connection, statement).await)
    }
}

impl Pool {
    /// A connection taken out of the pool, which may open another in its place.
    pub(crate) async fn detached(&self) -> Result<DetachedConnection, sqlx::Error> {
        Ok(match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(pool) => DetachedConnection::Sqlite(pool.acquire().await?),
            #[cfg(feature = "postgres")]
            Self::Postgres(pool) => DetachedConnection::Postgres(pool.acquire().await?.connection),
            #[cfg(feature = "mysql")]
            Self::MySql(pool) => DetachedConnection::MySql(pool.acquire().await?.connection),
        })
    }
}

#[cfg(feature = "sqlite")]
fn own_rows(rows: Result<Vec<super::sqlite::SqliteRow>, sqlx::Error>) -> Result<Vec<EngineRow>, sqlx::Error> {
    Ok(rows?.into_iter().map(EngineRow::Sqlite).collect())
}
