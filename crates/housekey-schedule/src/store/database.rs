use std::sync::Arc;

use housekey_core::{Error, Result};
use housekey_database::{Database, DatabaseError, DatabaseSource, Databases, FromRow, Record, Row, record};

use super::StoredRecord;
use crate::record::RunRecord;
use crate::tables::RUNS;

/// Records in a table, on any engine. Inside a transaction on the same connection they are part of it.
#[derive(Clone, Debug)]
pub(crate) struct DatabaseRuns {
    source: DatabaseSource,
    connection: String,
    /// What the application's default connection is called.
    default: String,
}

impl DatabaseRuns {
    pub(super) fn open(databases: Arc<Databases>, connection: Option<&str>) -> Result<Self> {
        let default = databases.config().default.clone();
        let name = connection.unwrap_or(&default).to_owned();
        Ok(Self { source: DatabaseSource::named(databases, connection)?, connection: name, default })
    }

    /// Whether this is the connection that is meant; the default one for `None`.
    pub(crate) fn is_on(&self, connection: Option<&str>) -> bool {
        connection.unwrap_or(&self.default) == self.connection
    }

    pub(crate) fn database(&self) -> Result<Database> {
        self.source.get()
    }

    pub(super) async fn load(&self, task: &str) -> Result<Option<StoredRecord>> {
        let found: Result<Option<StoredRun>> =
            self.source.get()?.table(RUNS).where_eq("name", task).first().await;
        Ok(found.map_err(explain)?.map(|StoredRun(record)| StoredRecord { record, text: String::new() }))
    }

    pub(super) async fn add(&self, task: &str, record: &RunRecord) -> Result<bool> {
        let row = record! { "name" => task }.merge(columns(record));
        match self.source.get()?.table(RUNS).insert_or_ignore(row).await {
            Err(error) if is_deadlock(&error) => Ok(false),
            outcome => outcome.map_err(explain),
        }
    }

    pub(super) async fn swap(&self, task: &str, found: &StoredRecord, new: &RunRecord) -> Result<bool> {
        let db = self.source.get()?;
        let row = db.table(RUNS).where_eq("name", task).where_eq("revision", found.record.revision);
        match row.update(columns(new)).await {
            Ok(changed) => Ok(changed == 1),
            // The engine has given this change up in favour of another's.
            Err(error) if is_deadlock(&error) && !db.in_transaction() => Ok(false),
            Err(error) => Err(explain(error)),
        }
    }
}

struct StoredRun(RunRecord);

impl FromRow for StoredRun {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self(RunRecord {
            revision: row.get("revision")?,
            time: row.get("time")?,
            attempts: row.get("attempts")?,
            owner: row.get("owner")?,
            lease_ends: row.get("lease_ends")?,
            outcome: row.get("outcome")?,
            ended_at: row.get("ended_at")?,
        }))
    }
}

fn columns(run: &RunRecord) -> Record {
    record! {
        "revision" => run.revision,
        "time" => run.time,
        "attempts" => run.attempts,
        "owner" => run.owner.clone(),
        "lease_ends" => run.lease_ends,
        "outcome" => run.outcome.clone(),
        "ended_at" => run.ended_at,
    }
}

pub(crate) fn is_deadlock(error: &Error) -> bool {
    DatabaseError::of(error).is_some_and(DatabaseError::is_deadlock)
}

fn explain(error: Error) -> Error {
    if DatabaseError::of(&error).is_some_and(DatabaseError::is_missing_table) {
        return error.context(
            "the schedule is kept in the database, and its table is not there: run `housekey make:schedule-table` and \
             `housekey migrate`",
        );
    }
    error
}
