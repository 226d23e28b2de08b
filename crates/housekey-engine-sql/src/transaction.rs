use housekey_database::{Database, Transaction as Open};
use housekey_engine::BoxFuture;
use housekey_engine::storage::{Records, StorageResult, Transaction};

use crate::error::explain;
use crate::records::{explained, records_in_database};

/// A transaction that stays open until it is committed or dropped.
pub(crate) struct SqlTransaction {
    inside: Open,
}

impl SqlTransaction {
    pub(crate) async fn begin(database: &Database) -> StorageResult<Self> {
        let inside = database.begin().await.map_err(|error| explain(&error))?;
        Ok(Self { inside })
    }

    const IS_TRANSACTION: bool = true;

    fn database(&self) -> Database {
        Database::clone(&self.inside)
    }
}

impl Records for SqlTransaction {
    records_in_database!();
}

impl Transaction for SqlTransaction {
    fn commit(self: Box<Self>) -> BoxFuture<'static, StorageResult<()>> {
        explained(self.inside.commit())
    }
}
