use crate::FromValue;

/// An enum that is the type of a column, which keeps a word for each variant. Derive it:
///
/// ```
/// use housekey_database::{DbEnum, FromRow, Model, record};
///
/// #[derive(Clone, Copy, Debug, DbEnum, PartialEq)]
/// # #[row(crate = "housekey_database")]
/// enum Condition {
///     New,
///     SlightlyWorn, // `slightly_worn` in the column
/// }
///
/// #[derive(FromRow, Model)]
/// # #[row(crate = "housekey_database")]
/// #[model(table = "books")]
/// struct Book {
///     id: i64,
///     condition: Condition,
/// }
///
/// # async fn example() -> housekey_core::Result<()> {
/// let book = Book::create(record! { Book::condition => Condition::New }).await?;
/// let worn = Book::query()?.where_eq(Book::condition, Condition::SlightlyWorn).get().await?;
/// # Ok(()) }
/// # assert_eq!(Condition::ALL.len(), 2);
/// # assert_eq!(Condition::SlightlyWorn.as_str(), "slightly_worn");
/// ```
///
/// The column is a `table.string("condition", 20)`. Other words are said with `#[row(rename = "…")]` on a variant and
/// `#[row(rename_all = "kebab-case")]` on the type. A word in the column that none of them has is an error when it is read.
pub trait DbEnum: FromValue + 'static {
    /// Every variant, in order.
    const ALL: &'static [Self];

    /// The word in the column.
    fn as_str(&self) -> &'static str;
}
