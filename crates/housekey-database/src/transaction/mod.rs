//! Several things or none of them: the transaction as a piece of work, as a handle, and as a batch that is known beforehand.

mod after;
mod batch;
mod handle;
mod level;

use std::sync::Arc;

use housekey_core::Result;

pub use batch::Batch;
pub use handle::Transaction;
pub(crate) use level::Level;

use crate::Database;
use crate::ambient;
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

    /// Opens a transaction that is a value: it can be kept in a struct, sent to another task, and ended later. Dropped
    /// without [`Transaction::commit`], it takes everything back.
    ///
    /// Where one function does all the work, [`Database::transaction`] is the better choice: there the models and
    /// [`db()`](crate::db) are part of the transaction by themselves. Here only what goes through the handle is.
    ///
    /// ```
    /// # use housekey_core::Result;
    /// # use housekey_database::{Database, record};
    /// # async fn import(db: Database, lines: Vec<String>) -> Result<()> {
    /// let tx = db.begin().await?;
    /// for line in lines {
    ///     tx.table("lines").insert(record! { "line" => line }).await?;
    /// }
    /// tx.commit().await
    /// # }
    /// ```
    pub async fn begin(&self) -> Result<Transaction> {
        Transaction::open(self, false).await
    }

    /// The transaction that the running task has open on this database, or the database itself.
    ///
    /// [`db()`](crate::db) is this already. It is for what keeps a handle for longer than a request.
    #[must_use]
    pub fn current(&self) -> Self {
        if self.in_transaction() { self.clone() } else { ambient::current(self.clone()) }
    }

    /// Does something when what was written so far is there for everybody: once the outermost transaction is committed,
    /// or at once if there is none. What is rolled back, and what stood in a savepoint that was, is not followed by it.
    ///
    /// It cannot take the transaction back: what it does may fail, and is to be told then by itself.
    ///
    /// ```
    /// # use housekey_core::Result;
    /// # use housekey_database::{Database, record};
    /// # async fn order(db: Database) -> Result<()> {
    /// db.transaction(async |tx| {
    ///     tx.table("orders").insert(record! { "article" => "key" }).await?;
    ///     tx.after_commit(async { println!("an order for everybody to see") }).await;
    ///     Ok(())
    /// }).await
    /// # }
    /// ```
    pub async fn after_commit(&self, work: impl Future<Output = ()> + Send + 'static) {
        match &self.current().level {
            Some(level) => level.after_commit(work),
            None => work.await,
        }
    }

    /// Like [`Database::transaction`]; on SQLite references can be off meanwhile, and must hold again at the end.
    pub(crate) async fn transaction_with<T, F>(&self, references_off: bool, work: F) -> Result<T>
    where
        F: AsyncFnOnce(Self) -> Result<T>,
    {
        let transaction = Transaction::open(self, references_off).await?;
        let inside = Self::clone(&transaction);
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
            Ok(value) => transaction.commit().await.map(|()| value),
            Err(error) => {
                transaction.rollback().await;
                Err(error)
            }
        }
    }

    pub(crate) fn inside(&self, level: Arc<Level>) -> Self {
        Self { inner: self.inner.clone(), level: Some(level) }
    }
}

async fn broken_references(tx: &Database) -> Result<usize> {
    Ok(tx.raw("pragma foreign_key_check", []).await?.len())
}
