use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, MutexGuard as StdMutexGuard, PoisonError};

use housekey_core::Result;
use tokio::sync::{MappedMutexGuard, Mutex, MutexGuard, OwnedMutexGuard, OwnedSemaphorePermit};

use super::after::AfterCommit;
use crate::engine::Connection;
use crate::error::{DatabaseError, Kind};

/// A transaction, or a savepoint in one, as its handles see it.
pub(crate) struct Level {
    shared: Arc<Shared>,
    outer: Option<Arc<Level>>,
    /// 1 for the transaction, 2 for a savepoint in it, and so on.
    depth: usize,
    open: AtomicBool,
    /// Two savepoints at the same time would not know whose work is whose.
    nesting: Arc<Mutex<()>>,
}

impl Level {
    pub(super) fn outermost(shared: Shared) -> Arc<Self> {
        Self::new(Arc::new(shared), None, 1)
    }

    pub(super) fn inside(outer: &Arc<Self>) -> Arc<Self> {
        Self::new(outer.shared.clone(), Some(outer.clone()), outer.depth + 1)
    }

    fn new(shared: Arc<Shared>, outer: Option<Arc<Self>>, depth: usize) -> Arc<Self> {
        Arc::new(Self { shared, outer, depth, open: AtomicBool::new(true), nesting: Arc::default() })
    }

    /// The turn to open a savepoint in this level.
    pub(super) async fn nesting(&self) -> OwnedMutexGuard<()> {
        self.nesting.clone().lock_owned().await
    }

    /// The same turn, if no savepoint in this level is open.
    pub(super) fn alone(&self) -> Option<OwnedMutexGuard<()>> {
        self.nesting.clone().try_lock_owned().ok()
    }

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
        if !self.is_open() {
            return Err(over().into());
        }
        MutexGuard::try_map(guard, Option::as_mut).map_err(|_| over().into())
    }

    /// A level ends with the one around it.
    fn is_open(&self) -> bool {
        self.open.load(Ordering::Acquire) && self.outer.as_ref().is_none_or(|outer| outer.is_open())
    }

    /// Opens a savepoint in this level.
    pub(super) async fn begin(&self) -> Result<Result<(), sqlx::Error>> {
        let mut connection = self.connection().await?;
        let outcome = connection.begin().await;
        if outcome.is_ok() {
            self.shared.state().open += 1;
        }
        Ok(outcome)
    }

    pub(super) async fn commit(&self) -> Result<Result<(), sqlx::Error>> {
        let mut connection = self.connection().await?;
        let outcome = connection.commit().await;
        if outcome.is_ok() {
            let mut state = self.shared.state();
            state.open -= 1;
            state.after_commit.hand_out(self.depth);
        }
        Ok(outcome)
    }

    /// Work for when the whole transaction is committed. Rolling back this level drops it.
    pub(super) fn after_commit(&self, work: impl Future<Output = ()> + Send + 'static) {
        self.shared.state().after_commit.push(self.depth, work);
    }

    /// What is to be done now that this level is committed: nothing before the outermost one is.
    pub(super) fn work_after_commit(&self) -> AfterCommit {
        if self.depth == 1 {
            std::mem::take(&mut self.shared.state().after_commit)
        } else {
            AfterCommit::default()
        }
    }

    /// Rolls back this level and whatever is open inside it.
    pub(super) async fn roll_back(&self) -> Result<()> {
        let mut connection = self.connection().await?;
        while self.shared.state().open >= self.depth {
            connection.roll_back().await?;
            self.shared.state().level_is_rolled_back();
        }
        Ok(())
    }

    /// The level is committed or rolled back.
    pub(super) async fn end(&self) {
        self.open.store(false, Ordering::Release);
        if self.depth == 1 {
            // Back to the pool now, whoever else still holds a handle.
            let connection = self.shared.connection.lock().await.take();
            if let Some(mut connection) = connection.filter(|_| self.shared.references_off)
                && connection.batch("pragma foreign_keys = on").await.is_err()
            {
                connection.close_on_drop();
            }
            self.shared.state().turn = None;
        }
    }

    /// The level ends where nothing can be awaited: it is rolled back now, or before the connection does anything else.
    pub(super) fn abandon(&self) {
        {
            let mut state = self.shared.state();
            // If the level around this one ended first, this one went with it.
            if !self.is_open() {
                return;
            }
            self.open.store(false, Ordering::Release);
            state.abandoned = Some(state.abandoned.map_or(self.depth, |depth| depth.min(self.depth)));
        }
        if let Ok(mut connection) = self.shared.connection.try_lock() {
            self.shared.catch_up(&mut connection);
            if self.depth == 1 {
                if let Some(mut connection) = connection.take()
                    && self.shared.references_off
                {
                    connection.close_on_drop();
                }
                self.shared.state().turn = None;
            }
        }
    }
}

/// What the levels of one transaction share.
pub(super) struct Shared {
    connection: Mutex<Option<Connection>>,
    state: std::sync::Mutex<State>,
    /// The connection does not check references: it must do so again before anybody else gets it.
    references_off: bool,
}

struct State {
    /// How many levels are open on the connection. Changed only by who holds the connection.
    open: usize,
    /// The outermost level that was abandoned and is still open on the connection.
    abandoned: Option<usize>,
    /// SQLite's one writer; ends with the connection, whoever still holds a handle.
    turn: Option<OwnedSemaphorePermit>,
    after_commit: AfterCommit,
}

impl State {
    fn level_is_rolled_back(&mut self) {
        self.after_commit.drop_inside(self.open);
        self.open -= 1;
    }
}

impl Shared {
    pub(super) fn new(
        connection: Connection,
        references_off: bool,
        turn: Option<OwnedSemaphorePermit>,
    ) -> Self {
        // If beginning is cancelled half-way, the transaction may be open already.
        let state = State { open: 1, abandoned: Some(1), turn, after_commit: AfterCommit::default() };
        Self { connection: Mutex::new(Some(connection)), state: std::sync::Mutex::new(state), references_off }
    }

    pub(super) async fn begin(&self) -> Result<(), sqlx::Error> {
        if let Some(connection) = self.connection.lock().await.as_mut() {
            connection.begin().await?;
        }
        self.state().abandoned = None;
        Ok(())
    }

    fn state(&self) -> StdMutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Rolls back what was abandoned meanwhile.
    fn catch_up(&self, connection: &mut Option<Connection>) {
        let mut state = self.state();
        let (Some(connection), Some(outermost)) = (connection, state.abandoned.take()) else { return };
        while state.open >= outermost {
            connection.start_roll_back();
            state.level_is_rolled_back();
        }
    }
}

/// The last handle is gone. Whatever is still open is taken back; without this, the pool would hand out a
/// connection with somebody's half-done work on it.
impl Drop for Shared {
    fn drop(&mut self) {
        let mut connection = self.connection.get_mut().take();
        self.catch_up(&mut connection);
        if let Some(mut connection) = connection
            && self.references_off
        {
            connection.close_on_drop();
        }
    }
}
