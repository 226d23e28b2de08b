//! Databases on a server that belong to one test: `shop_test_6919e2c5_k3v9q0ra` beside the `shop` that is configured.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use housekey_core::{Error, Paths, Result, random};
use housekey_database::{BeforeFirstUse, ConnectionConfig, Database, DatabaseError, Driver};

/// A database of a test that is older belongs to a run that was killed: nothing is left to drop it.
const LEFT_OVER: Duration = Duration::from_hours(1);

/// What stands between the configured name and what makes a test's own.
const MARK: &str = "_test_";

/// PostgreSQL cuts longer names off, and what is cut off is what makes them differ.
const LONGEST_NAME: usize = 63;

/// The databases that one app under test has made on servers. They are dropped with it.
pub(crate) struct OwnDatabases {
    /// Behind the configured name: when, in hexadecimal seconds, and which.
    suffix: String,
    /// Those that exist by now, with the connection as it is configured, from where they are made and dropped.
    made: Mutex<BTreeMap<String, ConnectionConfig>>,
}

impl OwnDatabases {
    pub(crate) fn new() -> Self {
        let unique = random::short_id();
        Self { suffix: format!("{MARK}{:08x}_{}", seconds(), &unique[..8]), made: Mutex::default() }
    }

    /// Leads a connection to a database of its own, made when the connection is first used: most tests use one of the
    /// connections that an app has, and there need not be a server for the others.
    pub(crate) fn lead(self: &Arc<Self>, connection: &mut ConnectionConfig) {
        let configured = connection.clone();
        let (stem, name) = self.rename(connection);
        let own = Arc::downgrade(self);
        connection.before_first_use = Some(BeforeFirstUse::new(move || match own.upgrade() {
            Some(own) => own.make(&configured, &stem, &name),
            None => Err(Error::internal("the test that this database belonged to is over")),
        }));
    }

    /// Two connections to one database stay connections to one database.
    fn rename(&self, connection: &mut ConnectionConfig) -> (String, String) {
        let url = connection.url.reveal();
        let (address, options) = url.find('?').map_or((url, ""), |at| url.split_at(at));
        let host = address.find("://").map_or(0, |at| at + "://".len());
        let path = address[host..].find('/').map_or(address.len(), |at| host + at);
        let (server, configured) = address.split_at(path);
        // To PostgreSQL, a name among the options is the one that counts.
        let is_name = |option: &&str| connection.driver == Driver::Postgres && option.starts_with("dbname=");
        let (names, options): (Vec<&str>, Vec<&str>) =
            options.trim_start_matches('?').split('&').partition(|option| is_name(option));
        let configured = match names.last() {
            _ if url.is_empty() => &connection.database,
            Some(name) => &name["dbname=".len()..],
            None => configured.trim_start_matches('/'),
        };

        let stem = stem(configured, LONGEST_NAME - self.suffix.len());
        let name = format!("{stem}{}", self.suffix);
        if url.is_empty() {
            connection.database.clone_from(&name);
        } else {
            let options = options.join("&");
            let mark = if options.is_empty() { "" } else { "?" };
            connection.url = format!("{server}/{name}{mark}{options}").into();
        }
        (stem, name)
    }

    fn make(&self, configured: &ConnectionConfig, stem: &str, name: &str) -> Result<()> {
        // Held until it is made: who comes second must find it.
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if !made.contains_key(name) {
            ask(configured, async |server| {
                drop_left_overs(&server, stem).await?;
                create(&server, stem, name).await
            })?;
            made.insert(name.to_owned(), configured.clone());
        }
        Ok(())
    }
}

impl Drop for OwnDatabases {
    fn drop(&mut self) {
        let made = self.made.get_mut().unwrap_or_else(PoisonError::into_inner);
        for (name, configured) in made {
            // What cannot be dropped now is dropped by a later run.
            let _ = ask(configured, async |server| {
                end_connections(&server, name).await?;
                drop_database(&server, name).await
            });
        }
    }
}

/// Asks the server over a connection of its own. On another thread: the test's runtime may be one that cannot wait here,
/// or be over.
fn ask<T: Send>(
    configured: &ConnectionConfig,
    work: impl AsyncFnOnce(Database) -> Result<T> + Send,
) -> Result<T> {
    let mut config = configured.clone();
    (config.pool.max, config.pool.min) = (1, 0);
    let asking = || {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        runtime.block_on(async {
            let server = Database::open("of the test", config, &Paths::new("."))?;
            let outcome = work(server.clone()).await;
            server.close().await;
            outcome
        })
    };
    let outcome = std::thread::scope(|scope| scope.spawn(asking).join());
    outcome.unwrap_or_else(|panic| std::panic::resume_unwind(panic))
}

async fn create(server: &Database, stem: &str, name: &str) -> Result<()> {
    let driver = server.driver();
    let outcome = server.execute_raw(&format!("create database {}", driver.quote(name)), []).await;
    let Err(error) = outcome else { return Ok(()) };
    let problem =
        format!("every test has a database of its own, and none could be made beside {}", server.place());
    if !DatabaseError::of(&error).is_some_and(DatabaseError::is_denied) {
        return Err(error.context(problem));
    }
    let right = match driver {
        Driver::Postgres => "alter role <user> createdb".to_owned(),
        _ => format!("grant all on `{stem}\\_test\\_%`.* to <user>"),
    };
    Err(error.context(format!("{problem}. Give the connection's user the right: {right}")))
}

