use housekey::database::{Date, Decimal, Record};
use housekey::prelude::*;
use serde::Deserialize;

use crate::models::{Book, Condition};

const COVER_BYTES: u32 = 5 * 1024 * 1024;

/// What the form of a book sends.
#[derive(Debug, Deserialize, Validated)]
pub struct BookForm {
    #[validate(required, max(200))]
    pub title: String,
    #[validate(required, max(120))]
    pub author: String,
    #[validate(
        label("ISBN"),
        required,
        regex("^[0-9]{13}$"),
        message("The ISBN has thirteen digits."),
        unique(Book::isbn)
    )]
    pub isbn: String,
    #[validate(between(1, 20_000))]
    pub pages: Option<i64>,
    #[validate(required, min(0))]
    pub price: Decimal,
    #[validate(required)]
    pub condition: Condition,
    #[validate(label("day it was bought"), required)]
    pub bought_on: Date,
    #[validate(max(200))]
    pub tags: Option<String>,
    #[validate(image, max(COVER_BYTES), max_dimensions(4000, 4000))]
    pub cover: Option<Upload>,
    /// Of the book as the form showed it; none for a new one.
    pub version: Option<i64>,
}

impl BookForm {
    /// The columns of a new book.
    pub fn columns(&self) -> Record {
        record! {
            Book::title => self.title.as_str(),
            Book::author => self.author.as_str(),
            Book::isbn => self.isbn.as_str(),
            Book::pages => self.pages,
            Book::price => self.price.round_dp(2),
            Book::condition => self.condition,
            Book::bought_on => self.bought_on,
        }
    }

    /// Puts them into a book that is there; `save` then writes what changed.
    pub fn fill(&self, book: &mut Book) {
        book.title.clone_from(&self.title);
        book.author.clone_from(&self.author);
        book.isbn.clone_from(&self.isbn);
        book.pages = self.pages;
        book.price = self.price.round_dp(2);
        book.condition = self.condition;
        book.bought_on = self.bought_on;
    }
}

/// Which books somebody wants to see.
#[derive(Clone, Debug, Default, Deserialize, Validated)]
pub struct BookList {
    #[validate(max(100))]
    pub search: Option<String>,
    #[validate(max(40))]
    pub tag: Option<String>,
    #[validate(one_of(["title", "author", "newest"]))]
    pub sort: Option<String>,
    #[validate(min(1))]
    pub page: Option<u64>,
}

/// Where a list goes on that is read by cursors.
#[derive(Clone, Debug, Default, Deserialize, Validated)]
pub struct After {
    #[validate(max(2000))]
    pub after: Option<String>,
}
