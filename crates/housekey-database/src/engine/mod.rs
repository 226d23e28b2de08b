//! The one place that knows sqlx: pools, connections, how values go in and how they come out.
//!
//! Each engine is a file with the same four duties: connect options from a configuration, binding, reading, and
//! naming what an error means.

#[cfg(feature = "mysql")]
pub(crate) mod mysql;
mod pool;
#[cfg(feature = "postgres")]
pub(crate) mod postgres;
mod run;
#[cfg(feature = "sqlite")]
pub(crate) mod sqlite;

use sqlx::Row as _;

pub(crate) use pool::{Apart, Connection, Moments, Pool};
pub(crate) use run::{Outcome, Statement};

use crate::error::Kind;
use crate::{Driver, Value};

#[cfg(not(any(feature = "sqlite", feature = "postgres", feature = "mysql")))]
compile_error!(
    "housekey-database needs an engine: turn on at least one of the features `sqlite`, `postgres`, `mysql` \
     (`database-sqlite`, `database-postgres`, `database-mysql` of the `housekey` crate)"
);

/// What an engine has to bring.
pub(crate) trait Engine: sqlx::Database + sqlx::database::HasStatementCache {
    /// Hands values to the engine in the form its columns take.
    fn bind(values: Vec<Value>) -> Result<Self::Arguments, sqlx::error::BoxDynError>;

    /// Reads a column, whatever its type.
    fn read(row: &Self::Row, index: usize) -> Result<Value, sqlx::error::BoxDynError>;

    /// How many rows a statement touched, and the key the engine gave to an inserted one.
    fn outcome(result: &Self::QueryResult) -> Outcome;

    /// The text as it is sent, where it is not the text as it was written.
    fn prefix(_sql: &str) -> Option<&'static str> {
        None
    }

    /// Whether a result without a last word means that it was cut off.
    const SAYS_WHEN_DONE: bool = false;

    /// Whether a result that is only read may be left before its end. Where it comes over a wire, it is read anyway.
    const MAY_STOP: bool = false;

    /// Whether the statement may be kept prepared for the next one with the same text.
    fn keeps_prepared(_sql: &str, _values: &[Value]) -> bool {
        true
    }
}

/// A row of any engine.
pub(crate) enum EngineRow {
    #[cfg(feature = "sqlite")]
    Sqlite(sqlx::sqlite::SqliteRow),
    #[cfg(feature = "postgres")]
    Postgres(sqlx::postgres::PgRow),
    #[cfg(feature = "mysql")]
    MySql(sqlx::mysql::MySqlRow),
}

/// Where a row has a column of a name.
pub(crate) enum Position {
    Nowhere,
    At(usize),
    /// Two tables brought one each.
    Several,
}

/// Does the same with whichever engine it is.
macro_rules! on_engine {
    ($kind:ident, $subject:expr, $name:ident => $body:expr) => {
        match $subject {
            #[cfg(feature = "sqlite")]
            $kind::Sqlite($name) => $body,
            #[cfg(feature = "postgres")]
            $kind::Postgres($name) => $body,
            #[cfg(feature = "mysql")]
            $kind::MySql($name) => $body,
        }
    };
}
pub(crate) use on_engine;

impl EngineRow {
    pub(crate) fn read(&self, index: usize) -> Result<Value, sqlx::error::BoxDynError> {
        on_engine!(EngineRow, self, row => read_of(row, index))
    }

    /// Looks through the columns instead of asking sqlx's table of names: that one keeps a single column of each name.
    pub(crate) fn position(&self, column: &str) -> Position {
        use sqlx::Column;
        on_engine!(EngineRow, self, row => {
            let mut named = row.columns().iter().enumerate().filter(|(_, found)| found.name() == column);
            match (named.next(), named.next()) {
                (None, _) => Position::Nowhere,
                (Some((index, _)), None) => Position::At(index),
                (Some(_), Some(_)) => Position::Several,
            }
        })
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        use sqlx::Column;
        on_engine!(EngineRow, self, row => row.columns().iter().map(Column::name).collect())
    }
}

fn read_of<R>(row: &R, index: usize) -> Result<Value, sqlx::error::BoxDynError>
where
    R: sqlx::Row,
    R::Database: Engine<Row = R>,
{
    <R::Database as Engine>::read(row, index)
}

/// What an error reported by the engine means.
pub(crate) fn classify(driver: Driver, error: &dyn sqlx::error::DatabaseError) -> Kind {
    use sqlx::error::ErrorKind;
    match error.kind() {
        ErrorKind::UniqueViolation => Kind::Unique,
        ErrorKind::ForeignKeyViolation => Kind::ForeignKey,
        ErrorKind::NotNullViolation => Kind::NotNull,
        ErrorKind::CheckViolation => Kind::Check,
        _ => match driver {
            #[cfg(feature = "sqlite")]
            Driver::Sqlite => sqlite::classify(error),
            #[cfg(feature = "postgres")]
            Driver::Postgres => postgres::classify(error),
            #[cfg(feature = "mysql")]
            Driver::MySql => mysql::classify(error),
            #[allow(unreachable_patterns, reason = "unreachable when every engine is compiled")]
            _ => Kind::Statement,
        },
    }
}

/// The violated constraint: PostgreSQL says it, the others have it in their sentence.
pub(crate) fn constraint(driver: Driver, error: &dyn sqlx::error::DatabaseError) -> Option<String> {
    let message = error.message();
    match driver {
        Driver::Postgres => error.constraint().map(str::to_owned),
        // UNIQUE constraint failed: users.email
        Driver::Sqlite => message.split_once("constraint failed: ").map(|(_, names)| names.to_owned()),
        // Duplicate entry 'x' for key 'users_email_unique'  (MySQL 8 puts the table before the name)
        Driver::MySql => {
            let (_, name) = message.rsplit_once("for key '")?;
            let name = name.trim_end_matches('\'');
            Some(name.rsplit_once('.').map_or(name, |(_, name)| name).to_owned())
        }
    }
}
