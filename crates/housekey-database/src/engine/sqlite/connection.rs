use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use housekey_core::Paths;
use rusqlite::config::DbConfig;
use rusqlite::fallible_iterator::FallibleIterator;
use rusqlite::types::{ToSqlOutput, ValueRef};
use rusqlite::{Batch, OpenFlags, Rows, ToSql, params_from_iter};

use super::error::needs_time;
use super::{SqliteRow, decimal};
use crate::engine::{Outcome, Statement, Step};
use crate::value::iso;
use crate::{ConnectionConfig, Value};

/// How long a statement waits for another writer.
const BUSY: Duration = Duration::from_secs(5);

/// How many steps of SQLite's machine a read may take in the thread that asked: about a millisecond. One that needs more
/// begins again where nobody waits behind it.
const STEPS_IN_PLACE: i32 = 20_000;

/// A program has few statements; one that makes up text as it goes must not fill the memory.
const KEPT_STATEMENTS: usize = 200;

/// How to open a database, again and again.
#[derive(Clone, Debug)]
pub(super) struct Options {
    /// `None` is a database in memory, which ends with its connection.
    file: Option<PathBuf>,
    read_only: bool,
}

impl Options {
    pub(super) fn new(config: &ConnectionConfig, paths: &Paths) -> Self {
        let file = (!config.is_memory()).then(|| paths.locate(&config.database));
        Self { file, read_only: config.read_only }
    }

    /// Readers go on while somebody writes (WAL), references are checked, and a crash of the process loses nothing.
    pub(super) fn open(&self) -> rusqlite::Result<Connection> {
        let raw = match &self.file {
            Some(file) => {
                if !self.read_only {
                    make(file);
                }
                let access = if self.read_only {
                    OpenFlags::SQLITE_OPEN_READ_ONLY
                } else {
                    OpenFlags::SQLITE_OPEN_READ_WRITE
                };
                rusqlite::Connection::open_with_flags(file, access | OpenFlags::SQLITE_OPEN_NO_MUTEX)?
            }
            None => rusqlite::Connection::open_in_memory()?,
        };
        raw.busy_timeout(BUSY)?;
        // Otherwise every bound value that the planner might look at makes SQLite prepare a kept statement anew.
        raw.set_db_config(DbConfig::SQLITE_DBCONFIG_ENABLE_QPSG, true)?;
        raw.set_prepared_statement_cache_capacity(KEPT_STATEMENTS);
        decimal::teach(&raw)?;
        // Setting the journal mode writes to the file.
        if self.file.is_some() && !self.read_only {
            use_wal(&raw)?;
        }
        raw.execute_batch(
            "pragma synchronous = normal; pragma foreign_keys = on; pragma temp_store = memory",
        )?;
        let in_place = Arc::new(AtomicBool::new(false));
        let hurried = Arc::clone(&in_place);
        raw.progress_handler(STEPS_IN_PLACE, Some(move || hurried.load(Ordering::Relaxed)))?;
        Ok(Connection { raw, in_place, levels: 0 })
    }
}

/// Of two processes that turn a new file into one with a write-ahead log at the same moment, SQLite refuses one without the
/// wait that [`BUSY`] asks for.
fn use_wal(raw: &rusqlite::Connection) -> rusqlite::Result<()> {
    let begun = Instant::now();
    loop {
        match raw.execute_batch("pragma journal_mode = wal") {
            Err(error) if needs_time(&error) && begun.elapsed() < BUSY => {
                std::thread::sleep(Duration::from_millis(2));
            }
            outcome => return outcome,
        }
    }
}

