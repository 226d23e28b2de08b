use axum::Json;
use axum::extract::Path;
use axum::response::IntoResponse;
use housekey_core::{AppConfig, Error, FieldErrors, Result};
use housekey_http::{ErrorContext, Response, Routes};
use http::{Method, StatusCode};
use std::time::Duration;

use crate::http::support::{Client, app, client};

const JSON: &[(&str, &str)] = &[("accept", "application/json")];

fn failing() -> Client {
    client(app(|route: &mut Routes| {
        route.get("/io", async || -> Result<()> { Err(std::io::Error::other("/srv/secret.db is gone"))? });
        route.get("/panic", async || -> &'static str { panic!("the secret recipe") });
        route.get("/invalid", async || -> Result<()> {
            let mut errors = FieldErrors::new();
            errors.add("email", "The email is required.");
            Err(Error::invalid(errors))
        });
        route.get("/locked", async || Error::locked());
        route.get("/slow-down", async || Error::too_many_requests(Duration::from_secs(9)));
        route.get("/unauthenticated", async || Error::unauthenticated());
        route.get("/bare", async || StatusCode::FORBIDDEN);
        route.get("/own", async || (StatusCode::NOT_FOUND, [("content-type", "text/x-own")], "mine"));
        route.get("/number/{n}", async |Path(n): Path<u8>| n.to_string());
        route.get("/missing-extension", async |_: axum::Extension<u64>| "never");
        route.post("/body", async |Json(body): Json<Vec<u8>>| body.len().to_string()).without_csrf();
        route.get("/api/thing", async || "thing");
        route.get("/api/kept", async || ([("cache-control", "max-age=5")], "thing"));
    }))
}

// spec: ERR-1
#[tokio::test]
async fn a_json_client_gets_json_with_the_status_of_the_error() {
    let client = failing();
    for (path, status, message) in [
        ("/nothing", 404, "We could not find what you asked for."),
        ("/locked", 423, "Please confirm your password first."),
        ("/unauthenticated", 401, "You are not signed in."),
        ("/bare", 403, "You are not allowed to do this."),
        ("/io", 500, "Something went wrong on our side."),
        ("/panic", 500, "Something went wrong on our side."),
        ("/missing-extension", 500, "Something went wrong on our side."),
    ] {
        let answer = client.get_with(path, JSON).await;
        assert_eq!(
            (answer.status.as_u16(), answer.json()["message"].as_str()),
            (status, Some(message)),
            "{path}"
        );
        assert_eq!(answer.header("content-type"), "application/json");
        assert_eq!(answer.json()["requestId"], answer.header("x-request-id"));
    }
    let answer = client.get_with("/invalid", JSON).await;
    assert_eq!(
        (answer.status.as_u16(), &answer.json()["errors"]["email"][0]),
        (422, &"The email is required.".into())
    );
    let answer = client.get_with("/slow-down", JSON).await;
    assert_eq!((answer.status.as_u16(), answer.header("retry-after")), (429, "9"));
}

#[tokio::test]
async fn a_browser_gets_a_page_and_never_our_inside() {
    let client = failing();
    for path in ["/io", "/panic", "/nothing", "/bare", "/missing-extension"] {
        let answer = client.get_with(path, &[("accept", "text/html,*/*")]).await;
        assert!(answer.header("content-type").starts_with("text/html"), "{path}");
        let text = answer.text();
        for secret in ["secret", "recipe", "Extension", "u64"] {
            assert!(!text.contains(secret), "{path}: {text}");
        }
        assert!(text.contains(answer.header("x-request-id")), "{path}");
    }
}

#[tokio::test]
async fn what_the_app_wrote_itself_stays_as_it_is() {
    let client = failing();
    let answer = client.get_with("/own", JSON).await;
    assert_eq!(
        (answer.status.as_u16(), answer.text(), answer.header("content-type")),
        (404, "mine", "text/x-own")
    );
}

#[tokio::test]
async fn an_extractors_refusal_is_json_for_a_json_client() {
    let client = failing();
    let answer = client.get_with("/number/300", JSON).await;
    assert_eq!(answer.status, 400);
    assert!(answer.json()["message"].as_str().unwrap().contains("300"));
    let headers = [("accept", "application/json"), ("content-type", "application/json")];
    let answer = client.send(Method::POST, "/body", &headers, "[1,").await;
    assert_eq!(answer.status, 400);
    assert!(answer.json()["message"].is_string());
}

// spec: RTE-13
#[tokio::test]
async fn below_api_every_error_is_json_even_for_a_browser() {
    let client = failing();
    let answer = client.get_with("/api/nothing", &[("accept", "text/html")]).await;
    assert_eq!((answer.status.as_u16(), answer.header("content-type")), (404, "application/json"));
    assert_eq!(answer.json()["message"], "We could not find what you asked for.");
    let answer = client.get("/apiary").await;
    assert!(answer.header("content-type").starts_with("text/html"));
}

// spec: ERR-2
#[tokio::test]
async fn nothing_below_api_is_cached_unless_the_route_says_so() {
    let client = failing();
    assert_eq!(client.get("/api/thing").await.header("cache-control"), "no-store");
    assert_eq!(client.get("/api/nothing").await.header("cache-control"), "no-store");
    assert_eq!(client.get("/%61pi/thing").await.header("cache-control"), "no-store");
    assert_eq!(client.get("/api/kept").await.header("cache-control"), "max-age=5");
    assert!(!client.get("/number/1").await.headers.contains_key("cache-control"));
}

#[tokio::test]
async fn the_app_draws_its_own_pages_and_one_that_panics_does_not_take_the_answer_with_it() {
    let page = |error: &Error, context: &ErrorContext<'_>| -> Option<Response> {
        match error.status().as_u16() {
            404 => Some(axum::response::Html(format!("lost at {}", context.path())).into_response()),
            403 => panic!("the page is broken"),
            _ => None,
        }
    };
    let client = client(
        app(|route: &mut Routes| {
            route.get("/bare", async || Error::forbidden("no"));
            route.get("/locked", async || Error::locked());
        })
        .error_pages(page),
    );
    let answer = client.get("/nothing").await;
    assert_eq!((answer.status.as_u16(), answer.text()), (404, "lost at /nothing"));
    let answer = client.get("/bare").await;
    assert_eq!((answer.status.as_u16(), answer.text()), (403, "no"));
    assert!(client.get("/locked").await.text().contains("423"));
}

#[tokio::test]
async fn in_debug_the_inside_is_shown_to_its_developer() {
    let client = client(
        app(|route: &mut Routes| {
            route.get("/io", async || -> Result<()> { Err(std::io::Error::other("<b>disk</b> full"))? });
        })
        .configure(|config| config.update::<AppConfig>(|app| app.debug = true)),
    );
    assert!(client.get("/io").await.text().contains("&lt;b&gt;disk&lt;/b&gt; full"));
    assert_eq!(client.get_with("/io", JSON).await.json()["debug"][0], "<b>disk</b> full");
}
