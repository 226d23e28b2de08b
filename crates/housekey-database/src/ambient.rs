//! The transaction that the running task is in.

use std::future::Future;
use std::sync::Arc;

use crate::Database;

tokio::task_local! {
    static OPEN: Arc<Open>;
}

struct Open {
    transaction: Database,
    outer: Option<Arc<Open>>,
}

/// Runs the work with this transaction as the one that its database's name stands for.
pub(crate) fn within<F: Future>(transaction: Database, work: F) -> impl Future<Output = F::Output> {
    let outer = OPEN.try_with(Clone::clone).ok();
    OPEN.scope(Arc::new(Open { transaction, outer }), work)
}

/// The innermost open transaction on this database, or the database itself.
pub(crate) fn current(database: Database) -> Database {
    let mut open = OPEN.try_with(Clone::clone).ok();
    while let Some(entry) = open {
        if Arc::ptr_eq(&entry.transaction.inner, &database.inner) {
            return entry.transaction.clone();
        }
        open = entry.outer.clone();
    }
    database
}
