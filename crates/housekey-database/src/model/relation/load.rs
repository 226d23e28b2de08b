use std::future::Future;
use std::sync::Arc;

use housekey_core::Result;

use super::loader::{Both, Count, Rows};
use super::{CountedField, Loadable};
use crate::query::Load;
use crate::{Model, Query, Records};

impl<M: Model> Query<M> {
    /// Loads a relation of every row that is read: one query more, however many rows there are.
    ///
    /// ```
    /// # use housekey_database::{BelongsTo, FromRow, HasMany, Model};
    /// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "books")]
    /// # struct Book { id: i64, author_id: i64, author: BelongsTo<Person>, loans: HasMany<Loan> }
    /// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "loans")]
    /// # struct Loan { id: i64, book_id: i64, borrower_id: i64, borrower: BelongsTo<Person> }
    /// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "people")]
    /// # struct Person { id: i64 }
    /// # async fn example() -> housekey_core::Result<()> {
    /// let books = Book::query()?.with(Book::author).with(Book::loans.with(Loan::borrower)).get().await?;
    /// # Ok(()) }
    /// ```
    // spec: DAT-1
    pub fn with(self, relation: impl Loadable<M>) -> Self {
        let rows = Rows::new(relation.narrowed(), &self);
        self.also_load(Arc::new(rows))
    }

    /// Counts the rows of a relation for every row that is read, in one query more: `book.loans.count()`.
    // spec: DAT-1
    pub fn with_count(self, relation: impl Loadable<M, Field: CountedField>) -> Self {
        let count = Count::new(relation.narrowed(), &self);
        self.also_load(Arc::new(count))
    }

    fn also_load(mut self, next: Arc<dyn Load<M>>) -> Self {
        self.load = Some(match self.load.take() {
            Some(before) => Arc::new(Both(before, next)),
            None => next,
        });
        self
    }
}

impl<M: Model> Records<M> {
    /// Loads a relation of these rows through this handle: one query, however many there are.
    pub fn load(
        &self,
        rows: &mut [M],
        relation: impl Loadable<M>,
    ) -> impl Future<Output = Result<()>> + Send {
        let load = Rows::new(relation.narrowed(), &self.query());
        async move { load.load(rows).await }
    }

    /// Counts the rows of a relation of these rows, through this handle.
    pub fn load_count(
        &self,
        rows: &mut [M],
        relation: impl Loadable<M, Field: CountedField>,
    ) -> impl Future<Output = Result<()>> + Send {
        let count = Count::new(relation.narrowed(), &self.query());
        async move { count.load(rows).await }
    }
}

/// Loads relations of rows that are there already: `books.load(Book::tags).await?`.
///
/// It takes the app's database, or the transaction that the code runs in. With a handle at hand:
/// [`Book::on(&db).load(&mut books, Book::tags)`](Records::load).
// spec: DAT-1
pub trait LoadRelations<M: Model> {
    /// Loads a relation of every row, in one query.
    fn load(&mut self, relation: impl Loadable<M>) -> impl Future<Output = Result<()>> + Send;

    /// Counts the rows of a relation of every row, in one query.
    fn load_count(
        &mut self,
        relation: impl Loadable<M, Field: CountedField>,
    ) -> impl Future<Output = Result<()>> + Send;
}

impl<M: Model> LoadRelations<M> for [M] {
    fn load(&mut self, relation: impl Loadable<M>) -> impl Future<Output = Result<()>> + Send {
        let load = M::query().map(|query| Rows::new(relation.narrowed(), &query));
        async move { load?.load(self).await }
    }

    fn load_count(
        &mut self,
        relation: impl Loadable<M, Field: CountedField>,
    ) -> impl Future<Output = Result<()>> + Send {
        let count = M::query().map(|query| Count::new(relation.narrowed(), &query));
        async move { count?.load(self).await }
    }
}
