use std::borrow::Cow;
use std::error::Error;
use std::fmt;

use sqlx::error::{DatabaseError, ErrorKind};

use crate::error::Kind;

/// What SQLite reported, in the form that the other engines' reports have.
#[derive(Debug)]
pub(super) struct SqliteError {
    /// The low byte is the family; the rest says which member.
    code: i32,
    message: String,
}

/// Interrupted: our own limit for reads in place.
const INTERRUPTED: i32 = 9;
/// Somebody else has the lock.
const BUSY: i32 = 5;

/// Whether a read should be tried again where it may take its time.
pub(super) fn needs_time(error: &rusqlite::Error) -> bool {
    matches!(error, rusqlite::Error::SqliteFailure(error, _) if matches!(error.extended_code & 0xff, INTERRUPTED | BUSY))
}

pub(super) fn explain(error: rusqlite::Error) -> sqlx::Error {
    let (error, message) = match error {
        rusqlite::Error::SqliteFailure(error, message) => (error, message),
        rusqlite::Error::SqlInputError { error, msg, .. } => (error, Some(msg)),
        other => return sqlx::Error::Encode(other.to_string().into()),
    };
    let message = message.unwrap_or_else(|| error.to_string());
    sqlx::Error::Database(Box::new(SqliteError { code: error.extended_code, message }))
}

impl fmt::Display for SqliteError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "(code: {}) {}", self.code, self.message)
    }
}

impl Error for SqliteError {}

impl DatabaseError for SqliteError {
    fn message(&self) -> &str {
        &self.message
    }

    fn code(&self) -> Option<Cow<'_, str>> {
        Some(self.code.to_string().into())
    }

    fn as_error(&self) -> &(dyn Error + Send + Sync + 'static) {
        self
    }

    fn as_error_mut(&mut self) -> &mut (dyn Error + Send + Sync + 'static) {
        self
    }

    fn into_error(self: Box<Self>) -> Box<dyn Error + Send + Sync + 'static> {
        self
    }

    fn kind(&self) -> ErrorKind {
        match self.code {
            1555 | 2067 | 2579 => ErrorKind::UniqueViolation,
            787 => ErrorKind::ForeignKeyViolation,
            1299 => ErrorKind::NotNullViolation,
            275 => ErrorKind::CheckViolation,
            _ => ErrorKind::Other,
        }
    }
}

pub(crate) fn classify(error: &dyn DatabaseError) -> Kind {
    let code: i32 = error.code().and_then(|code| code.parse().ok()).unwrap_or_default();
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
