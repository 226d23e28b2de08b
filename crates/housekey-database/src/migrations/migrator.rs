use std::fmt;
use std::time::{Duration, Instant};

use housekey_core::{Error, Result};

use super::journal::{Entry, Journal, Progress};
use super::lock::Lock;
use super::{Migration, MigrationState, MigrationStatus, Migrations, resumable};
use crate::schema::{Runner, needs_references_off};
use crate::{Database, Schema};

/// Brings a database's schema forward and back.
///
/// Two processes never migrate at the same time. Each migration and the record of it are one transaction where the
/// engine can (SQLite, PostgreSQL); on MySQL a migration that stops in the middle goes on from there the next time.
///
/// ```
/// # use housekey_core::Result;
/// use housekey_database::{Database, Migration, Migrations, Migrator};
///
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> Result<()> {
/// let migrations = Migrations::new().with(Migration::new(
///     "2026_01_31_090000_create_posts",
///     |schema| schema.create("posts", |table| { table.id(); }),
///     |schema| schema.drop("posts"),
/// ));
/// let db = Database::memory();
/// let migrator = Migrator::new(db.clone(), migrations);
///
/// assert_eq!(migrator.run().await?.len(), 1);
/// assert!(db.has_table("posts").await?);
/// migrator.rollback(None).await?;
/// assert!(!db.has_table("posts").await?);
/// # Ok(()) }
/// ```
pub struct Migrator {
    db: Database,
    migrations: Migrations,
    journal: Journal,
    watcher: Option<Watcher>,
}

type Watcher = Box<dyn Fn(&Migrated) + Send + Sync>;

/// A migration that has just run, or has been taken back.
#[derive(Clone, Debug)]
pub struct Migrated {
    pub name: String,
    pub rolled_back: bool,
    pub took: Duration,
}

/// A migration that would run, and its SQL.
#[derive(Clone, Debug)]
pub struct Planned {
    pub name: String,
    /// What it would run.
    pub statements: Vec<String>,
}

impl Migrator {
    pub fn new(db: Database, migrations: Migrations) -> Self {
        Self { db, migrations, journal: Journal { table: "migrations".into() }, watcher: None }
    }

    /// Remembers what has run in a table of another name.
    pub fn table(mut self, name: impl Into<String>) -> Self {
        self.journal.table = name.into();
        self
    }

    /// Calls back after each migration: what a console prints.
    pub fn watch(mut self, watcher: impl Fn(&Migrated) + Send + Sync + 'static) -> Self {
        self.watcher = Some(Box::new(watcher));
        self
    }

    /// Makes the table that remembers what has run. Answers whether it was missing.
    pub async fn install(&self) -> Result<bool> {
        let _lock = Lock::take(&self.db).await?;
        self.journal.install(&self.db).await
    }

    /// Runs every migration that has not run, as one batch.
    pub async fn run(&self) -> Result<Vec<Migrated>> {
        let _lock = Lock::take(&self.db).await?;
        self.run_locked().await
    }

    /// Takes the last batch back, or the last so many migrations.
    pub async fn rollback(&self, steps: Option<usize>) -> Result<Vec<Migrated>> {
        let _lock = Lock::take(&self.db).await?;
        self.rollback_locked(steps).await
    }

    /// Takes everything back.
    pub async fn reset(&self) -> Result<Vec<Migrated>> {
        self.rollback(Some(usize::MAX)).await
    }

    /// Takes everything back and runs it again.
    pub async fn refresh(&self) -> Result<Vec<Migrated>> {
        let _lock = Lock::take(&self.db).await?;
        let mut done = self.rollback_locked(Some(usize::MAX)).await?;
        done.extend(self.run_locked().await?);
        Ok(done)
    }

    /// Drops every table, whoever made it, and runs everything.
    pub async fn fresh(&self) -> Result<Vec<Migrated>> {
        let _lock = Lock::take(&self.db).await?;
        self.db.wipe().await?;
        self.run_locked().await
    }

    pub async fn status(&self) -> Result<Vec<MigrationStatus>> {
        let entries = self.entries().await?;
        let state = |entry: &Entry, missing: bool| match entry.state.as_deref().and_then(Progress::parse) {
            Some(progress) => MigrationState::Unfinished {
                rolling_back: progress.rolling_back,
                statements: progress.statements,
            },
            None if missing => MigrationState::Missing { batch: entry.batch },
            None => MigrationState::Ran { batch: entry.batch },
        };
        let mut all: Vec<MigrationStatus> = self
            .migrations
            .iter()
            .map(|migration| MigrationStatus {
                name: migration.name().to_owned(),
                state: entries
                    .iter()
                    .find(|entry| entry.migration == migration.name())
                    .map_or(MigrationState::Pending, |entry| state(entry, false)),
            })
            .collect();
        let gone = entries.iter().filter(|entry| self.migrations.get(&entry.migration).is_none());
        all.extend(
            gone.map(|entry| MigrationStatus { name: entry.migration.clone(), state: state(entry, true) }),
        );
        all.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(all)
    }

    /// What [`Migrator::run`] would run. Nothing is changed.
    pub async fn pretend(&self) -> Result<Vec<Planned>> {
        let entries = self.entries().await?;
        let pending =
            self.migrations.iter().filter(|one| entries.iter().all(|entry| entry.migration != one.name()));
        #[cfg(feature = "sqlite")]
        if self.db.driver() == crate::Driver::Sqlite {
            // What SQLite runs depends on the tables it finds, so it runs for real: on a copy without rows, in memory.
            let copy = copy_of_schema(&self.db).await?;
            let mut planned = Vec::new();
            for migration in pending {
                let schema = migration.up(copy.driver());
                let outcome = copy
                    .transaction_with(needs_references_off(&schema), async |tx| {
                        Runner::new(&tx).run(&schema).await
                    })
                    .await;
                let statements =
                    outcome.map_err(|error| error.context(format!("`{}` would fail", migration.name())))?;
                planned.push(Planned { name: migration.name().to_owned(), statements });
            }
            return Ok(planned);
        }
        pending
            .map(|migration| {
                let statements = migration.up(self.db.driver()).to_sql();
                let statements = statements
                    .map_err(|error| error.context(format!("`{}` would fail", migration.name())))?;
                Ok(Planned { name: migration.name().to_owned(), statements })
            })
            .collect()
    }

    async fn entries(&self) -> Result<Vec<Entry>> {
        if self.db.has_table(&self.journal.table).await? {
            self.journal.entries(&self.db).await
        } else {
            Ok(Vec::new())
        }
    }

    async fn run_locked(&self) -> Result<Vec<Migrated>> {
        self.journal.install(&self.db).await?;
        let entries = self.journal.entries(&self.db).await?;
        let batch = entries.iter().map(|entry| entry.batch).max().unwrap_or(0) + 1;
        let mut done = Vec::new();
        for migration in self.migrations.iter() {
            let entry = entries.iter().find(|entry| entry.migration == migration.name());
            let progress = entry.and_then(|entry| entry.state.as_deref()).and_then(Progress::parse);
            if entry.is_some() && progress.is_none() {
                continue;
            }
            if progress.as_ref().is_some_and(|progress| progress.rolling_back) {
                return Err(Error::internal(format!(
                    "`{}` stopped while it was taken back; finish that with migrate:rollback first",
                    migration.name()
                )));
            }
            let started = Instant::now();
            let outcome = self.up(migration, batch, progress.as_ref()).await;
            self.db.schema_changed();
            outcome?;
            done.push(self.tell(migration.name(), false, started));
        }
        Ok(done)
    }

    async fn up(&self, migration: &Migration, batch: i64, progress: Option<&Progress>) -> Result<()> {
        let (db, name) = (&self.db, migration.name());
        let schema = migration.up(db.driver());
        if db.driver().has_transactional_schema() {
            return self
                .whole(name, &schema, async |tx| {
                    // Looked at again inside, where nobody else can write.
                    if self.journal.entry(&tx, name).await?.is_some() {
                        return Ok(());
                    }
                    Runner::new(&tx).run(&schema).await?;
                    self.journal.record(&tx, name, batch, None).await
                })
                .await;
        }
        if progress.is_none() {
            let nothing = Progress::beginning();
            self.journal.record(db, name, batch, Some(nothing.text())).await?;
        }
        resumable::run(db, &self.journal, name, &schema, progress, false).await?;
        self.journal.set_state(db, name, None).await
    }

    async fn rollback_locked(&self, steps: Option<usize>) -> Result<Vec<Migrated>> {
        let entries = self.entries().await?;
        let last = entries.iter().map(|entry| entry.batch).max();
        let chosen: Vec<&Entry> = match steps {
            Some(steps) => entries.iter().rev().take(steps).collect(),
            None => entries.iter().rev().filter(|entry| Some(entry.batch) == last).collect(),
        };
        let mut done = Vec::new();
        for entry in chosen {
            let Some(migration) = self.migrations.get(&entry.migration) else {
                return Err(Error::internal(format!(
                    "`{}` has run, but its file is gone: bring it back to take it back",
                    entry.migration
                )));
            };
            let started = Instant::now();
            let outcome = self.down(migration, entry).await;
            self.db.schema_changed();
            outcome?;
            done.push(self.tell(migration.name(), true, started));
        }
        Ok(done)
    }

    async fn down(&self, migration: &Migration, entry: &Entry) -> Result<()> {
        let (db, name) = (&self.db, migration.name());
        let schema = migration.down(db.driver());
        if db.driver().has_transactional_schema() {
            return self
                .whole(name, &schema, async |tx| {
                    Runner::new(&tx).run(&schema).await?;
                    self.journal.forget(&tx, name).await
                })
                .await;
        }
        let progress = entry.state.as_deref().and_then(Progress::parse);
        if progress.as_ref().is_some_and(|progress| !progress.rolling_back) {
            return Err(Error::internal(format!(
                "`{name}` is only half done, so taking it back would fail; finish it with migrate first"
            )));
        }
        resumable::run(db, &self.journal, name, &schema, progress.as_ref(), true).await?;
        self.journal.forget(db, name).await
    }

    /// The migration and its record, or neither.
    async fn whole<F>(&self, name: &str, schema: &Schema, work: F) -> Result<()>
    where
        F: AsyncFnOnce(Database) -> Result<()>,
    {
        let outcome = self.db.transaction_with(needs_references_off(schema), work).await;
        outcome.map_err(|error| error.context(format!("`{name}` failed; nothing of it was kept")))
    }

    fn tell(&self, name: &str, rolled_back: bool, started: Instant) -> Migrated {
        let migrated = Migrated { name: name.to_owned(), rolled_back, took: started.elapsed() };
        if let Some(watcher) = &self.watcher {
            watcher(&migrated);
        }
        migrated
    }
}

impl fmt::Debug for Migrator {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Migrator")
            .field("db", &self.db)
            .field("migrations", &self.migrations)
            .finish_non_exhaustive()
    }
}

#[cfg(feature = "sqlite")]
async fn copy_of_schema(db: &Database) -> Result<Database> {
    let copy = Database::memory();
    // Tables before what hangs on them; SQLite does not ask whether a table that is referred to exists.
    let sql = "select sql as sql from sqlite_master where sql is not null and name not like 'sqlite\\_%' escape '\\' \
               order by type = 'table' desc, type = 'index' desc, rowid";
    for row in db.raw(sql, []).await? {
        copy.execute_raw(&row.get::<String>("sql")?, []).await?;
    }
    Ok(copy)
}
