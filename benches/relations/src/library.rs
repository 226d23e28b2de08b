//! The tables, with the indexes that anybody would give them, and their rows.

use housekey_database::{Database, Record, record};

pub const BOOKS: i64 = 1000;
pub const PAGE: i64 = 100;

const TAGS: i64 = 40;

pub async fn fill(db: &Database) {
    db.schema(|schema| {
        schema.create("books", |table| {
            table.id();
            table.string("title", 120);
            table.string("author", 80);
            table.string("shelf", 20).nullable();
            table.big_integer("pages");
        });
        schema.create("tags", |table| {
            table.id();
            table.string("name", 40).unique();
        });
        schema.create("book_tag", |table| {
            table.big_integer("book_id");
            table.big_integer("tag_id");
            table.primary(["book_id", "tag_id"]);
        });
        schema.create("loans", |table| {
            table.id();
            table.big_integer("book_id");
            table.string("reader", 80);
            table.boolean("returned");
            table.index(["book_id"]);
        });
    })
    .await
    .unwrap();
    let books = (1..=BOOKS).map(|n| {
        let shelf = (n % 4 != 0).then(|| format!("{}-{}", n % 7, n % 13));
        record! { "title" => format!("The rivers of the north, volume {n}"), "author" => format!("Author {}", n % 90),
        "shelf" => shelf, "pages" => 100 + n % 400 }
    });
    insert(db, "books", books).await;
    insert(db, "tags", (1..=TAGS).map(|n| record! { "name" => format!("subject {n}") })).await;
    // One to five tags a book, three on average.
    let names = (1..=BOOKS).flat_map(|book| {
        (0..1 + book % 5)
            .map(move |n| record! { "book_id" => book, "tag_id" => (book * 7 + n * 11) % TAGS + 1 })
    });
    insert(db, "book_tag", names).await;
    // Loans of a book lie far apart, as they come in time. Every tenth book was never lent.
    let loans = (0..8).flat_map(|turn| {
        (1..=BOOKS).filter(|book| book % 10 != 0).map(move |book| {
            record! { "book_id" => book, "reader" => format!("Reader {}", (book * 3 + turn) % 500),
            "returned" => turn < 7 || book % 3 == 0 }
        })
    });
    insert(db, "loans", loans).await;
    let statistics = match db.driver() {
        housekey_database::Driver::MySql => "analyze table books, tags, book_tag, loans",
        _ => "analyze",
    };
    db.execute_raw(statistics, []).await.unwrap();
}

async fn insert(db: &Database, table: &str, rows: impl Iterator<Item = Record>) {
    let rows: Vec<Record> = rows.collect();
    for some in rows.chunks(500) {
        db.table(table).insert_many(some.to_vec()).await.unwrap();
    }
}
