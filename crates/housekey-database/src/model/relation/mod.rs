//! Rows of other models: declared as fields of a model, loaded when somebody asks, for many rows at once.
//!
//! Taken from others: that a relation is a field with a type of its own, which knows whether it was loaded (toasty, SeaORM 2);
//! that nothing is ever loaded by looking at it (Ecto); the words `with`, `load`, `where_has`, and names of keys and tables that
//! need not be said (Eloquent).

mod belongs_to;
mod field;
mod has_one;
mod link;
mod load;
mod loader;
mod many;
mod matching;
mod narrowed;
mod pivot;

use std::fmt;

pub use belongs_to::{BelongsTo, Owner};
pub use field::{CountedField, RelationField};
pub use has_one::HasOne;
pub use load::LoadRelations;
pub use many::{HasMany, ManyToMany};
pub use narrowed::{Loadable, Narrowed};

use link::{Key, Link, Pivot};

use crate::{Model, ModelColumn, Query};

/// A relation of a model, by a name that the compiler knows: `Book::tags`. Deriving [`Model`](macro@crate::Model) makes one for
/// every field that holds rows of another model: [`BelongsTo`], [`HasOne`], [`HasMany`], [`ManyToMany`].
///
/// ```
/// use housekey_database::{BelongsTo, FromRow, HasMany, LoadRelations, ManyToMany, Model};
///
/// #[derive(FromRow, Model)]
/// #[row(crate = "housekey_database")]
/// #[model(table = "books")]
/// struct Book {
///     id: i64,
///     author_id: i64,
///     author: BelongsTo<Author>, // by `author_id` of this table
///     loans: HasMany<Loan>,      // by `book_id` of theirs
///     tags: ManyToMany<Tag>,     // by the table `book_tag`, with `book_id` and `tag_id`
/// }
/// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "authors")]
/// # struct Author { id: i64, name: String }
/// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "loans")]
/// # struct Loan { id: i64, book_id: i64, returned: bool }
/// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "tags")]
/// # struct Tag { id: i64, name: String }
///
/// # async fn example() -> housekey_core::Result<()> {
/// // Two queries, however many books there are.
/// let mut books = Book::query()?.with(Book::author).get().await?;
/// for book in &books {
///     println!("{} wrote {}", book.author.name, book.id);
/// }
/// // One more.
/// books.load(Book::tags).await?;
/// // Books that somebody has, and how often each was lent.
/// let lent = Book::query()?
///     .where_has(Book::loans.only(|loans| loans.where_eq(Loan::returned, false)))
///     .with_count(Book::loans)
///     .get()
///     .await?;
/// # Ok(()) }
/// ```
// spec: DAT-1
pub struct Relation<M, F: RelationField> {
    name: &'static str,
    link: Link<M, F::Model>,
    field: fn(&mut M) -> &mut F,
}

/// What the derive calls.
#[doc(hidden)]
impl<M: Model, F: RelationField> Relation<M, F> {
    pub const fn belongs_to<T>(
        name: &'static str,
        column: ModelColumn<M, T>,
        field: fn(&mut M) -> &mut F,
    ) -> Self {
        let (column, value) = column.untyped();
        Self { name, link: Link::Here { column, value }, field }
    }

    pub const fn has_one<T>(
        name: &'static str,
        column: ModelColumn<F::Model, T>,
        field: fn(&mut M) -> &mut F,
    ) -> Self {
        Self::has_many(name, column, field)
    }

    pub const fn has_many<T>(
        name: &'static str,
        column: ModelColumn<F::Model, T>,
        field: fn(&mut M) -> &mut F,
    ) -> Self {
        let (column, value) = column.untyped();
        Self { name, link: Link::There { column, value, latest: false }, field }
    }

    pub const fn many_to_many(
        name: &'static str,
        table: &'static str,
        here: &'static str,
        there: &'static str,
        field: fn(&mut M) -> &mut F,
    ) -> Self {
        Self { name, link: Link::Between(Pivot { table, here, there }), field }
    }

    #[must_use]
    pub const fn latest(self) -> Self {
        let link = match self.link {
            Link::There { column, value, .. } => Link::There { column, value, latest: true },
            other => other,
        };
        Self { name: self.name, link, field: self.field }
    }
}

impl<M: Model, F: RelationField> Relation<M, F> {
    /// Only the rows that this query asks for, in its order, and with what it loads.
    ///
    /// ```
    /// # use housekey_database::{BelongsTo, FromRow, HasMany, Model};
    /// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "books")]
    /// # struct Book { id: i64, loans: HasMany<Loan> }
    /// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "loans")]
    /// # struct Loan { id: i64, book_id: i64, returned_at: Option<i64>, borrower_id: i64, borrower: BelongsTo<Person> }
    /// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "people")]
    /// # struct Person { id: i64 }
    /// # async fn example() -> housekey_core::Result<()> {
    /// let on_loan = Book::loans.only(|loans| loans.where_null(Loan::returned_at).with(Loan::borrower));
    /// let books = Book::query()?.with(on_loan).get().await?;
    /// # Ok(()) }
    /// ```
    pub fn only<'c>(
        self,
        narrow: impl FnOnce(Query<F::Model>) -> Query<F::Model> + Send + 'c,
    ) -> Narrowed<'c, M, F> {
        Narrowed::all(self).only(narrow)
    }

    /// The rows, and what they in turn are to load: `Loan::book.with(Book::author)`.
    pub fn with<'c>(self, relation: impl Loadable<F::Model> + Send + 'c) -> Narrowed<'c, M, F> {
        Narrowed::all(self).with(relation)
    }
}

impl<M, F: RelationField> Clone for Relation<M, F> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M, F: RelationField> Copy for Relation<M, F> {}

impl<M, F: RelationField> fmt::Debug for Relation<M, F> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Relation({})", self.name)
    }
}
