use std::fs::File;
use std::time::Duration;

use housekey_core::{Error, Result};

use crate::engine::{DetachedConnection, Statement};
use crate::{Database, Driver, Row};

/// How long one process waits while another migrates.
const LOCK_TIMEOUT: Duration = Duration::from_secs(600);

/// Held while one process migrates. It ends with the process, however that ends: the servers free it with its
/// connection, the system with its file. So nothing is left to clean up after a crash.
#[derive(Debug)]
pub(super) struct Lock {
    _held: Held,
}

#[expect(dead_code, reason = "kept for what happens when they are dropped")]
enum Held {
    File(File),
    Connection(DetachedConnection),
    Nothing,
}

impl std::fmt::Debug for Held {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::File(_) => "a file",
            Self::Connection(_) => "a connection",
            Self::Nothing => "nothing",
        })
    }
}

impl Lock {
    pub(super) async fn take(db: &Database) -> Result<Self> {
        let wait = async {
            match db.driver() {
                Driver::Sqlite => file(db).await,
                Driver::Postgres => {
                    let sql = "select pg_advisory_lock(1752131947, hashtext(current_schema()))";
                    connection(db, sql).await
                }
                // Its names count for the whole server.
                Driver::MySql => {
                    connection(db, "select get_lock(concat('housekey:', md5(database())), 600)").await
                }
            }
        };
        match tokio::time::timeout(LOCK_TIMEOUT, wait).await {
            Ok(Ok(Some(held))) => Ok(Self { _held: held }),
            Ok(Err(error)) => Err(error),
            Ok(Ok(None)) | Err(_) => Err(Error::internal(format!(
                "another process has been migrating {} for 10 minutes; see what it does, then try again",
                db.place()
            ))),
        }
    }
}

/// A lock that a server holds for a connection. MySQL answers 1, and 0 or nothing where there is none; PostgreSQL answers when
/// there is one.
async fn connection(db: &Database, sql: &str) -> Result<Option<Held>> {
    let mut connection = db.detached_connection().await?;
    let outcome = connection.rows(Statement::from(sql)).await;
    let rows = db.log_and_explain(sql, std::time::Instant::now(), outcome).await?;
    if db.driver() == Driver::MySql {
        let row = rows.into_iter().next().map(Row);
        if row.map(|row| row.at::<Option<i64>>(0)).transpose()?.flatten() != Some(1) {
            return Ok(None);
        }
    }
    Ok(Some(Held::Connection(connection)))
}

async fn file(db: &Database) -> Result<Option<Held>> {
    if db.inner.config.is_memory() {
        return Ok(Some(Held::Nothing));
    }
    let folder = db.inner.paths.framework();
    let path = folder.join("migrate.lock");
    let shown = path.display().to_string();
    let locked = tokio::task::spawn_blocking(move || {
        std::fs::create_dir_all(&folder)?;
        let file = File::options().create(true).append(true).open(&path)?;
        file.lock()?;
        Ok::<_, std::io::Error>(file)
    });
    match locked.await? {
        Ok(file) => Ok(Some(Held::File(file))),
        Err(error) => {
            Err(Error::from(error).context(format!("cannot lock {shown}; migrating needs to write there")))
        }
    }
}
