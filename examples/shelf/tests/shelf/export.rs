use housekey::prelude::*;
use housekey::testing::TestApp;

use crate::support::{book, lent, librarian, reader};
use shelf::models::{Book, Tag};

#[housekey::test]
async fn all_books_are_in_the_table(app: TestApp) {
    let browser = librarian(&app).await;
    let (rita, _) = reader(&app).await;
    let first = book(&app, record! { "title" => "=Emma, a \"novel\"", "isbn" => "9780141439587" }).await;
    app.within(async { first.sync(Book::tags, Tag::keys_of("novel").await?).await }).await.unwrap();
    let loan = lent(&app, &first, &rita).await;
    book(&app, record! { "title" => "Persuasion" }).await;

    let answer = browser.get("/books.csv").await;
    answer.assert_ok().assert_header("content-type", "text/csv; charset=utf-8");
    let text = answer.text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 3, "{text}");
    assert_eq!(lines[0].trim_end(), "isbn,title,author,price,tags,lent_until");
    // A program for tables must not take a title for a formula.
    let expected =
        format!("9780141439587,\"'=Emma, a \"\"novel\"\"\",Mary Shelley,19.90,novel,{}", loan.due_on);
    assert_eq!(lines[1].trim_end(), expected);
}

#[housekey::test]
async fn six_hundred_books_are_read_in_two_pieces(app: TestApp) {
    let browser = librarian(&app).await;
    app.within(async {
        let rows =
            (0..600_u64).map(<shelf::factories::BookFactory as housekey::database::Factory>::definition);
        Book::query()?.insert_many(rows).await
    })
    .await
    .unwrap();
    let answer = browser.get("/books.csv").await;
    assert_eq!(answer.text().lines().count(), 601);
    // Who is there; twice the books, their tags and who has them; and that there are no more.
    answer.assert_queries(8);
}
