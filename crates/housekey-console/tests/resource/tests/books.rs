//! Books, as a browser sees them.

use housekey::database::Factory;
use housekey::testing::TestApp;

use made::factories::book_factory::BookFactory;

#[housekey::test]
async fn books_are_listed_and_shown(app: TestApp) {
    let book = app.within(BookFactory::create()).await.expect("a book");
    app.get("/books").await.assert_ok().assert_see(&book.name);
    app.get(&format!("/books/{}", book.id)).await.assert_ok().assert_see(&book.name);
    app.get("/books/0").await.assert_not_found();
}

#[housekey::test]
async fn the_policy_says_who_may_change_a_book(app: TestApp) {
    let book = app.within(BookFactory::create()).await.expect("a book");
    let url = format!("/books/{}", book.id);
    for guest in [app.post("/books").form(&[("name", "New")]).await, app.delete(&url).await] {
        assert!(!guest.status().is_success());
    }
    let ada = app.user("ada@example.com").await;
    app.acting_as(&ada, async |app| {
        app.post("/books").form(&[("name", "")]).await.assert_invalid("name");
        let added = format!("/books/{}", book.id + 1);
        app.post("/books").form(&[("name", "New")]).await.assert_redirect(&added);
        app.get(&format!("{url}/edit")).await.assert_forbidden();
        // Whoever may not change it is not told what is wrong with the form.
        app.put(&url).form(&[("name", "")]).await.assert_forbidden();
        app.delete(&url).await.assert_forbidden();
    })
    .await;
    app.get(&url).await.assert_ok().assert_see(&book.name);
}
