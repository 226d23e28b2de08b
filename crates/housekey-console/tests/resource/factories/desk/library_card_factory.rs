use housekey::database::{Factory, Record, record};

use crate::models::desk::library_card::LibraryCard;

/// Makes rows of [`LibraryCard`] for tests and seeds.
pub struct LibraryCardFactory;

impl Factory for LibraryCardFactory {
    type Model = LibraryCard;

    fn definition(number: u64) -> Record {
        record! { "name" => format!("Library card {number}") }
    }
}
