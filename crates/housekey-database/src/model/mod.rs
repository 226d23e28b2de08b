//! Types that stand for the rows of a table.

mod belongs_to_organization;
mod column;
mod cursor;
mod factory;
mod hooks;
mod original;
mod records;
mod relation;
mod seeder;
mod writing;

use std::future::Future;

use housekey_core::{Error, Result};

pub use belongs_to_organization::BelongsToOrganization;
pub use column::ModelColumn;
pub use factory::Factory;
pub use hooks::{HookEvent, Hooked, ModelHooks, RunHooks, run_hooks};
pub use original::Original;
pub use records::Records;
pub use relation::{
    BelongsTo, CountedField, HasMany, HasOne, LoadRelations, Loadable, ManyToMany, Narrowed, Owner, Relation,
    RelationField,
};
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
/// let mut post = Post::create(record! { Post::title => "Hello" }).await?;
/// post.title = "Hello, world".into();
/// post.save().await?;
///
/// let found = Post::find_or_404(post.id).await?;
/// let recent = Post::query()?.order_by_desc(Post::created_at).limit(10).get().await?;
/// found.delete().await?;
/// # Ok(()) }
/// ```
///
/// These use the application's database, or the transaction the code runs in. With a handle at hand, say
/// [`Post::on(&db)`](Model::on): it has the same words.
///
/// `#[model(...)]` takes `table = "…"`, `key = "…"` (`id` if not said), `connection = "…"`, and `timestamps`, which fills
/// `created_at` and `updated_at` (or `createdAt` and `updatedAt`, with `rename_all = "camelCase"`), and
/// `belongs_to_organization`, which keeps everything here within [one organisation](BelongsToOrganization); `version`, which
/// counts the changes of a row in the field `version` so that none is lost to another; and `soft_deletes`, which lets deleted
/// rows say so in the field `deleted_at` instead of going; and `hooks`, which runs [hooks](ModelHooks) before and after writes. A field with `#[row(read_only)]` is read and left alone by
/// [`Model::save`]: for what something else is in charge of.
///
/// A key that is a [`Uuid`](crate::Uuid) is made by [`Model::create`], if nobody gives one: one that sorts by time (version 7).
///
/// Every column is a [constant](ModelColumn) of the type, and so is every [relation](crate::Relation): `Post::title`.
pub trait Model: FromRow + Send + Sync + 'static {
    const TABLE: &'static str;
    /// The column that tells rows apart.
    const KEY: &'static str = "id";
    /// The connection; the default one if not said.
    const CONNECTION: Option<&'static str> = None;
    /// The columns that say when a row was made and last changed.
    const TIMESTAMPS: Option<(&'static str, &'static str)> = None;
    /// The column that says which organisation a row belongs to, if rows do.
    const TENANT: Option<&'static str> = None;

    /// The column that counts the changes of a row.
    const VERSION: Option<&'static str> = None;
    /// The column that says since when a row is deleted.
    const DELETED_AT: Option<&'static str> = None;

    /// What runs before and after a row is written.
    #[doc(hidden)]
    const HOOKS: Option<RunHooks<Self>> = None;

    fn key(&self) -> Value;

    /// This row's columns, as [`Model::save`] writes them.
    fn record(&self) -> Record;

    /// A key as it stands in an address, if it can be one.
    #[doc(hidden)]
    fn key_from_text(text: &str) -> Option<Value> {
        Some(text.into())
    }

    /// The key of a new row, where the type makes one and not the engine.
    #[doc(hidden)]
    fn new_key() -> Option<Value> {
        None
    }

    /// The columns as they were read, if the type keeps them.
    #[doc(hidden)]
    fn original(&self) -> Option<&Record> {
        None
    }

    /// Every column, those that [`Model::save`] does not write as well.
    #[doc(hidden)]
    fn values(&self) -> Record {
        self.record()
    }

    /// Takes over columns that were written.
    #[doc(hidden)]
    fn fill(&mut self, columns: &Record) -> Result<()> {
        let _ = columns;
        Ok(())
    }

    /// From now on, these columns are what the row was when it was read.
    #[doc(hidden)]
    fn keep(&mut self, columns: &Record) {
        let _ = columns;
    }

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

    /// All rows that [`query`](Self::query) finds without a condition.
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

    /// The first row with these columns; if there is none, one is made with these and the others. Under a unique index, two who
    /// ask at the same time get the same row.
    fn first_or_create(find: Record, others: Record) -> impl Future<Output = Result<Self>> + Send {
        async { Self::rows()?.first_or_create(find, others).await }
    }

    /// Sets columns of the first row with these; if there is none, one is made with all of them.
    fn update_or_create(find: Record, set: Record) -> impl Future<Output = Result<Self>> + Send {
        async { Self::rows()?.update_or_create(find, set).await }
    }

    /// Writes this row: what changed since it was read if the type has a field [`Original`], else every column. A row that is
    /// gone is a 404; one that somebody else changed meanwhile a 409, where the model has a `version`.
    // spec: DAT-2
    fn save(&mut self) -> impl Future<Output = Result<()>> + Send {
        async { Self::rows()?.save(self).await }
    }

    /// Sets some columns, in the database and here: `book.update(record! { Book::title => "Rivers" })`.
    // spec: DAT-2
    fn update(&mut self, columns: Record) -> impl Future<Output = Result<()>> + Send {
        async { Self::rows()?.update(self, columns).await }
    }

    /// Removes this row. Of a model with `soft_deletes` it stays and says since when it is gone.
    fn delete(&self) -> impl Future<Output = Result<()>> + Send {
        async { Self::rows()?.delete(self).await }
    }

    /// Removes this row for good.
    fn force_delete(&self) -> impl Future<Output = Result<()>> + Send {
        async { Self::rows()?.force_delete(self).await }
    }

    /// Brings this row back, which was deleted softly.
    fn restore(&mut self) -> impl Future<Output = Result<()>> + Send {
        async { Self::rows()?.restore(self).await }
    }

    /// Loads a relation of this row. For several rows, load it [for all of them](LoadRelations).
    fn load(&mut self, relation: impl Loadable<Self>) -> impl Future<Output = Result<()>> + Send {
        std::slice::from_mut(self).load(relation)
    }

    /// Counts the rows of a relation of this row.
    fn load_count(
        &mut self,
        relation: impl Loadable<Self, Field: CountedField>,
    ) -> impl Future<Output = Result<()>> + Send {
        std::slice::from_mut(self).load_count(relation)
    }

    /// Adds rows of another model, by their keys: `book.attach(Book::tags, [poem.id])`.
    fn attach<R: Model, K: Into<Value>>(
        &self,
        relation: Relation<Self, ManyToMany<R>>,
        keys: impl IntoIterator<Item = K>,
    ) -> impl Future<Output = Result<()>> + Send {
        let keys: Vec<Value> = keys.into_iter().map(Into::into).collect();
        async move { Self::rows()?.attach(self, relation, keys).await }
    }

    /// Takes rows of another model away, by their keys. They themselves stay.
    fn detach<R: Model, K: Into<Value>>(
        &self,
        relation: Relation<Self, ManyToMany<R>>,
        keys: impl IntoIterator<Item = K>,
    ) -> impl Future<Output = Result<()>> + Send {
        let keys: Vec<Value> = keys.into_iter().map(Into::into).collect();
        async move { Self::rows()?.detach(self, relation, keys).await }
    }

    /// Makes it these rows of another model and no others, by their keys.
    fn sync<R: Model, K: Into<Value>>(
        &self,
        relation: Relation<Self, ManyToMany<R>>,
        keys: impl IntoIterator<Item = K>,
    ) -> impl Future<Output = Result<()>> + Send {
        let keys: Vec<Value> = keys.into_iter().map(Into::into).collect();
        async move { Self::rows()?.sync(self, relation, keys).await }
    }
}
