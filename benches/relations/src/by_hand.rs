//! What a careful person writes who wants nothing but the rows: three statements whose text is made once, keys handed over
//! in the way that suits the engine, columns read by their place.

use std::collections::HashMap;
use std::sync::LazyLock;

use sqlx::{AssertSqlSafe, MySqlPool, PgPool, Row as _, SqlitePool};

use crate::library::PAGE;
use crate::page::{ReadPage, Seen};

pub const QUERIES: usize = 3;

pub enum ByHand {
    Sqlite(SqlitePool),
    Postgres(PgPool),
    MySql(MySqlPool),
}

struct Book {
    id: i64,
    title: String,
    author: String,
    shelf: Option<String>,
    pages: i64,
    tags: Vec<Tag>,
    last_loan: Option<Loan>,
}

struct Tag {
    id: i64,
    name: String,
}

struct Loan {
    id: i64,
    reader: String,
    returned: bool,
}

/// The three statements; `{after}` and `{keys}` are how the engine takes the values.
struct Texts {
    books: String,
    tags: String,
    loans: String,
}

impl Texts {
    fn new(after: &str, keys: &str) -> Self {
        Self {
            books: format!(
                "select id, title, author, shelf, pages from books where id > {after} order by id limit {PAGE}"
            ),
            tags: format!(
                "select book_tag.book_id, tags.id, tags.name from tags join book_tag on book_tag.tag_id = tags.id \
                 where book_tag.book_id {keys} order by tags.id"
            ),
            loans: format!(
                "select book_id, id, reader, returned from loans \
                 where id in (select max(id) from loans where book_id {keys} group by book_id)"
            ),
        }
    }
}

static PLACES: LazyLock<Texts> =
    LazyLock::new(|| Texts::new("?", &format!("in ({})", vec!["?"; PAGE as usize].join(","))));
static ARRAYS: LazyLock<Texts> = LazyLock::new(|| Texts::new("$1", "= any($1)"));

/// Each key a value of its own, for SQLite and MariaDB.
macro_rules! each {
    ($query:expr, $keys:expr) => {{
        let mut query = $query;
        for key in $keys {
            query = query.bind(*key);
        }
        query
    }};
}

/// PostgreSQL takes them all in one.
macro_rules! array {
    ($query:expr, $keys:expr) => {
        $query.bind($keys)
    };
}

macro_rules! read {
    ($pool:expr, $texts:expr, $bind:ident, $after:expr) => {{
        let (pool, texts) = ($pool, &*$texts);
        let query = |text: &'static str| sqlx::query(AssertSqlSafe(text));
        let rows = query(&texts.books).bind($after).fetch_all(pool).await.unwrap();
        let mut books: Vec<Book> = rows
            .iter()
            .map(|row| Book {
                id: row.get(0),
                title: row.get(1),
                author: row.get(2),
                shelf: row.get(3),
                pages: row.get(4),
                tags: Vec::new(),
                last_loan: None,
            })
            .collect();
        let keys: Vec<i64> = books.iter().map(|book| book.id).collect();
        let places: HashMap<i64, usize> = keys.iter().enumerate().map(|(place, key)| (*key, place)).collect();
        for row in $bind!(query(&texts.tags), &keys).fetch_all(pool).await.unwrap() {
            let book = &mut books[places[&row.get::<i64, _>(0)]];
            book.tags.push(Tag { id: row.get(1), name: row.get(2) });
        }
        for row in $bind!(query(&texts.loans), &keys).fetch_all(pool).await.unwrap() {
            let book = &mut books[places[&row.get::<i64, _>(0)]];
            book.last_loan = Some(Loan { id: row.get(1), reader: row.get(2), returned: row.get(3) });
        }
        books
    }};
}

impl ByHand {
    async fn books(&self, after: i64) -> Vec<Book> {
        match self {
            Self::Sqlite(pool) => read!(pool, PLACES, each, after),
            Self::Postgres(pool) => read!(pool, ARRAYS, array, after),
            Self::MySql(pool) => read!(pool, PLACES, each, after),
        }
    }
}

impl ReadPage for ByHand {
    async fn just_read(&self, after: i64) {
        std::hint::black_box(self.books(after).await);
    }

    async fn read(&self, after: i64) -> Vec<Seen> {
        let seen = |book: Book| Seen {
            id: book.id,
            title: book.title,
            author: book.author,
            shelf: book.shelf,
            pages: book.pages,
            tags: book.tags.into_iter().map(|tag| (tag.id, tag.name)).collect(),
            last_loan: book.last_loan.map(|loan| (loan.id, loan.reader, loan.returned)),
        };
        self.books(after).await.into_iter().map(seen).collect()
    }
}
