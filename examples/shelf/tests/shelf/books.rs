use housekey::http_client::Http;
use housekey::prelude::*;
use housekey::serde_json::json;
use housekey::testing::TestApp;

use crate::support::{FORM, book, form_with, lent, librarian, reader};
use shelf::models::Book;

#[housekey::test]
async fn guests_are_sent_to_sign_in(app: TestApp) {
    app.get("/books").await.assert_redirect("/sign-in");
}

#[housekey::test]
async fn the_list_shows_what_is_there_and_what_is_lent(app: TestApp) {
    let (rita, browser) = reader(&app).await;
    let lent_book = book(&app, record! { Book::title => "Emma" }).await;
    book(&app, record! { Book::title => "Persuasion" }).await;
    lent(&app, &lent_book, &rita).await;

    let page = browser.get("/books").await;
    page.assert_ok().assert_see("Emma").assert_see("Persuasion");
    assert_eq!(page.text().matches("data-state=\"in\" hidden").count(), 1);
    assert_eq!(page.text().matches("data-state=\"out\" hidden").count(), 1);
}

// spec: DAT-1
#[housekey::test]
async fn the_list_takes_as_many_queries_for_twenty_books_as_for_one(app: TestApp) {
    let (rita, browser) = reader(&app).await;
    let only = book(&app, record! {}).await;
    lent(&app, &only, &rita).await;
    let few = browser.get("/books").await.assert_ok().queries().len();
    for _ in 0..25 {
        let another = book(&app, record! {}).await;
        lent(&app, &another, &rita).await;
    }
    browser.get("/books").await.assert_ok().assert_queries(few);
    // Who is there, the books, how many there are, their tags, who has them, and the tags to choose from.
    assert_eq!(few, 6);
}

#[housekey::test]
async fn words_are_found_in_title_author_and_number_whatever_their_case(app: TestApp) {
    let (_, browser) = reader(&app).await;
    book(&app, record! { Book::title => "The Sea, the Sea", Book::author => "Iris Murdoch", Book::isbn => "9780099284093" }).await;
    book(&app, record! { Book::title => "100% Cotton", Book::author => "Somebody" }).await;

    for words in ["sea", "MURDOCH", "97800992"] {
        let page = browser.get(&format!("/books?search={words}")).await;
        page.assert_ok().assert_see("The Sea, the Sea").assert_dont_see("Cotton");
    }
    // A sign of the engine's own is a letter like any other.
    browser.get("/books?search=100%25").await.assert_see("Cotton").assert_dont_see("The Sea, the Sea");
    browser.get("/books?search=nothing+like+it").await.assert_ok().assert_see("No such book");
}

// spec: DAT-3
#[housekey::test]
async fn the_list_is_sorted_as_asked_and_has_pages(app: TestApp) {
    let (_, browser) = reader(&app).await;
    for number in 10..35 {
        let (title, author) = (format!("Title {number}"), format!("Author {}", 99 - number));
        book(&app, record! { Book::title => title, Book::author => author }).await;
    }
    browser.get("/books").await.assert_see("Title 10").assert_dont_see("Title 34");
    browser.get("/books?page=2").await.assert_see("Title 34").assert_dont_see("Title 10");
    browser.get("/books?sort=author").await.assert_see("Title 34").assert_dont_see("Title 10");
    browser.get("/books?sort=shoes").accept_json().await.assert_invalid("sort");
}

#[housekey::test]
async fn a_librarian_adds_a_book(app: TestApp) {
    let browser = librarian(&app).await;
    browser
        .post("/books")
        .form(&FORM)
        .follow_redirects()
        .await
        .assert_ok()
        .assert_see("“The Sea” is on the shelf.");
    app.assert_database_has(
        "books",
        record! { "isbn" => "9780330483292", "title" => "The Sea", "pages" => 264 },
    )
    .await;
    // `Sea` and `sea` are one tag.
    app.assert_database_count("book_tag", 2).await;
}

