use housekey::prelude::*;
use housekey::testing::{TestApp, both};

use crate::support::{book, lent, librarian, mails, reader};
use shelf::factories::UserFactory;
use shelf::models::{Loan, User};

#[housekey::test]
async fn a_reader_borrows_a_book_and_brings_it_back(app: TestApp) {
    let (rita, browser) = reader(&app).await;
    let mails = mails(&app);
    let book = book(&app, record! { "title" => "Emma" }).await;
    let address = format!("/books/{}", book.id);
    browser.post(&format!("{address}/loans")).referer(&address).await.assert_redirect(&address);
    app.assert_database_has(
        "loans",
        record! { "book_id" => book.id, "user_id" => rita.id.as_str(), "is_open" => true },
    )
    .await;
    mails.assert_subject(&rita.email, "Enjoy “Emma”");
    browser.get("/loans").await.assert_see("Emma").assert_see("With you");

    browser
        .delete("/loans/1")
        .referer("/loans")
        .follow_redirects()
        .await
        .assert_see("Thank you")
        .assert_see("Returned on");
    app.assert_database_has("loans", record! { "id" => 1, "is_open" => None::<bool> }).await;
    // Again, from an old page: nothing happens.
    browser.delete("/loans/1").referer("/loans").await.assert_redirect("/loans");
    // Now somebody else may have it.
    let (_, other) = reader(&app).await;
    other
        .post(&format!("{address}/loans"))
        .referer(&address)
        .follow_redirects()
        .await
        .assert_see("Enjoy it!");
}

#[housekey::test]
async fn a_book_is_lent_once_however_many_ask_at_once(app: TestApp) {
    let book = book(&app, record! {}).await;
    let (path, page) = (format!("/books/{}/loans", book.id), format!("/books/{}", book.id));
    let ((_, first), (_, second)) = (reader(&app).await, reader(&app).await);
    let (one, two) = both(first.post(&path).referer(&page), second.post(&path).referer(&page)).await;
    one.assert_redirect(&page);
    two.assert_redirect(&page);
    app.assert_database_count("loans", 1).await;
    let (one, two) = (first.get(&page).await.text(), second.get(&page).await.text());
    let warned = [&one, &two].iter().filter(|page| page.contains("Somebody was faster")).count();
    assert_eq!(warned, 1);
}

#[housekey::test]
async fn who_has_not_proven_their_address_borrows_nothing(app: TestApp) {
    let person: User = app.within(UserFactory::unverified()).await.unwrap();
    let browser = app.signed_in(&person).await;
    let book = book(&app, record! {}).await;
    let answer = browser.post(&format!("/books/{}/loans", book.id)).await;
    answer.assert_forbidden().assert_see("Confirm your address");
    app.assert_database_count("loans", 0).await;
}

#[housekey::test]
async fn only_who_has_a_book_and_librarians_bring_it_back(app: TestApp) {
    let (rita, _) = reader(&app).await;
    let (_, stranger) = reader(&app).await;
    let loan = lent(&app, &book(&app, record! {}).await, &rita).await;
    let path = format!("/loans/{}", loan.id);
    stranger.delete(&path).await.assert_forbidden();
    app.assert_database_has("loans", record! { "id" => loan.id, "is_open" => true }).await;
    librarian(&app).await.delete(&path).referer("/books").await.assert_redirect("/books");
    app.assert_database_has("loans", record! { "id" => loan.id, "is_open" => None::<bool> }).await;
}

// spec: DAT-1, DAT-3
#[housekey::test]
async fn people_see_their_own_loans_page_by_page_with_the_same_queries(app: TestApp) {
    let (rita, browser) = reader(&app).await;
    let (other, _) = reader(&app).await;
    lent(&app, &book(&app, record! { "title" => "Not hers" }).await, &other).await;
    lent(&app, &book(&app, record! { "title" => "The first" }).await, &rita).await;
    let few = browser.get("/loans").await.assert_see("The first").assert_dont_see("Not hers").queries().len();
    for _ in 0..21 {
        lent(&app, &book(&app, record! {}).await, &rita).await;
    }
    let page = browser.get("/loans").await;
    page.assert_dont_see("The first").assert_see("after=").assert_queries(few);
}

#[housekey::test]
async fn a_loan_outlives_the_account_of_its_reader(app: TestApp) {
    let (rita, _) = reader(&app).await;
    let book = book(&app, record! {}).await;
    let loan: Loan = lent(&app, &book, &rita).await;
    app.within(async { db()?.table("user").where_eq("id", rita.id.as_str()).delete().await }).await.unwrap();
    let page = librarian(&app).await.get(&format!("/books/{}", book.id)).await;
    page.assert_ok().assert_see("A deleted account");
    app.assert_database_has("loans", record! { "id" => loan.id, "user_id" => None::<String> }).await;
}
