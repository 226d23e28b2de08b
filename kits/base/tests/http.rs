//! The app as a visitor sees it: every test boots one of its own and goes through the front door.

use housekey::prelude::*;
use housekey::testing::TestApp;

#[housekey::test]
async fn the_landing_page_welcomes(app: TestApp) {
    let page = app.get("/").await;
    page.assert_status(200).assert_header("content-type", "text/html; charset=utf-8");
    page.assert_see("{{title}}");
}

#[housekey::test]
async fn the_health_check_answers_without_starting_a_session(app: TestApp) {
    let health = app.get("/health").await;
    health.assert_status(200).assert_see("ok").assert_no_header("set-cookie");
}

#[housekey::test]
async fn an_unknown_address_is_a_page_for_people_and_json_for_programs(app: TestApp) {
    app.get("/nowhere").await.assert_status(404).assert_header("content-type", "text/html; charset=utf-8");

    let json = app.get("/nowhere").accept_json().await;
    json.assert_status(404).assert_header("content-type", "application/json");
}

#[housekey::test]
async fn every_page_carries_the_security_headers(app: TestApp) {
    let page = app.get("/").await;
    page.assert_header("x-content-type-options", "nosniff")
        .assert_header("x-frame-options", "DENY")
        .assert_header("referrer-policy", "strict-origin-when-cross-origin");

    let policy = page.header("content-security-policy").expect("a content security policy");
    assert!(policy.contains("default-src 'self'"), "{policy}");
    assert!(!policy.contains("unsafe-inline"), "{policy}");
}

#[housekey::test(app = with_a_form)]
async fn a_form_that_is_added_is_protected_without_being_told(app: TestApp) {
    app.post("/subscribe").form(&[("email", "ada@example.com")]).await.assert_ok().assert_see("subscribed");
    let forged = app.post("/subscribe").form(&[("email", "ada@example.com")]).without_csrf().await;
    forged.assert_status(419).assert_dont_see("subscribed");
}

/// The app as it is set up, and one route more: a new app has no form of its own.
fn with_a_form() -> App {
    {{crate}}::app().routes(|route| {
        route.post("/subscribe", async || "subscribed");
    })
}
