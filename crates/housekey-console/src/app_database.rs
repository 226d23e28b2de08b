use housekey_core::Result;
use housekey_database::{Migrations, Seeder, Seeders};
use housekey_http::{App, Provider, Registrar};

/// Gives an app its migrations and seeders, for `migrate`, `db:seed` and the tests.
///
/// ```
/// use housekey_console::AppDatabase;
/// use housekey_core::{ConfigFiles, Result};
/// use housekey_database::{Database, Migration, Migrations, Seeder};
/// use housekey_http::App;
///
/// struct Plans;
///
/// impl Seeder for Plans {
///     async fn run(&self, db: Database) -> Result<()> {
///         Ok(())
///     }
/// }
///
/// let migrations = Migrations::new(); // an app says migrations::all()
/// let app = App::new(ConfigFiles::default()).migrations(migrations).seeder(Plans);
/// ```
pub trait AppDatabase {
    /// Adds migrations: those of `housekey::migrations!()`, or of a part that brings its own.
    #[must_use]
    fn migrations(self, migrations: Migrations) -> Self;

    /// Adds a seeder. They run in the order they were added.
    #[must_use]
    fn seeder(self, seeder: impl Seeder) -> Self;
}

impl AppDatabase for App {
    fn migrations(self, migrations: Migrations) -> Self {
        self.provider(Brings { migrations, seeders: Seeders::new() })
    }

    fn seeder(self, seeder: impl Seeder) -> Self {
        self.provider(Brings { migrations: Migrations::new(), seeders: Seeders::new().with(seeder) })
    }
}

/// Puts what was given beside what is there already: any code with the app's services finds it.
struct Brings {
    migrations: Migrations,
    seeders: Seeders,
}

impl Provider for Brings {
    fn name(&self) -> &'static str {
        "migrations and seeders"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        app.contribute(|known: &mut Migrations| {
            *known = known.iter().chain(self.migrations.iter()).cloned().collect();
        });
        app.contribute(|known: &mut Seeders| *known = std::mem::take(known).join(self.seeders.clone()));
        Ok(())
    }
}
