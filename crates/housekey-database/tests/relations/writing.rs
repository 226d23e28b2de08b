//! What is saved, what is made when it is missing, and what comes back.

use housekey_core::Result;
use housekey_database::testing::TestDatabase;
use housekey_database::{FromRow, Model, db, on_every_engine, record};
use time::OffsetDateTime;

use crate::relations::shelf::{Author, Book, Tag, books, inside, titles};

on_every_engine!(
    saving_writes_what_changed,
    a_lost_update_is_an_error,
    copies_that_are_saved_at_the_same_time_are_saved_once,
    some_columns_are_set_here_and_there,
    a_row_is_found_or_made,
    a_row_is_changed_or_made,
    a_row_that_is_asked_for_by_many_is_made_once,
    a_row_that_another_transaction_made_is_found,
    a_deleted_row_is_gone_and_comes_back,
    a_copy_from_before_a_row_was_deleted_does_not_bring_it_back,
    a_copy_that_knows_that_its_row_is_deleted_can_be_saved,
    to_delete_and_to_restore_are_changes,
    whoever_restores_a_row_can_go_on_with_it,
    no_condition_leads_around_deletion,
);

// spec: DAT-2
async fn saving_writes_what_changed(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let mut mine = Book::find_or_404(1).await.unwrap();
        let log = db().unwrap().log_queries();
        mine.save().await.unwrap();
        log.assert_queries(0);
        mine.title = "Streams".into();
        mine.save().await.unwrap();
        let statements = log.statements();
        let [update] = &statements[..] else { panic!("{statements:?}") };
        assert!(update.contains("title") && !update.contains("pages"), "{update}");
        mine.pages = 5;
        mine.save().await.unwrap();
        let found = Book::find_or_404(1).await.unwrap();
        assert_eq!((found.title.as_str(), found.pages, found.version), ("Streams", 5, 3));
        assert_eq!((mine.version, mine.updated_at), (3, found.updated_at), "the copy at hand knows");
    })
    .await;
}

// spec: DAT-2
async fn a_lost_update_is_an_error(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let (mut mine, mut theirs) =
            (Book::find_or_404(1).await.unwrap(), Book::find_or_404(1).await.unwrap());
        theirs.title = "Theirs".into();
        theirs.save().await.unwrap();
        mine.title = "Mine".into();
        let error = mine.save().await.unwrap_err();
        assert_eq!((error.status().as_u16(), error.code()), (409, Some("STALE_ROW")));
        let error = mine.update(record! { Book::pages => 1 }).await.unwrap_err();
        assert_eq!(error.status(), 409);
        assert_eq!(Book::find_or_404(1).await.unwrap(), theirs);

        theirs.force_delete().await.unwrap();
        assert_eq!(mine.save().await.unwrap_err().status(), 404);
    })
    .await;
}

// spec: DAT-2
async fn copies_that_are_saved_at_the_same_time_are_saved_once(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let book = Book::find_or_404(1).await.unwrap();
        let saves = (1..=10).map(|number| {
            let mut copy = book.clone();
            copy.pages = 1000 + number;
            async move { copy.save().await }
        });
        let outcomes = futures_util::future::join_all(saves).await;
        assert_eq!(outcomes.iter().filter(|outcome| outcome.is_ok()).count(), 1);
        assert!(
            outcomes.iter().flat_map(|outcome| outcome.as_ref().err()).all(|error| error.status() == 409)
        );
        assert_eq!(Book::find_or_404(1).await.unwrap().version, 2);
    })
    .await;
}

// spec: DAT-2
async fn some_columns_are_set_here_and_there(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let mut book = Book::find_or_404(1).await.unwrap();
        book.title = "Not yet".into();
        book.update(record! { Book::pages => 9, Book::editor_id => 2 }).await.unwrap();
        let found = Book::find_or_404(1).await.unwrap();
        assert_eq!((found.pages, found.editor_id, found.title.as_str()), (9, Some(2), "Rivers"));
        assert_eq!((book.pages, book.editor_id, book.version), (9, Some(2), 2));
        book.save().await.unwrap();
        assert_eq!(Book::find_or_404(1).await.unwrap().title, "Not yet");
    })
    .await;
}

async fn a_row_is_found_or_made(test: TestDatabase) {
    inside(&test, async {
        let name = |name: &str| record! { Tag::name => name };
        let made = Tag::first_or_create(name("poem"), record! {}).await.unwrap();
        assert_eq!(Tag::first_or_create(name("poem"), record! { Tag::id => 99 }).await.unwrap(), made);
        let other = Tag::first_or_create(name("short"), record! { Tag::id => 99 }).await.unwrap();
        assert_eq!((other.id, other.name.as_str()), (99, "short"));
    })
    .await;
}

