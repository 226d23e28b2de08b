//! Rows that nobody needs any more, removed piece by piece: what `auth:prune` does.

use std::time::Duration as Pause;

use housekey_core::{Clock, Result};
use housekey_database::{Database, Query};
use housekey_engine::schema::Table;
use time::{Duration, OffsetDateTime};

use crate::Auth;
use crate::events;

/// Rows that are removed at a time. Few enough to be done in a moment, and to be named one by one.
const PIECE: u64 = 500;
/// Between two pieces: whoever wants to sign in meanwhile comes first. SQLite lets one write at a time.
const PAUSE: Pause = Pause::from_millis(5);

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prunable {
    /// API keys whose time is over.
    ApiKeys,
    /// Events past the days for which they are kept.
    Events,
    /// Sessions that have run out.
    Sessions,
    /// Links, codes and counters that have run out.
    Verifications,
}

/// The rows of a table that can go.
#[derive(Clone, Debug)]
pub struct Stale {
    what: Prunable,
    database: Database,
    table: String,
    id: String,
    moment: String,
    before: OffsetDateTime,
}

/// What can go now in an app.
pub fn stale(auth: &Auth, clock: &Clock) -> Result<Vec<Stale>> {
    let (database, now) = (auth.database()?, clock.now());
    let schema = auth.engine().schema();
    let oldest = auth.config().events.days().and_then(|days| now.checked_sub(Duration::days(days.into())));
    let tables = [
        (Prunable::Events, events::TABLE, "createdAt", oldest),
        (Prunable::Sessions, "session", "expiresAt", Some(now)),
        (Prunable::Verifications, "verification", "expiresAt", Some(now)),
        (Prunable::ApiKeys, "apikey", "expiresAt", Some(now)),
    ];
    let found = tables.into_iter().filter_map(|(what, key, field, before)| {
        Stale::of(what, &database, schema.table(key)?, field, before?)
    });
    Ok(found.collect())
}

impl Stale {
    fn of(
        what: Prunable,
        database: &Database,
        table: &Table,
        field: &str,
        before: OffsetDateTime,
    ) -> Option<Self> {
        let name = |field| table.column(field).map(|column| column.name.clone());
        let (id, moment) = (name("id")?, name(field)?);
        Some(Self { what, database: database.clone(), table: table.name.clone(), id, moment, before })
    }

    pub fn what(&self) -> Prunable {
        self.what
    }

    pub async fn count(&self) -> Result<u64> {
        self.rows(&self.database).count().await
    }

    /// Removes them, and says how many it were; `progress` is told after every piece. One walk along the primary key, however
    /// many rows stay.
    // spec: SEC-9
    pub async fn remove(&self, mut progress: impl FnMut(u64)) -> Result<u64> {
        let (mut removed, mut last) = (0, String::new());
        loop {
            let next = self.rows(&self.database).where_(&self.id, ">", last.as_str());
            let ids: Vec<String> = next.order_by(&self.id).limit(PIECE).pluck(&self.id).await?;
            let Some(end) = ids.last() else { return Ok(removed) };
            last.clone_from(end);
            removed += self.remove_piece(ids).await?;
            progress(removed);
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Takes the rows that nobody else has in hand, then removes those: this never waits for a request, so no two ever wait for
    /// each other. Whether they may go is asked once more, a session may have been renewed. What is left out is found
    /// the next time.
    async fn remove_piece(&self, ids: Vec<String>) -> Result<u64> {
        self.database
            .transaction(async |inside| {
                let free = self.rows(&inside).where_in(&self.id, ids).lock_skipping_locked();
                let free: Vec<String> = free.pluck(&self.id).await?;
                if free.is_empty() {
                    return Ok(0);
                }
                inside.table(&self.table).where_in(&self.id, free).delete().await
            })
            .await
    }

    fn rows(&self, database: &Database) -> Query {
        database.table(&self.table).where_(&self.moment, "<", self.before)
    }
}
