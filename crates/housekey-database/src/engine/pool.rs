use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

#[cfg(feature = "sqlite")]
use housekey_core::Paths;
use sqlx::pool::{PoolConnection, PoolOptions};
use sqlx::{ConnectOptions, Connection as _};
use sqlx_core::transaction::TransactionManager;

use super::{EngineRow, Outcome, Statement, on_engine, run};
use crate::ConnectionConfig;
#[cfg(feature = "sqlite")]
use crate::stamp::Tenure;

/// How long a connection may have been idle before it is asked whether it still lives. Asking costs a round trip.
#[cfg(any(feature = "postgres", feature = "mysql"))]
const TRUSTED_IDLE: Duration = Duration::from_secs(1);

/// The connections to one database.
#[derive(Clone)]
pub(crate) enum Pool {
    #[cfg(feature = "sqlite")]
    Sqlite(sqlx::SqlitePool),
    #[cfg(feature = "postgres")]
    Postgres(sqlx::PgPool),
    #[cfg(feature = "mysql")]
    MySql(sqlx::MySqlPool),
}

/// One connection, given back to its pool when dropped.
pub(crate) enum Connection {
    #[cfg(feature = "sqlite")]
    Sqlite(PoolConnection<sqlx::Sqlite>),
    #[cfg(feature = "postgres")]
    Postgres(PoolConnection<sqlx::Postgres>),
    #[cfg(feature = "mysql")]
    MySql(PoolConnection<sqlx::MySql>),
}

impl Pool {
    /// A pool that connects when it is first asked for something.
    #[cfg(feature = "sqlite")]
    pub(crate) fn sqlite(config: &ConnectionConfig, paths: &Paths, tenure: &Tenure) -> Self {
        use super::sqlite;
        sqlite::make_folder(config, paths);
        let tenure = tenure.clone();
        let mut options =
            pool_options(config).test_before_acquire(false).after_connect(move |connection, _| {
                let held = tenure.begin();
                Box::pin(sqlite::keep_while_open(connection, held))
            });
        if config.is_memory() {
            // The database lives as long as a connection does.
            options = options.max_connections(1).min_connections(1).idle_timeout(None).max_lifetime(None);
        }
        Self::Sqlite(options.connect_lazy_with(sqlite::options(config, paths)))
    }

    /// A pool that connects when it is first asked for something.
    #[cfg(feature = "postgres")]
    pub(crate) fn postgres(config: &ConnectionConfig, moments: &Moments) -> Result<Self, sqlx::Error> {
        let options = super::postgres::options(config)?;
        Ok(Self::Postgres(checked(pool_options(config), moments).connect_lazy_with(options)))
    }

    /// A pool that connects when it is first asked for something.
    #[cfg(feature = "mysql")]
    pub(crate) fn mysql(config: &ConnectionConfig, moments: &Moments) -> Result<Self, sqlx::Error> {
        let options = super::mysql::options(config)?;
        Ok(Self::MySql(checked(pool_options(config), moments).connect_lazy_with(options)))
    }

    pub(crate) async fn acquire(&self) -> Result<Connection, sqlx::Error> {
        Ok(match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(pool) => Connection::Sqlite(pool.acquire().await?),
            #[cfg(feature = "postgres")]
            Self::Postgres(pool) => Connection::Postgres(pool.acquire().await?),
            #[cfg(feature = "mysql")]
            Self::MySql(pool) => Connection::MySql(pool.acquire().await?),
        })
    }

    pub(crate) async fn rows(&self, statement: Statement) -> Result<Vec<EngineRow>, sqlx::Error> {
        on_engine!(Pool, self, pool => run::rows(pool, statement).await)
    }

    pub(crate) async fn execute(&self, statement: Statement) -> Result<Outcome, sqlx::Error> {
        on_engine!(Pool, self, pool => run::execute(pool, statement).await)
    }

    /// Connects once, beside the pool: a pool that waited in vain does not say what it waited for.
    pub(crate) async fn diagnose(&self) -> Option<sqlx::Error> {
        let attempt = async {
            on_engine!(Pool, self, pool => {
                let options = pool.connect_options();
                options.connect().await?.close().await
            })
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
        on_engine!(Pool, self, pool => (pool.size() as usize, pool.num_idle()))
    }

    pub(crate) async fn close(&self) {
        on_engine!(Pool, self, pool => pool.close().await);
    }
}

impl Connection {
    pub(crate) async fn rows(&mut self, statement: Statement) -> Result<Vec<EngineRow>, sqlx::Error> {
        on_engine!(Connection, self, connection => run::rows(&mut **connection, statement).await)
    }

    pub(crate) async fn execute(&mut self, statement: Statement) -> Result<Outcome, sqlx::Error> {
        on_engine!(Connection, self, connection => run::execute(&mut **connection, statement).await)
    }

    pub(crate) async fn batch(&mut self, sql: &str) -> Result<(), sqlx::Error> {
        on_engine!(Connection, self, connection => run::batch(&mut **connection, sql).await)
    }

