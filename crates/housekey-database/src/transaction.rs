use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, PoisonError};
use std::time::Instant;

use housekey_core::Result;
use tokio::sync::{MappedMutexGuard, Mutex, MutexGuard, OwnedMutexGuard, OwnedSemaphorePermit};

use crate::Database;
use crate::ambient;
use crate::engine::Connection;
use crate::error::{DatabaseError, Kind};

impl Database {
    /// Does several things or none of them.
    ///
    /// The work gets a handle of the transaction. When it answers `Ok`, everything is kept; when it answers `Err`,
    /// panics or is cancelled, everything is taken back. Inside the work, [`db()`](crate::db) and the models are part of
    /// the transaction too. A transaction in a transaction is a savepoint: it can fail alone.
    ///
    /// ```
    /// # use housekey_core::Result;
    /// # use housekey_database::{Database, record};
    /// # async fn pay(db: Database, from: i64, to: i64, cents: i64) -> Result<()> {
    /// db.transaction(async |tx| {
    ///     tx.table("accounts").where_eq("id", from).decrement("cents", cents).await?;
    ///     tx.table("accounts").where_eq("id", to).increment("cents", cents).await?;
    ///     Ok(())
    /// }).await
    /// # }
    /// ```
    pub async fn transaction<T, F>(&self, work: F) -> Result<T>
    where
        F: AsyncFnOnce(Self) -> Result<T>,
    {
        self.transaction_with(false, work).await
    }

    /// Like [`Database::transaction`]; on SQLite references can be off meanwhile, and must hold again at the end.
    pub(crate) async fn transaction_with<T, F>(&self, references_off: bool, work: F) -> Result<T>
    where
        F: AsyncFnOnce(Self) -> Result<T>,
    {
        let (level, undo) = self.begin(references_off).await?;
        let inside = Self { inner: self.inner.clone(), level: Some(level) };
        let broken = if references_off { broken_references(&inside).await? } else { 0 };
        let mut outcome = ambient::within(inside.clone(), work(inside.clone())).await;
        if outcome.is_ok() && references_off && broken_references(&inside).await? > broken {
            outcome = Err(DatabaseError::new(
                Kind::ForeignKey,
                "after this change, rows would refer to rows that are not there; nothing was changed",
            )
            .into());
        }
        match outcome {
            Ok(value) => {
                undo.commit(self).await?;
                Ok(value)
            }
            Err(error) => {
                // The work's own error is the one that matters; a roll-back fails only with its connection, and
                // the server rolls back for a lost connection by itself.
                undo.roll_back().await;
                Err(error)
            }
        }
    }

    async fn begin(&self, references_off: bool) -> Result<(Arc<Level>, Undo)> {
        let started = Instant::now();
        let (shared, depth, nesting) = match &self.level {
            Some(level) => {
                let nesting = level.nesting.clone().lock_owned().await;
                let mut connection = level.connection().await?;
                let outcome = connection.begin().await;
                drop(connection);
                self.settle("SAVEPOINT", started, outcome).await?;
                (level.shared.clone(), level.depth + 1, Some(nesting))
            }
            None => {
                let turn = self.turn().await?;
                let acquired = self.pool()?.acquire().await;
                let mut connection = self.settle("BEGIN", started, acquired).await?;
                if references_off {
                    // Only outside of a transaction does SQLite listen to this.
                    let outcome = connection.batch("pragma foreign_keys = off").await;
                    self.settle("pragma foreign_keys = off", started, outcome).await?;
                }
                let shared = Shared::new(connection, references_off, turn);
                // If this is cancelled half-way, the transaction may be open already.
                shared.owed.store(1, Ordering::Release);
                let outcome = match shared.connection.lock().await.as_mut() {
                    Some(connection) => connection.begin().await,
                    None => Ok(()),
                };
                self.settle("BEGIN", started, outcome).await?;
                shared.owed.store(0, Ordering::Release);
                (Arc::new(shared), 1, None)
            }
        };
        let level = Arc::new(Level { shared, depth, open: AtomicBool::new(true), nesting: Arc::default() });
        Ok((level.clone(), Undo { level, done: false, _nesting: nesting }))
    }
}

/// A transaction, or a savepoint in one.
pub(crate) struct Level {
    shared: Arc<Shared>,
    /// 1 for the transaction, 2 for a savepoint in it, and so on.
    depth: usize,
    open: AtomicBool,
    /// Two savepoints at the same time would not know whose work is whose.
    nesting: Arc<Mutex<()>>,
}

