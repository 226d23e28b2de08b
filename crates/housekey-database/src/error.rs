use std::fmt;
use std::sync::Arc;

use crate::Driver;
use crate::table_makers::TableMakers;

/// What went wrong with a database. It travels inside [`housekey_core::Error`]; find it there with
/// [`DatabaseError::of`], and ask it what kind it is.
///
/// Its text names the connection and what to do, and never holds a password or a value of a statement.
///
/// ```
/// # use housekey_core::Result;
/// # use housekey_database::{Database, DatabaseError, record};
/// # async fn sign_up(db: Database) -> Result<()> {
/// let made = db.table("users").insert(record! { "email" => "ada@example.com" }).await;
/// match made {
///     Err(error) if DatabaseError::of(&error).is_some_and(|error| error.is_unique_violation()) => {
///         // Somebody has this address already.
///     }
///     other => { other?; }
/// }
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct DatabaseError {
    kind: Kind,
    text: String,
    constraint: Option<String>,
    sql: Option<String>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    Unreachable,
    Denied,
    NoSuchDatabase,
    Busy,
    Locked,
    Deadlock,
    ReadOnly,
    Full,
    Unique,
    ForeignKey,
    NotNull,
    Check,
    NoSuchTable,
    Exists,
    Outdated,
    Statement,
    Configuration,
    Decode,
    Over,
}

impl DatabaseError {
    /// The database's part in an error, if it has one.
    pub fn of(error: &housekey_core::Error) -> Option<&Self> {
        error.downcast_ref()
    }

    pub(crate) fn new(kind: Kind, text: impl Into<String>) -> Self {
        Self { kind, text: text.into(), constraint: None, sql: None }
    }

    /// A unique index or a primary key has this value already.
    pub fn is_unique_violation(&self) -> bool {
        self.kind == Kind::Unique
    }

    /// A row refers to one that is not there, or one that is referred to would go.
    pub fn is_foreign_key_violation(&self) -> bool {
        self.kind == Kind::ForeignKey
    }

    /// A column that must have a value got none.
    pub fn is_not_null_violation(&self) -> bool {
        self.kind == Kind::NotNull
    }

    /// The server does not answer, or the connection to it broke.
    pub fn is_unreachable(&self) -> bool {
        matches!(self.kind, Kind::Unreachable)
    }

    /// The server refused the user or the password, or the user may not do this.
    pub fn is_denied(&self) -> bool {
        self.kind == Kind::Denied
    }

    /// No connection of the pool, or no lock, came free in time.
    pub fn is_timeout(&self) -> bool {
        matches!(self.kind, Kind::Busy | Kind::Locked)
    }

    /// Two transactions stood in each other's way and this one was given up: running it again can succeed.
    pub fn is_deadlock(&self) -> bool {
        self.kind == Kind::Deadlock
    }

    /// The database may only be read.
    pub fn is_read_only(&self) -> bool {
        self.kind == Kind::ReadOnly
    }

    /// There is no room left to write.
    pub fn is_full(&self) -> bool {
        self.kind == Kind::Full
    }

    /// The statement names a table that does not exist.
    pub fn is_missing_table(&self) -> bool {
        self.kind == Kind::NoSuchTable
    }

    /// What was to be made exists already, or what was to be dropped is gone already.
    pub(crate) fn is_already_done(&self) -> bool {
        self.kind == Kind::Exists
    }

    /// There was no connection that the statement could have run on.
    pub(crate) fn is_without_connection(&self) -> bool {
        use Kind::{Busy, Configuration, Denied, NoSuchDatabase, Over, Unreachable};
        matches!(self.kind, Busy | Configuration | Denied | NoSuchDatabase | Over | Unreachable)
    }

    /// A statement was prepared before its tables changed.
    pub(crate) fn is_outdated(&self) -> bool {
        self.kind == Kind::Outdated
    }

    /// The violated constraint, where the engine names it.
    pub fn constraint(&self) -> Option<&str> {
        self.constraint.as_deref()
    }

    /// The statement that failed, without its values.
    pub fn sql(&self) -> Option<&str> {
        self.sql.as_deref()
    }

    pub(crate) fn with_sql(mut self, sql: &str) -> Self {
        self.sql = Some(sql.to_owned());
        self
    }
}

impl fmt::Display for DatabaseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)?;
        match &self.sql {
            Some(sql) => write!(f, "\n  in: {sql}"),
            None => Ok(()),
        }
    }
}

