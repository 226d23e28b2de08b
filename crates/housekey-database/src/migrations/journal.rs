use housekey_core::Result;

use crate::{Database, FromRow, record};

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MigrationState {
    Pending,
    /// Run, in this batch.
    Ran {
        /// Migrations that ran together have the same number.
        batch: i64,
    },
    /// Stopped in the middle, on an engine that takes nothing back. The next run goes on from there.
    Unfinished {
        /// Whether it stopped on its way back.
        rolling_back: bool,
        /// How many of its statements have been run.
        statements: usize,
    },
    /// Run, but its file is gone.
    Missing {
        batch: i64,
    },
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MigrationStatus {
    pub name: String,
    pub state: MigrationState,
}

/// The table that remembers what has run.
#[derive(Clone)]
pub(super) struct Journal {
    pub(super) table: String,
}

#[derive(Clone, Debug, FromRow)]
#[row(crate = "crate")]
pub(super) struct Entry {
    pub(super) migration: String,
    pub(super) batch: i64,
    /// See [`Progress`]; empty when it is whole.
    pub(super) state: Option<String>,
}

/// How far a migration got on an engine that takes nothing back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Progress {
    pub(super) rolling_back: bool,
    pub(super) statements: usize,
    /// Whether the next one was begun, and nobody came to write down how it ended.
    pub(super) in_flight: bool,
    /// Of the statements that have run: another text means that the file was changed since.
    pub(super) fingerprint: String,
}

impl Progress {
    pub(super) fn parse(text: &str) -> Option<Self> {
        let mut parts = text.split(':');
        let rolling_back = match parts.next()? {
            "up" => false,
            "down" => true,
            _ => return None,
        };
        let statements = parts.next()?.parse().ok()?;
        let fingerprint = parts.next()?.to_owned();
        Some(Self { rolling_back, statements, fingerprint, in_flight: parts.next() == Some("begun") })
    }

    pub(super) fn text(&self) -> String {
        let direction = if self.rolling_back { "down" } else { "up" };
        let begun = if self.in_flight { ":begun" } else { "" };
        format!("{direction}:{}:{}{begun}", self.statements, self.fingerprint)
    }
}

impl Journal {
    pub(super) async fn install(&self, db: &Database) -> Result<bool> {
        if db.has_table(&self.table).await? {
            return Ok(false);
        }
        db.schema(|schema| {
            schema.create(&self.table, |table| {
                table.id();
                table.string("migration", 255).unique();
                table.integer("batch");
                table.string("state", 100).nullable();
            });
        })
        .await?;
        Ok(true)
    }

    pub(super) async fn entries(&self, db: &Database) -> Result<Vec<Entry>> {
        db.table(&self.table).order_by("id").get().await
    }

    pub(super) async fn entry(&self, db: &Database, migration: &str) -> Result<Option<Entry>> {
        db.table(&self.table).where_eq("migration", migration).first().await
    }

    pub(super) async fn record(
        &self,
        db: &Database,
        migration: &str,
        batch: i64,
        state: Option<String>,
    ) -> Result<()> {
        let entry = record! { "migration" => migration, "batch" => batch, "state" => state };
        db.table(&self.table).insert(entry).await.map(drop)
    }

    pub(super) async fn set_state(
        &self,
        db: &Database,
        migration: &str,
        state: Option<String>,
    ) -> Result<()> {
        let query = db.table(&self.table).where_eq("migration", migration);
        query.update(record! { "state" => state }).await.map(drop)
    }

    pub(super) async fn forget(&self, db: &Database, migration: &str) -> Result<()> {
        db.table(&self.table).where_eq("migration", migration).delete().await.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn progress_is_read_as_it_was_written() {
        for (rolling_back, in_flight) in [(false, false), (true, false), (false, true), (true, true)] {
            let progress = Progress { rolling_back, statements: 3, in_flight, fingerprint: "abc".into() };
            assert_eq!(Progress::parse(&progress.text()), Some(progress));
        }
        assert_eq!(Progress::parse("sideways:1:a"), None);
    }
}
