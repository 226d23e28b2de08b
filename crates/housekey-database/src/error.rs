use std::fmt;

use crate::made_name::made_name;

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

    /// A unique index over this column, alone or with others, has this value already. On PostgreSQL and MySQL an index is known by
    /// the name that a migration gives it unless told otherwise: `books_isbn_unique`.
    pub fn is_unique_violation_of(&self, table: &str, column: &str) -> bool {
        let Some(constraint) = self.constraint.as_deref().filter(|_| self.is_unique_violation()) else {
            return false;
        };
        // SQLite names the columns: books.organization_id, books.isbn
        let qualified = format!("{table}.{column}");
        if constraint.split(", ").any(|name| name == qualified) {
            return true;
        }
        if constraint == made_name(table, &[column.to_owned()], "unique") {
            return true;
        }
        let columns = constraint
            .strip_prefix(table)
            .and_then(|rest| rest.strip_prefix('_'))
            .and_then(|rest| rest.strip_suffix("_unique"));
        columns.is_some_and(|columns| {
            columns.strip_suffix(column).is_some_and(|rest| rest.ends_with('_'))
                || columns.strip_prefix(column).is_some_and(|rest| rest.starts_with('_'))
        })
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

    /// The engine could do nothing with the statement or one of its values.
    pub(crate) fn is_statement(&self) -> bool {
        self.kind == Kind::Statement
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

    pub(crate) fn with_constraint(mut self, constraint: Option<String>) -> Self {
        self.constraint = constraint;
        self
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
