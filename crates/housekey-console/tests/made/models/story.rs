use housekey::database::{FromRow, Model, Original};

/// A row of the table `stories`.
#[derive(Clone, Debug, FromRow, Model)]
#[model(table = "stories")]
pub struct Story {
    pub id: i64,
    pub name: String,
    pub original: Original,
}
