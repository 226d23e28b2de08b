use std::fmt;

use crate::BoxError;

pub type StorageResult<T> = Result<T, StorageError>;

/// A storage that could not do what was asked.
#[derive(Debug)]
pub struct StorageError {
    kind: Kind,
    cause: BoxError,
}

#[derive(Debug, PartialEq, Eq)]
enum Kind {
    Conflict,
    Deadlock,
    Failure,
}

impl StorageError {
    /// A row would break a unique rule.
    pub fn conflict(cause: impl Into<BoxError>) -> Self {
        Self { kind: Kind::Conflict, cause: cause.into() }
    }

    /// Two who write waited for each other, and the database let this one go: what it wrote is undone, and can be tried again.
    pub fn deadlock(cause: impl Into<BoxError>) -> Self {
        Self { kind: Kind::Deadlock, cause: cause.into() }
    }

    /// Anything else: no connection, a missing table, a full disk.
    pub fn failure(cause: impl Into<BoxError>) -> Self {
        Self { kind: Kind::Failure, cause: cause.into() }
    }

    /// Whether a row would break a unique rule.
    pub fn is_conflict(&self) -> bool {
        self.kind == Kind::Conflict
    }

    /// Whether the same writes may succeed if they are tried again.
    pub fn is_deadlock(&self) -> bool {
        self.kind == Kind::Deadlock
    }
}

impl fmt::Display for StorageError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let what = match self.kind {
            Kind::Conflict => "a row with these values exists already",
            Kind::Deadlock => "somebody else writes the same rows",
            Kind::Failure => "the storage could not do what was asked",
        };
        write!(f, "{what}: {}", self.cause)
    }
}

impl std::error::Error for StorageError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        self.cause.source()
    }
}
