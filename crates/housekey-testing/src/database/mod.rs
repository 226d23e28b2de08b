//! The databases of an app under test: its own, empty, and migrated before the first request.

mod assertions;
mod on_server;

use std::path::Path;
use std::sync::Arc;

use housekey_core::Config;
use housekey_database::{DatabaseConfig, Databases, Driver, Migrations, Migrator};
use housekey_http::Application;

pub(crate) use on_server::OwnDatabases;

/// Leads every connection to a database of this test's own: a SQLite file into its folder, where what lies in `storage/`
/// is already; a server to a database that is made when it is first used.
pub(crate) fn keep_apart(config: &mut Config, storage: &Path, own: &Arc<OwnDatabases>) {
    config.update::<DatabaseConfig>(|database| {
        for (name, connection) in &mut database.connections {
            let elsewhere = connection.database != ":memory:" && !connection.database.starts_with("storage/");
            if connection.driver != Driver::Sqlite {
                own.lead(connection);
            } else if elsewhere {
                connection.database = storage.join(format!("{name}.sqlite")).display().to_string();
            }
        }
    });
}

/// Runs the app's migrations, if it has any.
pub(crate) async fn migrate(application: &Application) {
    let services = application.services();
    let Some(migrations) = services.get::<Migrations>().filter(|all| all.iter().next().is_some()) else {
        return;
    };
    let work = async {
        let databases = services.require::<Databases>()?;
        let table = databases.config().migrations_table.clone();
        let database = databases.connection(None)?;
        Migrator::new(database, (*migrations).clone()).table(table).run().await
    };
    if let Err(error) = work.await {
        panic!("the migrations of the app under test failed: {error}");
    }
}