#[housekey::test]
async fn a_number_is_there_once(app: TestApp) {
    let browser = librarian(&app).await;
    let other = book(&app, record! { Book::isbn => "9780330483292" }).await;
    browser.post("/books").form(&FORM).accept_json().await.assert_invalid("isbn");
    // The book itself may keep its own.
    browser.put(&format!("/books/{}", other.id)).form(&FORM).accept_json().await.assert_valid();
    app.assert_database_has("books", record! { "id" => other.id, "title" => "The Sea" }).await;
}

#[housekey::test]
async fn what_is_wrong_with_a_form_is_said_at_its_fields(app: TestApp) {
    let browser = librarian(&app).await;
    for (field, value) in [
        ("title", ""),
        ("isbn", "12345"),
        ("pages", "-3"),
        ("price", "a lot"),
        ("condition", "burnt"),
        ("bought_on", "2026-02-30"),
    ] {
        browser.post("/books").form(&form_with(field, value)).accept_json().await.assert_invalid(field);
    }
    app.assert_database_count("books", 0).await;
}

#[housekey::test]
async fn readers_may_look_and_change_nothing(app: TestApp) {
    let (_, browser) = reader(&app).await;
    let book = book(&app, record! {}).await;
    let address = format!("/books/{}", book.id);
    browser.get(&address).await.assert_ok().assert_dont_see("Remove");
    browser.get("/books/new").await.assert_forbidden();
    // Not what is wrong with the form: that would be for somebody who may send it.
    browser.post("/books").form(&[("title", "")]).await.assert_forbidden();
    browser.put(&address).form(&[("title", "")]).await.assert_forbidden();
    browser.delete(&address).await.assert_forbidden();
    browser.get("/books.csv").await.assert_forbidden();
    browser.get("/activity").await.assert_forbidden();
    app.assert_database_has("books", record! { "id" => book.id, "version" => 1 }).await;
}

// spec: DAT-2
#[housekey::test]
async fn a_form_that_is_older_than_the_book_changes_nothing(app: TestApp) {
    let browser = librarian(&app).await;
    let book = book(&app, record! {}).await;
    let address = format!("/books/{}", book.id);
    browser.put(&address).form(&form_with("version", "1")).await.assert_redirect(&address);
    let mut late = form_with("title", "Late");
    late.push(("version", "1"));
    browser
        .put(&address)
        .form(&late)
        .referer(&format!("{address}/edit"))
        .follow_redirects()
        .await
        .assert_see("Somebody else changed this book");
    app.assert_database_has("books", record! { "id" => book.id, "title" => "The Sea" }).await;
}

// spec: DAT-3
#[housekey::test]
async fn a_book_that_is_removed_is_found_no_more_unless_it_is_lent(app: TestApp) {
    let browser = librarian(&app).await;
    let (rita, _) = reader(&app).await;
    let book = book(&app, record! {}).await;
    let address = format!("/books/{}", book.id);
    let mut loan = lent(&app, &book, &rita).await;
    browser
        .delete(&address)
        .referer(&address)
        .follow_redirects()
        .await
        .assert_see("This book is still lent.");
    app.within(loan.take_back()).await.unwrap();
    browser.delete(&address).follow_redirects().await.assert_see("is off the shelf");
    browser.get(&address).await.assert_not_found();
    browser.get("/books").await.assert_see("No such book");
}

#[housekey::test]
async fn a_book_nobody_counted_is_looked_up(app: TestApp) {
    let browser = librarian(&app).await;
    let found = json!({ "ISBN:9780330483292": { "number_of_pages": 200 } });
    let fake = app.services().require::<Http>().unwrap().fake([("https://openlibrary.org/*", found)]);
    browser.post("/books").form(&form_with("pages", "")).await.assert_redirect("/books/1");
    app.assert_database_has("books", record! { "isbn" => "9780330483292", "pages" => 200 }).await;
    fake.assert_sent_count(1);
}
