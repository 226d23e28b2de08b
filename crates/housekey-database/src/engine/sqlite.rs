use std::path::Path;
use std::time::Duration;

use housekey_core::Paths;
use sqlx::error::{BoxDynError, DatabaseError};
use sqlx::sqlite::{
    SqliteArguments, SqliteConnectOptions, SqliteConnection, SqliteJournalMode, SqliteQueryResult, SqliteRow,
    SqliteSynchronous,
};
use sqlx::{Arguments, ConnectOptions, Decode, Row, Sqlite, TypeInfo, ValueRef};

use super::{Engine, EngineRow, Outcome};
use crate::error::Kind;
use crate::value::iso;
use crate::{ConnectionConfig, Value};

/// How long a statement waits for another writer.
pub(crate) const BUSY: Duration = Duration::from_secs(5);

/// Readers go on while somebody writes (WAL), references are checked, and a crash of the process loses nothing.
pub(crate) fn options(config: &ConnectionConfig, paths: &Paths) -> SqliteConnectOptions {
    let options = if config.is_memory() {
        SqliteConnectOptions::new().in_memory(true).shared_cache(true).filename(memory_name())
    } else {
        let journal = SqliteConnectOptions::new()
            .filename(paths.locate(&config.database))
            .create_if_missing(!config.read_only)
            .read_only(config.read_only);
        // Setting the journal mode writes to the file.
        if config.read_only { journal } else { journal.journal_mode(SqliteJournalMode::Wal) }
    };
    options
        .synchronous(SqliteSynchronous::Normal)
        .foreign_keys(true)
        .busy_timeout(BUSY)
        .pragma("temp_store", "memory")
        .disable_statement_logging()
}

/// Every `:memory:` connection is a database of its own; its pool's connections share it by this name.
fn memory_name() -> String {
    use std::sync::atomic::{AtomicU64, Ordering};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    format!("file:housekey-{}-{}", std::process::id(), NEXT.fetch_add(1, Ordering::Relaxed))
}

/// Keeps something for exactly as long as a connection is open: what a hook holds is dropped when SQLite is about to close.
///
/// A pool does not tell when it closes a connection, and counts those that it is opening among those that are open.
pub(crate) async fn keep_while_open<T: Send + 'static>(
    connection: &mut SqliteConnection,
    kept: T,
) -> Result<(), sqlx::Error> {
    let hook = move || {
        let _: &T = &kept;
    };
    connection.lock_handle().await?.set_rollback_hook(hook);
    Ok(())
}

/// SQLite makes the file but not its folder.
pub(crate) fn make_folder(config: &ConnectionConfig, paths: &Paths) {
    if config.is_memory() || config.read_only {
        return;
    }
    if let Some(folder) = paths.locate(&config.database).parent().filter(|folder| *folder != Path::new("")) {
        // If this fails, opening the file fails too, and says why.
        let _ = std::fs::create_dir_all(folder);
    }
}

impl Engine for Sqlite {
    fn bind(values: Vec<Value>) -> Result<SqliteArguments, BoxDynError> {
        let mut arguments = SqliteArguments::default();
        arguments.reserve(values.len(), 0);
        for value in values {
            match value {
                Value::Null => arguments.add(None::<i64>),
                Value::Bool(value) => arguments.add(value),
                Value::Int(value) => arguments.add(value),
                Value::Real(value) => arguments.add(value),
                Value::Text(value) => arguments.add(value),
                Value::Bytes(value) => arguments.add(value),
                Value::Time(value) => arguments.add(iso::text(value)),
                Value::Json(value) => arguments.add(value.to_string()),
            }?;
        }
        Ok(arguments)
    }

    fn read(row: &SqliteRow, index: usize) -> Result<Value, BoxDynError> {
        let value = row.try_get_raw(index)?;
        if value.is_null() {
            return Ok(Value::Null);
        }
        // SQLite types values, not columns.
        match value.type_info().name() {
            "INTEGER" => <i64 as Decode<'_, Sqlite>>::decode(value).map(Value::Int),
            "REAL" => <f64 as Decode<'_, Sqlite>>::decode(value).map(Value::Real),
            "BLOB" => <Vec<u8> as Decode<'_, Sqlite>>::decode(value).map(Value::Bytes),
            _ => <String as Decode<'_, Sqlite>>::decode(value).map(Value::Text),
        }
    }

    fn outcome(result: &SqliteQueryResult) -> Outcome {
        Outcome { rows_affected: result.rows_affected(), last_insert_id: Some(result.last_insert_rowid()) }
    }

    // When the thread that runs a connection ends in a panic, sqlx takes it for the end of the rows.
    const SAYS_WHEN_DONE: bool = true;

    /// The end of a result is one more trip to the thread that SQLite runs on.
    const MAY_STOP: bool = true;

    /// A statement is prepared with the tables as the connection last saw them, and prepared again by SQLite when it
    /// turns out that another process has changed one. Then `select *` brings columns that sqlx has no names for, and
    /// it panics. So the connection looks first, and such a statement is not kept. With columns by name there is
    /// nothing to go wrong.
    fn prefix(sql: &str) -> Option<&'static str> {
        names_every_column(sql).then_some("select 1 from sqlite_schema limit 0; ")
    }

    fn keeps_prepared(sql: &str, _: &[Value]) -> bool {
        !names_every_column(sql)
    }
}

impl From<SqliteRow> for EngineRow {
    fn from(row: SqliteRow) -> Self {
        Self::Sqlite(row)
    }
}

/// Whether there is a star that is not `count(*)`. A multiplication counts too, which costs it a few microseconds.
fn names_every_column(sql: &str) -> bool {
    sql.match_indices('*').any(|(at, _)| !sql[..at].ends_with('('))
}

pub(crate) fn classify(error: &dyn DatabaseError) -> Kind {
    let code: i32 = error.code().and_then(|code| code.parse().ok()).unwrap_or_default();
    // The low byte is the family; the rest says which member.
    match code & 0xff {
        3 | 23 => Kind::Denied,
        5 | 6 => Kind::Locked,
        8 => Kind::ReadOnly,
        13 => Kind::Full,
        14 | 26 => Kind::NoSuchDatabase,
        1 if error.message().starts_with("no such table") => Kind::NoSuchTable,
        1 if error.message().contains("already exists") => Kind::Exists,
        _ => Kind::Statement,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_star_is_told_from_a_count() {
        assert!(names_every_column("select * from posts"));
        assert!(names_every_column("insert into posts (a) values (?) returning *"));
        assert!(!names_every_column("select count(*), title from posts"));
    }
}
