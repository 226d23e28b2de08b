use housekey::database::Page;
use housekey::prelude::*;

use crate::models::book::Book;

/// `GET /books`
pub fn index(books: &Page<Book>) -> impl Renderable {
    let address = |page: u64| url_with_query(&[("page", &page.to_string())]);
    rsx! {
        <Document title="Books">
            @if books.total == 0 { <p>"There are no books yet."</p> }
            <ul>
                @for book in &books.items {
                    <li><a href=(address_of("books.show", book))>(&book.name)</a></li>
                }
            </ul>
            @if books.page > 1 { <p><a rel="prev" href=(address(books.page - 1))>"Previous"</a></p> }
            @if books.has_more() { <p><a rel="next" href=(address(books.page + 1))>"Next"</a></p> }
            <p><a href=(path_to("books.create"))>"New book"</a></p>
        </Document>
    }
}

/// `GET /books/{book}`
pub fn show(book: &Book) -> impl Renderable {
    rsx! {
        <Document title=(&book.name)>
            <p><a href=(address_of("books.edit", book))>"Edit"</a></p>
            <form method="post" action=(address_of("books.destroy", book))>
                (csrf_field())
                (method_field("DELETE"))
                <button>"Delete"</button>
            </form>
            <p><a href=(path_to("books.index"))>"All books"</a></p>
        </Document>
    }
}

/// `GET /books/new`, and `GET /books/{book}/edit` for one that is there.
pub fn form(book: Option<&Book>) -> impl Renderable {
    let (title, action) = match book {
        Some(book) => ("Edit book", address_of("books.update", book)),
        None => ("New book", path_to("books.store")),
    };
    let name = old_or("name", book.map_or("", |book| &book.name));
    let problem = errors().first("name");
    rsx! {
        <Document title=(title)>
            <form method="post" action=(&action)>
                (csrf_field())
                @if book.is_some() { (method_field("PUT")) }
                <label for="name">"Name"</label>
                <input id="name" name="name" value=(&name) maxlength="120" required aria-describedby="name-error">
                @if let Some(problem) = &problem { <p id="name-error" role="alert">(problem)</p> }
                <button>"Save"</button>
            </form>
        </Document>
    }
}

/// The address of a route about one of them.
fn address_of(route: &str, book: &Book) -> String {
    path_to_with(route, &[("book", &book.id.to_string())])
}

/// The document around these pages. Give them the layout of the app's other ones.
#[component]
fn document<'a, R: Renderable>(title: &'a str, children: &R) -> impl Renderable {
    rsx! {
        <!DOCTYPE html>
        <html lang="en">
            <head>
                <meta charset="utf-8">
                <meta name="viewport" content="width=device-width, initial-scale=1">
                <title>(title)</title>
            </head>
            <body>
                <main id="main">
                    <h1>(title)</h1>
                    (children)
                </main>
            </body>
        </html>
    }
}
