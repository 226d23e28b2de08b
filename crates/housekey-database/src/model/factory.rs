use std::future::Future;
use std::sync::atomic::{AtomicU64, Ordering};

use housekey_core::Result;

use super::{BelongsToOrganization, Model};
use crate::{Database, Record, Tenant};

/// Makes rows for tests and seeds.
///
/// ```
/// use housekey_database::{Factory, Record, record};
/// # use housekey_database::{FromRow, Model};
/// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "users")]
/// # struct User { id: i64, name: String, email: String }
///
/// struct UserFactory;
///
/// impl Factory for UserFactory {
///     type Model = User;
///
///     fn definition(number: u64) -> Record {
///         record! { "name" => "Ada Lovelace", "email" => format!("ada{number}@example.com") }
///     }
/// }
///
/// # async fn example() -> housekey_core::Result<()> {
/// let user = UserFactory::create().await?;
/// let named = UserFactory::create_with(record! { "name" => "Grace" }).await?;
/// let crowd = UserFactory::create_many(10).await?;
/// # Ok(()) }
/// ```
pub trait Factory {
    type Model: Model;

    /// A row's columns. `number` is another one each time, for what must be unique.
    fn definition(number: u64) -> Record;

    /// Writes a row. Say it yourself where something else than the model makes rows, as accounts are made by the engine. What
    /// [`create_on`](Self::create_on) and [`create_of`](Self::create_of) make does not come this way: there the handle writes it.
    fn insert(columns: Record) -> impl Future<Output = Result<Self::Model>> + Send {
        Self::Model::create(columns)
    }

    /// The columns of a row that is not kept.
    fn make() -> Record {
        Self::definition(next())
    }

    /// Writes a row with the columns of [`definition`](Self::definition).
    fn create() -> impl Future<Output = Result<Self::Model>> + Send {
        Self::create_with(Record::new())
    }

    /// A row with some columns as given.
    fn create_with(columns: Record) -> impl Future<Output = Result<Self::Model>> + Send {
        Self::insert(Self::make().merge(columns))
    }

    /// A row with some columns as given, through this handle.
    fn create_on(db: &Database, columns: Record) -> impl Future<Output = Result<Self::Model>> + Send {
        let record = Self::make().merge(columns);
        let records = Self::Model::on(db);
        async move { records.create(record).await }
    }

    /// A row of this organisation, with some columns as given.
    fn create_of<T: Tenant + ?Sized>(
        organization: &T,
        columns: Record,
    ) -> impl Future<Output = Result<Self::Model>> + Send
    where
        Self::Model: BelongsToOrganization,
    {
        let record = Self::make().merge(columns);
        let records = Self::Model::of(organization);
        async move { records?.create(record).await }
    }

    fn create_many(count: usize) -> impl Future<Output = Result<Vec<Self::Model>>> + Send {
        let records: Vec<Record> = (0..count).map(|_| Self::make()).collect();
        async {
            let mut made = Vec::with_capacity(records.len());
            for record in records {
                made.push(Self::insert(record).await?);
            }
            Ok(made)
        }
    }
}

/// One count for all factories: unique over a whole test run, and never a reason for two tests to wait.
fn next() -> u64 {
    static NEXT: AtomicU64 = AtomicU64::new(1);
    NEXT.fetch_add(1, Ordering::Relaxed)
}
