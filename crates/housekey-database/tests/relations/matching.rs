//! Rows are chosen by the rows that they lead to.

use housekey_database::testing::TestDatabase;
use housekey_database::{Model, on_every_engine, record};

use crate::relations::shelf::{Author, Book, Loan, Tag, books, inside};

on_every_engine!(
    rows_are_chosen_by_what_they_have,
    rows_are_chosen_by_what_they_lack,
    a_choice_goes_through_several_relations,
    a_choice_stands_among_other_conditions,
    a_scope_is_a_condition_with_a_name,
    what_was_deleted_softly_is_no_longer_had,
);

// spec: DAT-1
async fn rows_are_chosen_by_what_they_have(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let ids = async |query: housekey_database::Query<Book>| {
            query.order_by(Book::id).pluck::<i64>(Book::id).await.unwrap()
        };
        let query = || Book::query().unwrap();
        assert_eq!(ids(query().where_has(Book::loans)).await, [1]);
        assert_eq!(ids(query().where_has(Book::tags)).await, [1, 2]);
        assert_eq!(ids(query().where_has(Book::editor)).await, [3]);
        let short = Book::tags.only(|tags| tags.where_eq(Tag::name, "short"));
        assert_eq!(ids(query().where_has(short)).await, [1]);
        let grace = String::from("Grace");
        let by_grace = Book::author.only(|authors| authors.where_eq(Author::name, &grace));
        assert_eq!(ids(query().where_has(by_grace)).await, [3]);
    })
    .await;
}

// spec: DAT-1
async fn rows_are_chosen_by_what_they_lack(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let ids = async |query: housekey_database::Query<Book>| {
            query.order_by(Book::id).pluck::<i64>(Book::id).await.unwrap()
        };
        let query = || Book::query().unwrap();
        assert_eq!(ids(query().where_has_none(Book::loans)).await, [2, 3]);
        assert_eq!(ids(query().where_has_none(Book::editor)).await, [1, 2], "an empty column leads nowhere");
        assert_eq!(ids(query().where_has_none(Book::tags)).await, [3]);
        let short = Book::tags.only(|tags| tags.where_eq(Tag::name, "short"));
        assert_eq!(ids(query().where_has_none(short)).await, [2, 3]);
    })
    .await;
}

// spec: DAT-1
async fn a_choice_goes_through_several_relations(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let lent = Author::books
            .only(|books| books.where_has(Book::loans.only(|loans| loans.where_eq(Loan::returned, false))));
        let names = Author::query().unwrap().where_has(lent).pluck::<String>(Author::name).await.unwrap();
        assert_eq!(names, ["Ada"]);
    })
    .await;
}

// spec: DAT-1
async fn a_choice_stands_among_other_conditions(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let either =
            Book::query().unwrap().where_any(|any| any.where_has(Book::loans).where_eq(Book::title, "Roads"));
        assert_eq!(either.order_by(Book::id).pluck::<i64>(Book::id).await.unwrap(), [1, 3]);
        let touched =
            Book::query().unwrap().where_has(Book::tags).update(record! { Book::pages => 7 }).await.unwrap();
        assert_eq!(touched, 2);
        let joined =
            Book::query().unwrap().join("authors", Author::id, Book::author_id).where_has(Book::loans);
        assert_eq!(joined.where_eq(Author::name, "Ada").count().await.unwrap(), 1);
    })
    .await;
}

async fn a_scope_is_a_condition_with_a_name(test: TestDatabase) {
    inside(&test, async {
        books().await;
        assert_eq!(Book::query().unwrap().scope(Book::long).count().await.unwrap(), 2);
        let authors =
            Author::query().unwrap().where_has(Author::books.only(Book::long)).count().await.unwrap();
        assert_eq!(authors, 2);
    })
    .await;
}

async fn what_was_deleted_softly_is_no_longer_had(test: TestDatabase) {
    inside(&test, async {
        books().await;
        Book::find_or_404(3).await.unwrap().delete().await.unwrap();
        assert_eq!(Author::query().unwrap().where_has(Author::books).count().await.unwrap(), 1);
        let all = Author::query().unwrap().with(Author::books).with_count(Author::books).order_by(Author::id);
        let all = all.get().await.unwrap();
        assert_eq!((all[1].books.len(), all[1].books.count()), (0, 0));
        let all = Author::books.only(|books| books.with_deleted());
        assert_eq!(Author::query().unwrap().where_has(all).count().await.unwrap(), 2);

        // A loan is still one of that book.
        Loan::create(record! { Loan::book_id => 3, Loan::reader => "Mary" }).await.unwrap();
        let loan =
            Loan::query().unwrap().with(Loan::book).order_by_desc(Loan::id).first_or_404().await.unwrap();
        assert!(loan.book.deleted_at.is_some());
    })
    .await;
}
