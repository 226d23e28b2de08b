use housekey::database::Page;
use housekey::prelude::*;

use crate::models::shelf::Shelf;

/// `GET /shelfs`
pub fn index(shelfs: &Page<Shelf>) -> impl Renderable {
    let address = |page: u64| url_with_query(&[("page", &page.to_string())]);
    rsx! {
        <Document title="Shelfs">
            @if shelfs.total == 0 { <p>"There are no shelfs yet."</p> }
            <ul>
                @for shelf in &shelfs.items {
                    <li><a href=(address_of("shelfs.show", shelf))>(&shelf.name)</a></li>
                }
            </ul>
            @if shelfs.page > 1 { <p><a rel="prev" href=(address(shelfs.page - 1))>"Previous"</a></p> }
            @if shelfs.has_more() { <p><a rel="next" href=(address(shelfs.page + 1))>"Next"</a></p> }
            <p><a href=(path_to("shelfs.create"))>"New shelf"</a></p>
        </Document>
    }
}

/// `GET /shelfs/{shelf}`
pub fn show(shelf: &Shelf) -> impl Renderable {
    rsx! {
        <Document title=(&shelf.name)>
            <p><a href=(address_of("shelfs.edit", shelf))>"Edit"</a></p>
            <form method="post" action=(address_of("shelfs.destroy", shelf))>
                (csrf_field())
                (method_field("DELETE"))
                <button>"Delete"</button>
            </form>
            <p><a href=(path_to("shelfs.index"))>"All shelfs"</a></p>
        </Document>
    }
}

/// `GET /shelfs/new`, and `GET /shelfs/{shelf}/edit` for one that is there.
pub fn form(shelf: Option<&Shelf>) -> impl Renderable {
    let (title, action) = match shelf {
        Some(shelf) => ("Edit shelf", address_of("shelfs.update", shelf)),
        None => ("New shelf", path_to("shelfs.store")),
    };
    let name = old_or("name", shelf.map_or("", |shelf| &shelf.name));
    let problem = errors().first("name");
    rsx! {
        <Document title=(title)>
            <form method="post" action=(&action)>
                (csrf_field())
                @if shelf.is_some() { (method_field("PUT")) }
                <label for="name">"Name"</label>
                <input id="name" name="name" value=(&name) maxlength="120" required aria-describedby="name-error">
                @if let Some(problem) = &problem { <p id="name-error" role="alert">(problem)</p> }
                <button>"Save"</button>
            </form>
        </Document>
    }
}

/// The address of a route about one of them.
fn address_of(route: &str, shelf: &Shelf) -> String {
    path_to_with(route, &[("shelf", &shelf.id.to_string())])
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
