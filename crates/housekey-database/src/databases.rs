use std::collections::HashMap;
use std::fmt;
use std::sync::{PoisonError, RwLock};
use std::time::Duration;

use housekey_core::{Error, Paths, Result, service};

use crate::query_log::{QueryLog, QueryLogs};
use crate::{Database, DatabaseConfig, ambient};

/// The named connections of an application, each opened when it is first used.
///
/// ```
/// use housekey_core::Paths;
/// use housekey_database::{DatabaseConfig, Databases};
///
/// let databases = Databases::new(&DatabaseConfig::default(), &Paths::new("/srv/shop"));
/// assert_eq!(databases.connection(None).unwrap().name(), "sqlite");
/// assert!(databases.connection(Some("reports")).is_err());
/// ```
pub struct Databases {
    config: DatabaseConfig,
    paths: Paths,
    open: RwLock<HashMap<String, Database>>,
    /// For connections that are opened later. Looked at while `open` is held for writing only.
    query_logs: QueryLogs,
}

impl Databases {
    /// The connections that `config/database.rs` describes.
    pub fn new(config: &DatabaseConfig, paths: &Paths) -> Self {
        Self {
            config: config.clone(),
            paths: paths.clone(),
            open: RwLock::default(),
            query_logs: QueryLogs::default(),
        }
    }

    /// A connection by name; the default one for `None`. Inside a transaction on it, this is the transaction.
    pub fn connection(&self, name: Option<&str>) -> Result<Database> {
        let name = name.unwrap_or(&self.config.default);
        let open = self.open.read().unwrap_or_else(PoisonError::into_inner).get(name).cloned();
        let database = match open {
            Some(database) => database,
            None => self.open(name)?,
        };
        Ok(ambient::current(database))
    }

    fn open(&self, name: &str) -> Result<Database> {
        let Some(config) = self.config.connections.get(name) else {
            let names: Vec<&str> = self.names().collect();
            return Err(Error::internal(format!(
                "there is no database connection `{name}`; config/database.rs has {}",
                if names.is_empty() { "none".to_owned() } else { names.join(", ") }
            )));
        };
        let slow = self.config.slow_query_ms.map(Duration::from_millis);
        let database = Database::open_logging(name, config.clone(), &self.paths, slow)?;
        let mut open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        let database = open.entry(name.to_owned()).or_insert_with(|| {
            database.inner.query_logs.join(&self.query_logs);
            database
        });
        Ok(database.clone())
    }

    /// Writes down every statement from now on, on every connection, until the log is dropped: how many queries a request
    /// takes. See [`Database::log_queries`].
    ///
    /// ```
    /// # use housekey_core::{Paths, Result};
    /// # use housekey_database::{ConnectionConfig, DatabaseConfig, Databases};
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<()> {
    /// # let config = DatabaseConfig::default()
    /// #     .with("sqlite", ConnectionConfig::memory()).with("reports", ConnectionConfig::memory());
    /// # let databases = Databases::new(&config, &Paths::new("."));
    /// let log = databases.log_queries();
    /// databases.connection(None)?.ping().await?;
    /// databases.connection(Some("reports"))?.ping().await?;
    /// log.assert_queries(2);
    /// # Ok(()) }
    /// ```
    pub fn log_queries(&self) -> QueryLog {
        let open = self.open.write().unwrap_or_else(PoisonError::into_inner);
        let log = self.query_logs.start();
        open.values().for_each(|database| database.inner.query_logs.also(&log));
        log
    }

    pub fn config(&self) -> &DatabaseConfig {
        &self.config
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.config.connections.keys().map(String::as_str)
    }

    /// Ends every connection that was opened: what an application does last.
    pub async fn close(&self) {
        let open: Vec<Database> =
            self.open.read().unwrap_or_else(PoisonError::into_inner).values().cloned().collect();
        for database in open {
            database.close().await;
        }
    }
}

impl fmt::Debug for Databases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}

/// The application's default database, or the transaction that is open on it.
pub fn db() -> Result<Database> {
    named(None)
}

/// The application's connection of this name, or the transaction that is open on it.
pub fn connection(name: &str) -> Result<Database> {
    named(Some(name))
}

fn named(name: Option<&str>) -> Result<Database> {
    let databases = service::<Databases>().ok_or_else(|| {
        Error::internal("no database here: db() works inside an application that has the database provider")
    })?;
    databases.connection(name)
}
