use housekey::database::{FromRow, Model, Original};

/// A row of the table `library_cards`.
#[derive(Clone, Debug, FromRow, Model)]
#[model(table = "library_cards")]
pub struct LibraryCard {
    pub id: i64,
    pub name: String,
    pub original: Original,
}
