//! Related rows are read when somebody asks, in a number of queries that does not grow with the rows.

use std::panic::{AssertUnwindSafe, catch_unwind};

use housekey_database::testing::TestDatabase;
use housekey_database::{LoadRelations, Model, db, on_every_engine, record};

use crate::relations::shelf::{Author, Book, Loan, Place, Tag, books, inside, titles};

on_every_engine!(
    a_row_is_read_with_what_it_belongs_to,
    rows_are_read_with_the_many_they_have,
    the_latest_of_many_is_read_alone,
    rows_are_read_with_those_a_table_between_names,
    rows_that_are_there_load_more,
    what_is_loaded_can_be_narrowed_sorted_and_load_more,
    rows_are_counted_without_being_read,
    the_number_of_queries_does_not_grow_with_the_rows,
    a_table_can_lead_to_itself,
    what_was_not_loaded_is_not_looked_at_in_silence,
    a_loaded_row_is_written_as_json_with_what_was_loaded,
    a_page_a_piece_and_the_first_row_are_loaded_too,
    a_transaction_loads_what_it_wrote,
    a_row_that_is_twice_in_a_result_has_its_rows_twice,
);

// spec: DAT-1
async fn a_row_is_read_with_what_it_belongs_to(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let log = db().unwrap().log_queries();
        let all = Book::query().unwrap().with(Book::author).with(Book::editor).order_by(Book::id).get().await;
        log.assert_queries(3);
        let all = all.unwrap();
        let written: Vec<_> =
            all.iter().map(|book| (book.title.as_str(), book.author.name.as_str())).collect();
        assert_eq!(written, [("Rivers", "Ada"), ("Hills", "Ada"), ("Roads", "Grace")]);
        let edited: Vec<_> =
            all.iter().map(|book| book.editor.as_ref().map(|who| who.name.as_str())).collect();
        assert_eq!(edited, [None, None, Some("Ada")]);

        // A reference into nothing is said, unless it may be empty.
        Author::query().unwrap().where_eq(Author::id, 1).delete().await.unwrap();
        let error = Book::query().unwrap().with(Book::author).get().await.unwrap_err().to_string();
        assert!(error.contains("Book.author"), "{error}");
        let roads =
            Book::query().unwrap().with(Book::editor).where_eq(Book::id, 3).first_or_404().await.unwrap();
        assert!(roads.editor.is_none());
    })
    .await;
}

// spec: DAT-1
async fn rows_are_read_with_the_many_they_have(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let log = db().unwrap().log_queries();
        let authors = Author::query().unwrap().with(Author::books).order_by(Author::id).get().await.unwrap();
        log.assert_queries(2);
        assert_eq!(titles(&authors[0].books), ["Rivers", "Hills"]);
        assert_eq!(titles(&authors[1].books), ["Roads"]);
        let hills =
            Book::query().unwrap().with(Book::loans).where_eq(Book::id, 2).first_or_404().await.unwrap();
        assert!(hills.loans.is_empty());
    })
    .await;
}

// spec: DAT-1
async fn the_latest_of_many_is_read_alone(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let log = db().unwrap().log_queries();
        let all = Book::query().unwrap().with(Book::last_loan).order_by(Book::id).get().await.unwrap();
        log.assert_queries(2);
        let last: Vec<_> =
            all.iter().map(|book| book.last_loan.as_ref().map(|loan| loan.reader.as_str())).collect();
        assert_eq!(last, [Some("Mary"), None, None]);
        let back = Book::last_loan.only(|loans| loans.where_eq(Loan::returned, true));
        let rivers = Book::query().unwrap().with(back).order_by(Book::id).first_or_404().await.unwrap();
        assert_eq!(rivers.last_loan.as_ref().unwrap().reader, "Joan");
    })
    .await;
}

