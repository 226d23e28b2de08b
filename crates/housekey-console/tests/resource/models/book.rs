use housekey::database::{FromRow, Model, Original};

/// A row of the table `books`.
#[derive(Clone, Debug, FromRow, Model)]
#[model(table = "books")]
pub struct Book {
    pub id: i64,
    pub name: String,
    pub original: Original,
}
