//! Links that only work in the browser that asked for them.

use housekey_engine::Record;
use housekey_engine::plugins::magic_link::{MagicLinkOptions, inspect};
use housekey_engine::storage::{Comparison, Filter, Records as _};
use http::StatusCode;
use serde_json::Value;

use crate::magic_link::{ADA, ask, assert_leads, assert_refused, built, link, user_of, with};
use crate::support::{TestEngine, options};

fn test_engine() -> TestEngine {
    with(MagicLinkOptions { bind_to_browser: true, ..MagicLinkOptions::default() })
}

#[tokio::test]
// spec: KEY-2
async fn a_link_opened_in_another_browser_is_refused_and_stays() {
    let test = test_engine();
    let mut asked = test.browser();
    let answer = ask(&mut asked, ADA).await.assert(StatusCode::OK);
    assert!(answer.cookie("magic_link_browser").unwrap().attributes.contains("HttpOnly"));
    let mail = test.mailbox.take();

    let mut other = test.browser();
    let answer = other.open(&mail.url).await;
    assert_refused(&answer, "LINK_OPENED_ELSEWHERE");
    assert_eq!(other.session().await, Value::Null);
    // A browser of its own that asked for another link is another one, too.
    ask(&mut other, "bob@example.com").await.assert(StatusCode::OK);
    assert_refused(&other.open(&mail.url).await, "LINK_OPENED_ELSEWHERE");

    assert_leads(&asked.open(&mail.url).await, "/in");
    assert_eq!(user_of(&mut asked).await["email"], ADA);
    let left: Vec<_> = test.rows("verification").await;
    assert_eq!(left.len(), 2, "Bob's link and its browser: {left:?}");
}

#[tokio::test]
async fn several_links_of_one_browser_work() {
    let test = test_engine();
    let mut browser = test.browser();
    ask(&mut browser, ADA).await.assert(StatusCode::OK);
    let first = test.mailbox.take();
    ask(&mut browser, ADA).await.assert(StatusCode::OK);
    assert_leads(&browser.open(&test.mailbox.take().url).await, "/in");
    assert_leads(&browser.open(&first.url).await, "/in");
}

#[tokio::test]
// spec: KEY-2
async fn another_cookie_of_ours_in_its_place_is_not_believed() {
    let test = test_engine();
    let mut thief = test.ada().await;
    let session = thief.cookies["better-auth.session_token"].clone();
    let mail = link(&test, ADA).await;
    for forged in [session, "browser-abc.c2lnbmF0dXJl".into(), String::from("browser-abc")] {
        thief.cookies.insert("better-auth.magic_link_browser".into(), forged);
        assert_refused(&thief.open(&mail.url).await, "LINK_OPENED_ELSEWHERE");
    }
    // What lies in the database is no name of a browser.
    let rows = test.rows("verification").await;
    let stored = rows.iter().find(|row| row.text("identifier").unwrap().starts_with("magic-link-browser:"));
    let stored = stored.unwrap().text("value").unwrap();
    assert!(!stored.starts_with("browser-"));
}

#[tokio::test]
async fn a_page_can_tell_that_a_link_belongs_to_another_browser() {
    let test = test_engine();
    let mut asked = test.browser();
    ask(&mut asked, ADA).await.assert(StatusCode::OK);
    let token = test.mailbox.take().token.into();
    let here = inspect(&test.engine.api_for(&asked.cookie_header()), &token).await.unwrap().unwrap();
    let there = inspect(&test.engine.api(), &token).await.unwrap().unwrap();
    assert_eq!((here.email.as_str(), here.is_here, there.is_here), (ADA, true, false));
}

#[tokio::test]
// spec: KEY-2
async fn a_link_does_not_come_loose_when_what_binds_it_ends_first() {
    let test = test_engine();
    let table = test.engine.schema().table("verification").unwrap();
    let binding = Filter::all().and("identifier", Comparison::StartsWith, "magic-link-browser:");
    let mut asked = test.browser();
    ask(&mut asked, ADA).await.assert(StatusCode::OK);
    let url = test.mailbox.take().url;
    let ended = Record::new().with("expiresAt", test.clock.now() - time::Duration::SECOND);
    assert_eq!(test.storage.update(table, &binding, &ended).await.unwrap(), 1);
    let mut other = test.browser();
    assert_refused(&other.open(&url).await, "LINK_OPENED_ELSEWHERE");
    test.storage.delete(table, &binding).await.unwrap();
    assert_refused(&other.open(&url).await, "LINK_OPENED_ELSEWHERE");
    assert_eq!(other.session().await, Value::Null);
}

#[tokio::test]
// spec: KEY-2
async fn a_link_that_was_bound_stays_bound_where_links_no_longer_are() {
    let test = test_engine();
    ask(&mut test.browser(), ADA).await.assert(StatusCode::OK);
    let url = test.mailbox.take().url;
    let loose = test.under(built(&test.mailbox, options(), MagicLinkOptions::default()));
    assert_refused(&loose.browser().open(&url).await, "LINK_OPENED_ELSEWHERE");
    // Nor when what binds it ends first.
    let table = test.engine.schema().table("verification").unwrap();
    let binding = Filter::all().and("identifier", Comparison::StartsWith, "magic-link-browser:");
    let ended = Record::new().with("expiresAt", test.clock.now() - time::Duration::SECOND);
    assert_eq!(test.storage.update(table, &binding, &ended).await.unwrap(), 1);
    assert_refused(&loose.browser().open(&url).await, "LINK_OPENED_ELSEWHERE");
}

#[tokio::test]
// spec: KEY-2
async fn another_cookie_of_ours_does_not_become_the_name_of_a_browser() {
    let test = test_engine();
    let mut browser = test.ada().await;
    let session = browser.cookies["better-auth.session_token"].clone();
    browser.cookies.insert("better-auth.magic_link_browser".into(), session);
    let answer = ask(&mut browser, ADA).await.assert(StatusCode::OK);
    assert!(answer.cookie("magic_link_browser").unwrap().value.starts_with("browser-"));
}