// spec: DAT-1
async fn rows_are_read_with_those_a_table_between_names(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let log = db().unwrap().log_queries();
        let all = Book::query().unwrap().with(Book::tags).order_by(Book::id).get().await.unwrap();
        log.assert_queries(2);
        let names: Vec<Vec<_>> =
            all.iter().map(|book| book.tags.iter().map(|tag| tag.name.as_str()).collect()).collect();
        assert_eq!(names, [vec!["poem", "short"], vec!["poem"], vec![]]);

        let mut tags = Tag::query().unwrap().order_by(Tag::id).get().await.unwrap();
        tags.load(Tag::books).await.unwrap();
        assert_eq!(titles(&tags[0].books), ["Rivers", "Hills"]);
        assert_eq!(tags[0].books[1].id, 2, "the key of the book, not of the tag");

        let rivers = &all[0];
        rivers.sync(Book::tags, [2, 3, 3]).await.unwrap();
        let mut rivers = rivers.clone();
        rivers.load(Book::tags).await.unwrap();
        assert_eq!(rivers.tags.iter().map(|tag| tag.id).collect::<Vec<_>>(), [2, 3]);
        rivers.attach(Book::tags, [3, 1]).await.unwrap();
        rivers.detach(Book::tags, [2]).await.unwrap();
        rivers.load(Book::tags).await.unwrap();
        assert_eq!(rivers.tags.iter().map(|tag| tag.id).collect::<Vec<_>>(), [1, 3]);
        assert_eq!(db().unwrap().table("book_tag").where_eq("book_id", 2).count().await.unwrap(), 1);
        rivers.sync(Book::tags, [] as [i64; 0]).await.unwrap();
        rivers.load(Book::tags).await.unwrap();
        assert!(rivers.tags.is_empty());
    })
    .await;
}

// spec: DAT-1
async fn rows_that_are_there_load_more(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let mut all = Book::query().unwrap().order_by(Book::id).get().await.unwrap();
        let log = db().unwrap().log_queries();
        all.load(Book::tags).await.unwrap();
        all.load(Book::author).await.unwrap();
        log.assert_queries(2);
        assert_eq!((all[0].tags.len(), all[2].author.name.as_str()), (2, "Grace"));
        let mut none: Vec<Book> = Vec::new();
        none.load(Book::tags).await.unwrap();
        log.assert_queries(0);
        let mut one = Book::find_or_404(1).await.unwrap();
        one.load(Book::author).await.unwrap();
        assert_eq!(one.author.name, "Ada");
    })
    .await;
}

// spec: DAT-1
async fn what_is_loaded_can_be_narrowed_sorted_and_load_more(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let log = db().unwrap().log_queries();
        let wanted = String::from("Mary");
        let authors = Author::query()
            .unwrap()
            .with(
                Author::books
                    .only(|books| books.order_by_desc(Book::title))
                    .with(Book::loans.only(|loans| loans.where_eq(Loan::reader, &wanted)))
                    .with(Book::tags),
            )
            .order_by(Author::id)
            .get()
            .await
            .unwrap();
        log.assert_queries(4);
        assert_eq!(titles(&authors[0].books), ["Rivers", "Hills"]);
        assert_eq!(authors[0].books[0].loans.len(), 1);
        assert_eq!(authors[0].books[0].tags.len(), 2);

        let one_each = Author::books.only(|books| books.limit(1));
        let error = Author::query().unwrap().with(one_each).get().await.unwrap_err().to_string();
        assert!(error.contains("no limit can be for each"), "{error}");
    })
    .await;
}

// spec: DAT-1
async fn rows_are_counted_without_being_read(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let log = db().unwrap().log_queries();
        let open = Book::loans.only(|loans| loans.where_eq(Loan::returned, false));
        let all =
            Book::query().unwrap().with_count(open).with_count(Book::tags).order_by(Book::id).get().await;
        log.assert_queries(3);
        let counts: Vec<_> =
            all.unwrap().iter().map(|book| (book.loans.count(), book.tags.count())).collect();
        assert_eq!(counts, [(1, 2), (0, 1), (0, 0)]);

        let mut one = Book::find_or_404(1).await.unwrap();
        one.load_count(Book::loans).await.unwrap();
        one.load(Book::loans.only(|loans| loans.where_eq(Loan::returned, false))).await.unwrap();
        assert_eq!((one.loans.count(), one.loans.len()), (2, 1), "both are asked for");
    })
    .await;
}

// spec: DAT-1
async fn the_number_of_queries_does_not_grow_with_the_rows(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let queries = async |expected: usize| {
            let log = db().unwrap().log_queries();
            let all = Book::query()
                .unwrap()
                .with(Book::author)
                .with(Book::tags)
                .with(Book::last_loan)
                .with(Book::loans.with(Loan::book.with(Book::author)))
                .with_count(Book::loans)
                .get()
                .await
                .unwrap();
            log.assert_queries(expected);
            all.len()
        };
        let few = queries(8).await;
        let now = time::OffsetDateTime::now_utc();
        let more = (0..200).map(|number| {
            record! {
                "title" => format!("Book {number}"), "author_id" => 1 + number % 2,
                "created_at" => now, "updated_at" => now,
            }
        });
        db().unwrap().table("books").insert_many(more).await.unwrap();
        assert_eq!(queries(8).await, few + 200);
    })
    .await;
}

