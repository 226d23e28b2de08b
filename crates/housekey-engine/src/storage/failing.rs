use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use super::{Filter, Find, Records, Storage, StorageError, StorageResult, Transaction};
use crate::schema::Table;
use crate::{BoxFuture, Record};

/// A storage that fails at a chosen call: for tests that show what happens then.
///
/// ```
/// use housekey_engine::storage::{FailingStorage, MemoryStorage};
///
/// let storage = FailingStorage::new(MemoryStorage::new());
/// storage.fail_at(3); // the third call from now, counted over all operations
/// ```
#[derive(Clone, Debug)]
pub struct FailingStorage<S> {
    inner: S,
    countdown: Arc<AtomicI64>,
}

impl<S> FailingStorage<S> {
    /// A storage that works until told otherwise.
    pub fn new(inner: S) -> Self {
        Self { inner, countdown: Arc::new(AtomicI64::new(i64::MAX)) }
    }

    /// Fails once, at the `call`th call from now; the first is 1.
    pub fn fail_at(&self, call: u32) {
        self.countdown.store(i64::from(call), Ordering::SeqCst);
    }

    /// Whether the chosen call has happened.
    pub fn has_failed(&self) -> bool {
        self.countdown.load(Ordering::SeqCst) <= 0
    }

    fn tick(&self) -> StorageResult<()> {
        tick(&self.countdown)
    }
}

fn tick(countdown: &AtomicI64) -> StorageResult<()> {
    match countdown.fetch_sub(1, Ordering::SeqCst) {
        1 => Err(StorageError::failure("this call fails on purpose")),
        _ => Ok(()),
    }
}

macro_rules! forward {
    () => {
        fn find<'a>(&'a self, table: &'a Table, find: &'a Find) -> BoxFuture<'a, StorageResult<Vec<Record>>> {
            Box::pin(async move {
                self.tick()?;
                self.inner.find(table, find).await
            })
        }

        fn create<'a>(&'a self, table: &'a Table, record: &'a Record) -> BoxFuture<'a, StorageResult<()>> {
            Box::pin(async move {
                self.tick()?;
                self.inner.create(table, record).await
            })
        }

        fn update<'a>(
            &'a self,
            table: &'a Table,
            filter: &'a Filter,
            changes: &'a Record,
        ) -> BoxFuture<'a, StorageResult<u64>> {
            Box::pin(async move {
                self.tick()?;
                self.inner.update(table, filter, changes).await
            })
        }

        fn increment<'a>(
            &'a self,
            table: &'a Table,
            filter: &'a Filter,
            field: &'a str,
            by: i64,
        ) -> BoxFuture<'a, StorageResult<Option<i64>>> {
            Box::pin(async move {
                self.tick()?;
                self.inner.increment(table, filter, field, by).await
            })
        }

        fn adjust<'a>(
            &'a self,
            table: &'a Table,
            filter: &'a Filter,
            add: &'a [(&'static str, i64)],
            set: &'a Record,
        ) -> BoxFuture<'a, StorageResult<u64>> {
            Box::pin(async move {
                self.tick()?;
                self.inner.adjust(table, filter, add, set).await
            })
        }

        fn delete<'a>(&'a self, table: &'a Table, filter: &'a Filter) -> BoxFuture<'a, StorageResult<u64>> {
            Box::pin(async move {
                self.tick()?;
                self.inner.delete(table, filter).await
            })
        }

        fn count<'a>(&'a self, table: &'a Table, filter: &'a Filter) -> BoxFuture<'a, StorageResult<u64>> {
            Box::pin(async move {
                self.tick()?;
                self.inner.count(table, filter).await
            })
        }
    };
}

impl<S: Storage> Records for FailingStorage<S> {
    forward!();
}

impl<S: Storage> Storage for FailingStorage<S> {
    fn begin(&self) -> BoxFuture<'_, StorageResult<Box<dyn Transaction>>> {
        Box::pin(async move {
            self.tick()?;
            let inner = self.inner.begin().await?;
            let countdown = Arc::clone(&self.countdown);
            Ok(Box::new(FailingTransaction { inner, countdown }) as Box<dyn Transaction>)
        })
    }
}

struct FailingTransaction {
    inner: Box<dyn Transaction>,
    countdown: Arc<AtomicI64>,
}

impl FailingTransaction {
    fn tick(&self) -> StorageResult<()> {
        tick(&self.countdown)
    }
}

impl Records for FailingTransaction {
    forward!();
}

impl Transaction for FailingTransaction {
    fn commit(self: Box<Self>) -> BoxFuture<'static, StorageResult<()>> {
        Box::pin(async move {
            self.tick()?;
            self.inner.commit().await
        })
    }
}
