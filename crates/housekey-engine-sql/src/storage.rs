use housekey_core::{Paths, Result};
use housekey_database::{ConnectionConfig, Database};
use housekey_engine::schema::{Schema, Table};
use housekey_engine::storage::{
    Filter, Find, Records, Storage, StorageResult, Transaction, Write, write_one_by_one,
};
use housekey_engine::{BoxFuture, Record};

use crate::joins;
use crate::records::{self, explained, records_in_database};
use crate::tables;
use crate::transaction::SqlTransaction;

/// The engine's rows in a database. Cheap to clone; nothing is connected before the first use.
///
/// What the engine does inside [`Database::transaction`] is part of that transaction.
///
/// ```no_run
/// use housekey_engine_sql::SqlStorage;
///
/// # fn open() -> housekey_core::Result<()> {
/// let file = SqlStorage::sqlite("storage/auth.sqlite")?;
/// # let _ = file;
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct SqlStorage {
    database: Database,
}

impl SqlStorage {
    /// In a database that the app has open already.
    pub fn new(database: Database) -> Self {
        Self { database }
    }

    /// In a SQLite file, seen from the working directory. It is made when it is not there.
    pub fn sqlite(file: impl Into<String>) -> Result<Self> {
        Self::open(ConnectionConfig::sqlite(file))
    }

    /// In a PostgreSQL database by its address: `postgres://user:password@host:5432/name`.
    pub fn postgres(url: impl Into<String>) -> Result<Self> {
        Self::open(ConnectionConfig::postgres(url.into()))
    }

    /// In a MySQL or MariaDB database by its address: `mysql://user:password@host:3306/name`.
    pub fn mysql(url: impl Into<String>) -> Result<Self> {
        Self::open(ConnectionConfig::mysql(url.into()))
    }

    /// In a SQLite database of its own in memory, for tests and examples.
    #[cfg(feature = "sqlite")]
    pub fn memory() -> Self {
        Self::new(Database::memory())
    }

    const IS_TRANSACTION: bool = false;

    /// The database, or the transaction that the running task has open on it.
    pub fn database(&self) -> Database {
        self.database.current()
    }

    /// Makes the tables, columns and indexes that are not there yet. What is there is left as it is.
    pub async fn create_tables(&self, schema: &Schema) -> Result<()> {
        tables::create_missing(&self.database, schema).await
    }

    /// The SQL that finds some rows, without its values: for looking, and for asking the database how it does that.
    pub fn statement(&self, table: &Table, find: &Find) -> Result<String> {
        records::statement(&self.database(), table, find)
    }

    fn open(config: ConnectionConfig) -> Result<Self> {
        Ok(Self::new(Database::open("auth", config, &Paths::new("."))?))
    }
}

impl Records for SqlStorage {
    records_in_database!();

    fn find_with_parent<'a>(
        &'a self,
        table: &'a Table,
        filter: &'a Filter,
        reference: &'a str,
        parent: &'a Table,
    ) -> BoxFuture<'a, StorageResult<Option<(Record, Record)>>> {
        let database = self.database();
        explained(async move { joins::find_with_parent(&database, table, filter, reference, parent).await })
    }
}

impl Storage for SqlStorage {
    fn begin(&self) -> BoxFuture<'_, StorageResult<Box<dyn Transaction>>> {
        Box::pin(async move {
            Ok(Box::new(SqlTransaction::begin(&self.database()).await?) as Box<dyn Transaction>)
        })
    }

    fn write_together<'a>(&'a self, writes: &'a [Write<'a>]) -> BoxFuture<'a, StorageResult<bool>> {
        if !records::are_plain(writes) {
            return Box::pin(write_one_by_one(self, writes));
        }
        let database = self.database();
        explained(async move { records::write_together(&database, writes).await })
    }
}
