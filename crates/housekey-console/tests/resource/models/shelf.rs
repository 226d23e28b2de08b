use housekey::database::{FromRow, Model, Original};

/// A row of the table `shelfs`.
#[derive(Clone, Debug, FromRow, Model)]
#[model(table = "shelfs")]
pub struct Shelf {
    pub id: i64,
    pub name: String,
    pub original: Original,
}
