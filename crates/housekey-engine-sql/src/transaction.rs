use housekey_core::{Error, Result};
use housekey_database::Database;
use housekey_engine::BoxFuture;
use housekey_engine::storage::{StorageError, StorageResult, Transaction};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::error::explain;
use crate::records::rows_in;

/// A transaction that stays open until it is committed or dropped.
///
/// The database gives a transaction to a piece of work and ends it with the work. Here the work is a task that hands
/// the transaction out and waits to be told how it ended; hearing nothing, it rolls back.
pub(crate) struct SqlTransaction {
    inside: Database,
    commit: oneshot::Sender<()>,
    ended: JoinHandle<Result<()>>,
}

impl SqlTransaction {
    pub(crate) async fn begin(database: &Database) -> StorageResult<Self> {
        let (opened, open) = oneshot::channel();
        let (commit, committed) = oneshot::channel();
        let database = database.clone();
        let ended = tokio::spawn(async move {
            let work = async |inside: Database| {
                // Whoever asked may be gone already; then nobody will commit either.
                let _ = opened.send(inside);
                committed.await.map_err(|_| Error::internal("the transaction was dropped"))
            };
            database.transaction(work).await
        });
        match open.await {
            Ok(inside) => Ok(Self { inside, commit, ended }),
            Err(_) => Err(match ended.await {
                Ok(Err(error)) => explain(&error),
                Ok(Ok(())) => StorageError::failure("the transaction ended before it began"),
                Err(error) => StorageError::failure(error),
            }),
        }
    }
}

rows_in!(SqlTransaction, inside);

impl Transaction for SqlTransaction {
    fn commit(self: Box<Self>) -> BoxFuture<'static, StorageResult<()>> {
        Box::pin(async move {
            let Self { commit, ended, .. } = *self;
            // If the task is gone, its own error says why.
            let _ = commit.send(());
            ended.await.map_err(StorageError::failure)?.map_err(|error| explain(&error))
        })
    }
}
