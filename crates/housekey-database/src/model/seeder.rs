use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use housekey_core::{Error, Result};

use crate::Database;

/// Fills tables with rows to begin with. `db:seed` runs it.
///
/// ```
/// use housekey_core::Result;
/// use housekey_database::{Database, Seeder, record};
///
/// struct PlanSeeder;
///
/// impl Seeder for PlanSeeder {
///     async fn run(&self, db: Database) -> Result<()> {
///         db.table("plans").upsert(
///             [record! { "slug" => "free", "price" => 0 }, record! { "slug" => "team", "price" => 900 }],
///             &["slug"],
///             &["price"],
///         ).await
///     }
/// }
/// ```
pub trait Seeder: Send + Sync + 'static {
    /// What `db:seed --class` calls it: the type's name.
    fn name(&self) -> &'static str {
        let name = std::any::type_name::<Self>();
        name.rsplit_once("::").map_or(name, |(_, name)| name)
    }

    /// Whether it runs in a transaction, so that nothing is kept of one that fails. One that makes rows by way of
    /// something with transactions of its own (accounts, say) says no.
    fn in_transaction(&self) -> bool {
        true
    }

    /// Adds the rows. Written so that a second run does no harm.
    fn run(&self, db: Database) -> impl Future<Output = Result<()>> + Send;
}

trait AnySeeder: Send + Sync {
    fn name(&self) -> &'static str;
    fn in_transaction(&self) -> bool;
    fn run(&self, db: Database) -> Pin<Box<dyn Future<Output = Result<()>> + Send + '_>>;
}

impl<T: Seeder> AnySeeder for T {
    fn name(&self) -> &'static str {
        Seeder::name(self)
    }

    fn in_transaction(&self) -> bool {
        Seeder::in_transaction(self)
    }

    fn run(&self, db: Database) -> Pin<Box<dyn Future<Output = Result<()>> + Send + '_>> {
        Box::pin(Seeder::run(self, db))
    }
}

/// The seeders of an app, in the order they were added.
#[derive(Clone, Default)]
pub struct Seeders(Vec<Arc<dyn AnySeeder>>);

impl Seeders {
    pub fn new() -> Self {
        Self::default()
    }

    pub fn with(mut self, seeder: impl Seeder) -> Self {
        self.0.push(Arc::new(seeder));
        self
    }

    /// These, and the others after them.
    pub fn join(mut self, others: Self) -> Self {
        self.0.extend(others.0);
        self
    }

    pub fn names(&self) -> Vec<&'static str> {
        self.0.iter().map(|seeder| seeder.name()).collect()
    }

    /// Runs one by its name, or all of them; each in a transaction of its own. Answers with the names.
    pub async fn run(&self, db: &Database, name: Option<&str>) -> Result<Vec<&'static str>> {
        let chosen: Vec<_> =
            self.0.iter().filter(|seeder| name.is_none_or(|name| seeder.name() == name)).collect();
        if let (Some(name), true) = (name, chosen.is_empty()) {
            return Err(Error::internal(format!(
                "there is no seeder `{name}`; the app has {}",
                if self.0.is_empty() { "none".to_owned() } else { self.names().join(", ") }
            )));
        }
        let mut ran = Vec::new();
        for seeder in chosen {
            let outcome = if seeder.in_transaction() {
                db.transaction(async |tx| seeder.run(tx).await).await
            } else {
                seeder.run(db.clone()).await
            };
            outcome.map_err(|error| {
                let kept = if seeder.in_transaction() { "; nothing of it was kept" } else { "" };
                error.context(format!("{} failed{kept}", seeder.name()))
            })?;
            ran.push(seeder.name());
        }
        Ok(ran)
    }
}

impl fmt::Debug for Seeders {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.names()).finish()
    }
}
