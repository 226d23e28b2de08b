//! `migrate*` and `db:*`: the schema brought forward and back, and a look at what a database holds.

pub(super) mod make;
mod make_table;
mod migrate;
mod resource;
mod rollback;
mod seed;
mod show;
mod start_over;
mod status;
mod table;
mod wipe;

pub(super) use make::{FACTORY, MakeMigration, SEEDER};
pub(super) use make_table::{
    CACHE_TABLE, EVENTS_TABLE, NOTIFICATIONS_TABLE, QUEUE_TABLE, SCHEDULE_TABLE, SESSION_TABLE,
};
pub(super) use migrate::{Migrate, MigrateInstall};
pub(super) use resource::MakeModel;
pub(super) use rollback::{MigrateReset, MigrateRollback};
pub(super) use seed::DbSeed;
pub(super) use show::DbShow;
pub(super) use start_over::{MigrateFresh, MigrateRefresh};
pub(super) use status::MigrateStatus;
pub(super) use table::DbTable;
pub(super) use wipe::DbWipe;

use housekey_core::Result;
use housekey_database::{Database, Databases, Migrated, Migrations, Migrator, Seeders};

use crate::{CommandContext, Ui};

/// `--database name`.
fn database_option() -> clap::Arg {
    clap::arg!(--database <NAME> "The connection [default: config/database.rs]")
}

/// The connection that was named, or the default one.
fn database(context: &CommandContext) -> Result<Database> {
    context.services()?.require::<Databases>()?.connection(context.argument("database"))
}

/// The app's migrations on that connection, telling the terminal as they go.
fn migrator(context: &CommandContext) -> Result<Migrator> {
    let services = context.services()?;
    let table = services.require::<Databases>()?.config().migrations_table.clone();
    let migrations = services.get::<Migrations>().map(|all| (*all).clone()).unwrap_or_default();
    let ui = context.ui();
    Ok(Migrator::new(database(context)?, migrations).table(table).watch(move |migrated| tell(ui, migrated)))
}

/// Says that a migration has run, or was taken back.
pub(super) fn tell(ui: Ui, migrated: &Migrated) {
    let what = if migrated.rolled_back { "taken back" } else { "migrated" };
    ui.success(format_args!("{} {what} in {} ms", migrated.name, migrated.took.as_millis()));
}

/// After the migrations: says which tables of accounts no migration has made, and fills the tables, if `--seed` was said.
async fn finish(context: &CommandContext) -> Result<()> {
    #[cfg(feature = "auth")]
    if let Some(missing) = super::auth::missing_tables(context.services()?).await {
        context.ui().warn(missing);
    }
    if context.flag("seed") { seed(context, None).await } else { Ok(()) }
}

async fn seed(context: &CommandContext, name: Option<&str>) -> Result<()> {
    let ui = context.ui();
    let Some(seeders) = context.services()?.get::<Seeders>() else {
        ui.note("The app has no seeders: make one with make:seeder.");
        return Ok(());
    };
    for name in seeders.run(&database(context)?, name).await? {
        ui.success(format_args!("{name} seeded"));
    }
    Ok(())
}

fn seed_flag() -> clap::Arg {
    clap::arg!(--seed "Run the seeders afterwards")
}
