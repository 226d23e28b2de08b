//! Changes of the schema over time: migrations, what has run, and who may run them now.

mod journal;
mod lock;
mod migrator;
mod resumable;
mod wipe;

use std::fmt;
use std::sync::Arc;

pub use journal::{MigrationState, MigrationStatus};
pub use migrator::{Migrated, Migrator, Planned};

use crate::{Driver, Schema};

/// One step of a schema's history. `housekey::migrations!()` makes them from the files in `database/migrations`:
///
/// ```
/// // database/migrations/2026_01_31_090000_create_posts.rs
/// use housekey_database::Schema;
///
/// pub fn up(schema: &mut Schema) {
///     schema.create("posts", |table| {
///         table.id();
///         table.string("title", 200);
///         table.timestamps();
///     });
/// }
///
/// pub fn down(schema: &mut Schema) {
///     schema.drop("posts");
/// }
/// # let mut schema = Schema::new(Default::default());
/// # up(&mut schema);
/// # down(&mut schema);
/// ```
#[derive(Clone)]
pub struct Migration {
    name: String,
    up: Describe,
    down: Describe,
}

type Describe = Arc<dyn Fn(&mut Schema) + Send + Sync>;

impl Migration {
    /// A migration by its name and its two directions. Names are run in their order.
    pub fn new(
        name: impl Into<String>,
        up: impl Fn(&mut Schema) + Send + Sync + 'static,
        down: impl Fn(&mut Schema) + Send + Sync + 'static,
    ) -> Self {
        Self { name: name.into(), up: Arc::new(up), down: Arc::new(down) }
    }

    /// Its name: the file's, without the ending.
    pub fn name(&self) -> &str {
        &self.name
    }

    pub fn up(&self, driver: Driver) -> Schema {
        let mut schema = Schema::new(driver);
        (self.up)(&mut schema);
        schema
    }

    pub fn down(&self, driver: Driver) -> Schema {
        let mut schema = Schema::new(driver);
        (self.down)(&mut schema);
        schema
    }
}

impl fmt::Debug for Migration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}

/// All migrations of an app, in the order of their names.
#[derive(Clone, Debug, Default)]
pub struct Migrations(Vec<Migration>);

impl Migrations {
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a migration at its place.
    pub fn with(mut self, migration: Migration) -> Self {
        self.0.push(migration);
        self.0.sort_by(|a, b| a.name.cmp(&b.name));
        self
    }

    /// The migrations, in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &Migration> {
        self.0.iter()
    }

    pub fn get(&self, name: &str) -> Option<&Migration> {
        self.0.iter().find(|migration| migration.name == name)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

impl FromIterator<Migration> for Migrations {
    fn from_iter<I: IntoIterator<Item = Migration>>(migrations: I) -> Self {
        migrations.into_iter().fold(Self::new(), Self::with)
    }
}
