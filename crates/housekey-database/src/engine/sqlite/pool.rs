use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};
use std::time::Duration;

use housekey_core::Paths;
use tokio::sync::{OwnedSemaphorePermit, Semaphore};

use super::SqliteRow;
use super::connection::{Connection, Options};
use super::error::explain;
use crate::ConnectionConfig;
use crate::engine::{Outcome, Statement, Step, StepsRun};

/// The connections to one SQLite database. Each can read and write; whoever wants one takes the one used last, whose pages
/// are still at hand.
#[derive(Clone)]
pub(crate) struct SqlitePool(Arc<Shared>);

struct Shared {
    options: Options,
    idle: Mutex<Vec<Connection>>,
    /// One permit per connection that may be in use.
    permits: Arc<Semaphore>,
    max: u32,
    acquire_timeout: Duration,
}

impl SqlitePool {
    /// A pool that connects when it is first asked for something.
    pub(crate) fn new(config: &ConnectionConfig, paths: &Paths) -> Self {
        // A database in memory is its one connection.
        let max = if config.is_memory() { 1 } else { config.pool.max.max(1) };
        Self(Arc::new(Shared {
            options: Options::new(config, paths),
            idle: Mutex::default(),
            permits: Arc::new(Semaphore::new(max as usize)),
            max,
            acquire_timeout: Duration::from_secs(config.pool.acquire_timeout.max(1)),
        }))
    }

    pub(crate) async fn acquire(&self) -> Result<SqliteConnection, sqlx::Error> {
        let shared = &self.0;
        // A task that only ever reads in place lets others run now and then.
        tokio::task::coop::consume_budget().await;
        let permit = match Arc::clone(&shared.permits).try_acquire_owned() {
            Ok(permit) => permit,
            // Boxed: few have to wait, and everybody's future would carry the room for it.
            Err(_) => Box::pin(self.wait_for_permit()).await?,
        };
        let idle = shared.idle().pop();
        let connection = match idle {
            Some(connection) => connection,
            None => {
                let options = shared.options.clone();
                let opened = tokio::task::spawn_blocking(move || options.open()).await;
                opened.map_err(|_| sqlx::Error::WorkerCrashed)?.map_err(explain)?
            }
        };
        let lent = Lent { connection: Some(connection), shared: Arc::clone(shared), _permit: permit };
        Ok(SqliteConnection { lent: Arc::new(Mutex::new(lent)), owed: 0 })
    }

    async fn wait_for_permit(&self) -> Result<OwnedSemaphorePermit, sqlx::Error> {
        let permit = Arc::clone(&self.0.permits).acquire_owned();
        let waited = tokio::time::timeout(self.0.acquire_timeout, permit).await;
        waited.map_err(|_| sqlx::Error::PoolTimedOut)?.map_err(|_| sqlx::Error::PoolClosed)
    }

    pub(crate) async fn rows(&self, statement: Statement) -> Result<Vec<SqliteRow>, sqlx::Error> {
        self.acquire().await?.rows(statement).await
    }

    pub(crate) async fn execute(&self, statement: Statement) -> Result<Outcome, sqlx::Error> {
        self.acquire().await?.execute(statement).await
    }

    /// How many connections are open, and how many of them wait for work.
    pub(crate) fn counts(&self) -> (usize, usize) {
        let idle = self.0.idle().len();
        (idle + self.0.max as usize - self.0.permits.available_permits(), idle)
    }

    /// Waits until every connection is back, and ends them all.
    pub(crate) async fn close(&self) {
        let all = self.0.permits.acquire_many(self.0.max).await;
        self.0.permits.close();
        drop(all);
        self.0.idle().clear();
    }
}

impl Shared {
    fn idle(&self) -> MutexGuard<'_, Vec<Connection>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A connection out of its pool. Goes back when dropped.
struct Lent {
    /// `None` when it must not be used again.
    connection: Option<Connection>,
    shared: Arc<Shared>,
    _permit: OwnedSemaphorePermit,
}

impl Drop for Lent {
    fn drop(&mut self) {
        // What is left open on it belonged to somebody who is gone.
        if let Some(connection) = self.connection.take().filter(|connection| !connection.in_transaction())
            && !self.shared.permits.is_closed()
        {
            self.shared.idle().push(connection);
        }
    }
}

/// One connection, given back to its pool when dropped and when the last statement that was begun on it has ended.
pub(crate) struct SqliteConnection {
    lent: Arc<Mutex<Lent>>,
    /// Transactions to take back before anything else happens.
    owed: usize,
}

impl SqliteConnection {
    pub(crate) async fn rows(&mut self, statement: Statement) -> Result<Vec<SqliteRow>, sqlx::Error> {
        if statement.is_read()
            && let Some(rows) = self.rows_in_place(&statement)
        {
            return rows.map_err(explain);
        }
        self.elsewhere(move |connection| connection.rows(&statement)).await
    }