async fn a_row_is_changed_or_made(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let find = || record! { Book::title => "Rivers" };
        let book = Book::update_or_create(find(), record! { Book::pages => 11 }).await.unwrap();
        assert_eq!((book.id, book.pages, book.version), (1, 11, 2));
        let set = record! { Book::pages => 12, Book::author_id => 2 };
        let book = Book::update_or_create(record! { Book::title => "Seas" }, set).await.unwrap();
        assert_eq!((book.title.as_str(), book.pages, book.version), ("Seas", 12, 1));
    })
    .await;
}

async fn a_row_that_is_asked_for_by_many_is_made_once(test: TestDatabase) {
    inside(&test, async {
        let asks = (0..10).map(|_| Tag::first_or_create(record! { Tag::name => "poem" }, record! {}));
        let tags = futures_util::future::join_all(asks).await;
        let ids: std::collections::HashSet<i64> = tags.into_iter().map(|tag| tag.unwrap().id).collect();
        assert_eq!(ids.len(), 1);
    })
    .await;
}

/// Nobody but this transaction knows that it saw nothing: the row comes in between looking and making.
async fn a_row_that_another_transaction_made_is_found(test: TestDatabase) {
    inside(&test, async {
        let other = test.database();
        if test.db.driver() == housekey_database::Driver::Sqlite {
            // There a transaction is alone.
            Tag::on(&other).create(record! { Tag::name => "poem" }).await.unwrap();
        }
        let outcome: Result<i64> = test
            .db
            .transaction(async |tx| {
                let looked = Tag::on(&tx).query().where_eq(Tag::name, "poem").exists().await?;
                if !looked {
                    Tag::on(&other).create(record! { Tag::name => "poem" }).await?;
                }
                let tag = Tag::on(&tx).first_or_create(record! { Tag::name => "poem" }, record! {}).await?;
                // The transaction goes on.
                Author::on(&tx).create(record! { Author::name => "Ada" }).await?;
                Ok(tag.id)
            })
            .await;
        assert_eq!(outcome.unwrap(), Tag::query().unwrap().value::<i64>(Tag::id).await.unwrap().unwrap());
        assert_eq!(Author::query().unwrap().count().await.unwrap(), 1);
        other.close().await;
    })
    .await;
}

async fn a_deleted_row_is_gone_and_comes_back(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let query = || Book::query().unwrap();
        let mut rivers = Book::find_or_404(1).await.unwrap();
        rivers.delete().await.unwrap();
        assert_eq!(Book::find(1).await.unwrap(), None);
        assert_eq!(query().count().await.unwrap(), 2);
        assert_eq!(query().with_deleted().count().await.unwrap(), 3);
        let gone = query().only_deleted().get().await.unwrap();
        assert_eq!(titles(&gone), ["Rivers"]);
        assert!(gone[0].deleted_at.is_some());
        let joined = query().join("authors", Author::id, Book::author_id);
        assert_eq!(joined.count().await.unwrap(), 2);

        rivers.restore().await.unwrap();
        assert!(Book::find_or_404(1).await.unwrap().deleted_at.is_none());
        assert_eq!(query().where_eq(Book::author_id, 1).delete().await.unwrap(), 2);
        assert_eq!(query().restore().await.unwrap(), 2);
        query().where_eq(Book::id, 2).delete().await.unwrap();
        assert_eq!(query().only_deleted().force_delete().await.unwrap(), 1);
        rivers.force_delete().await.unwrap();
        assert_eq!(query().with_deleted().count().await.unwrap(), 1);
        let error = Tag::query().unwrap().restore().await.unwrap_err().to_string();
        assert!(error.contains("no soft_deletes"), "{error}");
    })
    .await;
}

/// A book that keeps neither what it was nor how often it was changed: all of it is saved.
#[derive(Clone, Debug, FromRow, Model)]
#[row(crate = "housekey_database")]
#[model(table = "books", soft_deletes)]
struct PlainBook {
    id: i64,
    title: String,
    deleted_at: Option<OffsetDateTime>,
}

// spec: DAT-2
async fn a_copy_from_before_a_row_was_deleted_does_not_bring_it_back(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let mut mine = Book::find_or_404(1).await.unwrap();
        let mut plain = PlainBook::find_or_404(1).await.unwrap();
        Book::find_or_404(1).await.unwrap().delete().await.unwrap();
        mine.title = "Mine".into();
        assert_eq!(mine.save().await.unwrap_err().status(), 404);
        assert_eq!(mine.update(record! { Book::pages => 1 }).await.unwrap_err().status(), 404);
        plain.title = "Plain".into();
        assert_eq!(plain.save().await.unwrap_err().status(), 404);
        assert_eq!(plain.update(record! { PlainBook::title => "Plain" }).await.unwrap_err().status(), 404);
        let gone = Book::query().unwrap().only_deleted().get().await.unwrap();
        assert_eq!((titles(&gone), gone[0].pages), (vec!["Rivers"], 100));
    })
    .await;
}

