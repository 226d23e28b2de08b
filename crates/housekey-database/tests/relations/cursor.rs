//! A long list in pieces, by where the last piece ended.

use data_encoding::BASE64URL_NOPAD;
use housekey_database::sql::Expr;
use housekey_database::testing::TestDatabase;
use housekey_database::{Driver, FromRow, Model, Query, db, on_every_engine, record};
use serde_json::json;
use time::OffsetDateTime;

use crate::relations::shelf::{Author, Book, books, inside};

on_every_engine!(
    a_list_is_read_to_its_end_by_cursors,
    rows_that_come_in_between_move_nothing,
    a_cursor_that_is_none_is_a_400,
    a_cursor_of_another_list_or_order_is_a_400,
    a_cursor_that_was_changed_is_a_400,
    a_joined_list_is_sorted_by_its_own_columns,
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

// spec: DAT-3
async fn a_cursor_of_another_list_or_order_is_a_400(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let queries: [fn() -> Query<Book>; 5] = [
            || Book::query().unwrap(),
            || Book::query().unwrap().order_by_desc(Book::id),
            || Book::query().unwrap().order_by(Book::title),
            || Book::query().unwrap().order_by_desc(Book::title),
            || Book::query().unwrap().order_by(Book::pages),
        ];
        for (made_for, made) in queries.iter().enumerate() {
            let cursor = made().cursor_paginate(None, 1).await.unwrap().next.unwrap();
            for (used_for, used) in queries.iter().enumerate() {
                let status = match used().cursor_paginate(Some(&cursor), 1).await {
                    Ok(_) => 200,
                    Err(error) => error.status().as_u16(),
                };
                let expected = if made_for == used_for { 200 } else { 400 };
                assert_eq!(status, expected, "a cursor of query {made_for} for query {used_for}");
            }
            let authors = Author::query().unwrap().cursor_paginate(Some(&cursor), 1).await;
            assert_eq!(authors.unwrap_err().status(), 400, "query {made_for}");
        }
        // The same order in other words.
        let cursor = queries[2]().cursor_paginate(None, 1).await.unwrap().next;
        let same = Book::query().unwrap().order_by("title").order_by("books.id");
        same.cursor_paginate(cursor.as_deref(), 1).await.unwrap();
    })
    .await;
}

// spec: DAT-3
async fn a_cursor_that_was_changed_is_a_400(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let query = || Book::query().unwrap().order_by(Book::title);
        let cursor = query().cursor_paginate(None, 1).await.unwrap().next.unwrap();
        let read = BASE64URL_NOPAD.decode(cursor.as_bytes()).unwrap();
        let read: serde_json::Value = serde_json::from_slice(&read).unwrap();
        let status = async |values: serde_json::Value| {
            let mut changed = read.clone();
            changed["values"] = values;
            let changed = BASE64URL_NOPAD.encode(changed.to_string().as_bytes());
            let page = query().cursor_paginate(Some(&changed), 1).await;
            page.map_or_else(|error| error.status().as_u16(), |_| 200)
        };
        assert_eq!(status(json!(["Hills", 2])).await, 200);
        for values in [json!([]), json!(["Hills"]), json!(["Hills", null]), json!(["Hi\u{0}lls", 2])] {
            assert_eq!(status(values.clone()).await, 400, "{values}");
        }
        // The others compare anything with anything.
        if test.db.driver() == Driver::Postgres {
            for values in [json!(["Hills", "2"]), json!([2, 2]), json!([{ "date": "2026-01-31" }, 2])] {
                assert_eq!(status(values.clone()).await, 400, "{values}");
            }
        }
    })
    .await;
}

// spec: DAT-3
async fn a_joined_list_is_sorted_by_its_own_columns(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let joined = || Book::query().unwrap().join("authors", Author::id, Book::author_id);
        for other in [Author::id.as_ref(), "authors.name", "name"] {
            let error = joined().order_by(other).cursor_paginate(None, 1).await.unwrap_err().to_string();
            assert!(error.contains(&format!("`{other}`")) && error.contains("`books.id`"), "{error}");
        }
        let named = joined().select(["books.*"]).select_expr(Expr::val(1), "rank").order_by("rank");
        assert!(named.cursor_paginate(None, 1).await.is_err());

        // By its own, whatever else is read under the same name.
        let shadowed = || {
            let others = Book::COLUMNS.iter().filter(|name| **name != "title");
            let columns = others.map(|name| format!("books.{name}")).chain(["authors.name as title".into()]);
            joined().select(columns).order_by(Book::title)
        };
        for per_page in [1, 2] {
            assert_eq!(read(|| joined().order_by("pages"), per_page).await, [1, 2, 3]);
            assert_eq!(read(shadowed, per_page).await, [2, 1, 3]);
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
