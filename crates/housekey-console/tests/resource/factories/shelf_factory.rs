use housekey::database::{Factory, Record, record};

use crate::models::shelf::Shelf;

/// Makes rows of [`Shelf`] for tests and seeds.
pub struct ShelfFactory;

impl Factory for ShelfFactory {
    type Model = Shelf;

    fn definition(number: u64) -> Record {
        record! { "name" => format!("Shelf {number}") }
    }
}
