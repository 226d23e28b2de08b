//! Error pages through HTTP.

mod support;

use std::time::Duration;

use housekey_core::{Error, Result};
use housekey_http::axum::body::Body;
use housekey_http::{ErrorContext, Response, Routes};
use housekey_view::prelude::*;
use http::StatusCode;
use support::{Site, ask, get};

fn routes(route: &mut Routes) {
    route.get("/locked", async || -> Result<()> { Err(Error::forbidden("Only <members> may enter.")) });
    route.get("/expired", async || -> Result<()> { Err(Error::csrf_mismatch()) });
    route.get("/busy", async || -> Result<()> { Err(Error::too_many_requests(Duration::from_secs(45))) });
    route.get("/later", async || -> Result<()> { Err(Error::unavailable(Duration::from_secs(600))) });
    route.get("/broken", broken).name("broken");
    route.get("/panic", async || -> Result<()> { panic!("the <cellar> is flooded") });
}

async fn broken() -> Result<()> {
    let cause = std::io::Error::other("/srv/app/cellar.db: permission denied <script>alert(1)</script>");
    Err(Error::from(cause).context("reading the cellar"))
}

#[tokio::test]
async fn every_error_has_a_page_with_its_own_words_style_and_nonce() {
    let mut site = Site::new("production");
    let app = site.boot(routes);
    for (path, status, title) in [
        ("/locked", 403, "This door is locked."),
        ("/nowhere", 404, "Nobody lives at this address."),
        ("/expired", 419, "This page was open too long."),
        ("/busy", 429, "One knock at a time."),
        ("/broken", 500, "The lights went out."),
        ("/later", 503, "We will be right back."),
    ] {
        let answer = get(&app, path).await;
        assert_eq!(answer.status.as_u16(), status);
        assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
        answer.assert_see(title);
        answer.assert_see("<title>");
        answer.assert_see("Tom &amp; Jerry</title>");
        let nonce = answer.policy("style-src").split("'nonce-").nth(1).unwrap().trim_end_matches('\'');
        answer.assert_see(&format!("<style nonce=\"{nonce}\">"));
        // Nothing is fetched from elsewhere, and nothing runs.
        answer.assert_dont_see("<script");
        answer.assert_dont_see("http://");
        answer.assert_dont_see("https://");
        answer.assert_dont_see(" style=");
    }
}

#[tokio::test]
async fn a_wait_is_told_and_counted_down_without_a_script() {
    let mut site = Site::new("production");
    let app = site.boot(routes);
    let busy = get(&app, "/busy").await;
    assert_eq!(busy.header("retry-after"), "45");
    busy.assert_see("Try again in 45 seconds.");
    busy.assert_see("@keyframes wait{from{--left:45}to{--left:0}}");
    let later = get(&app, "/later").await;
    later.assert_see("Try again in 10 minutes.");
    later.assert_dont_see("--left:600");
}

#[tokio::test]
async fn in_production_the_inside_stays_inside() {
    let mut site = Site::new("production");
    let app = site.boot(routes);
    for path in ["/broken", "/panic"] {
        let answer = get(&app, path).await;
        assert_eq!(answer.status, 500);
        for inside in ["cellar", "permission denied", ".rs:", "What to do"] {
            answer.assert_dont_see(inside);
        }
        answer.assert_see(answer.header("x-request-id"));
    }
}

#[tokio::test]
async fn error_details_can_be_asked_for_but_never_in_production() {
    let details = |app: housekey_http::App| {
        app.configure(|config| {
            config.update(|view: &mut housekey_view::ViewConfig| view.error_details = Some(true));
        })
    };
    let mut production = Site::new("production").with(details);
    get(&production.boot(routes), "/broken").await.assert_dont_see("cellar");
    let mut staging = Site::new("staging").with(details);
    get(&staging.boot(routes), "/broken").await.assert_dont_see("cellar");
    let mut testing = Site::new("testing").with(details);
    get(&testing.boot(routes), "/broken").await.assert_see("reading the cellar");
}

#[tokio::test]
async fn in_development_a_failure_tells_what_where_and_what_to_do() {
    let mut site = Site::new("development");
    let app = site.boot(routes);
    let answer = get(&app, "/broken?token=abc&page=2").await;
    assert_eq!(answer.status, 500);
    answer.assert_see("<code>reading the cellar</code>");
    answer.assert_see("<h1>/srv/app/cellar.db: permission denied &lt;script&gt;alert(1)&lt;/script&gt;");
    answer.assert_see("tests/error_pages.rs:");
    answer.assert_see("What to do: ");
    answer.assert_see("GET /broken?token=…&amp;page=…");
    answer.assert_see("/broken (broken)");
    answer.assert_see(answer.header("x-request-id"));
    answer.assert_dont_see("<script");
    answer.assert_dont_see("abc");

    get(&app, "/panic").await.assert_see("the &lt;cellar&gt; is flooded");
    get(&app, "/nowhere").await.assert_see("no route answers GET /nowhere");
}

#[tokio::test]
async fn the_development_page_shows_no_secret() {
    let mut site = Site::new("development");
    let key = site.key();
    let bare = key.trim_start_matches("base64:").to_owned();
    let text = format!("cannot decode {key} ({bare})");
    let app = site.boot(move |route| {
        route.get("/leak", async move || -> Result<()> { Err(Error::internal(text.clone())) });
    });
    let request = http::Request::get("/leak?password=hunter2")
        .header("cookie", "session=c00kie")
        .header("authorization", "Bearer t0ken")
        .body(Body::empty())
        .unwrap();
    let answer = ask(&app.kernel(), request).await;
    answer.assert_see("cannot decode [secret] ([secret])");
    for secret in [&*bare, "hunter2", "c00kie", "t0ken"] {
        answer.assert_dont_see(secret);
    }
}

#[tokio::test]
async fn an_app_draws_its_own_pages_and_leaves_the_rest() {
    fn page(error: &Error, _: &ErrorContext<'_>) -> Option<Response> {
        match error.status() {
            StatusCode::NOT_FOUND => view(rsx! { <p>"Ours: " (error.message())</p> }).ok(),
            // Cannot be drawn: there is no build.
            StatusCode::FORBIDDEN => view(rsx! { <head>(assets(["app.css"]))</head> }).ok(),
            _ => None,
        }
    }
    let mut site = Site::new("production").with(|app| app.error_pages(page));
    let app = site.boot(routes);
    let answer = get(&app, "/nowhere").await;
    assert_eq!((answer.status.as_u16(), answer.body.starts_with("<p>Ours: ")), (404, true));
    let answer = get(&app, "/locked").await;
    assert_eq!(answer.status, 403);
    answer.assert_see("This door is locked.");
    answer.assert_see("Only &lt;members&gt; may enter.");
    get(&app, "/busy").await.assert_see("One knock at a time.");
}
