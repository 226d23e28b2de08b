//! Rules that look into tables, and what happens when another request is faster. On every engine.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

use std::sync::Arc;

use housekey_core::{ConfigFiles, Result};
use housekey_database::{
    ConnectionConfig, DatabaseConfig, Driver, FromRow, Migration, Migrations, Model, PoolConfig, db, record,
    testing,
};
use housekey_http::validation::{Valid, Validated, errors};
use housekey_http::{App, Bound, Provider, Registrar};
use housekey_testing::{TestApp, both, run};
use serde::Deserialize;
use tokio::sync::Barrier;

macro_rules! on_every_engine {
    ($($name:ident),+ $(,)?) => {
        mod sqlite { $(#[test] fn $name() { super::$name(super::Driver::Sqlite); })+ }
        mod postgres { $(#[test] fn $name() { super::$name(super::Driver::Postgres); })+ }
        mod mysql { $(#[test] fn $name() { super::$name(super::Driver::MySql); })+ }
    };
}

on_every_engine!(
    a_value_that_a_row_has_is_taken,
    the_row_of_the_address_may_keep_its_own_value,
    who_was_slower_is_told_that_the_value_is_taken,
    a_row_that_is_not_there_cannot_be_chosen,
    a_row_that_goes_meanwhile_is_the_error_of_its_field,
    what_no_rule_speaks_of_stays_an_error_of_ours,
);

#[derive(FromRow, Model)]
#[row(crate = "housekey_database")]
#[model(table = "authors")]
struct Author {
    id: i64,
}

#[derive(FromRow, Model)]
#[row(crate = "housekey_database")]
#[model(table = "books", soft_deletes)]
struct Book {
    id: i64,
    isbn: String,
    shelf: i64,
    deleted_at: Option<time::OffsetDateTime>,
}

#[derive(Deserialize, Validated)]
#[validate(crate = "housekey_http::validation")]
struct BookForm {
    #[validate(label("number"), required, unique(Book::isbn))]
    isbn: String,
    #[validate(required, exists(Author::id))]
    author_id: i64,
    #[validate(unique(Book::shelf), message("Somebody stands on shelf already."))]
    shelf: Option<i64>,
}

fn a_value_that_a_row_has_is_taken(driver: Driver) {
    run(app(driver), async |app: TestApp| {
        create(&app, "1", 1).await.assert_ok();
        let refused = create(&app, "1", 1).await;
        refused.assert_status(422).assert_json_path("errors.isbn.0", "The number is taken.");
        // Numbers come as text from a form, and a sentence of its own is said.
        let form =
            app.post("/books").form(&[("isbn", "2"), ("author_id", "1"), ("shelf", "100")]).accept_json();
        form.await.assert_json_path("errors.shelf.0", "Somebody stands on shelf already.");
        create(&app, "a' or '1'='1", 1).await.assert_ok();
        create(&app, "A' or '1'='1", 1).await.assert_ok();
        // The index counts what is softly deleted, and so does the rule.
        app.within(async { Book::find(1).await.unwrap().unwrap().delete().await }).await.unwrap();
        create(&app, "1", 1).await.assert_invalid("isbn");
        app.assert_database_count("books", 3).await;
    });
}

fn the_row_of_the_address_may_keep_its_own_value(driver: Driver) {
    run(app(driver), async |app: TestApp| {
        create(&app, "1", 1).await.assert_ok();
        create(&app, "2", 1).await.assert_ok();
        let update = |book: u8, isbn: &'static str| {
            app.put(&format!("/books/{book}")).form(&[("isbn", isbn), ("author_id", "1")]).accept_json()
        };
        update(1, "1").await.assert_ok();
        update(1, "2").await.assert_status(422).assert_invalid("isbn");
        update(1, "3").await.assert_ok();
        update(2, "1").await.assert_ok();
        app.assert_database_has("books", record! { "id" => 1, "isbn" => "3" }).await;
    });
}

fn who_was_slower_is_told_that_the_value_is_taken(driver: Driver) {
    run(app(driver), async |app: TestApp| {
        // Both rules have looked before either row is written.
        let slow = |app: &TestApp| {
            app.post("/books/slow").form(&[("isbn", "7"), ("author_id", "1")]).referer("/books/new")
        };
        let other = app.visitor();
        let (first, second) = both(slow(&app).accept_json(), slow(&other)).await;
        app.assert_database_count("books", 1).await;
        let (lost, page) = if first.status() == 422 { (first, &app) } else { (second, &other) };
        if lost.status() == 422 {
            lost.assert_json_path("errors.isbn.0", "The number is taken.");
        } else {
            // A browser goes back to its form.
            lost.assert_status(303).assert_redirect("/books/new").assert_invalid("isbn");
            page.get("/books/new").await.assert_see("The number is taken.");
        }
    });
}

fn a_row_that_is_not_there_cannot_be_chosen(driver: Driver) {
    run(app(driver), async |app: TestApp| {
        let refused = create(&app, "1", 99).await;
        refused.assert_status(422).assert_json_path("errors.author_id.0", "The author id does not exist.");
        let nonsense = app.post("/books").form(&[("isbn", "1"), ("author_id", "1 or 1=1")]).accept_json();
        nonsense.await.assert_invalid("author_id");
        app.assert_database_count("books", 0).await;
    });
}

fn a_row_that_goes_meanwhile_is_the_error_of_its_field(driver: Driver) {
    run(app(driver), async |app: TestApp| {
        let book = app.post("/books/orphan").form(&[("isbn", "1"), ("author_id", "1")]).accept_json();
        book.await.assert_status(422).assert_json_path("errors.author_id.0", "The author id does not exist.");
    });
}

fn what_no_rule_speaks_of_stays_an_error_of_ours(driver: Driver) {
    run(app(driver), async |app: TestApp| {
        create(&app, "1", 1).await.assert_ok();
        let book = app.post("/books/clumsy").form(&[("isbn", "2"), ("author_id", "1")]).accept_json();
        book.await.assert_status(500);
    });
}

async fn create(app: &TestApp, isbn: &str, author: i64) -> housekey_testing::TestResponse {
    app.post("/books").json(&serde_json::json!({ "isbn": isbn, "author_id": author })).await
}

fn app(driver: Driver) -> impl Fn() -> App + Send + Sync + 'static {
    move || {
        let meet = Arc::new(Barrier::new(2));
        let app = App::new(ConfigFiles::new()).provider(Library).configure(move |config| {
            config.update::<DatabaseConfig>(|database| {
                // A machine that is busy is no server that is away.
                let pool = PoolConfig { acquire_timeout: 120, ..PoolConfig::default() };
                let own = match driver {
                    Driver::Sqlite => ConnectionConfig::sqlite("storage/database.sqlite"),
                    Driver::Postgres => ConnectionConfig::postgres(testing::server(driver)),
                    Driver::MySql => ConnectionConfig::mysql(testing::server(driver)),
                };
                *database = DatabaseConfig { default: "main".into(), ..DatabaseConfig::default() }
                    .with("main", own.pool(pool));
            });
        });
        app.routes(move |route| {
            route.get("/books/new", async || errors().first("isbn").unwrap_or_default());
            route.post("/books", async |Valid(form): Valid<BookForm>| insert(form).await);
            route.post("/books/slow", async move |Valid(form): Valid<BookForm>| {
                meet.wait().await;
                // Inside a transaction too.
                db()?.transaction(async |_| insert(form).await).await
            });
            route.post("/books/orphan", async |Valid(form): Valid<BookForm>| -> Result<()> {
                db()?.table("authors").delete().await?;
                insert(form).await
            });
            route.post("/books/clumsy", async |Valid(_): Valid<BookForm>| -> Result<()> {
                db()?.table("tags").insert(record! { "word" => "twice" }).await?;
                db()?.table("tags").insert(record! { "word" => "twice" }).await.map(drop)
            });
            route.put("/books/{book}", async |Bound(mut book): Bound<Book>, Valid(form): Valid<BookForm>| {
                book.update(record! { Book::isbn => form.isbn }).await
            });
        })
    }
}

async fn insert(form: BookForm) -> Result<()> {
    let shelf = match form.shelf {
        Some(shelf) => shelf,
        None => 100 + i64::try_from(db()?.table("books").count().await?).unwrap(),
    };
    let book = record! { "isbn" => form.isbn, "author_id" => form.author_id, "shelf" => shelf };
    db()?.table("books").insert(book).await.map(drop)
}

struct Library;

impl Provider for Library {
    fn name(&self) -> &'static str {
        "library"
    }

    fn register(&self, app: &mut Registrar<'_>) -> Result<()> {
        let create = Migration::new(
            "2026_01_31_090000_create_library",
            |schema| {
                schema.create("authors", |table| {
                    table.id();
                });
                schema.create("books", |table| {
                    table.id();
                    table.string("isbn", 20).unique();
                    table.big_integer("shelf");
                    table.big_integer("author_id").references("authors", "id");
                    table.timestamp("deleted_at").nullable();
                });
                schema.create("tags", |table| {
                    table.string("word", 20).unique();
                });
                schema.raw("insert into authors (id) values (1)");
            },
            |schema| {
                schema.drop("tags");
                schema.drop("books");
                schema.drop("authors");
            },
        );
        app.services().insert(Migrations::new().with(create));
        Ok(())
    }
}
