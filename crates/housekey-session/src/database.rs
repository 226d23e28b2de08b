use housekey_core::{Error, Result};
use housekey_database::{DatabaseError, DatabaseSource, FromRow, Row, Schema, record};

use crate::store::{SessionId, SessionRecord, SessionStore, StoreFuture};

const TABLE: &str = "sessions";

/// Makes the table of the `database` driver, in a migration.
///
/// ```
/// use housekey_database::{Driver, Schema};
/// use housekey_session::create_sessions_table;
///
/// let mut schema = Schema::new(Driver::Sqlite);
/// create_sessions_table(&mut schema);
/// assert!(!schema.is_empty());
/// ```
pub fn create_sessions_table(schema: &mut Schema) {
    schema.create(TABLE, |table| {
        table.string("id", 32).primary();
        table.big_integer("version");
        table.big_integer("expires_at").index();
        table.binary("payload");
    });
}

/// Keeps sessions in a table, on any engine; the table comes from [`create_sessions_table`].
#[derive(Clone, Debug)]
pub struct DatabaseSessions {
    source: DatabaseSource,
}

impl DatabaseSessions {
    pub fn new(source: impl Into<DatabaseSource>) -> Self {
        Self { source: source.into() }
    }
}

impl SessionStore for DatabaseSessions {
    fn name(&self) -> &'static str {
        "database"
    }

    fn read<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, Option<SessionRecord>> {
        explained(async move { self.source.get()?.table(TABLE).where_eq("id", id.to_hex()).first().await })
    }

    fn swap<'a>(
        &'a self,
        id: &'a SessionId,
        expected: Option<u64>,
        record: SessionRecord,
    ) -> StoreFuture<'a, bool> {
        explained(async move {
            let table = self.source.get()?.table(TABLE);
            let row = record! {
                "version" => number(record.version),
                "expires_at" => number(record.expires_at),
                "payload" => record.payload,
            };
            match expected {
                None => table.insert_or_ignore(row.with("id", id.to_hex())).await,
                Some(version) => {
                    let as_read = table.where_eq("id", id.to_hex()).where_eq("version", number(version));
                    Ok(as_read.update(row).await? == 1)
                }
            }
        })
    }

    fn remove<'a>(&'a self, id: &'a SessionId) -> StoreFuture<'a, ()> {
        explained(async move {
            self.source.get()?.table(TABLE).where_eq("id", id.to_hex()).delete().await.map(drop)
        })
    }

    fn collect_garbage(&self, now: u64) -> StoreFuture<'_, u64> {
        explained(async move {
            self.source.get()?.table(TABLE).where_("expires_at", "<=", number(now)).delete().await
        })
    }
}

impl FromRow for SessionRecord {
    fn from_row(row: &Row) -> Result<Self> {
        Ok(Self {
            version: row.get("version")?,
            expires_at: row.get("expires_at")?,
            payload: row.get("payload")?,
        })
    }
}

/// Versions fit a signed column by their making, and so do dates.
fn number(value: u64) -> i64 {
    i64::try_from(value).unwrap_or(i64::MAX)
}

fn explained<'a, T>(work: impl Future<Output = Result<T>> + Send + 'a) -> StoreFuture<'a, T> {
    Box::pin(async move {
        work.await.map_err(|error: Error| {
            if DatabaseError::of(&error).is_some_and(DatabaseError::is_missing_table) {
                return error.context(
                    "sessions are kept in the database, and their table is not there: run \
                     `housekey make:session-table` and `housekey migrate`",
                );
            }
            error
        })
    })
}
