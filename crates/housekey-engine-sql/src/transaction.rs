use housekey_database::{Database, Transaction as Open};
use housekey_engine::schema::Table;
use housekey_engine::storage::{Filter, Find, Records, StorageResult, Transaction};
use housekey_engine::{BoxFuture, Record};

use crate::error::explain;
use crate::records::{self, explained, writes_in};

/// A transaction that stays open until it is committed or dropped.
pub(crate) struct SqlTransaction {
    inside: Open,
}

impl SqlTransaction {
    pub(crate) async fn begin(database: &Database) -> StorageResult<Self> {
        let inside = database.begin().await.map_err(|error| explain(&error))?;
        Ok(Self { inside })
    }
}

/// Every read asks the database: what the transaction has written is for nobody else to see or to remember.
impl Records for SqlTransaction {
    writes_in!(inside);

    fn find<'a>(&'a self, table: &'a Table, find: &'a Find) -> BoxFuture<'a, StorageResult<Vec<Record>>> {
        explained(records::find(&self.inside, table, find))
    }

    fn count<'a>(&'a self, table: &'a Table, filter: &'a Filter) -> BoxFuture<'a, StorageResult<u64>> {
        explained(records::count(&self.inside, table, filter))
    }
}

impl Transaction for SqlTransaction {
    fn commit(self: Box<Self>) -> BoxFuture<'static, StorageResult<()>> {
        explained(self.inside.commit())
    }
}
