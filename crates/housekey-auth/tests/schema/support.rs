//! Engines with different configurations, and what a database looks like.

use housekey_auth::schema::Plan;
use housekey_database::{Database, Migrations, Migrator, TableInfo};
use housekey_engine::options::{EmailAndPassword, EngineOptions};
use housekey_engine::plugins::{passkey, two_factor};
use housekey_engine::schema::Schema;
use housekey_engine::{Engine, EngineBuilder, MemoryStorage, Plugin, Plugins};
use housekey_engine_sql::SqlStorage;

pub(crate) fn engine(plugins: impl IntoIterator<Item = Plugin>) -> EngineBuilder {
    let options = EngineOptions {
        secret: "a secret of at least thirty-two characters".into(),
        email_and_password: EmailAndPassword { enabled: true, ..Default::default() },
        ..Default::default()
    };
    Engine::builder(options).plugins(plugins.into_iter().collect::<Plugins>())
}

pub(crate) fn schema(plugins: impl IntoIterator<Item = Plugin>) -> Schema {
    schema_of(engine(plugins))
}

pub(crate) fn schema_of(engine: impl Into<EngineBuilder>) -> Schema {
    engine.into().build(MemoryStorage::new()).unwrap().schema().clone()
}

pub(crate) fn with_two_factor() -> [Plugin; 1] {
    [two_factor(Default::default())]
}

pub(crate) fn with_both() -> [Plugin; 2] {
    [two_factor(Default::default()), passkey(Default::default())]
}

/// An app's migrations, grown one plan at a time, as `auth:schema --diff` and `migrate` do in turns.
pub(crate) struct App {
    pub(crate) database: Database,
    migrations: Migrations,
}

impl App {
    pub(crate) fn new(database: Database) -> Self {
        Self { database, migrations: Migrations::new() }
    }

    /// With every table of a schema.
    pub(crate) async fn installed(database: Database, schema: &Schema) -> Self {
        let mut app = Self::new(database);
        app.migrate(&Plan::fresh(schema)).await;
        app
    }

    pub(crate) async fn missing(&self, schema: &Schema) -> Plan {
        Plan::missing(schema, &self.database.introspect().await.unwrap(), self.database.driver()).unwrap()
    }

    /// Writes down what is missing and runs it. Taking it back and running it again must change nothing.
    pub(crate) async fn catch_up(&mut self, schema: &Schema) -> Plan {
        let plan = self.missing(schema).await;
        let before = tables_of(&self.database).await;
        self.migrate(&plan).await;
        let after = tables_of(&self.database).await;
        self.migrator().rollback(Some(1)).await.unwrap();
        assert_eq!(tables_of(&self.database).await, before, "down must lead back");
        self.migrator().run().await.unwrap();
        assert_eq!(tables_of(&self.database).await, after);
        assert!(self.missing(schema).await.is_empty(), "nothing may be missing afterwards");
        plan
    }

    pub(crate) async fn migrate(&mut self, plan: &Plan) {
        let name = format!("2026_01_01_{:06}_{}", self.migrations.len(), plan.name());
        self.migrations = std::mem::take(&mut self.migrations).with(plan.migration(name));
        assert_eq!(self.migrator().run().await.unwrap().len(), 1);
    }

    pub(crate) fn migrator(&self) -> Migrator {
        Migrator::new(self.database.clone(), self.migrations.clone())
    }

    pub(crate) fn storage(&self) -> SqlStorage {
        SqlStorage::new(self.database.clone())
    }
}

/// Every table but the one that remembers migrations. A column that came later is the last one; nobody minds.
pub(crate) async fn tables_of(database: &Database) -> Vec<TableInfo> {
    let mut tables = database.introspect().await.unwrap();
    tables.retain(|table| table.name != "migrations");
    for table in &mut tables {
        table.columns.sort_by(|a, b| a.name.cmp(&b.name));
    }
    tables
}

/// What a fresh install of a schema looks like on the same engine. The database is wiped for it.
pub(crate) async fn tables_of_fresh_install(database: &Database, schema: &Schema) -> Vec<TableInfo> {
    database.wipe().await.unwrap();
    database.schema(|changes| Plan::fresh(schema).up(changes)).await.unwrap();
    tables_of(database).await
}
