//! Forms that are sent too often, through the kernel. spec: MID-6

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::visitor::{Answer, Ask, Site, Visitor, form, multipart, request, site};
use housekey_http::Routes;
use housekey_http::csrf::csrf_token;
use housekey_http::session::session;
use housekey_http::validation::{errors, old, old_choice};
use http::Method;

/// A site with a form, and how often its page was drawn.
fn with_form() -> (Site, Arc<AtomicUsize>) {
    let drawn = Arc::new(AtomicUsize::new(0));
    let count = drawn.clone();
    let site = site(move |route: &mut Routes| {
        route.get("/token", async || csrf_token());
        route.get("/remember", async || session().put("name", "Ada"));
        route.get("/contact", async move || {
            count.fetch_add(1, Ordering::SeqCst);
            let news = old_choice("news", true);
            let none = errors().is_empty();
            format!(
                "email={:?} password={:?} _token={:?} news={news} {none}",
                old("email"),
                old("password"),
                old("_token")
            )
        });
        route.post("/contact", async || "sent").middleware("throttle:1,1");
    });
    (site, drawn)
}

fn sent(token: &str) -> Ask {
    let fields =
        [("_token", token), ("email", "ada@example.com"), ("password", "secret"), ("code", "123456")];
    from_contact(form("/contact", &fields))
}

fn from_contact(ask: Ask) -> Ask {
    ask.header("host", "shop.test")
        .header("referer", "http://shop.test/contact")
        .header("accept", "text/html")
}

async fn refused(visitor: &Visitor, ask: Ask) -> Answer {
    let answer = visitor.send(ask).await;
    assert_eq!((answer.status.as_u16(), answer.header("retry-after")), (429, "60"), "{}", answer.text());
    answer
}

// spec: MID-6
#[tokio::test]
async fn a_form_that_is_sent_too_often_is_429_and_the_way_back_leads_to_what_was_typed() {
    let (site, drawn) = with_form();
    let visitor = site.visitor();
    visitor.get("/remember").await.ok();
    let token = visitor.text("/token").await;
    visitor.send(sent(&token)).await.ok();
    let answer = refused(&visitor, sent(&token)).await;
    assert!(answer.header("content-type").starts_with("text/html"));
    assert!(answer.text().contains("href=\"/contact\""), "{}", answer.text());
    assert!(!answer.text().contains("ada@"), "{}", answer.text());
    assert_eq!(drawn.load(Ordering::SeqCst), 0, "no page of the app was drawn for a refused request");
    assert_eq!(
        visitor.text("/contact").await,
        r#"email="ada@example.com" password="" _token="" news=false true"#,
        "no secret, and the box that was left empty stays empty"
    );
    assert!(visitor.text("/contact").await.starts_with(r#"email="" "#), "once");
}

// spec: MID-6
#[tokio::test]
async fn who_is_refused_gets_no_place_in_the_store() {
    let (site, _) = with_form();
    let first = site.visitor();
    let token = first.text("/token").await;
    first.send(sent(&token)).await.ok();
    for _ in 0..5 {
        let visitor = site.visitor();
        let token = visitor.text("/token").await;
        refused(&visitor, sent(&token)).await;
    }
    assert_eq!(site.store.counts().1, 0);
}

#[tokio::test]
async fn files_are_not_given_back_and_programs_are_told_as_ever() {
    let (site, _) = with_form();
    let visitor = site.visitor();
    visitor.get("/remember").await.ok();
    let token = visitor.text("/token").await;
    visitor.send(sent(&token)).await.ok();
    let upload =
        [("email", Some("a.txt"), "file"), ("_token", None, token.as_str()), ("note", None, "hello")];
    refused(&visitor, from_contact(multipart("/contact", &upload))).await;
    assert!(visitor.text("/contact").await.starts_with(r#"email="" "#));
    let program =
        request(Method::POST, "/contact").header("x-csrf-token", &token).header("accept", "application/json");
    assert_eq!(refused(&visitor, program).await.header("content-type"), "application/json");
}
