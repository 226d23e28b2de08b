//! Types that stand for the rows of a table.

mod belongs_to_organization;
mod factory;
mod records;
mod seeder;

use std::future::Future;

use housekey_core::{Error, Result};

pub use belongs_to_organization::BelongsToOrganization;
pub use factory::Factory;
pub use records::Records;
pub use seeder::{Seeder, Seeders};

use crate::{Database, FromRow, Query, Record, Value, connection, db};

/// A type that stands for the rows of a table. Derive it beside [`FromRow`](macro@crate::FromRow):
///
/// ```
/// use housekey_database::{FromRow, Model, record};
/// use time::OffsetDateTime;
///
/// #[derive(FromRow, Model)]
/// #[row(crate = "housekey_database")]
/// #[model(table = "posts", timestamps)]
/// struct Post {
///     id: i64,
///     title: String,
///     created_at: OffsetDateTime,
///     updated_at: OffsetDateTime,
/// }
///
/// # async fn example() -> housekey_core::Result<()> {
/// let mut post = Post::create(record! { "title" => "Hello" }).await?;
/// post.title = "Hello, world".into();
/// post.save().await?;
///
/// let found = Post::find_or_404(post.id).await?;
/// let recent = Post::query()?.order_by_desc("created_at").limit(10).get().await?;
/// found.delete().await?;
/// # Ok(()) }
/// ```
///
/// These use the application's database, or the transaction the code runs in. With a handle at hand, say
/// [`Post::on(&db)`](Model::on): it has the same words.
///
/// `#[model(...)]` takes `table = "…"`, `key = "…"` (`id` if not said), `connection = "…"`, and `timestamps`, which fills
/// `created_at` and `updated_at` (or `createdAt` and `updatedAt`, with `rename_all = "camelCase"`), and
/// `belongs_to_organization`, which keeps everything here within [one organisation](BelongsToOrganization). A field with
/// `#[row(read_only)]` is read and left alone by [`Model::save`]: for what something else is in charge of.
pub trait Model: FromRow + Send {
    const TABLE: &'static str;
    /// The column that tells rows apart.
    const KEY: &'static str = "id";
    /// The connection; the default one if not said.
    const CONNECTION: Option<&'static str> = None;
    /// The columns that say when a row was made and last changed.
    const TIMESTAMPS: Option<(&'static str, &'static str)> = None;
    /// The column that says which organisation a row belongs to, if rows do.
    const TENANT: Option<&'static str> = None;

    /// This row's key.
    fn key(&self) -> Value;

    /// This row's columns, as [`Model::save`] writes them.
    fn record(&self) -> Record;

    /// The rows, through this handle. Of a model that [belongs to an organisation](BelongsToOrganization), those of the present
    /// one.
    fn on(db: &Database) -> Records<Self> {
        Records::new(db.clone())
    }

    /// The rows, through the application's connection.
    fn rows() -> Result<Records<Self>> {
        Self::CONNECTION.map_or_else(db, connection).map(Records::new)
    }

    /// A query on the table. Joined with others, it still reads this table's columns, and a bare name of one of them
    /// means it; [`Query::select`] and [`Query::read_as`] ask for something else.
    ///
    /// ```
    /// # use housekey_database::{FromRow, Model};
    /// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "books")] struct Book { id: i64 }
    /// # async fn example() -> housekey_core::Result<()> {
    /// let poems = Book::query()?
    ///     .join("book_tag", "book_tag.book_id", "books.id")
    ///     .where_eq("book_tag.tag", "poem")
    ///     .order_by("id")
    ///     .get()
    ///     .await?;
    /// # Ok(()) }
    /// ```
    fn query() -> Result<Query<Self>> {
        Ok(Self::rows()?.query())
    }

    /// Every row.
    fn all() -> impl Future<Output = Result<Vec<Self>>> + Send {
        async { Self::rows()?.all().await }
    }

    /// The row with this key, if there is one.
    fn find(key: impl Into<Value> + Send) -> impl Future<Output = Result<Option<Self>>> + Send {
        let key = key.into();
        async { Self::rows()?.find(key).await }
    }

    /// The row with this key, or a 404.
    fn find_or_404(key: impl Into<Value> + Send) -> impl Future<Output = Result<Self>> + Send {
        let found = Self::find(key);
        async { found.await?.ok_or_else(Error::not_found) }
    }

    /// Adds a row and reads it back.
    fn create(record: Record) -> impl Future<Output = Result<Self>> + Send {
        async { Self::rows()?.create(record).await }
    }

    /// Writes this row's columns. A row that is gone is a 404.
    fn save(&self) -> impl Future<Output = Result<()>> + Send
    where
        Self: Sync,
    {
        async { Self::rows()?.save(self).await }
    }

    /// Removes this row.
    fn delete(&self) -> impl Future<Output = Result<()>> + Send
    where
        Self: Sync,
    {
        async { Self::rows()?.delete(self).await }
    }
}
