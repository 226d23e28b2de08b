use housekey::database::{Date, Decimal, Factory, Record};
use housekey::prelude::*;
use time::Month;

use crate::models::{Book, Condition};

/// Books to try things out with.
pub struct BookFactory;

impl Factory for BookFactory {
    type Model = Book;

    fn definition(number: u64) -> Record {
        record! {
            Book::isbn => format!("{:013}", 9_780_000_000_000 + number),
            Book::title => format!("Rivers, volume {number}"),
            Book::author => "Mary Shelley",
            Book::pages => 280,
            Book::price => Decimal::new(1990, 2),
            Book::condition => Condition::Good,
            Book::bought_on => Date::from_calendar_date(2026, Month::March, 14).unwrap_or(Date::MIN),
        }
    }
}
