use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use housekey_core::Result;

use crate::row::written;
use crate::{FromValue, Record, Value};

/// A column of a model, by a name that the compiler knows: `Book::title`. Deriving [`Model`](macro@crate::Model) makes one for
/// every field that is a column.
///
/// ```
/// use housekey_database::{FromRow, Model, record};
///
/// #[derive(FromRow, Model)]
/// #[row(crate = "housekey_database")]
/// #[model(table = "books")]
/// struct Book {
///     id: i64,
///     title: String,
/// }
///
/// # async fn example() -> housekey_core::Result<()> {
/// let book = Book::create(record! { Book::title => "Rivers" }).await?;
/// let found = Book::query()?.where_contains(Book::title, "riv").order_by(Book::id).get().await?;
/// # Ok(()) }
/// ```
///
/// A misspelt one does not compile:
///
/// ```compile_fail,E0599
/// # use housekey_database::{FromRow, Model};
/// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "books")]
/// # struct Book { id: i64, title: String }
/// let query = Book::query().unwrap().order_by(Book::titel);
/// ```
///
/// In a query it carries its table, so that it means the same one in a join; in a record it is the bare name.
// spec: DAT-1
pub struct ModelColumn<M, T> {
    qualified: &'static str,
    name: &'static str,
    value: fn(&M) -> Value,
    kind: PhantomData<fn() -> T>,
}

impl<M, T> ModelColumn<M, T> {
    #[doc(hidden)]
    pub const fn new(qualified: &'static str, name: &'static str, value: fn(&M) -> Value) -> Self {
        Self { qualified, name, value, kind: PhantomData }
    }

    /// The bare name, for what takes a text.
    pub const fn name(&self) -> &'static str {
        self.name
    }

    /// What this row has in the column.
    pub fn value(&self, row: &M) -> Value {
        (self.value)(row)
    }

    /// The name and how to read it, without the type of its values.
    pub(crate) const fn untyped(self) -> (&'static str, fn(&M) -> Value) {
        (self.qualified, self.value)
    }
}

impl<M, T> Clone for ModelColumn<M, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M, T> Copy for ModelColumn<M, T> {}

impl<M, T> fmt::Debug for ModelColumn<M, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ModelColumn").field(&self.qualified).finish()
    }
}

impl<M, T> AsRef<str> for ModelColumn<M, T> {
    fn as_ref(&self) -> &str {
        self.qualified
    }
}

impl<M, T> From<ModelColumn<M, T>> for String {
    fn from(column: ModelColumn<M, T>) -> Self {
        column.qualified.to_owned()
    }
}

impl<M, T> From<ModelColumn<M, T>> for Cow<'static, str> {
    fn from(column: ModelColumn<M, T>) -> Self {
        Cow::Borrowed(column.name)
    }
}

impl Record {
    /// What a column of a model is set to, as the type of its field; `None` when it is not named.
    ///
    /// ```
    /// # use housekey_database::{FromRow, Model, record};
    /// # #[derive(FromRow, Model)] #[row(crate = "housekey_database")] #[model(table = "books")]
    /// # struct Book { id: i64, title: String }
    /// let columns = record! { Book::title => "Rivers" };
    /// assert_eq!(columns.read(Book::title).unwrap().as_deref(), Some("Rivers"));
    /// assert_eq!(columns.read(Book::id).unwrap(), None);
    /// ```
    pub fn read<M, T: FromValue>(&self, column: ModelColumn<M, T>) -> Result<Option<T>> {
        let read = |value| written(value, std::any::type_name::<M>(), column.name());
        self.get(column.name()).map(read).transpose()
    }
}
