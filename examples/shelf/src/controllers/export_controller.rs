use housekey::prelude::*;
use housekey::response::{CsvRows, csv};
use serde::Serialize;

use crate::models::Book;

#[derive(Serialize)]
struct Line<'a> {
    isbn: &'a str,
    title: &'a str,
    author: &'a str,
    price: String,
    tags: String,
    lent_until: Option<String>,
}

/// `GET /books.csv`: all of them, 500 at a time, sent while they are read.
pub async fn books() -> Response {
    csv("books.csv", async |mut rows: CsvRows| {
        let mut pieces = Book::query()?.scope(Book::with_shelf).chunk_by(Book::id, 500);
        while let Some(books) = pieces.next().await? {
            for book in &books {
                let tags: Vec<&str> = book.tags.iter().map(|tag| tag.name.as_str()).collect();
                rows.write(&Line {
                    isbn: &book.isbn,
                    title: &book.title,
                    author: &book.author,
                    price: book.price.to_string(),
                    tags: tags.join(" "),
                    lent_until: book.open_loan.as_ref().map(|loan| loan.due_on.to_string()),
                })
                .await?;
            }
        }
        Ok(())
    })
}
