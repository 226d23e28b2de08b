use housekey::auth::gate::{authorize, model};
use housekey::prelude::*;

use crate::models::book::Book;
use crate::requests::book_request::BookRequest;
use crate::views::pages::books;

/// `GET /books`: the first hundred.
pub async fn index() -> Result<View> {
    let books = Book::query()?.order_by(Book::name).limit(100).get().await?;
    Ok(view(books::index(&books)))
}

/// `GET /books/new`
pub async fn create() -> Result<View> {
    authorize("create", model::<Book>()).await?;
    Ok(view(books::form(None)))
}

/// `POST /books`
pub async fn store(Valid(input): Valid<BookRequest>) -> Result<Redirect> {
    authorize("create", model::<Book>()).await?;
    let book = Book::create(record! { Book::name => input.name }).await?;
    Ok(redirect(&format!("/books/{}", book.id)))
}

/// `GET /books/{book}`
pub async fn show(Bound(book): Bound<Book>) -> Result<View> {
    authorize("view", &book).await?;
    Ok(view(books::show(&book)))
}

/// `GET /books/{book}/edit`
pub async fn edit(Bound(book): Bound<Book>) -> Result<View> {
    authorize("update", &book).await?;
    Ok(view(books::form(Some(&book))))
}

/// `PUT /books/{book}`
pub async fn update(Bound(mut book): Bound<Book>, Valid(input): Valid<BookRequest>) -> Result<Redirect> {
    authorize("update", &book).await?;
    book.update(record! { Book::name => input.name }).await?;
    Ok(redirect(&format!("/books/{}", book.id)))
}

/// `DELETE /books/{book}`
pub async fn destroy(Bound(book): Bound<Book>) -> Result<Redirect> {
    authorize("delete", &book).await?;
    book.delete().await?;
    Ok(redirect("/books"))
}
