use housekey::prelude::*;
use serde::Serialize;

use crate::models::{Book, Condition};
use crate::requests::api::ApiBookList;

/// A book of the library.
#[typescript]
#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
pub struct BookResource {
    pub id: i64,
    pub isbn: String,
    pub title: String,
    pub author: String,
    pub pages: Option<i64>,
    #[ts(type = "string")]
    pub condition: Condition,
    pub tags: Vec<String>,
    /// The day it should be back, if somebody has it.
    pub lent_until: Option<String>,
}

impl From<Book> for BookResource {
    fn from(book: Book) -> Self {
        Self {
            tags: book.tags.iter().map(|tag| tag.name.clone()).collect(),
            lent_until: book.open_loan.as_ref().map(|loan| loan.due_on.to_string()),
            id: book.id,
            isbn: book.isbn,
            title: book.title,
            author: book.author,
            pages: book.pages,
            condition: book.condition,
        }
    }
}

/// Some of the books.
#[typescript]
#[derive(Serialize)]
pub struct BookResources {
    pub items: Vec<BookResource>,
    /// What to send as `after` for the next ones.
    pub next: Option<String>,
}

/// `GET /api/books`
pub async fn index(ValidQuery(wanted): ValidQuery<ApiBookList>) -> Result<Json<BookResources>> {
    let mut books = Book::query()?.scope(Book::with_shelf).order_by(Book::title);
    if let Some(words) = &wanted.search {
        books = Book::search(books, words);
    }
    let page = books.cursor_paginate(wanted.after.as_deref(), 50).await?.map(BookResource::from);
    Ok(Json(BookResources { items: page.items, next: page.next }))
}

/// `GET /api/books/{book}`
pub async fn show(Path(book): Path<i64>) -> Result<Json<BookResource>> {
    let book = Book::query()?.scope(Book::with_shelf).where_eq(Book::id, book).first_or_404().await?;
    Ok(Json(book.into()))
}
