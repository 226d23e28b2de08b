use std::collections::BTreeMap;

use housekey_core::Secret;
use serde::{Deserialize, Serialize};

use crate::{BeforeFirstUse, Driver};

/// `config/database.rs`: the connections by name, and which one is meant when none is named.
///
/// ```
/// use housekey_core::{Secret, env};
/// use housekey_database::{ConnectionConfig, DatabaseConfig};
///
/// pub fn database() -> DatabaseConfig {
///     DatabaseConfig {
///         default: env("DB_CONNECTION", "sqlite"),
///         ..DatabaseConfig::default()
///     }
///     .with("sqlite", ConnectionConfig::sqlite("storage/database.sqlite"))
///     .with("reports", ConnectionConfig::postgres(env::<Secret>("REPORTS_URL", "")))
/// }
///
/// assert_eq!(database().connections.len(), 2);
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct DatabaseConfig {
    /// The connection used when none is named.
    pub default: String,
    /// Every connection by its name. None is opened before its first use.
    pub connections: BTreeMap<String, ConnectionConfig>,
    /// Statements that take longer than this many milliseconds are written to the log, without their values.
    pub slow_query_ms: Option<u64>,
    /// The table that remembers which migrations have run.
    pub migrations_table: String,
}

impl DatabaseConfig {
    /// Adds a connection, replacing one of the same name.
    pub fn with(mut self, name: impl Into<String>, connection: ConnectionConfig) -> Self {
        self.connections.insert(name.into(), connection);
        self
    }
}

/// One SQLite file in `storage/`: an app without the file has a database.
impl Default for DatabaseConfig {
    fn default() -> Self {
        Self {
            default: "sqlite".into(),
            connections: BTreeMap::from([(
                "sqlite".into(),
                ConnectionConfig::sqlite("storage/database.sqlite"),
            )]),
            slow_query_ms: Some(500),
            migrations_table: "migrations".into(),
        }
    }
}

/// One connection: an engine, and where to find it.
///
/// A server is named by its `url` (`postgres://user:password@host/name`), or by the parts where the url is empty.
/// For SQLite, `database` is the file, seen from the app's root; `:memory:` is a database that ends with the process.
///
/// ```
/// use housekey_database::{ConnectionConfig, Driver};
///
/// let parts = ConnectionConfig {
///     driver: Driver::MySql,
///     host: "db.internal".into(),
///     database: "shop".into(),
///     username: "shop".into(),
///     password: "secret".into(),
///     ..ConnectionConfig::default()
/// };
/// assert!(!format!("{parts:?}").contains("secret\""));
/// ```
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct ConnectionConfig {
    /// Which engine: SQLite, PostgreSQL or MySQL.
    pub driver: Driver,
    /// The whole address of a server. Wins over the parts.
    pub url: Secret,
    /// The server's host, or the folder of its socket.
    pub host: String,
    /// The server's port; the engine's usual one if not given.
    pub port: Option<u16>,
    /// The name of the database; the file for SQLite.
    pub database: String,
    pub username: String,
    pub password: Secret,
    /// Refuses every write. SQLite only: on a server, use a role that may not write.
    pub read_only: bool,
    /// How many connections are kept, and for how long.
    pub pool: PoolConfig,
    /// Not for `config/`: how a test gets a database of its own.
    #[doc(hidden)]
    #[serde(skip)]
    pub before_first_use: Option<BeforeFirstUse>,
}

impl ConnectionConfig {
    /// A SQLite file, seen from the app's root.
    pub fn sqlite(path: impl Into<String>) -> Self {
        Self { driver: Driver::Sqlite, database: path.into(), ..Self::default() }
    }

    /// A SQLite database that lives in memory and ends with the process.
    pub fn memory() -> Self {
        Self::sqlite(":memory:")
    }

    /// A PostgreSQL server by its address: `postgres://user:password@host:5432/name`.
    pub fn postgres(url: impl Into<Secret>) -> Self {
        Self { driver: Driver::Postgres, url: url.into(), ..Self::default() }
    }

    /// A MySQL or MariaDB server by its address: `mysql://user:password@host:3306/name`.
    pub fn mysql(url: impl Into<Secret>) -> Self {
        Self { driver: Driver::MySql, url: url.into(), ..Self::default() }
    }

    /// Changes how many connections are kept.
    pub fn pool(mut self, pool: PoolConfig) -> Self {
        self.pool = pool;
        self
    }

    pub(crate) fn is_memory(&self) -> bool {
        self.driver == Driver::Sqlite && self.database == ":memory:"
    }
}

impl Default for ConnectionConfig {
    fn default() -> Self {
        Self {
            driver: Driver::Sqlite,
            url: Secret::default(),
            host: "127.0.0.1".into(),
            port: None,
            database: String::new(),
            username: String::new(),
            password: Secret::default(),
            read_only: false,
            pool: PoolConfig::default(),
            before_first_use: None,
        }
    }
}

/// How many connections a pool keeps, and for how long. Times are seconds.
///
/// `min`, `idle_timeout` and `max_lifetime` are for servers: an open connection to a SQLite file costs nothing, and stays.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct PoolConfig {
    /// The most connections at one time.
    pub max: u32,
    /// How many are kept open when nothing happens.
    pub min: u32,
    /// How long a caller waits for a connection before it gets an error.
    pub acquire_timeout: u64,
    /// How long an unused connection stays open; 0 for ever.
    pub idle_timeout: u64,
    /// How long any connection lives; 0 for ever.
    pub max_lifetime: u64,
}

impl Default for PoolConfig {
    fn default() -> Self {
        Self { max: 10, min: 0, acquire_timeout: 5, idle_timeout: 600, max_lifetime: 1800 }
    }
}
