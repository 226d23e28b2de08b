//! The models of the library, and its tables with a few rows.

use housekey_core::{Clock, Scope, Services};
use housekey_database::testing::TestDatabase;
use housekey_database::{
    BelongsTo, Database, DatabaseConfig, Databases, FromRow, HasMany, HasOne, ManyToMany, Model, Original,
    Query, db, record,
};
use serde::Serialize;
use time::OffsetDateTime;

#[derive(Clone, Debug, FromRow, Model, PartialEq, Serialize)]
#[row(crate = "housekey_database")]
#[model(table = "authors")]
pub(crate) struct Author {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) books: HasMany<Book>,
}

#[derive(Clone, Debug, FromRow, Model, PartialEq, Serialize)]
#[row(crate = "housekey_database")]
#[model(table = "books", timestamps, version, soft_deletes)]
pub(crate) struct Book {
    pub(crate) id: i64,
    pub(crate) author_id: i64,
    pub(crate) editor_id: Option<i64>,
    pub(crate) title: String,
    pub(crate) pages: i64,
    pub(crate) version: i64,
    pub(crate) created_at: OffsetDateTime,
    pub(crate) updated_at: OffsetDateTime,
    pub(crate) deleted_at: Option<OffsetDateTime>,
    pub(crate) author: BelongsTo<Author>,
    pub(crate) editor: BelongsTo<Option<Author>>,
    pub(crate) loans: HasMany<Loan>,
    #[relation(latest)]
    pub(crate) last_loan: HasOne<Loan>,
    pub(crate) tags: ManyToMany<Tag>,
    pub(crate) original: Original,
}

impl Book {
    pub(crate) fn long(books: Query<Self>) -> Query<Self> {
        books.where_(Self::pages, ">", 200)
    }
}

#[derive(Clone, Debug, FromRow, Model, PartialEq, Serialize)]
#[row(crate = "housekey_database")]
#[model(table = "tags")]
pub(crate) struct Tag {
    pub(crate) id: i64,
    pub(crate) name: String,
    pub(crate) books: ManyToMany<Book>,
}

#[derive(Clone, Debug, FromRow, Model, PartialEq, Serialize)]
#[row(crate = "housekey_database")]
#[model(table = "loans")]
pub(crate) struct Loan {
    pub(crate) id: i64,
    pub(crate) book_id: i64,
    pub(crate) reader: String,
    pub(crate) returned: bool,
    pub(crate) book: BelongsTo<Book>,
}

/// A shelf that stands in another one.
#[derive(Clone, Debug, FromRow, Model, PartialEq)]
#[row(crate = "housekey_database")]
#[model(table = "places", key = "code")]
pub(crate) struct Place {
    pub(crate) code: String,
    pub(crate) inside_of: Option<String>,
    #[relation(foreign_key = "inside_of")]
    pub(crate) outer: BelongsTo<Option<Place>>,
    #[relation(foreign_key = "inside_of")]
    pub(crate) inner: HasMany<Place>,
}

/// Inside an application with the tables of the library and a clock that stands still.
pub(crate) async fn inside<F: Future<Output = ()>>(test: &TestDatabase, work: F) {
    let config = DatabaseConfig { default: "main".into(), ..DatabaseConfig::default() };
    let mut services = Services::builder();
    services.insert(Databases::new(&config.with("main", test.config.clone()), &test.paths()));
    services.insert(Clock::frozen_now());
    tables(&test.db).await;
    Scope::new(services.build())
        .enter(async {
            work.await;
            db().unwrap().close().await;
        })
        .await;
}

async fn tables(db: &Database) {
    db.schema(|schema| {
        schema.create("authors", |table| {
            table.id();
            table.string("name", 50);
        });
        schema.create("books", |table| {
            table.id();
            table.big_integer("author_id");
            table.big_integer("editor_id").nullable();
            table.string("title", 50);
            table.big_integer("pages").default(100);
            table.big_integer("version").default(1);
            table.timestamp("created_at");
            table.timestamp("updated_at");
            table.timestamp("deleted_at").nullable();
        });
        schema.create("tags", |table| {
            table.id();
            table.string("name", 50).unique();
        });
        schema.create("book_tag", |table| {
            table.big_integer("book_id");
            table.big_integer("tag_id");
        });
        schema.create("loans", |table| {
            table.id();
            table.big_integer("book_id");
            table.string("reader", 50);
            table.boolean("returned").default(false);
        });
        schema.create("places", |table| {
            table.string("code", 10).primary();
            table.string("inside_of", 10).nullable();
        });
    })
    .await
    .unwrap();
}

/// Ada wrote Rivers (poem, short; lent twice, back once) and Hills (poem); Grace wrote Roads, which Ada edited.
pub(crate) async fn books() {
    for name in ["Ada", "Grace"] {
        Author::create(record! { Author::name => name }).await.unwrap();
    }
    for (title, author, editor, pages) in
        [("Rivers", 1, None, 100), ("Hills", 1, None, 300), ("Roads", 2, Some(1), 300)]
    {
        let book = record! {
            Book::title => title, Book::author_id => author, Book::editor_id => editor, Book::pages => pages,
        };
        Book::create(book).await.unwrap();
    }
    for name in ["poem", "short", "unused"] {
        Tag::create(record! { Tag::name => name }).await.unwrap();
    }
    let [rivers, hills] = [1, 2].map(|id| async move { Book::find_or_404(id).await.unwrap() });
    rivers.await.attach(Book::tags, [1, 2]).await.unwrap();
    hills.await.attach(Book::tags, [1]).await.unwrap();
    for (reader, returned) in [("Joan", true), ("Mary", false)] {
        let loan = record! { Loan::book_id => 1, Loan::reader => reader, Loan::returned => returned };
        Loan::create(loan).await.unwrap();
    }
}

pub(crate) fn titles(books: &[Book]) -> Vec<&str> {
    books.iter().map(|book| book.title.as_str()).collect()
}
