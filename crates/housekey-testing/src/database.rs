use std::path::Path;

use housekey_core::Config;
use housekey_database::{DatabaseConfig, Databases, Driver, Migrations, Migrator};
use housekey_http::Application;

/// Puts every SQLite file into the folder of the test; what lies in `storage/` is there already. A server is used as
/// `.env.testing` names it.
pub(crate) fn keep_apart(config: &mut Config, storage: &Path) {
    config.update::<DatabaseConfig>(|database| {
        for (name, connection) in &mut database.connections {
            let elsewhere = connection.database != ":memory:" && !connection.database.starts_with("storage/");
            if connection.driver == Driver::Sqlite && elsewhere {
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