/// Makes the file and its folder. What accounts are kept in is for nobody else on the machine to read.
fn make(file: &std::path::Path) {
    // If this fails, opening the file fails too, and says why.
    if let Some(folder) = file.parent().filter(|folder| !folder.as_os_str().is_empty()) {
        let _ = std::fs::create_dir_all(folder);
    }
    let mut options = std::fs::File::options();
    options.create_new(true).write(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let _ = options.open(file);
}

/// One connection, used by one thread at a time.
pub(super) struct Connection {
    raw: rusqlite::Connection,
    /// While it is set, SQLite neither waits nor works for long.
    in_place: Arc<AtomicBool>,
    /// How many transactions are open, one in the other.
    levels: usize,
}

impl Connection {
    /// Reads in this thread. `None` when that would take longer than others can be kept waiting.
    pub(super) fn rows_in_place(
        &mut self,
        statement: &Statement,
    ) -> Option<rusqlite::Result<Vec<SqliteRow>>> {
        self.hurry(true);
        match self.read(statement) {
            Ok(rows) => rows.map(Ok),
            Err(error) if needs_time(&error) => None,
            Err(error) => Some(Err(error)),
        }
    }

    /// `None` for a statement that would change something.
    fn read(&self, statement: &Statement) -> rusqlite::Result<Option<Vec<SqliteRow>>> {
        let mut prepared = self.raw.prepare_cached(&statement.sql)?;
        if !prepared.readonly() {
            return Ok(None);
        }
        read_out(prepared.query(params_from_iter(&statement.values))?).map(Some)
    }

    pub(super) fn rows(&mut self, statement: &Statement) -> rusqlite::Result<Vec<SqliteRow>> {
        self.hurry(false);
        let mut prepared = match self.raw.prepare_cached(&statement.sql) {
            Err(rusqlite::Error::MultipleStatement) if statement.values.is_empty() => {
                return self.several(&statement.sql);
            }
            prepared => prepared?,
        };
        read_out(prepared.query(params_from_iter(&statement.values))?)
    }

    pub(super) fn execute(&mut self, statement: &Statement) -> rusqlite::Result<Outcome> {
        self.rows(statement)?;
        Ok(Outcome { rows_affected: self.raw.changes(), last_insert_id: Some(self.raw.last_insert_rowid()) })
    }

    /// Runs text as it is, several statements if it holds several.
    pub(super) fn several(&self, sql: &str) -> rusqlite::Result<Vec<SqliteRow>> {
        self.hurry(false);
        let mut all = Vec::new();
        let mut statements = Batch::new(&self.raw, sql);
        while let Some(mut statement) = statements.next()? {
            all.extend(read_out(statement.raw_query())?);
        }
        Ok(all)
    }

    /// Runs statements in a transaction of their own, and says how many were begun and whether all of them are kept: where one
    /// fails or meets other rows than it must, none is.
    pub(super) fn all_or_none(&mut self, steps: &[Step]) -> (usize, rusqlite::Result<bool>) {
        let mut begun = 0;
        let outcome = self.begin().and_then(|()| {
            for Step { statement, expected } in steps {
                begun += 1;
                if !self.execute(statement)?.meets(*expected) {
                    return Ok(false);
                }
            }
            self.commit().map(|()| true)
        });
        // Where this fails the connection still has its transaction, and is not given back to the pool.
        let rolled_back = if self.levels > 0 { self.roll_back() } else { Ok(()) };
        (begun, outcome.and_then(|kept| rolled_back.map(|()| kept)))
    }

    /// Opens a transaction, or a savepoint in the open one.
    pub(super) fn begin(&mut self) -> rusqlite::Result<()> {
        match self.levels {
            // Taking the write lock at once waits for the other writer; taking it later cannot wait and fails.
            0 => self.kept("begin immediate")?,
            level => self.kept(&format!("savepoint level_{level}"))?,
        }
        self.levels += 1;
        Ok(())
    }

    pub(super) fn commit(&mut self) -> rusqlite::Result<()> {
        match self.levels.checked_sub(1) {
            None => return Ok(()),
            Some(0) => self.kept("commit")?,
            Some(level) => self.kept(&format!("release level_{level}"))?,
        }
        self.levels -= 1;
        Ok(())
    }

    /// Runs one statement that answers nothing and keeps it prepared.
    fn kept(&self, sql: &str) -> rusqlite::Result<()> {
        self.hurry(false);
        self.raw.prepare_cached(sql)?.execute([]).map(drop)
    }

    /// Takes back the innermost transaction. One that SQLite has taken back by itself, for a full disk say, is gone already.
    pub(super) fn roll_back(&mut self) -> rusqlite::Result<()> {
        let Some(level) = self.levels.checked_sub(1) else { return Ok(()) };
        if !self.raw.is_autocommit() {
            let whole = "rollback".to_owned();
            let sql =
                if level == 0 { whole } else { format!("rollback to level_{level}; release level_{level}") };
            self.several(&sql)?;
        }
        self.levels = level;
        Ok(())
    }

    pub(super) fn in_transaction(&self) -> bool {
        !self.raw.is_autocommit()
    }

    fn hurry(&self, on: bool) {
        if self.in_place.swap(on, Ordering::Relaxed) != on {
            // It fails for no connection that is open.
            let _ = self.raw.busy_timeout(if on { Duration::ZERO } else { BUSY });
        }
    }
}

/// The names are read after the first step: SQLite prepares a statement again in it when a table has changed, and
/// `select *` may then bring other columns.
fn read_out(mut rows: Rows<'_>) -> rusqlite::Result<Vec<SqliteRow>> {
    let mut all = Vec::new();
    let mut head: Option<Head> = None;
    while let Some(row) = rows.next()? {
        let head = head.get_or_insert_with(|| Head::of(row));
        let mut values = (0..head.names.len())
            .map(|index| row.get_ref(index).map(read))
            .collect::<Result<Box<[Value]>, _>>()?;
        for &(index, places) in &head.decimals {
            values[index] = decimal::read(std::mem::take(&mut values[index]), places);
        }
        all.push(SqliteRow { names: Arc::clone(&head.names), values });
    }
    Ok(all)
}

/// What the rows of a result have in common.
struct Head {
    names: Arc<[Box<str>]>,
    /// Which columns hold exact numbers, and with how many places.
    decimals: Vec<(usize, u32)>,
}

impl Head {
    fn of(row: &rusqlite::Row<'_>) -> Self {
        let columns = row.as_ref().columns();
        let decimals = columns.iter().enumerate();
        let decimals =
            decimals.filter_map(|(index, column)| Some((index, decimal::places(column.decl_type())?)));
        Self {
            decimals: decimals.collect(),
            names: columns.iter().map(|column| Box::from(column.name())).collect(),
        }
    }
}

/// SQLite types values, not columns.
fn read(value: ValueRef<'_>) -> Value {
    match value {
        ValueRef::Null => Value::Null,
        ValueRef::Integer(number) => Value::Int(number),
        ValueRef::Real(number) => Value::Real(number),
        ValueRef::Blob(bytes) => Value::Bytes(bytes.to_vec()),
        ValueRef::Text(bytes) => match std::str::from_utf8(bytes) {
            Ok(text) => Value::Text(text.to_owned()),
            // Another program wrote it; whoever reads it decides whether bytes will do.
            Err(_) => Value::Bytes(bytes.to_vec()),
        },
    }
}

impl ToSql for Value {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(match self {
            Self::Null => ToSqlOutput::Borrowed(ValueRef::Null),
            Self::Bool(value) => ToSqlOutput::Borrowed(ValueRef::Integer(i64::from(*value))),
            Self::Int(number) => ToSqlOutput::Borrowed(ValueRef::Integer(*number)),
            Self::Real(number) => ToSqlOutput::Borrowed(ValueRef::Real(*number)),
            Self::Text(text) => ToSqlOutput::Borrowed(ValueRef::Text(text.as_bytes())),
            Self::Bytes(bytes) => ToSqlOutput::Borrowed(ValueRef::Blob(bytes)),
            Self::Time(time) => iso::text(*time).into(),
            Self::Date(date) => iso::date_text(*date).into(),
            Self::Decimal(number) => decimal::text(*number).into(),
            Self::Uuid(uuid) => uuid.to_string().into(),
            Self::Json(json) => json.to_string().into(),
        })
    }
}
