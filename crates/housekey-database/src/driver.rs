use std::fmt;

use housekey_core::env::FromEnv;
use serde::{Deserialize, Serialize};

/// A database engine.
///
/// ```
/// use housekey_database::Driver;
///
/// assert_eq!("mariadb".parse(), Ok(Driver::MySql));
/// assert_eq!(Driver::Postgres.to_string(), "PostgreSQL");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Driver {
    /// A file beside the app; nothing to install.
    #[default]
    Sqlite,
    /// PostgreSQL 12 or newer.
    Postgres,
    /// MySQL 8 or MariaDB 10.6, or newer.
    #[serde(alias = "mariadb")]
    MySql,
}

impl Driver {
    pub const ALL: [Self; 3] = [Self::Sqlite, Self::Postgres, Self::MySql];

    /// The name in configuration files: `sqlite`, `postgres`, `mysql`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Sqlite => "sqlite",
            Self::Postgres => "postgres",
            Self::MySql => "mysql",
        }
    }

    /// The cargo feature of the `housekey` crate that compiles this engine.
    pub fn feature(self) -> &'static str {
        match self {
            Self::Sqlite => "database-sqlite",
            Self::Postgres => "database-postgres",
            Self::MySql => "database-mysql",
        }
    }

    /// Whether a failed change of the schema can be taken back with the rest of its transaction.
    pub fn has_transactional_schema(self) -> bool {
        self != Self::MySql
    }

    /// A table's or column's name as this engine quotes it.
    ///
    /// SQLite takes a name in double quotes for text when there is no such column, so a misspelt one would not fail but
    /// compare; in backticks it is always a name.
    pub fn quote(self, name: &str) -> String {
        let mut quoted = String::with_capacity(name.len() + 2);
        self.quote_into(&mut quoted, name);
        quoted
    }

    /// Adds a name to a text, quoted as [`Driver::quote`] does.
    pub fn quote_into(self, sql: &mut String, name: &str) {
        let mark = if self == Self::Postgres { '"' } else { '`' };
        sql.push(mark);
        if name.contains(mark) {
            sql.push_str(&name.replace(mark, if mark == '"' { "\"\"" } else { "``" }));
        } else {
            sql.push_str(name);
        }
        sql.push(mark);
    }
}

impl fmt::Display for Driver {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Sqlite => "SQLite",
            Self::Postgres => "PostgreSQL",
            Self::MySql => "MySQL",
        })
    }
}

impl std::str::FromStr for Driver {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        match text.trim().to_ascii_lowercase().as_str() {
            "sqlite" => Ok(Self::Sqlite),
            "postgres" | "postgresql" | "pgsql" => Ok(Self::Postgres),
            "mysql" | "mariadb" => Ok(Self::MySql),
            _ => Err(format!("`{text}` is no database engine: use sqlite, postgres or mysql")),
        }
    }
}

impl FromEnv for Driver {
    const EXPECTED: &'static str = "sqlite, postgres or mysql";

    fn from_env(text: &str) -> Option<Self> {
        text.parse().ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_cannot_break_out_of_its_quotes() {
        assert_eq!(Driver::Postgres.quote("a\"; drop table users; --"), "\"a\"\"; drop table users; --\"");
        assert_eq!(Driver::MySql.quote("a`b"), "`a``b`");
    }
}
