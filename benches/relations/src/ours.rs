//! As the chapter on relationships has it.

use housekey_database::{Database, FromRow, HasOne, ManyToMany, Model};

use crate::library::PAGE;
use crate::page::{ReadPage, Seen};

#[derive(FromRow, Model)]
#[row(crate = "housekey_database")]
#[model(table = "books")]
struct Book {
    id: i64,
    title: String,
    author: String,
    shelf: Option<String>,
    pages: i64,
    tags: ManyToMany<Tag>,
    #[relation(latest)]
    last_loan: HasOne<Loan>,
}

#[derive(FromRow, Model)]
#[row(crate = "housekey_database")]
#[model(table = "tags")]
struct Tag {
    id: i64,
    name: String,
}

#[derive(FromRow, Model)]
#[row(crate = "housekey_database")]
#[model(table = "loans")]
struct Loan {
    id: i64,
    book_id: i64,
    reader: String,
    returned: bool,
}

async fn books(db: &Database, after: i64) -> Vec<Book> {
    Book::on(db)
        .query()
        .where_(Book::id, ">", after)
        .with(Book::tags)
        .with(Book::last_loan)
        .order_by(Book::id)
        .limit(PAGE as u64)
        .get()
        .await
        .unwrap()
}

impl ReadPage for Database {
    async fn just_read(&self, after: i64) {
        std::hint::black_box(books(self, after).await);
    }

    async fn read(&self, after: i64) -> Vec<Seen> {
        let seen = |book: &Book| Seen {
            id: book.id,
            title: book.title.clone(),
            author: book.author.clone(),
            shelf: book.shelf.clone(),
            pages: book.pages,
            tags: book.tags.iter().map(|tag| (tag.id, tag.name.clone())).collect(),
            last_loan: book.last_loan.as_ref().map(|loan| {
                assert_eq!(loan.book_id, book.id);
                (loan.id, loan.reader.clone(), loan.returned)
            }),
        };
        books(self, after).await.iter().map(seen).collect()
    }
}