// spec: DAT-1
async fn a_table_can_lead_to_itself(test: TestDatabase) {
    inside(&test, async {
        for (code, outer) in
            [("hall", None), ("room", Some("hall")), ("a", Some("room")), ("b", Some("room"))]
        {
            Place::create(record! { Place::code => code, Place::inside_of => outer }).await.unwrap();
        }
        let places = Place::query().unwrap().with(Place::outer.with(Place::outer)).with(Place::inner);
        let places = places.order_by(Place::code).get().await.unwrap();
        let [a, _, hall, room] = &places[..] else { panic!("{places:?}") };
        assert_eq!(a.outer.as_ref().unwrap().outer.as_ref().unwrap().code, "hall");
        assert!(hall.outer.is_none());
        assert_eq!(room.inner.iter().map(|place| place.code.as_str()).collect::<Vec<_>>(), ["a", "b"]);
        let in_hall = Place::outer.only(|outer| outer.where_eq(Place::code, "hall"));
        assert_eq!(
            Place::query().unwrap().where_has(in_hall).pluck::<String>(Place::code).await.unwrap(),
            ["room"]
        );
        let leaves = Place::query().unwrap().where_has_none(Place::inner).order_by(Place::code);
        assert_eq!(leaves.pluck::<String>(Place::code).await.unwrap(), ["a", "b"]);
    })
    .await;
}

// spec: DAT-1
async fn what_was_not_loaded_is_not_looked_at_in_silence(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let log = db().unwrap().log_queries();
        let book = Book::find_or_404(1).await.unwrap();
        assert!(
            book.author.loaded().is_none()
                && book.tags.loaded().is_none()
                && book.last_loan.loaded().is_none()
        );
        let looked = catch_unwind(AssertUnwindSafe(|| book.author.name.clone())).unwrap_err();
        let said = looked.downcast_ref::<String>().unwrap();
        assert!(said.contains("a BelongsTo<Author> was looked at that was never loaded"), "{said}");
        assert!(catch_unwind(AssertUnwindSafe(|| book.tags.len())).is_err());
        log.assert_queries(1);
    })
    .await;
}

async fn a_loaded_row_is_written_as_json_with_what_was_loaded(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let book = Book::query()
            .unwrap()
            .with(Book::author)
            .with(Book::tags)
            .order_by(Book::id)
            .first_or_404()
            .await;
        let json = serde_json::to_value(book.unwrap()).unwrap();
        assert_eq!((&json["author"]["name"], &json["tags"][1]["name"]), (&"Ada".into(), &"short".into()));
        assert!(json["loans"].is_null());
    })
    .await;
}

// spec: DAT-1
async fn a_page_a_piece_and_the_first_row_are_loaded_too(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let query = || Book::query().unwrap().with(Book::author).order_by(Book::id);
        let log = db().unwrap().log_queries();
        let page = query().paginate(2, 2).await.unwrap();
        log.assert_queries(3);
        assert_eq!(page.items[0].author.name, "Grace");
        assert_eq!(query().first().await.unwrap().unwrap().author.name, "Ada");
        let mut chunks = query().chunk_by(Book::id, 2);
        assert_eq!(chunks.next().await.unwrap().unwrap()[1].author.name, "Ada");
    })
    .await;
}

async fn a_transaction_loads_what_it_wrote(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let outcome: housekey_core::Result<()> = test
            .db
            .transaction(async |tx| {
                let grace = Author::on(&tx).find_or_404(2).await?;
                let book = record! { Book::title => "Seas", Book::author_id => grace.id };
                Book::on(&tx).create(book).await?;
                let grace = Author::on(&tx)
                    .query()
                    .with(Author::books)
                    .where_eq(Author::id, 2)
                    .first_or_404()
                    .await?;
                assert_eq!(titles(&grace.books), ["Roads", "Seas"]);
                let mut all = Author::on(&tx).all().await?;
                Author::on(&tx).load(&mut all, Author::books).await?;
                assert_eq!(all.iter().map(|author| author.books.len()).sum::<usize>(), 4);
                Err(housekey_core::Error::internal("on purpose"))
            })
            .await;
        assert!(outcome.is_err());
        assert_eq!(Book::query().unwrap().count().await.unwrap(), 3);
    })
    .await;
}

async fn a_row_that_is_twice_in_a_result_has_its_rows_twice(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let tagged = Book::query().unwrap().join("book_tag", "book_tag.book_id", Book::id).with(Book::loans);
        let all = tagged.order_by(Book::id).get().await.unwrap();
        let counts: Vec<_> = all.iter().map(|book| (book.id, book.loans.len())).collect();
        assert_eq!(counts, [(1, 2), (1, 2), (2, 0)]);
    })
    .await;
}
