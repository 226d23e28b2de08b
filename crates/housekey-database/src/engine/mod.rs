//! The one place that knows the drivers: pools, connections, how values go in and how they come out.
//!
//! Each engine has the same four duties: connect options from a configuration, binding, reading, and naming what an
//! error means. PostgreSQL and MySQL are reached through sqlx; SQLite is read in place, see [`sqlite`].

#[cfg(feature = "mysql")]
pub(crate) mod mysql;
mod pool;
mod pool_history;
#[cfg(feature = "postgres")]
pub(crate) mod postgres;
#[cfg(any(feature = "postgres", feature = "mysql"))]
mod server_connection;
#[cfg(any(feature = "postgres", feature = "mysql"))]
mod server_pool;
#[cfg(any(feature = "postgres", feature = "mysql"))]
mod servers;
#[cfg(feature = "sqlite")]
pub(crate) mod sqlite;
mod statement;

#[cfg(any(feature = "postgres", feature = "mysql"))]
use sqlx::{Column, Row};

pub(crate) use pool::{Connection, DetachedConnection, Pool};
pub(crate) use pool_history::PoolHistory;
#[cfg(feature = "sqlite")]
pub(crate) use statement::StepsRun;
pub(crate) use statement::{Outcome, Statement, Step};

use crate::error::Kind;
use crate::{Driver, Value};

#[cfg(not(any(feature = "sqlite", feature = "postgres", feature = "mysql")))]
compile_error!(
    "housekey-database needs an engine: turn on at least one of the features `sqlite`, `postgres`, `mysql` \
     (`database-sqlite`, `database-postgres`, `database-mysql` of the `housekey` crate)"
);

/// A row of any engine.
pub(crate) enum EngineRow {
    #[cfg(feature = "sqlite")]
    Sqlite(sqlite::SqliteRow),
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

impl Position {
    /// Two columns of one name are told apart by nobody.
    fn among<'a>(names: impl Iterator<Item = &'a str>, column: &str) -> Self {
        let mut named = names.enumerate().filter(|(_, name)| *name == column);
        match (named.next(), named.next()) {
            (None, _) => Self::Nowhere,
            (Some((index, _)), None) => Self::At(index),
            (Some(_), Some(_)) => Self::Several,
        }
    }
}

/// Does the same with whichever engine it is: one thing for SQLite, one for those behind sqlx.
macro_rules! on_engine {
    ($kind:ident, $subject:expr, sqlite($own:ident) => $own_body:expr, $name:ident => $body:expr) => {
        match $subject {
            #[cfg(feature = "sqlite")]
            $kind::Sqlite($own) => $own_body,
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
        on_engine!(EngineRow, self, sqlite(row) => row.read(index), row => servers::read(row, index))
    }

    /// The same, and the row need not have it any more.
    pub(crate) fn take(&mut self, index: usize) -> Result<Value, sqlx::error::BoxDynError> {
        on_engine!(EngineRow, self, sqlite(row) => row.take(index), row => servers::read(row, index))
    }

    /// Looks through the columns instead of asking sqlx's table of names: that one keeps a single column of each name.
    pub(crate) fn position(&self, column: &str) -> Position {
        on_engine!(EngineRow, self, sqlite(row) => row.position(column), row => {
            Position::among(row.columns().iter().map(Column::name), column)
        })
    }

    pub(crate) fn name(&self, index: usize) -> Option<&str> {
        on_engine!(EngineRow, self, sqlite(row) => row.name(index), row => row.columns().get(index).map(Column::name))
    }

    pub(crate) fn names(&self) -> Vec<&str> {
        on_engine!(EngineRow, self, sqlite(row) => row.names(), row => row.columns().iter().map(Column::name).collect())
    }
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
