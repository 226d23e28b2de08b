use housekey::prelude::*;
use housekey::testing::TestApp;

use crate::support::{FORM, book, lent, librarian, reader};

#[housekey::test]
async fn what_is_done_with_books_is_written_down(app: TestApp) {
    let browser = librarian(&app).await;
    browser.post("/books").form(&FORM).await.assert_redirect("/books/1");
    let mut form = FORM;
    form[0] = ("title", "The Other Sea");
    browser.put("/books/1").form(&form).await.assert_redirect("/books/1");
    browser.post("/books/1/loans").referer("/books/1").await.assert_redirect("/books/1");
    browser.delete("/loans/1").referer("/loans").await.assert_redirect("/loans");
    browser.delete("/books/1").await.assert_redirect("/books");

    for (action, details) in [("added", ""), ("changed", "title"), ("returned", ""), ("removed", "")] {
        app.assert_database_has(
            "audit_entries",
            record! { "book_id" => 1, "action" => action, "details" => details },
        )
        .await;
    }
    let page = browser.get("/activity").await;
    page.assert_ok().assert_see("Lib Rarian").assert_see("The Other Sea").assert_see("lent");
}

// spec: WRK-2
#[housekey::test]
async fn what_is_taken_back_was_never_done(app: TestApp) {
    let (rita, _) = reader(&app).await;
    let book = book(&app, record! {}).await;
    lent(&app, &book, &rita).await;
    app.assert_database_count("audit_entries", 2).await;
    let again = app.within(shelf::models::Loan::lend(&book, &rita.id)).await.unwrap();
    assert!(again.is_none());
    app.assert_database_count("audit_entries", 2).await;
}

#[housekey::test]
async fn the_page_takes_as_many_queries_for_fifty_entries_as_for_one(app: TestApp) {
    let browser = librarian(&app).await;
    book(&app, record! {}).await;
    let few = browser.get("/activity").await.assert_ok().queries().len();
    for _ in 0..60 {
        book(&app, record! {}).await;
    }
    browser.get("/activity").await.assert_ok().assert_queries(few);
}