    pub(crate) async fn execute(&mut self, statement: Statement) -> Result<Outcome, sqlx::Error> {
        self.elsewhere(move |connection| connection.execute(&statement)).await
    }

    /// Runs statements in a transaction of their own, all in one visit to another thread. Whoever stops waiting leaves no open
    /// transaction behind: what was begun is finished, as a whole.
    pub(crate) async fn all_or_none(&mut self, steps: Vec<Step>) -> StepsRun {
        let run = self.elsewhere(move |connection| Ok(connection.all_or_none(&steps))).await;
        match run {
            Ok((begun, outcome)) => StepsRun { begun, outcome: outcome.map_err(explain) },
            Err(error) => StepsRun { begun: 0, outcome: Err(error) },
        }
    }

    pub(crate) async fn batch(&mut self, sql: &str) -> Result<(), sqlx::Error> {
        let sql = sql.to_owned();
        self.elsewhere(move |connection| connection.several(&sql).map(drop)).await
    }

    pub(crate) async fn begin(&mut self) -> Result<(), sqlx::Error> {
        self.elsewhere(Connection::begin).await
    }

    pub(crate) async fn commit(&mut self) -> Result<(), sqlx::Error> {
        self.elsewhere(Connection::commit).await
    }

    pub(crate) async fn roll_back(&mut self) -> Result<(), sqlx::Error> {
        self.elsewhere(Connection::roll_back).await
    }

    /// Takes back the innermost transaction before anything else happens: for where nothing can be awaited.
    pub(crate) fn start_roll_back(&mut self) {
        self.owed += 1;
    }

    /// Ends the connection instead of giving it back.
    pub(crate) fn close_on_drop(&mut self) {
        let lent = Arc::clone(&self.lent);
        in_background(move || lock(&lent).connection = None);
    }

    fn rows_in_place(&self, statement: &Statement) -> Option<rusqlite::Result<Vec<SqliteRow>>> {
        let mut lent = match self.lent.try_lock() {
            Ok(lent) if self.owed == 0 => lent,
            // A statement whose caller gave up still runs, or a transaction is still to be taken back.
            Ok(_) | Err(TryLockError::WouldBlock | TryLockError::Poisoned(_)) => return None,
        };
        lent.connection.as_mut()?.rows_in_place(statement)
    }

    /// Runs where it may block. What was begun is finished, whether or not the caller waits for it.
    async fn elsewhere<T: Send + 'static>(
        &mut self,
        work: impl FnOnce(&mut Connection) -> rusqlite::Result<T> + Send + 'static,
    ) -> Result<T, sqlx::Error> {
        let (lent, owed) = (Arc::clone(&self.lent), std::mem::take(&mut self.owed));
        let run = move || {
            let mut lent = lock(&lent);
            let connection = lent.connection.as_mut().ok_or(sqlx::Error::WorkerCrashed)?;
            take_back(connection, owed).and_then(|()| work(connection)).map_err(explain)
        };
        tokio::task::spawn_blocking(run).await.map_err(|_| sqlx::Error::WorkerCrashed)?
    }
}

impl Drop for SqliteConnection {
    fn drop(&mut self) {
        let owed = std::mem::take(&mut self.owed);
        if owed > 0 {
            let lent = Arc::clone(&self.lent);
            in_background(move || {
                let mut lent = lock(&lent);
                if let Some(connection) = &mut lent.connection
                    && take_back(connection, owed).is_err()
                {
                    lent.connection = None;
                }
            });
        }
    }
}

fn take_back(connection: &mut Connection, levels: usize) -> rusqlite::Result<()> {
    (0..levels).try_for_each(|_| connection.roll_back())
}

/// A connection that a panic left behind is not trusted again.
fn lock(lent: &Mutex<Lent>) -> MutexGuard<'_, Lent> {
    lent.lock().unwrap_or_else(|poisoned| {
        let mut lent = poisoned.into_inner();
        lent.connection = None;
        lent
    })
}

/// Where nothing can be awaited. Without a runtime there is nobody to keep waiting.
fn in_background(work: impl FnOnce() + Send + 'static) {
    match tokio::runtime::Handle::try_current() {
        Ok(runtime) => drop(runtime.spawn_blocking(work)),
        Err(_) => work(),
    }
}
