use std::fmt;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use housekey_core::{Error, Paths, Result};
use tokio::sync::Semaphore;

use crate::engine::{Pool, PoolHistory, Statement};
use crate::query_log::{QueryLog, QueryLogs};
use crate::table_makers::TableMakers;
use crate::target::Target;
use crate::transaction::Level;
use crate::{ConnectionConfig, Driver, Row, Value};

/// A database, or the transaction that is open on it. Cheap to clone; nothing is connected before the first use.
///
/// ```
/// # use housekey_core::Result;
/// use housekey_database::{Database, record};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<()> {
/// let db = Database::memory();
/// db.schema(|schema| schema.create("posts", |table| {
///     table.id();
///     table.string("title", 200);
/// })).await?;
///
/// db.table("posts").insert(record! { "title" => "Hello" }).await?;
/// assert_eq!(db.table("posts").where_eq("title", "Hello").count().await?, 1);
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Database {
    pub(crate) inner: Arc<Inner>,
    pub(crate) level: Option<Arc<Level>>,
}

pub(crate) struct Inner {
    pub(crate) target: Arc<Target>,
    pub(crate) config: ConnectionConfig,
    pub(crate) paths: Paths,
    pub(crate) pool: OnceLock<Pool>,
    pub(crate) slow: Option<Duration>,
    pub(crate) pool_history: PoolHistory,
    /// SQLite has one writer at a time. Waiting here is fair and costs nothing; waiting in SQLite polls.
    pub(crate) writer: Arc<Semaphore>,
    pub(crate) query_logs: QueryLogs,
}

impl Database {
    /// A database by its configuration. `name` is what errors call it; paths are seen from `paths`.
    ///
    /// Fails only when this build does not include the engine.
    pub fn open(name: impl Into<String>, config: ConnectionConfig, paths: &Paths) -> Result<Self> {
        Self::open_logging(name, config, paths, None)
    }

    pub(crate) fn open_logging(
        name: impl Into<String>,
        config: ConnectionConfig,
        paths: &Paths,
        slow: Option<Duration>,
    ) -> Result<Self> {
        let name = name.into();
        if !is_compiled(config.driver) {
            return Err(Error::internal(format!(
                "connection `{name}` wants {}, which this build does not include: add the feature `{}` to `housekey` in Cargo.toml",
                config.driver,
                config.driver.feature()
            )));
        }
        let target = Target {
            name,
            driver: config.driver,
            place: place(&config, paths),
            makers: TableMakers::default(),
        };
        Ok(Self {
            inner: Arc::new(Inner {
                target: Arc::new(target),
                config,
                paths: paths.clone(),
                pool: OnceLock::new(),
                slow,
                pool_history: PoolHistory::default(),
                writer: Arc::new(Semaphore::new(1)),
                query_logs: QueryLogs::default(),
            }),
            level: None,
        })
    }

    /// A SQLite database of its own in memory, for tests and examples.
    #[cfg(feature = "sqlite")]
    pub fn memory() -> Self {
        let inner = Inner {
            target: Arc::new(Target {
                name: "memory".into(),
                driver: Driver::Sqlite,
                place: ":memory:".into(),
                makers: TableMakers::default(),
            }),
            config: ConnectionConfig::memory(),
            paths: Paths::new("."),
            pool: OnceLock::new(),
            slow: None,
            pool_history: PoolHistory::default(),
            writer: Arc::new(Semaphore::new(1)),
            query_logs: QueryLogs::default(),
        };
        Self { inner: Arc::new(inner), level: None }
    }

    pub fn driver(&self) -> Driver {
        self.inner.target.driver
    }

    /// The connection's name in `config/database.rs`.
    pub fn name(&self) -> &str {
        &self.inner.target.name
    }

    /// Where it is, for people: the file, or `shop at db.internal:5432`. Never with a password.
    pub fn place(&self) -> &str {
        &self.inner.target.place
    }

    pub fn in_transaction(&self) -> bool {
        self.level.is_some()
    }

    /// Runs SQL of your own that answers with rows. Values go where the engine's placeholders are (`?`; PostgreSQL
    /// `$1`), never into the text.
    pub async fn raw(&self, sql: &str, values: impl IntoIterator<Item = Value>) -> Result<Vec<Row>> {
        self.rows(Statement::new(sql, values.into_iter().collect())).await
    }

    /// Runs SQL of your own that changes something, and says how many rows it touched.
    pub async fn execute_raw(&self, sql: &str, values: impl IntoIterator<Item = Value>) -> Result<u64> {
        Ok(self.execute(Statement::new(sql, values.into_iter().collect())).await?.rows_affected)
    }

    /// Runs a statement made with [`sql`](crate::sql) (sea-query) and answers with its rows.
    pub async fn select(&self, statement: &impl sea_query::QueryStatementWriter) -> Result<Vec<Row>> {
        self.rows(self.build(statement)).await
    }

    /// Runs a statement made with [`sql`](crate::sql) (sea-query) and says how many rows it touched.
    pub async fn run(&self, statement: &impl sea_query::QueryStatementWriter) -> Result<u64> {
        Ok(self.execute(self.build(statement)).await?.rows_affected)
    }

