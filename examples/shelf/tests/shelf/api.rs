use housekey::prelude::*;
use housekey::serde_json::{Value, json};
use housekey::testing::TestApp;

use crate::support::{book, lent, reader};
use shelf::factories::UserFactory;
use shelf::models::User;

async fn token(app: &TestApp, person: &User) -> String {
    let asked = json!({ "email": person.email, "password": UserFactory::PASSWORD });
    let answer = app.visitor().post("/api/tokens").without_csrf().json(&asked).await;
    answer.assert_ok();
    answer.json::<Value>()["token"].as_str().unwrap().to_owned()
}

/// A program with a token: no cookie, no CSRF token.
async fn program(app: &TestApp, person: &User) -> TestApp {
    let token = token(app, person).await;
    app.visitor().with_header("authorization", &format!("Bearer {token}"))
}

#[housekey::test]
async fn a_program_with_a_token_lists_books_and_borrows_one(app: TestApp) {
    let (rita, _) = reader(&app).await;
    let emma = book(&app, record! { "title" => "Emma" }).await;
    let program = program(&app, &rita).await;
    let list = program.get("/api/books?search=emma").await;
    list.assert_ok()
        .assert_json_path("items.0.title", "Emma")
        .assert_json_path("items.0.lentUntil", Value::Null);
    let path = format!("/api/books/{}/loans", emma.id);
    let lent = program.post(&path).without_csrf().json(&json!({})).await;
    lent.assert_status(201).assert_json_path("bookId", emma.id);
    program.post(&path).without_csrf().json(&json!({})).await.assert_status(409);
    program.get(&format!("/api/books/{}", emma.id)).await.assert_json_path("condition", "good");
    let loan = lent.json::<Value>()["id"].as_i64().unwrap();
    program.delete(&format!("/api/loans/{loan}")).without_csrf().await.assert_status(204);
}

#[housekey::test]
async fn the_list_goes_on_from_where_it_ended_with_the_same_queries(app: TestApp) {
    let (rita, _) = reader(&app).await;
    for number in 0..51 {
        let made = book(&app, record! { "title" => format!("Title {number:02}") }).await;
        lent(&app, &made, &rita).await;
    }
    let program = program(&app, &rita).await;
    let first = program.get("/api/books").await;
    let next = first.json::<Value>()["next"].as_str().unwrap().to_owned();
    let second = program.get(&format!("/api/books?after={next}")).await;
    second.assert_json_path("items.0.title", "Title 50").assert_json_path("next", Value::Null);
    // Who is there, the books, their tags, who has them.
    first.assert_queries(4);
}

#[housekey::test]
async fn a_cookie_says_nothing_there(app: TestApp) {
    let (_, browser) = reader(&app).await;
    let emma = book(&app, record! {}).await;
    browser.get("/api/books").await.assert_status(401);
    // What another site could make a browser send.
    let forged = browser.post(&format!("/api/books/{}/loans", emma.id)).without_csrf();
    forged.header("origin", "https://evil.example").form(&[("a", "b")]).await.assert_status(401);
    app.assert_database_count("loans", 0).await;
}

#[housekey::test]
async fn a_token_opens_nothing_once_its_owner_ended_it(app: TestApp) {
    let (rita, _) = reader(&app).await;
    let program = program(&app, &rita).await;
    program.get("/api/books").await.assert_ok();
    app.within(async { db()?.table("session").where_eq("userId", rita.id.as_str()).delete().await })
        .await
        .unwrap();
    program.get("/api/books").await.assert_status(401);
}

#[housekey::test]
async fn a_wrong_password_gets_no_token(app: TestApp) {
    let (rita, _) = reader(&app).await;
    let asked = json!({ "email": rita.email, "password": "not that one" });
    app.visitor().post("/api/tokens").without_csrf().json(&asked).await.assert_invalid("email");
}

// spec: KEY-6
#[housekey::test]
async fn every_route_for_programs_is_described(app: TestApp) {
    let document = app.get("/api/openapi.json").await;
    document.assert_ok();
    let document = document.json::<Value>();
    for (path, method) in [
        ("/api/tokens", "post"),
        ("/api/books", "get"),
        ("/api/books/{book}", "get"),
        ("/api/books/{book}/loans", "post"),
        ("/api/loans/{loan}", "delete"),
    ] {
        assert!(document["paths"][path][method].is_object(), "{method} {path} is not described");
    }
    let lend = &document["paths"]["/api/books/{book}/loans"]["post"]["responses"];
    assert!(lend["201"].is_object() && lend["409"].is_object() && lend["401"].is_object(), "{lend}");
}
