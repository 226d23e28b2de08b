use housekey::prelude::*;
use housekey::testing::TestApp;

use crate::support::{book, form_with, librarian, reader};
use shelf::models::{Book, Tag};

#[housekey::test]
async fn books_are_found_by_their_tags(app: TestApp) {
    let (_, browser) = reader(&app).await;
    let (sea, hills) = (
        book(&app, record! { Book::title => "Moby-Dick" }).await,
        book(&app, record! { Book::title => "Heidi" }).await,
    );
    let tag = async {
        sea.sync(Book::tags, Tag::keys_of("sea, novel").await?).await?;
        hills.sync(Book::tags, Tag::keys_of("hills, novel").await?).await
    };
    app.within(tag).await.unwrap();
    browser.get("/books?tag=sea").await.assert_see("Moby-Dick").assert_dont_see("Heidi");
    browser.get("/books?tag=novel").await.assert_see("Moby-Dick").assert_see("Heidi");
}

#[housekey::test]
async fn a_book_has_the_tags_of_its_form_and_no_others(app: TestApp) {
    let browser = librarian(&app).await;
    let book = book(&app, record! {}).await;
    app.within(async { book.sync(Book::tags, Tag::keys_of("hills").await?).await }).await.unwrap();
    let address = format!("/books/{}", book.id);
    browser.put(&address).form(&form_with("tags", "sea, poem")).await.assert_redirect(&address);
    browser.get(&format!("{address}/edit")).await.assert_see("poem, sea");
    app.assert_database_count("book_tag", 2).await;
    // The word itself stays, for the next book.
    app.assert_database_count("tags", 3).await;
}
