use std::fmt;
use std::ops::Deref;
use std::sync::Arc;
use std::time::Instant;

use housekey_core::Result;
use tokio::sync::OwnedMutexGuard;

use super::level::{Level, Shared};
use crate::Database;
use crate::error::{DatabaseError, Kind};

/// An open transaction, or a savepoint in one: made by [`Database::begin`], and a [`Database`] to work with.
///
/// Nothing is kept before [`Transaction::commit`]. Dropped in any other way (an early return, a panic, a cancelled
/// request), everything is taken back.
///
/// ```
/// # use housekey_core::Result;
/// # use housekey_database::{Database, record};
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<()> {
/// # let db = Database::memory();
/// # db.schema(|schema| schema.create("notes", |table| { table.id(); table.text("text"); })).await?;
/// let tx = db.begin().await?;
/// tx.table("notes").insert(record! { "text" => "for nobody" }).await?;
/// drop(tx);
/// assert_eq!(db.table("notes").count().await?, 0);
/// # Ok(()) }
/// ```
#[must_use = "a transaction that is dropped takes everything back"]
pub struct Transaction {
    inside: Database,
    level: Arc<Level>,
    ended: bool,
    /// The turn among the savepoints of the outer transaction.
    _nesting: Option<OwnedMutexGuard<()>>,
}

impl Transaction {
    pub(super) async fn open(db: &Database, references_off: bool) -> Result<Self> {
        let (level, nesting) = match &db.level {
            Some(outer) => {
                let nesting = outer.nesting().await;
                (savepoint(db, outer).await?, Some(nesting))
            }
            None => (outermost(db, references_off).await?, None),
        };
        Ok(Self { inside: db.inside(level.clone()), level, ended: false, _nesting: nesting })
    }

    /// Keeps everything. An error means that nothing was kept, unless the connection broke at this very moment: then
    /// only the database knows.
    pub async fn commit(mut self) -> Result<()> {
        let started = Instant::now();
        let Some(_alone) = self.level.alone() else {
            return Err(DatabaseError::new(
                Kind::Over,
                "a transaction inside this one is still open; end it before the outer one. Nothing was kept",
            )
            .into());
        };
        let outcome = self.level.commit().await?;
        if outcome.is_ok() {
            let work = self.level.work_after_commit();
            self.end().await;
            work.run().await;
        }
        self.inside.log_and_explain("COMMIT", started, outcome).await
    }

    /// Takes everything back, and waits until that is done.
    pub async fn rollback(mut self) {
        // This fails only with its connection, and the server rolls back for a lost connection by itself.
        if self.level.roll_back().await.is_ok() {
            self.end().await;
        }
    }

    async fn end(&mut self) {
        self.ended = true;
        self.level.end().await;
    }
}

async fn savepoint(db: &Database, outer: &Arc<Level>) -> Result<Arc<Level>> {
    let started = Instant::now();
    let outcome = outer.begin().await?;
    db.log_and_explain("SAVEPOINT", started, outcome).await?;
    Ok(Level::inside(outer))
}

async fn outermost(db: &Database, references_off: bool) -> Result<Arc<Level>> {
    let started = Instant::now();
    let turn = db.turn().await?;
    let acquired = db.pool()?.acquire().await;
    let mut connection = db.log_and_explain("BEGIN", started, acquired).await?;
    if references_off {
        // Only outside of a transaction does SQLite listen to this.
        let outcome = connection.batch("pragma foreign_keys = off").await;
        db.log_and_explain("pragma foreign_keys = off", started, outcome).await?;
    }
    let shared = Shared::new(connection, references_off, turn);
    let outcome = shared.begin().await;
    db.log_and_explain("BEGIN", started, outcome).await?;
    Ok(Level::outermost(shared))
}

impl Deref for Transaction {
    type Target = Database;

    fn deref(&self) -> &Database {
        &self.inside
    }
}

impl fmt::Debug for Transaction {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Transaction").field(&self.inside).finish()
    }
}

impl Drop for Transaction {
    fn drop(&mut self) {
        if !self.ended {
            self.level.abandon();
        }
    }
}
