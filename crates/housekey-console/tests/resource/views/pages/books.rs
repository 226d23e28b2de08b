use housekey::prelude::*;

use crate::models::book::Book;

/// `GET /books`
pub fn index(books: &[Book]) -> impl Renderable {
    rsx! {
        <Page title="Books">
            @if books.is_empty() { <p>"There are no books yet."</p> }
            <ul>
                @for book in books {
                    <li><a href=(format!("/books/{}", book.id))>(&book.name)</a></li>
                }
            </ul>
            <p><a href="/books/new">"New book"</a></p>
        </Page>
    }
}

/// `GET /books/{book}`
pub fn show(book: &Book) -> impl Renderable {
    let action = format!("/books/{}", book.id);
    rsx! {
        <Page title=(&book.name)>
            <p><a href=(format!("{action}/edit"))>"Edit"</a></p>
            <form method="post" action=(&action)>
                (csrf_field())
                (method_field("DELETE"))
                <button>"Delete"</button>
            </form>
            <p><a href="/books">"All books"</a></p>
        </Page>
    }
}

/// `GET /books/new`, and `GET /books/{book}/edit` for one that is there.
pub fn form(book: Option<&Book>) -> impl Renderable {
    let title = if book.is_some() { "Edit book" } else { "New book" };
    let action = book.map_or("/books".to_owned(), |book| format!("/books/{}", book.id));
    let name = old_or("name", book.map_or("", |book| &book.name));
    let problem = errors().first("name");
    rsx! {
        <Page title=(title)>
            <form method="post" action=(&action)>
                (csrf_field())
                @if book.is_some() { (method_field("PUT")) }
                <label for="name">"Name"</label>
                <input id="name" name="name" value=(&name) maxlength="120" required aria-describedby="name-error">
                @if let Some(problem) = &problem { <p id="name-error" role="alert">(problem)</p> }
                <button>"Save"</button>
            </form>
        </Page>
    }
}

/// The document around these pages. Give them the layout of the app's other ones.
#[component]
fn page<'a, R: Renderable>(title: &'a str, children: &R) -> impl Renderable {
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
