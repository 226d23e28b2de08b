use housekey::database::{Factory, Record, record};

use crate::models::book::Book;

/// Makes rows of [`Book`] for tests and seeds.
pub struct BookFactory;

impl Factory for BookFactory {
    type Model = Book;

    fn definition(number: u64) -> Record {
        record! { "name" => format!("Book {number}") }
    }
}
