use housekey::prelude::*;
use serde::Deserialize;

use crate::models::book::Book;
use crate::requests::book_request::BookRequest;
use crate::views::pages::books;

/// What the address of the list says.
#[derive(Deserialize, Validated)]
pub struct BookList {
    #[validate(min(1))]
    page: Option<u64>,
}

/// `GET /books`
pub async fn index(ValidQuery(list): ValidQuery<BookList>) -> Result<View> {
    let page = list.page.unwrap_or(1);
    let books = Book::query()?.order_by(Book::name).paginate(page, 20).await?;
    Ok(view(books::index(&books)))
}

/// `GET /books/new`
pub async fn create() -> View {
    view(books::form(None))
}

/// `POST /books`
pub async fn store(Valid(input): Valid<BookRequest>) -> Result<Redirect> {
    let book = Book::create(record! { Book::name => input.name }).await?;
    Ok(redirect(&address_of(&book)?).with("status", t("Saved.")))
}

/// `GET /books/{book}`
pub async fn show(Bound(book): Bound<Book>) -> View {
    view(books::show(&book))
}

/// `GET /books/{book}/edit`
pub async fn edit(Bound(book): Bound<Book>) -> View {
    view(books::form(Some(&book)))
}

/// `PUT /books/{book}`
pub async fn update(Bound(mut book): Bound<Book>, Valid(input): Valid<BookRequest>) -> Result<Redirect> {
    book.update(record! { Book::name => input.name }).await?;
    Ok(redirect(&address_of(&book)?).with("status", t("Saved.")))
}

/// `DELETE /books/{book}`
pub async fn destroy(Bound(book): Bound<Book>) -> Result<Redirect> {
    book.delete().await?;
    Ok(redirect(&route("books.index")?).with("status", t("Deleted.")))
}

/// The address of one of them.
fn address_of(book: &Book) -> Result<String> {
    route_url("books.show", &[("book", &book.id.to_string())])
}
