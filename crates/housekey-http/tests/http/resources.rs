use axum::extract::Path;
use housekey_http::{Routes, actions};
use http::Method;

use crate::http::support::{app, client};

mod books {
    use axum::extract::Path;

    pub(super) async fn index() -> &'static str {
        "index"
    }

    pub(super) async fn create() -> &'static str {
        "create"
    }

    pub(super) async fn store() -> &'static str {
        "store"
    }

    pub(super) async fn show(Path(book): Path<String>) -> String {
        format!("show {book}")
    }

    pub(super) async fn edit(Path(book): Path<String>) -> String {
        format!("edit {book}")
    }

    pub(super) async fn update(Path(book): Path<String>) -> String {
        format!("update {book}")
    }

    pub(super) async fn destroy(Path(book): Path<String>) -> String {
        format!("destroy {book}")
    }
}

/// The routes of a resource: methods, paths and names.
fn listed(routes: impl FnOnce(&mut Routes) + Send + 'static) -> Vec<String> {
    let app = app(routes).boot().unwrap();
    let routes = app.routes().list();
    routes
        .iter()
        .map(|route| {
            format!("{} {} {}", route.methods.join("|"), route.path, route.name.clone().unwrap_or_default())
        })
        .collect()
}

#[tokio::test]
async fn a_resource_has_its_seven_addresses_and_names() {
    let client = client(app(|route: &mut Routes| {
        route.group().without_csrf().routes(|route| {
            route.resource("books").actions(actions!(books));
        });
    }));
    for (method, path, said) in [
        (Method::GET, "/books", "index"),
        (Method::GET, "/books/new", "create"),
        (Method::POST, "/books", "store"),
        (Method::GET, "/books/7", "show 7"),
        (Method::GET, "/books/7/edit", "edit 7"),
        (Method::PUT, "/books/7", "update 7"),
        (Method::DELETE, "/books/7", "destroy 7"),
    ] {
        assert_eq!(client.send(method, path, &[], "").await.text(), said);
    }
    let names = listed(|route| route.resource("/books/").actions(actions!(books)));
    for route in [
        "GET|HEAD /books books.index",
        "GET|HEAD /books/new books.create",
        "POST /books books.store",
        "GET|HEAD /books/{book} books.show",
        "GET|HEAD /books/{book}/edit books.edit",
        "PUT /books/{book} books.update",
        "DELETE /books/{book} books.destroy",
    ] {
        assert!(names.iter().any(|name| name == route), "{route} in {names:#?}");
    }
}

#[test]
fn only_and_except_say_which_actions_there_are() {
    let names = |routes: Vec<String>| {
        let mut names: Vec<String> =
            routes.iter().filter_map(|route| route.rsplit('.').next()).map(ToOwned::to_owned).collect();
        names.sort();
        names.join(" ")
    };
    let only = listed(|route| route.resource("books").actions(actions!(books, only [index, show])));
    assert_eq!(names(only), "index show");
    let except = listed(|route| {
        route.resource("books").actions(actions!(self::books, except [create, edit, destroy]));
    });
    assert_eq!(names(except), "index show store update");
    let named = listed(|route| {
        route.resource("books").actions(|book| {
            book.index(books::index);
            book.destroy(books::destroy);
        });
    });
    assert_eq!(names(named), "destroy index");
}

#[tokio::test]
async fn a_resource_takes_part_in_its_group_and_has_guards_of_its_own() {
    let client = client(app(|route: &mut Routes| {
        route.group().prefix("/admin").name("admin.").without_csrf().routes(|route| {
            route.resource("books").where_("[0-9]+").middleware("throttle:1,1").actions(|book| {
                book.show(books::show);
                book.update(books::update).status(http::StatusCode::ACCEPTED);
            });
        });
    }));
    assert_eq!(client.get("/admin/books/7").await.text(), "show 7");
    assert_eq!(client.get("/admin/books/7").await.status, 429);
    assert_eq!(client.get("/admin/books/seven").await.status, 404);
    assert_eq!(client.send(Method::PUT, "/admin/books/7", &[], "").await.status, 202);
    let names = listed(|route| {
        route.group().prefix("/admin").name("admin.").routes(|route| {
            route.resource("books").actions(actions!(books, only[show]));
        });
    });
    assert_eq!(names, ["GET|HEAD /admin/books/{book} admin.books.show"]);
}

#[tokio::test]
async fn a_resource_inside_another_and_one_with_an_unusual_name() {
    async fn show(Path((author, book)): Path<(String, String)>) -> String {
        format!("{book} of {author}")
    }
    let client = client(app(|route: &mut Routes| {
        route.resource("authors/{author}/books").actions(|book| {
            book.show(show);
        });
    }));
    assert_eq!(client.get("/authors/ada/books/notes").await.text(), "notes of ada");
    let names = listed(|route| {
        route.resource("authors/{author}/books").actions(actions!(books, only[index]));
        route.resource("people").parameter("person").actions(actions!(books, only[show]));
        route.resource("library-cards").actions(actions!(books, only[show]));
    });
    for route in [
        "GET|HEAD /authors/{author}/books authors.books.index",
        "GET|HEAD /people/{person} people.show",
        "GET|HEAD /library-cards/{library_card} library_cards.show",
    ] {
        assert!(names.iter().any(|name| name == route), "{route} in {names:#?}");
    }
}

#[test]
fn a_resource_that_is_there_twice_does_not_boot() {
    let twice = app(|route: &mut Routes| {
        route.resource("books").actions(actions!(books, only[index]));
        route.resource("books").actions(actions!(books, only[index]));
    });
    let error = twice.boot().unwrap_err().to_string();
    assert!(error.contains("/books") && error.contains("resources.rs"), "{error}");
}
