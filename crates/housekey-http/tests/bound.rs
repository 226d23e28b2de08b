//! Rows that an address names.

use crate::visitor::{Plan, Site};
use housekey_database::testing::TestDatabase;
use housekey_database::{DatabaseConfig, Databases, FromRow, Model, record};
use housekey_http::Bound;

#[derive(FromRow, Model)]
#[row(crate = "housekey_database")]
#[model(table = "books", soft_deletes)]
struct Book {
    id: i64,
    title: String,
    deleted_at: Option<time::OffsetDateTime>,
}

#[derive(FromRow, Model)]
#[row(crate = "housekey_database")]
#[model(table = "library_cards", key = "code")]
struct LibraryCard {
    code: String,
}

async fn library(test: &TestDatabase) -> Site {
    let config = DatabaseConfig::default().with("sqlite", test.config.clone());
    let plan = Plan {
        configure: Some(Box::new(|all| all.update::<DatabaseConfig>(|database| *database = config))),
        ..Plan::default()
    };
    let site = plan.site(|route| {
        route.get("/books/{id}", async |Bound(book): Bound<Book>| book.title);
        route.get(
            "/cards/{library_card}/books/{book}",
            async |card: Bound<LibraryCard>, book: Bound<Book>| format!("{} has {}", card.code, book.title),
        );
        route.get("/shelves/{shelf}/books/{number}", async |Bound(book): Bound<Book>| book.title);
    });
    let db = site.application.services().require::<Databases>().unwrap().connection(None).unwrap();
    db.schema(|schema| {
        schema.create("books", |table| {
            table.id();
            table.string("title", 50);
            table.timestamp("deleted_at").nullable();
        });
        schema.create("library_cards", |table| {
            table.string("code", 10).primary();
        });
    })
    .await
    .unwrap();
    for title in ["Rivers", "Hills"] {
        Book::on(&db).create(record! { Book::title => title }).await.unwrap();
    }
    Book::on(&db).query().where_eq(Book::id, 2).delete().await.unwrap();
    LibraryCard::on(&db).create(record! { LibraryCard::code => "7a" }).await.unwrap();
    site
}

// spec: DAT-3
#[tokio::test]
async fn a_row_is_found_by_the_address() {
    let test = TestDatabase::sqlite().await;
    let site = library(&test).await;
    let visitor = site.visitor();
    assert_eq!(visitor.text("/books/1").await, "Rivers");
    assert_eq!(visitor.text("/cards/7a/books/1").await, "7a has Rivers");
}

// spec: DAT-3
#[tokio::test]
async fn a_row_that_is_not_there_is_a_404() {
    let test = TestDatabase::sqlite().await;
    let site = library(&test).await;
    let visitor = site.visitor();
    for path in
        ["/books/3", "/books/2", "/books/one", "/books/1.5", "/cards/7b/books/1", "/cards/7a/books/7a"]
    {
        assert_eq!(visitor.get(path).await.status, 404, "{path}");
    }
}

#[tokio::test]
async fn an_address_with_several_parts_says_which_one_is_meant() {
    let test = TestDatabase::sqlite().await;
    let site = library(&test).await;
    let visitor = site.visitor();
    assert_eq!(visitor.get("/shelves/1/books/1").await.status, 500);
}
