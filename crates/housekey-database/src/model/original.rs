use crate::Record;

/// A field for what a row was when it was read. With it, [`Model::save`](crate::Model::save) writes what changed since, and
/// nothing when nothing did; without it, `save` writes every column of the type.
///
/// ```
/// use housekey_database::{FromRow, Model, Original};
///
/// #[derive(FromRow, Model)]
/// #[row(crate = "housekey_database")]
/// #[model(table = "books")]
/// struct Book {
///     id: i64,
///     title: String,
///     pages: i64,
///     original: Original,
/// }
///
/// # async fn example(mut book: Book) -> housekey_core::Result<()> {
/// book.title = "Rivers".into();
/// book.save().await?; // UPDATE books SET title = …
/// # Ok(()) }
/// ```
///
/// Two of these are always equal, so that rows are compared by their columns.
// spec: DAT-2
#[derive(Clone, Debug, Default)]
pub struct Original(Record);

impl Original {
    #[doc(hidden)]
    pub fn of(columns: Record) -> Self {
        Self(columns)
    }

    #[doc(hidden)]
    pub fn columns(&self) -> &Record {
        &self.0
    }

    #[doc(hidden)]
    pub fn merge(&mut self, written: &Record) {
        self.0 = std::mem::take(&mut self.0).merge(written.clone());
    }
}

impl PartialEq for Original {
    fn eq(&self, _: &Self) -> bool {
        true
    }
}

impl Eq for Original {}

/// As nothing: who sees the row sees its columns.
impl serde::Serialize for Original {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_unit()
    }
}