    /// Says how some tables are made. An error about one that is missing then tells what to do, whoever asked for it.
    ///
    /// ```
    /// # #[tokio::main(flavor = "current_thread")] async fn main() {
    /// use housekey_database::Database;
    ///
    /// let db = Database::memory();
    /// db.tables_are_made_by(["jobs"], "Run `housekey make:queue-table`, then `housekey migrate`.");
    /// let error = db.table("jobs").count().await.unwrap_err().to_string();
    /// assert!(error.contains("make:queue-table"), "{error}");
    /// # }
    /// ```
    pub fn tables_are_made_by<T: Into<String>>(&self, tables: impl IntoIterator<Item = T>, remedy: &str) {
        self.inner.target.makers.add(tables.into_iter().map(Into::into), remedy);
    }

    /// Writes down every statement from now on, until the log is dropped: for tests that say how many queries a page takes.
    ///
    /// ```
    /// # use housekey_core::Result;
    /// # use housekey_database::{Database, record};
    /// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<()> {
    /// # let db = Database::memory();
    /// # db.schema(|schema| schema.create("posts", |table| { table.id(); })).await?;
    /// let log = db.log_queries();
    /// db.table("posts").count().await?;
    /// log.assert_queries(1);
    /// # Ok(()) }
    /// ```
    ///
    /// Everything that goes through this connection counts, in transactions too, whoever asked; the beginning and the end of a
    /// transaction do not.
    pub fn log_queries(&self) -> QueryLog {
        self.inner.query_logs.start()
    }

    /// Asks the database for a sign of life.
    pub async fn ping(&self) -> Result<()> {
        self.rows("select 1".into()).await.map(drop)
    }

    /// How many connections are open, and how many of them wait for work.
    pub fn connections(&self) -> (usize, usize) {
        self.inner.pool.get().map_or((0, 0), Pool::counts)
    }

    /// Ends every connection. Handles that are left answer with an error.
    pub async fn close(&self) {
        if let Some(pool) = self.inner.pool.get() {
            pool.close().await;
        }
    }

    /// Statements prepared before this no longer fit.
    pub(crate) fn schema_changed(&self) {
        self.inner.pool_history.changed.mark();
    }

    pub(crate) fn build(&self, statement: &impl sea_query::QueryStatementWriter) -> Statement {
        use sea_query::{MysqlQueryBuilder, PostgresQueryBuilder, SqliteQueryBuilder};
        let (sql, values) = match self.driver() {
            Driver::Sqlite => {
                let (sql, values) = statement.build(SqliteQueryBuilder);
                (names_in_backticks(&sql), values)
            }
            Driver::Postgres => statement.build(PostgresQueryBuilder),
            Driver::MySql => statement.build(MysqlQueryBuilder),
        };
        Statement::new(sql, values.into_iter().map(Value::from).collect())
    }
}

impl fmt::Debug for Database {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database")
            .field("name", &self.name())
            .field("place", &self.place())
            .field("transaction", &self.in_transaction())
            .finish_non_exhaustive()
    }
}

fn is_compiled(driver: Driver) -> bool {
    match driver {
        Driver::Sqlite => cfg!(feature = "sqlite"),
        Driver::Postgres => cfg!(feature = "postgres"),
        Driver::MySql => cfg!(feature = "mysql"),
    }
}

/// Where a connection leads, without what must not be shown.
fn place(config: &ConnectionConfig, paths: &Paths) -> String {
    if config.driver == Driver::Sqlite {
        let memory = config.is_memory();
        return if memory { ":memory:".into() } else { paths.locate(&config.database).display().to_string() };
    }
    if config.url.is_empty() {
        let port = config.port.map_or(String::new(), |port| format!(":{port}"));
        return format!("{} at {}{port}", config.database, config.host);
    }
    // scheme://user:password@host:port/name?options
    let address = config.url.reveal().split_once("://").map_or("", |(_, rest)| rest);
    let address = address.rsplit_once('@').map_or(address, |(_, host)| host);
    let address = address.split_once('?').map_or(address, |(address, _)| address);
    match address.split_once('/') {
        Some((host, name)) => format!("{name} at {host}"),
        None => address.to_owned(),
    }
}

/// See [`Driver::quote`]: the builder writes names in double quotes. What stands in single quotes is text, and stays.
fn names_in_backticks(sql: &str) -> String {
    let mut made = String::with_capacity(sql.len());
    let (mut in_text, mut in_name) = (false, false);
    let mut characters = sql.chars().peekable();
    while let Some(character) = characters.next() {
        match character {
            '\'' if !in_name => {
                in_text = !in_text;
                made.push(character);
            }
            '"' if in_name && characters.peek() == Some(&'"') => {
                characters.next();
                made.push('"');
            }
            '"' if !in_text => {
                in_name = !in_name;
                made.push('`');
            }
            '`' if in_name => made.push_str("``"),
            other => made.push(other),
        }
    }
    made
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_never_shows_the_password() {
        let paths = Paths::new("/srv/shop");
        let place = |config| place(&config, &paths);
        assert_eq!(
            place(ConnectionConfig::postgres("postgres://ada:p@ss:w0rd@db:5433/shop?sslmode=require")),
            "shop at db:5433"
        );
        assert_eq!(place(ConnectionConfig::sqlite("storage/app.sqlite")), "/srv/shop/storage/app.sqlite");
    }

    #[test]
    fn names_change_their_quotes_and_text_does_not() {
        assert_eq!(names_in_backticks(r#"SELECT "a" FROM "t""#), "SELECT `a` FROM `t`");
        assert_eq!(
            names_in_backticks(r#"SELECT "a""b`c", 'it''s "so"'"#),
            "SELECT `a\"b``c`, 'it''s \"so\"'"
        );
    }
}