// spec: DAT-2
async fn a_copy_that_knows_that_its_row_is_deleted_can_be_saved(test: TestDatabase) {
    inside(&test, async {
        books().await;
        Book::query().unwrap().where_in(Book::id, [1, 2]).delete().await.unwrap();
        let deleted = Book::query().unwrap().only_deleted();
        let mut rivers = deleted.clone().where_eq(Book::id, 1).first_or_404().await.unwrap();
        rivers.title = "Streams".into();
        rivers.save().await.unwrap();
        let mut hills =
            PlainBook::query().unwrap().only_deleted().where_eq("id", 2).first_or_404().await.unwrap();
        hills.title = "Mountains".into();
        hills.save().await.unwrap();
        let found = deleted.clone().order_by(Book::id).get().await.unwrap();
        assert_eq!(titles(&found), ["Streams", "Mountains"], "they are still deleted");

        // What it was decides, not what it is to be.
        rivers.deleted_at = None;
        rivers.save().await.unwrap();
        assert_eq!(Book::find_or_404(1).await.unwrap().title, "Streams");
    })
    .await;
}

// spec: DAT-2
async fn to_delete_and_to_restore_are_changes(test: TestDatabase) {
    inside(&test, async {
        books().await;
        let (mut mine, mut theirs) =
            (Book::find_or_404(1).await.unwrap(), Book::find_or_404(1).await.unwrap());
        theirs.delete().await.unwrap();
        theirs.restore().await.unwrap();
        mine.title = "Mine".into();
        assert_eq!(mine.save().await.unwrap_err().code(), Some("STALE_ROW"));

        let mut mine = Book::find_or_404(1).await.unwrap();
        Book::query().unwrap().where_eq(Book::id, 1).delete().await.unwrap();
        Book::query().unwrap().where_eq(Book::id, 1).restore().await.unwrap();
        mine.title = "Mine".into();
        assert_eq!(mine.save().await.unwrap_err().code(), Some("STALE_ROW"));
        assert_eq!(Book::find_or_404(1).await.unwrap().title, "Rivers");
    })
    .await;
}

// spec: DAT-2
async fn whoever_restores_a_row_can_go_on_with_it(test: TestDatabase) {
    inside(&test, async {
        books().await;
        // One copy has seen that the row is deleted, the other has deleted it.
        let mut rivers = Book::find_or_404(1).await.unwrap();
        rivers.delete().await.unwrap();
        rivers.restore().await.unwrap();
        rivers.title = "Streams".into();
        rivers.save().await.unwrap();
        rivers.delete().await.unwrap();
        let mut seen = Book::query().unwrap().only_deleted().first_or_404().await.unwrap();
        seen.restore().await.unwrap();
        seen.restore().await.unwrap();
        seen.title = "Rivers".into();
        seen.save().await.unwrap();
        assert_eq!(Book::find_or_404(1).await.unwrap(), seen);

        // Who has missed a change before the row was deleted has missed it still.
        let mut missed = Book::find_or_404(1).await.unwrap();
        seen.title = "Brooks".into();
        seen.save().await.unwrap();
        seen.delete().await.unwrap();
        missed.restore().await.unwrap();
        missed.title = "Mine".into();
        assert_eq!(missed.save().await.unwrap_err().code(), Some("STALE_ROW"));
        assert_eq!(Book::find_or_404(1).await.unwrap().title, "Brooks");
    })
    .await;
}

async fn no_condition_leads_around_deletion(test: TestDatabase) {
    inside(&test, async {
        books().await;
        Book::find_or_404(1).await.unwrap().delete().await.unwrap();
        let either = Book::query().unwrap().where_eq(Book::id, 2).or_where(|or| or.where_eq(Book::id, 1));
        assert_eq!(either.pluck::<i64>(Book::id).await.unwrap(), [2]);
        let raw = Book::query().unwrap().where_expr(housekey_database::sql::Expr::cust("1 = 1 OR 1 = 1"));
        assert_eq!(raw.count().await.unwrap(), 2);
        assert_eq!(
            Book::query().unwrap().where_eq(Book::id, 1).update(record! { Book::pages => 1 }).await.unwrap(),
            0
        );
    })
    .await;
}
