//! A long list in pieces, by where the last piece ended.

use housekey_database::testing::TestDatabase;
use housekey_database::{Model, Query, db, on_every_engine, record};
use time::OffsetDateTime;

use crate::shelf::{Book, books, inside};

on_every_engine!(
    a_list_is_read_to_its_end_by_cursors,
    rows_that_come_in_between_move_nothing,
    a_cursor_that_is_none_is_a_400,
    what_can_be_empty_is_nothing_to_sort_by,
);

async fn read(query: impl Fn() -> Query<Book>, per_page: u64) -> Vec<i64> {
    let (mut ids, mut after) = (Vec::new(), None);
    loop {
        let page = query().cursor_paginate(after.as_deref(), per_page).await.unwrap();
        assert!(!page.items.is_empty() && page.items.len() as u64 <= per_page);
        ids.extend(page.items.iter().map(|book| book.id));
        after = page.next;
        if after.is_none() {
            return ids;
        }
    }
}

async fn many() {
    let start = OffsetDateTime::from_unix_timestamp(1_800_000_000).unwrap();
    let many = (0..20_i64).map(|number| {
        let time = start + time::Duration::milliseconds(number / 3);
        record! {
            "title" => format!("Book {}", number % 4), "author_id" => 1, "pages" => number % 5,
            "created_at" => time, "updated_at" => time,
        }
    });
    db().unwrap().table("books").insert_many(many).await.unwrap();
}

// spec: DAT-3
async fn a_list_is_read_to_its_end_by_cursors(test: TestDatabase) {
    inside(&test, async {
        many().await;
        let queries: [fn() -> Query<Book>; 6] = [
            || Book::query().unwrap(),
            || Book::query().unwrap().order_by_desc(Book::id),
            || Book::query().unwrap().order_by(Book::title),
            || Book::query().unwrap().order_by_desc("created_at"),
            || Book::query().unwrap().order_by(Book::pages).order_by_desc(Book::title).order_by(Book::id),
            || Book::query().unwrap().where_(Book::pages, "<", 3).order_by_desc(Book::pages),
        ];
        for (at, query) in queries.into_iter().enumerate() {
            let expected = match at {
                0 | 2 => query().order_by(Book::id),
                1 | 4 => query(),
                _ => query().order_by_desc(Book::id),
            };
            let expected: Vec<i64> = expected.pluck(Book::id).await.unwrap();
            for per_page in [1, 3, 7, 50] {
                assert_eq!(read(query, per_page).await, expected, "query {at}, {per_page} per page");
            }
        }
        let page = Book::query().unwrap().where_eq(Book::id, 0).cursor_paginate(None, 5).await.unwrap();
        assert!(page.items.is_empty() && !page.has_more());
    })
    .await;
}

// spec: DAT-3
async fn rows_that_come_in_between_move_nothing(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let query = || Book::query().unwrap().with(Book::author).order_by(Book::title);
        let log = db().unwrap().log_queries();
        let page = query().cursor_paginate(None, 2).await.unwrap();
        log.assert_queries(2);
        assert_eq!(page.items[1].author.name, "Ada");
        Book::create(record! { Book::title => "Aaa", Book::author_id => 1 }).await.unwrap();
        let rest = query().cursor_paginate(page.next.as_deref(), 2).await.unwrap();
        assert_eq!(rest.items.iter().map(|book| book.title.as_str()).collect::<Vec<_>>(), ["Roads"]);
        assert!(!rest.has_more());
    })
    .await;
}

// spec: DAT-3
async fn a_cursor_that_is_none_is_a_400(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let other = Book::query()
            .unwrap()
            .order_by(Book::title)
            .cursor_paginate(None, 1)
            .await
            .unwrap()
            .next
            .unwrap();
        for wrong in ["", "hello", "W10", "bnVsbA", other.as_str()] {
            let error = Book::query().unwrap().cursor_paginate(Some(wrong), 1).await.unwrap_err();
            assert_eq!(error.status(), 400, "{wrong}");
        }
    })
    .await;
}

async fn what_can_be_empty_is_nothing_to_sort_by(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let query = Book::query().unwrap().where_null(Book::editor_id).order_by(Book::editor_id);
        let error = query.cursor_paginate(None, 1).await.unwrap_err().to_string();
        assert!(error.contains("never empty"), "{error}");
    })
    .await;
}
