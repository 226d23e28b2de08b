use std::time::Duration;

use housekey::prelude::*;
use housekey::testing::TestApp;

use crate::support::{librarian, mails, reader};

const NEW: &str = "new@example.com";
const JOIN: [(&str, &str); 2] = [("name", "Nora New"), ("password", "correct horse battery staple")];

/// The path of the link in the invitation.
async fn invited(app: &TestApp, role: &str) -> String {
    let mails = mails(app);
    let form = [("email", NEW), ("role", role)];
    librarian(app)
        .await
        .post("/invitations")
        .form(&form)
        .referer("/invitations/new")
        .await
        .assert_redirect("/invitations/new");
    let link = mails.link_to(NEW);
    link.split_once("localhost:3000").map_or(link.clone(), |(_, path)| path.to_owned())
}

/// Where the form of the page goes.
fn action(page: &str) -> String {
    let (_, rest) = page.split_once("action=\"/join").unwrap();
    format!("/join{}", rest.split_once('"').unwrap().0).replace("&amp;", "&")
}

#[housekey::test]
async fn somebody_who_was_invited_joins_with_a_proven_address(app: TestApp) {
    let link = invited(&app, "librarian").await;
    let visitor = app.visitor();
    let page = visitor.get(&link).await;
    page.assert_ok().assert_see(NEW);
    // Opening the link changes nothing.
    app.assert_database_missing("user", record! { "email" => NEW }).await;
    visitor
        .post(&action(&page.text()))
        .form(&JOIN)
        .follow_redirects()
        .await
        .assert_ok()
        .assert_see("Welcome to the library.");
    app.assert_database_has(
        "user",
        record! { "email" => NEW, "emailVerified" => true, "role" => "librarian" },
    )
    .await;
    visitor.get("/books/new").await.assert_ok();
    // The link makes no second account.
    let again = app.visitor();
    again.get(&link).await.assert_ok().assert_see("You have an account already.");
    again.post(&action(&page.text())).form(&JOIN).accept_json().await.assert_invalid("email");
}

#[housekey::test]
async fn nobody_makes_a_librarian_of_themselves(app: TestApp) {
    let link = invited(&app, "reader").await;
    let visitor = app.visitor();
    let page = visitor.get(&link).await;
    let forged = action(&page.text()).replace("role=reader", "role=librarian");
    visitor.post(&forged).form(&JOIN).await.assert_forbidden();
    visitor.get(&link.replace("new%40", "old%40")).await.assert_forbidden();
    app.assert_database_missing("user", record! { "email" => NEW }).await;
    // At the sign-up neither: the column takes nothing from clients.
    let sign_up = housekey::serde_json::json!({ "name": "Eve", "email": "eve@example.com", "password": JOIN[1].1, "role": "librarian" });
    visitor.post("/api/auth/sign-up/email").header("origin", "http://localhost:3000").json(&sign_up).await;
    app.assert_database_missing("user", record! { "role" => "librarian", "email" => "eve@example.com" })
        .await;
}

#[housekey::test]
async fn an_invitation_is_over_after_three_days(app: TestApp) {
    let link = invited(&app, "reader").await;
    app.advance(Duration::from_secs(3 * 86_400 + 1));
    app.visitor().get(&link).await.assert_status(410);
}

#[housekey::test]
async fn readers_invite_nobody(app: TestApp) {
    let (_, browser) = reader(&app).await;
    browser.post("/invitations").form(&[("email", NEW), ("role", "reader")]).await.assert_forbidden();
}