async fn drop_left_overs(server: &Database, stem: &str) -> Result<()> {
    // One that is in use belongs to a test that somebody looks at for hours.
    let unused = match server.driver() {
        Driver::Postgres => {
            "select datname as name from pg_database where datname not in \
             (select datname from pg_stat_activity where datname is not null)"
        }
        _ => {
            "select schema_name as name from information_schema.schemata where schema_name not in \
             (select db from information_schema.processlist where db is not null)"
        }
    };
    for row in server.raw(unused, []).await? {
        let name: String = row.get("name")?;
        if is_left_over(&name, stem, seconds()) {
            // Another test may be faster.
            let _ = drop_database(server, &name).await;
        }
    }
    Ok(())
}

/// PostgreSQL drops no database that is in use, and MySQL waits for its transactions.
async fn end_connections(server: &Database, name: &str) -> Result<()> {
    match server.driver() {
        Driver::Postgres => {
            let sql = "select pg_terminate_backend(pid) from pg_stat_activity where datname = $1";
            server.raw(sql, [name.into()]).await?;
        }
        _ => {
            let sql = "select id as id from information_schema.processlist where db = ?";
            for row in server.raw(sql, [name.into()]).await? {
                // It may have ended by itself.
                let _ = server.execute_raw(&format!("kill {}", row.get::<i64>("id")?), []).await;
            }
        }
    }
    Ok(())
}

async fn drop_database(server: &Database, name: &str) -> Result<()> {
    let sql = format!("drop database if exists {}", server.driver().quote(name));
    server.execute_raw(&sql, []).await.map(drop)
}

/// The beginning of a test database's name: what it is made from, in characters that need no escape in an address and
/// that no server takes for others.
fn stem(configured: &str, longest: usize) -> String {
    let plain = |letter: char| if letter.is_ascii_alphanumeric() { letter.to_ascii_lowercase() } else { '_' };
    configured.chars().map(plain).take(longest).collect()
}

fn is_left_over(name: &str, stem: &str, now: u64) -> bool {
    let suffix = name.strip_prefix(stem).and_then(|rest| rest.strip_prefix(MARK));
    let Some((made, unique)) = suffix.and_then(|suffix| suffix.split_once('_')) else { return false };
    let made = (made.len() == 8 && unique.len() == 8).then(|| u64::from_str_radix(made, 16).ok()).flatten();
    made.is_some_and(|made| made + LEFT_OVER.as_secs() < now)
}

fn seconds() -> u64 {
    SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_secs()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn led(mut connection: ConnectionConfig) -> (String, String) {
        let own = Arc::new(OwnDatabases::new());
        own.lead(&mut connection);
        let leads_to = format!("{}{}", connection.url.reveal(), connection.database);
        (leads_to.replace(&own.suffix, "+"), own.suffix.clone())
    }

    #[test]
    fn only_the_name_of_the_database_changes() {
        let url = |url: &str| led(ConnectionConfig::postgres(url)).0;
        assert_eq!(
            url("postgres://u:p%2Fw@h:5432/shop?sslmode=disable"),
            "postgres://u:p%2Fw@h:5432/shop+?sslmode=disable"
        );
        assert_eq!(url("mysql://h/Our%20Shop"), "mysql://h/our_20shop+");
        assert_eq!(url("postgres://h"), "postgres://h/+");
        let parts = ConnectionConfig {
            driver: Driver::MySql,
            database: "shop".into(),
            ..ConnectionConfig::default()
        };
        assert_eq!(led(parts).0, "shop+");
    }

    #[test]
    fn a_name_among_the_options_is_changed_as_one_in_the_path() {
        let url = |url: &str| led(ConnectionConfig::postgres(url)).0;
        assert_eq!(url("postgres://u@h/?dbname=shop"), "postgres://u@h/shop+");
        assert_eq!(url("postgres://h?dbname=shop"), "postgres://h/shop+");
        assert_eq!(
            url("postgres://h/other?sslmode=disable&dbname=shop&application_name=a"),
            "postgres://h/shop+?sslmode=disable&application_name=a"
        );
        // MySQL knows no such option.
        assert_eq!(
            led(ConnectionConfig::mysql("mysql://h/shop?dbname=other")).0,
            "mysql://h/shop+?dbname=other"
        );
    }

    #[test]
    fn a_long_name_keeps_what_makes_it_differ() {
        let (name, suffix) = led(ConnectionConfig::mysql(format!("mysql://h/{}", "x".repeat(100))));
        let stem = name.trim_start_matches("mysql://h/").trim_end_matches('+');
        assert_eq!(stem.len() + suffix.len(), LONGEST_NAME);
    }

    #[test]
    fn only_what_a_test_left_behind_an_hour_ago_goes() {
        let now = 0x6919_e2c5 + 3601;
        assert!(is_left_over("shop_test_6919e2c5_k3v9q0ra", "shop", now));
        for other in [
            "shop",
            "shop_test",
            "shop_test_data",
            "shop_test_6919e2c5_",
            "shop_test_6919e2c5_k3v9q0ra_copy",
            "shop_test_6919e2c6_k3v9q0ra",
            "shop_test_nohexnum_k3v9q0ra",
            "old_shop_test_6919e2c5_k3v9q0ra",
        ] {
            assert!(!is_left_over(other, "shop", now), "{other}");
        }
    }
}
