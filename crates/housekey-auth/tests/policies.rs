//! Policies in front of routes: asked about the row that the address names, before the form is read.

use crate::support::{app_with, config, make_tables, sign_up};
use housekey_auth::User;
use housekey_auth::gate::{AppGate, Decision, Policy, PolicyBuilder, ResourcePolicy};
use housekey_auth::guards::can;
use housekey_core::{AppKey, EncryptionConfig, Env, Result};
use housekey_database::{Databases, FromRow, Model, record};
use housekey_http::validation::{Valid, Validated};
use housekey_http::{App, Bound, Routes, actions};
use housekey_testing::TestApp;
use serde::Deserialize;

#[derive(FromRow, Model)]
#[row(crate = "housekey_database")]
#[model(table = "books")]
struct Book {
    id: i64,
    title: String,
    owner: String,
}

#[derive(Deserialize, Validated)]
#[validate(crate = "housekey_http::validation")]
struct BookRequest {
    #[validate(required, max(20))]
    title: String,
}

struct BookPolicy;

impl Policy for BookPolicy {
    type Model = Book;

    fn abilities(self, book: &mut PolicyBuilder<Book>) {
        book.define("view", |user: Option<&User>, book: &Book| user.is_some() || book.owner == "everybody");
        book.define("create", |user: &User| user.name != "bob");
        book.define("update", |user: &User, book: &Book| match user.name == book.owner {
            true => Decision::allow(),
            false => Decision::deny("This is not your book."),
        });
        book.define("delete", |_: &User, _: &Book| Decision::deny_as_not_found());
    }
}

mod books {
    use super::*;

    pub(super) async fn index() -> &'static str {
        "all books"
    }

    pub(super) async fn create() -> &'static str {
        "a form"
    }

    pub(super) async fn store(Valid(form): Valid<BookRequest>) -> String {
        form.title
    }

    pub(super) async fn show(Bound(book): Bound<Book>) -> String {
        book.title
    }

    pub(super) async fn edit(Bound(book): Bound<Book>) -> String {
        format!("a form for {}", book.title)
    }

    pub(super) async fn update(
        Bound(mut book): Bound<Book>,
        Valid(form): Valid<BookRequest>,
    ) -> Result<String> {
        book.update(record! { Book::title => form.title }).await?;
        Ok(book.title)
    }

    pub(super) async fn destroy(Bound(book): Bound<Book>) -> Result<&'static str> {
        book.delete().await?;
        Ok("gone")
    }
}

fn routes(route: &mut Routes) {
    route.resource("books").policy::<Book>().actions(actions!(books));
    route.get("/shelves/{shelf}/{book}", books::show).middleware(("auth", can::<Book>("view")));
    route.get("/lost/{shelf}/{number}", books::show).middleware(can::<Book>("view"));
}

fn site() -> App {
    app_with(config(), routes).policy(BookPolicy)
}

async fn app() -> TestApp {
    let app = TestApp::new(site);
    make_tables(&app).await;
    let db = app.services().require::<Databases>().unwrap().connection(None).unwrap();
    db.schema(|schema| {
        schema.create("books", |table| {
            table.id();
            table.string("title", 50);
            table.string("owner", 50);
        });
    })
    .await
    .unwrap();
    for (title, owner) in [("Rivers", "ada"), ("Hills", "everybody")] {
        Book::on(&db).create(record! { Book::title => title, Book::owner => owner }).await.unwrap();
    }
    app
}

async fn member(app: &TestApp, name: &str) -> TestApp {
    let visitor = app.visitor();
    sign_up(&visitor, &format!("{name}@example.com")).await;
    visitor
}

// spec: MID-5, DAT-3
#[tokio::test]
async fn who_may_not_is_told_so_and_not_what_is_wrong_with_the_form() {
    let app = app().await;
    let (ada, bob) = (member(&app, "ada").await, member(&app, "bob").await);
    for form in [[("title", "")], [("title", "Lakes")]] {
        let refused = bob.put("/books/1").form(&form).accept_json().await;
        refused.assert_forbidden().assert_json_path("message", "This is not your book.");
        bob.post("/books").form(&form).await.assert_forbidden();
    }
    ada.put("/books/1").form(&[("title", "")]).await.assert_invalid("title");
    ada.post("/books").form(&[("title", "")]).await.assert_invalid("title");
    ada.get("/books/1").await.assert_see("Rivers");
    ada.put("/books/1").form(&[("title", "Lakes")]).await.assert_ok().assert_see("Lakes");
    ada.get("/books/1").await.assert_see("Lakes");
}

// spec: MID-5
#[tokio::test]
async fn the_abilities_of_a_policy_stand_before_the_actions_of_a_resource() {
    let app = app().await;
    let (ada, bob) = (member(&app, "ada").await, member(&app, "bob").await);
    app.get("/books").await.assert_ok();
    app.get("/books/2").await.assert_ok().assert_see("Hills");
    app.get("/books/1").await.assert_forbidden();
    app.get("/books/new").await.assert_redirect("/sign-in");
    app.get("/books/1/edit").await.assert_redirect("/sign-in");
    ada.get("/books/new").await.assert_ok();
    bob.get("/books/new").await.assert_forbidden();
    ada.get("/books/1/edit").await.assert_ok().assert_see("a form for Rivers");
    bob.get("/books/1/edit").await.assert_forbidden();
    ada.delete("/books/1").await.assert_not_found();
    ada.get("/books/1").await.assert_ok();
}

// spec: DAT-3
#[tokio::test]
async fn a_row_that_is_not_there_is_not_found_and_one_that_is_there_is_read_once() {
    let app = app().await;
    let ada = member(&app, "ada").await;
    for path in ["/books/99", "/books/one", "/books/%31%30", "/shelves/1/99"] {
        ada.get(path).await.assert_not_found();
    }
    // However the address is written, it is the row that the handler gets.
    ada.get("/books/%31").await.assert_ok().assert_see("Rivers");
    ada.get("/books/2/").await.assert_ok().assert_see("Hills");
    let shown = ada.get("/shelves/1/2").await;
    shown.assert_ok().assert_see("Hills");
    let reads = shown.queries().iter().filter(|sql| sql.contains("books")).count();
    assert_eq!(reads, 1, "{:?}", shown.queries());
    app.get("/shelves/1/2").await.assert_redirect("/sign-in");
    // Which of two parameters names the row cannot be guessed.
    ada.get("/lost/1/2").await.assert_status(500);
}

// spec: MID-5
#[test]
fn an_ability_that_the_policy_lacks_is_found_at_boot() {
    let boot = |routes: fn(&mut Routes)| {
        let (folder, key) = (tempfile::tempdir().unwrap(), AppKey::generate().to_text());
        let app = app_with(config(), routes).policy(BookPolicy);
        let app = app.configure(|all| all.update::<EncryptionConfig>(|encryption| encryption.key = key));
        app.root(folder.path()).env(Env::empty()).boot().unwrap_err().to_string()
    };
    let error = boot(|route| {
        route.put("/books/{book}", books::update).middleware(can::<Book>("udpate"));
    });
    assert!(error.contains("PUT /books/{book}") && error.contains("\"udpate\""), "{error}");
}