impl std::error::Error for DatabaseError {}

/// Whom an error speaks about: the connection's name, its engine and where it is.
#[derive(Debug)]
pub(crate) struct Target {
    pub(crate) name: String,
    pub(crate) driver: Driver,
    /// `shop at 10.0.0.3:5432`, or the file.
    pub(crate) place: String,
    pub(crate) makers: TableMakers,
}

impl Target {
    /// Explains what the driver reported.
    pub(crate) fn explain(self: &Arc<Self>, error: &sqlx::Error) -> DatabaseError {
        let Self { name, driver, place, .. } = &**self;
        let settings = format!("connection `{name}` in config/database.rs");
        match error {
            sqlx::Error::Database(reported) => self.explain_reported(reported.as_ref(), &settings),
            sqlx::Error::Io(io) => DatabaseError::new(
                Kind::Unreachable,
                format!("cannot reach {driver} ({place}): {io}. Is it running, and is the {settings} right?"),
            ),
            sqlx::Error::PoolTimedOut => DatabaseError::new(
                Kind::Busy,
                format!(
                    "no connection to {driver} ({place}) came free in time. All of them are in use: look for \
                     long transactions, or raise `pool.max` of the {settings}"
                ),
            ),
            sqlx::Error::PoolClosed => {
                DatabaseError::new(Kind::Over, format!("connection `{name}` has been closed"))
            }
            sqlx::Error::WorkerCrashed => {
                DatabaseError::new(Kind::Unreachable, format!("the worker of {place} ended unexpectedly"))
            }
            sqlx::Error::Tls(cause) => DatabaseError::new(
                Kind::Unreachable,
                format!(
                    "{driver} ({place}) and we could not agree on TLS: {cause}. See `sslmode` in the url of the {settings}"
                ),
            ),
            sqlx::Error::Configuration(cause) => {
                DatabaseError::new(Kind::Configuration, format!("the {settings} is not usable: {cause}"))
            }
            other => DatabaseError::new(Kind::Statement, format!("{driver} ({place}): {other}")),
        }
    }

    fn explain_reported(&self, reported: &dyn sqlx::error::DatabaseError, settings: &str) -> DatabaseError {
        let Self { driver, place, .. } = self;
        let kind = crate::engine::classify(*driver, reported);
        let message = reported.message();
        let constraint = crate::engine::constraint(*driver, reported);
        let named = constraint.as_deref().map_or(String::new(), |name| format!(" ({name})"));
        let text = match kind {
            Kind::Denied => format!(
                "{driver} ({place}) refuses us: {message}. Check the username and password of the {settings}, and \
                 what that user may do"
            ),
            Kind::NoSuchDatabase if *driver == Driver::Sqlite => format!(
                "cannot open {place}: {message}. Check that the folder exists and that we may write there ({settings})"
            ),
            Kind::NoSuchDatabase => format!(
                "{driver} has no such database ({place}): {message}. Create it, or correct the {settings}"
            ),
            Kind::Unreachable => format!("{driver} ({place}) ended the connection: {message}"),
            Kind::Busy => format!("{driver} ({place}) takes no more connections: {message}"),
            Kind::Locked => format!(
                "{driver} ({place}): another transaction holds the lock for too long ({message}). Keep transactions \
                 short; inside one, use the handle it gives you"
            ),
            Kind::Deadlock => {
                format!("{driver} gave up this transaction in favour of another ({message}); run it again")
            }
            Kind::ReadOnly => format!(
                "{place} is read-only: {message}. See that the file, its folder and their owner let us write, and \
                 `read_only` of the {settings}"
            ),
            Kind::Full => format!(
                "there is no room left for {place}: {message}. Make room on the disk; nothing was written"
            ),
            // The engine's own sentence may quote the value, which does not belong in a log.
            Kind::Unique => format!("a row with the same value exists already{named}"),
            Kind::ForeignKey => {
                format!("a row that this one refers to is missing, or one still refers to it{named}")
            }
            Kind::NoSuchTable => {
                let remedy =
                    self.makers.remedy(message).map_or(String::new(), |remedy| format!(". {remedy}"));
                format!("{driver}: {message}{remedy}")
            }
            _ => format!("{driver}: {message}"),
        };
        DatabaseError { kind, text, constraint, sql: None }
    }
}
