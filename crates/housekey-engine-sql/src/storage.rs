use housekey_core::{Paths, Result};
use housekey_database::{ConnectionConfig, Database};
use housekey_engine::schema::{Schema, Table};
use housekey_engine::storage::{Filter, Find, Records, Storage, StorageResult, Transaction};
use housekey_engine::{BoxFuture, Record};

use crate::joins::Joins;
use crate::memory::{Memory, Question, Recalled};
use crate::records::{self, explained, writes_in};
use crate::tables;
use crate::transaction::SqlTransaction;

/// The engine's rows in a database. Cheap to clone; nothing is connected before the first use.
///
/// On SQLite, what was read of sessions, users and passkeys is remembered for as long as nobody has changed the
/// database, in this process or in another one; see [`Database::stamp`].
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
    joins: Joins,
    memory: Memory,
}

impl SqlStorage {
    /// In a database that the app has open already.
    pub fn new(database: Database) -> Self {
        Self { database, joins: Joins::default(), memory: Memory::default() }
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

    /// The database.
    pub fn database(&self) -> &Database {
        &self.database
    }

    /// Makes the tables, columns and indexes that are not there yet. What is there is left as it is.
    pub async fn create_tables(&self, schema: &Schema) -> Result<()> {
        tables::create_missing(&self.database, schema).await
    }

    #[cfg(test)]
    pub(crate) fn memory_of_reads(&self) -> &Memory {
        &self.memory
    }

    fn open(config: ConnectionConfig) -> Result<Self> {
        Ok(Self::new(Database::open("auth", config, &Paths::new("."))?))
    }
}

impl Records for SqlStorage {
    writes_in!(database);

    fn find<'a>(&'a self, table: &'a Table, find: &'a Find) -> BoxFuture<'a, StorageResult<Vec<Record>>> {
        Box::pin(async move {
            let question = Question::rows(table, find);
            let place = match self.memory.rows(&self.database, &question) {
                Recalled::Known(rows) => return Ok(rows),
                Recalled::Unknown(place) => place,
            };
            let rows = explained(records::find(&self.database, table, find)).await?;
            self.memory.keep_rows(place, &question, &rows);
            Ok(rows)
        })
    }

    fn count<'a>(&'a self, table: &'a Table, filter: &'a Filter) -> BoxFuture<'a, StorageResult<u64>> {
        Box::pin(async move {
            let question = Question::count(table, filter);
            let place = match self.memory.count(&self.database, &question) {
                Recalled::Known(count) => return Ok(count),
                Recalled::Unknown(place) => place,
            };
            let count = explained(records::count(&self.database, table, filter)).await?;
            self.memory.keep_count(place, &question, count);
            Ok(count)
        })
    }

    fn find_with_parent<'a>(
        &'a self,
        table: &'a Table,
        filter: &'a Filter,
        reference: &'a str,
        parent: &'a Table,
    ) -> BoxFuture<'a, StorageResult<Option<(Record, Record)>>> {
        Box::pin(async move {
            let question = Question::pair(table, filter, reference, parent);
            let place = match self.memory.pair(&self.database, &question) {
                Recalled::Known(pair) => return Ok(Some(pair)),
                Recalled::Unknown(place) => place,
            };
            let read = self.joins.find(&self.database, table, filter, reference, parent);
            let found = explained(read).await?;
            if let Some(pair) = &found {
                self.memory.keep_pair(place, &question, pair);
            }
            Ok(found)
        })
    }
}

impl Storage for SqlStorage {
    fn begin(&self) -> BoxFuture<'_, StorageResult<Box<dyn Transaction>>> {
        Box::pin(
            async move { Ok(Box::new(SqlTransaction::begin(&self.database).await?) as Box<dyn Transaction>) },
        )
    }
}