    /// Opens a transaction, or a savepoint inside the open one.
    pub(crate) async fn begin(&mut self) -> Result<(), sqlx::Error> {
        match self {
            // Taking the write lock at once waits for the other writer; taking it later cannot wait and fails.
            #[cfg(feature = "sqlite")]
            Self::Sqlite(connection) => {
                type Manager = <sqlx::Sqlite as sqlx::Database>::TransactionManager;
                let nested = Manager::get_transaction_depth(connection) > 0;
                let begin = (!nested).then(|| sqlx::SqlSafeStr::into_sql_str("BEGIN IMMEDIATE"));
                Manager::begin(connection, begin).await
            }
            #[cfg(feature = "postgres")]
            Self::Postgres(connection) => {
                <sqlx::Postgres as sqlx::Database>::TransactionManager::begin(connection, None).await
            }
            #[cfg(feature = "mysql")]
            Self::MySql(connection) => {
                <sqlx::MySql as sqlx::Database>::TransactionManager::begin(connection, None).await
            }
        }
    }

    pub(crate) async fn commit(&mut self) -> Result<(), sqlx::Error> {
        on_engine!(Connection, self, connection => commit_of(connection).await)
    }

    pub(crate) async fn roll_back(&mut self) -> Result<(), sqlx::Error> {
        on_engine!(Connection, self, connection => roll_back_of(connection).await)
    }

    /// Queues a roll-back that runs before the connection does anything else: for where nothing can be awaited.
    pub(crate) fn start_roll_back(&mut self) {
        on_engine!(Connection, self, connection => start_roll_back_of(connection));
    }

    /// Ends the connection instead of giving it back: its settings are not those of the pool.
    pub(crate) fn close_on_drop(&mut self) {
        on_engine!(Connection, self, connection => connection.close_on_drop());
    }
}

/// A connection that belongs to no pool and ends when dropped.
pub(crate) enum Apart {
    #[cfg(feature = "sqlite")]
    Sqlite(sqlx::SqliteConnection),
    #[cfg(feature = "postgres")]
    Postgres(sqlx::PgConnection),
    #[cfg(feature = "mysql")]
    MySql(sqlx::MySqlConnection),
}

impl Apart {
    pub(crate) async fn rows(&mut self, statement: Statement) -> Result<Vec<EngineRow>, sqlx::Error> {
        on_engine!(Apart, self, connection => run::rows(&mut *connection, statement).await)
    }
}

impl Connection {
    /// Takes the connection out of its pool, which may open another in its place.
    pub(crate) fn detach(self) -> Apart {
        match self {
            #[cfg(feature = "sqlite")]
            Self::Sqlite(connection) => Apart::Sqlite(connection.detach()),
            #[cfg(feature = "postgres")]
            Self::Postgres(connection) => Apart::Postgres(connection.detach()),
            #[cfg(feature = "mysql")]
            Self::MySql(connection) => Apart::MySql(connection.detach()),
        }
    }
}

async fn commit_of<D: sqlx::Database>(connection: &mut PoolConnection<D>) -> Result<(), sqlx::Error> {
    D::TransactionManager::commit(connection).await
}

async fn roll_back_of<D: sqlx::Database>(connection: &mut PoolConnection<D>) -> Result<(), sqlx::Error> {
    D::TransactionManager::rollback(connection).await
}

fn start_roll_back_of<D: sqlx::Database>(connection: &mut PoolConnection<D>) {
    D::TransactionManager::start_rollback(connection);
}

fn pool_options<D: sqlx::Database>(config: &ConnectionConfig) -> PoolOptions<D> {
    let seconds = |seconds: u64| (seconds > 0).then(|| Duration::from_secs(seconds));
    PoolOptions::new()
        .max_connections(config.pool.max.max(1))
        .min_connections(config.pool.min.min(config.pool.max))
        .acquire_timeout(Duration::from_secs(config.pool.acquire_timeout.max(1)))
        .idle_timeout(seconds(config.pool.idle_timeout))
        .max_lifetime(seconds(config.pool.max_lifetime))
}

/// Pings a connection before it is used only where there is doubt: it was idle for a while, or it has not been used
/// since another one broke. So a restarted server costs the request it interrupts, and not the next ones.
///
/// A connection that is older than the last change of the schema is given up: it keeps prepared statements that no
/// longer fit their tables.
#[cfg(any(feature = "postgres", feature = "mysql"))]
fn checked<D: sqlx::Database>(options: PoolOptions<D>, moments: &Moments) -> PoolOptions<D> {
    let Moments { broken, changed } = moments.clone();
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

/// What a pool should know about the past.
#[derive(Clone, Debug, Default)]
pub(crate) struct Moments {
    /// A connection broke.
    pub(crate) broken: Moment,
    /// The schema changed.
    pub(crate) changed: Moment,
}

/// When something last happened.
#[derive(Clone, Debug)]
pub(crate) struct Moment {
    started: Instant,
    /// Microseconds after `started`, plus one; 0 for never.
    at: Arc<AtomicU64>,
}

impl Default for Moment {
    fn default() -> Self {
        Self { started: Instant::now(), at: Arc::default() }
    }
}

impl Moment {
    pub(crate) fn is_now(&self) {
        let now = u64::try_from(self.started.elapsed().as_micros()).unwrap_or(u64::MAX);
        self.at.store(now.saturating_add(1), Ordering::Relaxed);
    }

    #[cfg(any(feature = "postgres", feature = "mysql"))]
    fn since(&self) -> Option<Duration> {
        let at = self.at.load(Ordering::Relaxed).checked_sub(1)?;
        Some(self.started.elapsed().saturating_sub(Duration::from_micros(at)))
    }
}
