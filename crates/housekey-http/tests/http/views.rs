use axum::response::{Html, IntoResponse};
use housekey_core::{Error, Result};
use housekey_http::Routes;
use housekey_http::guard::from_fn;
use housekey_http::response::redirect;
use http::StatusCode;

use crate::http::support::{app, client};

// spec: SHL-1
#[tokio::test]
async fn a_view_route_has_a_wildcard_a_component_a_status_and_headers() {
    let shell = |entry: &'static str| move || Html(format!("<div data-entry=\"{entry}\"></div>"));
    let client = client(app(move |route: &mut Routes| {
        route
            .view("/{path}", shell("src/main.ts"))
            .where_("path", ".*")
            .status(StatusCode::ACCEPTED)
            .header("cache-control", "private, max-age=0, must-revalidate")
            .header("x-frame-options", "SAMEORIGIN");
    }));
    for path in ["/", "/a", "/a/b/c", "/a/b/"] {
        let answer = client.get(path).await;
        assert_eq!(answer.status, 202, "{path}");
        assert_eq!(answer.text(), "<div data-entry=\"src/main.ts\"></div>");
        assert_eq!(answer.header("cache-control"), "private, max-age=0, must-revalidate");
        assert_eq!(answer.header("x-frame-options"), "SAMEORIGIN");
        assert!(!answer.headers.contains_key("set-cookie") && !answer.headers.contains_key("etag"));
    }
}

#[tokio::test]
async fn a_guards_own_answer_is_not_dressed_up_as_the_view() {
    let client = client(app(|route: &mut Routes| {
        let closed = from_fn("closed", async |_, _| Ok(redirect("/sign-in").into_response()));
        route
            .view("/", || "shell")
            .middleware(closed)
            .status(StatusCode::OK)
            .header("cache-control", "public");
    }));
    let answer = client.get("/").await;
    assert_eq!((answer.status.as_u16(), answer.header("location")), (303, "/sign-in"));
    assert!(!answer.headers.contains_key("cache-control"));
}

#[tokio::test]
async fn a_view_that_fails_is_an_error_not_a_decorated_success() {
    let client = client(app(|route: &mut Routes| {
        let broken = || -> Result<&'static str> { Err(Error::internal("no build")) };
        route.view("/", broken).status(StatusCode::OK).header("cache-control", "public");
    }));
    let answer = client.get("/").await;
    assert_eq!(answer.status, 500);
    assert!(!answer.headers.contains_key("cache-control"));
}