impl Level {
    /// The connection, for one statement.
    pub(crate) async fn connection(&self) -> Result<MappedMutexGuard<'_, Connection>> {
        let mut guard = self.shared.connection.lock().await;
        self.shared.catch_up(&mut guard);
        let over = || {
            DatabaseError::new(
                Kind::Over,
                "this transaction is over: its handle was kept beyond the work it was given to",
            )
        };
        if !self.open.load(Ordering::Acquire) {
            return Err(over().into());
        }
        MutexGuard::try_map(guard, Option::as_mut).map_err(|_| over().into())
    }
}

/// What the levels of one transaction share.
struct Shared {
    connection: Mutex<Option<Connection>>,
    /// Levels that ended where nothing could be awaited, and while somebody held the connection.
    owed: AtomicUsize,
    /// The connection does not check references: it must do so again before anybody else gets it.
    references_off: bool,
    /// SQLite's one writer; ends with the connection, whoever still holds a handle.
    turn: std::sync::Mutex<Option<OwnedSemaphorePermit>>,
}

impl Shared {
    fn new(connection: Connection, references_off: bool, turn: Option<OwnedSemaphorePermit>) -> Self {
        let connection = Mutex::new(Some(connection));
        Self { connection, owed: AtomicUsize::new(0), references_off, turn: std::sync::Mutex::new(turn) }
    }

    fn end_turn(&self) {
        self.turn.lock().unwrap_or_else(PoisonError::into_inner).take();
    }

    /// Rolls back what ended meanwhile.
    fn catch_up(&self, connection: &mut Option<Connection>) {
        let owed = self.owed.swap(0, Ordering::AcqRel);
        if let Some(connection) = connection {
            for _ in 0..owed {
                connection.start_roll_back();
            }
        }
    }
}

/// The last handle is gone. Whatever is still open is taken back; without this, the pool would hand out a
/// connection with somebody's half-done work on it.
impl Drop for Shared {
    fn drop(&mut self) {
        let owed = *self.owed.get_mut();
        if let Some(connection) = self.connection.get_mut() {
            for _ in 0..owed {
                connection.start_roll_back();
            }
            if self.references_off {
                connection.close_on_drop();
            }
        }
    }
}

async fn broken_references(tx: &Database) -> Result<usize> {
    Ok(tx.raw("pragma foreign_key_check", []).await?.len())
}

/// Takes a level back unless it was committed.
struct Undo {
    level: Arc<Level>,
    done: bool,
    _nesting: Option<OwnedMutexGuard<()>>,
}

impl Undo {
    async fn commit(mut self, db: &Database) -> Result<()> {
        let started = Instant::now();
        let outcome = match self.level.connection().await {
            Ok(mut connection) => connection.commit().await,
            Err(error) => return Err(error),
        };
        if outcome.is_ok() {
            self.finish().await;
        }
        db.settle("COMMIT", started, outcome).await
    }

    async fn roll_back(mut self) {
        let rolled_back = match self.level.connection().await {
            Ok(mut connection) => connection.roll_back().await.is_ok(),
            Err(_) => false,
        };
        if rolled_back {
            self.finish().await;
        }
    }

    async fn finish(&mut self) {
        self.done = true;
        self.level.open.store(false, Ordering::Release);
        if self.level.depth == 1 {
            // Back to the pool now, whoever else still holds a handle.
            let connection = self.level.shared.connection.lock().await.take();
            if let Some(mut connection) = connection.filter(|_| self.level.shared.references_off)
                && connection.batch("pragma foreign_keys = on").await.is_err()
            {
                connection.close_on_drop();
            }
            self.level.shared.end_turn();
        }
    }
}

impl Drop for Undo {
    fn drop(&mut self) {
        if self.done {
            return;
        }
        let Level { shared, open, depth, .. } = &*self.level;
        open.store(false, Ordering::Release);
        shared.owed.fetch_add(1, Ordering::AcqRel);
        if let Ok(mut connection) = shared.connection.try_lock() {
            shared.catch_up(&mut connection);
            if *depth == 1 {
                if let Some(mut connection) = connection.take()
                    && shared.references_off
                {
                    connection.close_on_drop();
                }
                shared.end_turn();
            }
        }
    }
}
