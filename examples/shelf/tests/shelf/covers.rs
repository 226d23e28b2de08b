use housekey::prelude::*;
use housekey::testing::TestApp;

use crate::support::{FORM, librarian, reader};
use shelf::models::Book;

const GIF: &[u8] = b"GIF89a\x02\0\x02\0\0\0\0;";

async fn cover_of(app: &TestApp, id: i64) -> String {
    app.within(Book::find_or_404(id)).await.unwrap().cover.unwrap()
}

// spec: DAT-5
#[housekey::test]
async fn a_cover_is_shown_by_an_address_that_runs_out(app: TestApp) {
    let browser = librarian(&app).await;
    browser.post("/books").form(&FORM).file("cover", "sea.gif", GIF).await.assert_redirect("/books/1");
    let url = app.within(async { Book::find_or_404(1_i64).await?.cover_url().await }).await.unwrap().unwrap();
    let path = url.split_once("localhost:3000").map_or(url.as_str(), |(_, path)| path);
    browser.get("/books/1").await.assert_see("Cover of The Sea");
    // Whoever has the address may fetch it: it says nothing about who asks.
    app.get(path).await.assert_ok().assert_header("content-type", "image/gif");
    app.get(&path.replace("signature=", "signature=x")).await.assert_status(403);
    app.advance(std::time::Duration::from_secs(601));
    app.get(path).await.assert_status(410);
    // And there is no other way to it.
    app.get(&format!("/storage/{}", cover_of(&app, 1).await)).await.assert_not_found();
}

// spec: DAT-4
#[housekey::test]
async fn what_is_no_picture_is_refused_whatever_it_is_called(app: TestApp) {
    let browser = librarian(&app).await;
    for (name, bytes) in [
        ("sea.gif", &b"<script>alert(1)</script>"[..]),
        ("sea.svg", b"<svg xmlns='http://www.w3.org/2000/svg'/>"),
        ("big.gif", b"GIF89a\xff\xff\xff\xff\0\0\0;"),
    ] {
        browser
            .post("/books")
            .form(&FORM)
            .file("cover", name, bytes)
            .accept_json()
            .await
            .assert_invalid("cover");
    }
    app.assert_database_count("books", 0).await;
}

#[housekey::test]
async fn a_form_with_too_large_a_picture_comes_back_with_a_message(app: TestApp) {
    let browser = librarian(&app).await;
    let mut large = GIF.to_vec();
    large.resize(5 * 1024 * 1024 + 1, 0);
    browser
        .post("/books")
        .form(&FORM)
        .file("cover", "large.gif", large)
        .accept_json()
        .await
        .assert_invalid("cover");
    let huge = vec![b'x'; 7 * 1024 * 1024];
    browser
        .post("/books")
        .form(&FORM)
        .file("cover", "huge.gif", huge)
        .referer("/books/new")
        .await
        .assert_redirect("/books/new");
}

#[housekey::test]
async fn a_book_keeps_its_cover_when_no_other_is_sent(app: TestApp) {
    let browser = librarian(&app).await;
    browser.post("/books").form(&FORM).file("cover", "sea.gif", GIF).await.assert_redirect("/books/1");
    let before = cover_of(&app, 1).await;
    browser.put("/books/1").form(&FORM).file("cover", "", "").await.assert_redirect("/books/1");
    assert_eq!(cover_of(&app, 1).await, before);
}

// spec: DAT-4
#[housekey::test]
async fn readers_upload_nothing(app: TestApp) {
    let (_, browser) = reader(&app).await;
    browser.post("/books").form(&FORM).file("cover", "sea.gif", GIF).await.assert_forbidden();
    let files = app.within(async { storage()?.disk("covers")?.list("").await?.all().await }).await.unwrap();
    assert!(files.is_empty());
}
