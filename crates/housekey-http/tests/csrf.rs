//! Protection against forged writes, through the kernel.

use crate::visitor::{Ask, Site, form, multipart, request, site};
use housekey_core::Result;
use housekey_http::axum::body::Bytes;
use housekey_http::csrf::csrf_token;
use housekey_http::session::session;
use housekey_http::{HttpConfig, Routes};
use http::Method;

fn routes(route: &mut Routes) {
    route.get("/form", async || csrf_token());
    route.post("/echo", async |body: Bytes| body);
    route.put("/echo", async || "put");
    route.patch("/echo", async || "patched");
    route.delete("/echo", async || "deleted");
    route.post("/hook", async || "hooked").without_csrf();
    route.group().prefix("/webhooks").without_csrf().routes(|route| {
        route.post("/pay", async || "paid");
    });
    route.post("/sign-in", async || session().regenerate());
    route.post("/small", async |body: Bytes| body).body_limit(100);
    route.post("/large", async |body: Bytes| body.len().to_string()).body_limit(8 * 1024 * 1024);
    route.group().prefix("/hooks").without_csrf().routes(|route| {
        route.get("/seen", seen);
        route.post("/seen", seen);
    });
    route.group().prefix("/own").own_csrf_check().routes(|route| {
        route.post("/seen", seen);
    });
    route.post("/remember", async || session().put("name", "Ada"));
}

async fn seen() -> Result<String> {
    let name = session().get::<String>("name").await?;
    session().put("name", "Eve")?;
    Ok(name.unwrap_or_else(|| "nobody".to_owned()))
}

// spec: MID-8
#[tokio::test]
async fn a_form_with_files_may_be_as_large_as_its_route_says() {
    let site = site(routes);
    let visitor = site.visitor();
    let token = visitor.text("/form").await;
    let photo = "x".repeat(5 * 1024 * 1024);
    // The token behind the file, where it is found last.
    let fields = [("photo", Some("a.png"), photo.as_str()), ("_token", None, token.as_str())];
    let answer = visitor.send(multipart("/large", &fields)).await.ok();
    assert!(answer.text().parse::<usize>().is_ok_and(|size| size > photo.len()));
    assert_eq!(visitor.send(multipart("/small", &fields)).await.status, 413);
}

// spec: MID-8
#[tokio::test]
async fn a_stranger_is_refused_without_their_form_being_kept_in_memory() {
    let site = site(routes);
    let stranger = site.visitor();
    stranger.set_cookie("id", "forged");
    let photo = "x".repeat(1024 * 1024);
    // The form is no form: who looked into it would say 400.
    for path in ["/large", "/echo"] {
        for visitor in [stranger.clone(), site.visitor()] {
            let ask = request(Method::POST, path).header("content-type", "multipart/form-data");
            assert_eq!(visitor.send(ask.body(photo.clone())).await.status, 419);
        }
    }
}

// spec: MID-8
#[tokio::test]
async fn a_route_without_csrf_sees_no_session_and_leaves_the_visitors_alone() {
    let site = site(routes);
    let visitor = site.visitor();
    let token = visitor.text("/form").await;
    let remember = request(Method::POST, "/remember").header("x-csrf-token", &token);
    visitor.send(remember).await.ok();
    let cookie = visitor.cookie("id");
    for method in [Method::GET, Method::POST] {
        let forged = request(method, "/hooks/seen").header("origin", "https://evil.example");
        let answer = visitor.send(forged).await.ok();
        assert_eq!(answer.text(), "nobody");
        assert!(answer.cookies().is_empty(), "{:?}", answer.cookies());
    }
    assert_eq!(visitor.cookie("id"), cookie, "the visitor's own session stays");
    let own = visitor.send(request(Method::POST, "/own/seen")).await.ok();
    assert_eq!(own.text(), "Ada", "a handler that checks for itself has it");
}

fn with_token(token: &str) -> Ask {
    request(Method::POST, "/echo").header("x-csrf-token", token)
}

// spec: MID-8, ERR-1
#[tokio::test]
async fn a_write_without_the_token_is_419() {
    let site = site(routes);
    let visitor = site.visitor();
    visitor.get("/form").await.ok();
    for method in [Method::POST, Method::PUT, Method::PATCH, Method::DELETE] {
        assert_eq!(visitor.send(request(method, "/echo")).await.status, 419);
    }
    let answer = visitor.json("/echo", "{}").await;
    assert_eq!(answer.status, 419);
    assert_eq!(answer.to_json()["code"], "csrf_mismatch");
}

// spec: MID-8
#[tokio::test]
async fn a_form_of_another_host_is_refused_even_with_a_token_of_this_session() {
    let site = site(routes);
    // The session is one that the other host has put into the visitor's jar, so it knows the token.
    let visitor = site.visitor();
    let token = visitor.text("/form").await;
    for (said, status) in [("same-site", 419), ("cross-site", 419), ("same-origin", 200), ("none", 200)] {
        let from = |ask: Ask| ask.header("sec-fetch-site", said);
        let plain = visitor.send(from(form("/echo", &[("_token", &token)]))).await;
        let parts = visitor.send(from(multipart("/echo", &[("_token", None, &token)]))).await;
        assert_eq!((plain.status.as_u16(), parts.status.as_u16()), (status, status), "{said}");
        // A script of another origin gets this far only with the leave of `config/cors.rs`.
        visitor.send(from(with_token(&token))).await.ok();
    }
}

// spec: MID-8
#[tokio::test]
async fn a_first_visit_cannot_write() {
    let site = site(routes);
    let stranger = site.visitor();
    let token = site.visitor().text("/form").await;
    assert_eq!(stranger.form("/echo", &[]).await.status, 419);
    assert_eq!(stranger.send(with_token(&token)).await.status, 419, "a token without its cookie is nothing");
    assert_eq!(stranger.cookie("id"), None, "and nobody gets a session for trying");
}

// spec: MID-8
#[tokio::test]
async fn the_token_is_taken_from_the_header_or_the_form_and_the_handler_gets_the_body_untouched() {
    let site = site(routes);
    let visitor = site.visitor();
    let token = visitor.text("/form").await;

    let answer = visitor.send(with_token(&token).body("any \0 body")).await.ok();
    assert_eq!(answer.body, b"any \0 body");

    let body = format!("a=1+%zz&a=2&_token={token}&b=%C3%BC&");
    let answer = visitor.send(form("/echo", &[]).body(body.clone())).await.ok();
    assert_eq!(answer.text(), body);

    let fields =
        [("photo", Some("a.png"), "\r\n--X binary"), ("_token", None, token.as_str()), ("name", None, "Ada")];
    let expected = multipart("/echo", &fields);
    let answer = visitor.send(expected).await.ok();
    assert!(answer.text().contains("\r\n--X binary") && answer.text().ends_with("--XX--\r\n"));
}

// spec: MID-8
#[tokio::test]
async fn the_token_belongs_to_one_session_and_rotates_with_its_id() {
    let site = site(routes);
    let (ada, eve) = (site.visitor(), site.visitor());
    let (of_ada, of_eve) = (ada.text("/form").await, eve.text("/form").await);
    assert_eq!(ada.send(with_token(&of_eve)).await.status, 419);
    ada.send(with_token(&of_ada)).await.ok();

    ada.send(request(Method::POST, "/sign-in").header("x-csrf-token", &of_ada)).await.ok();
    assert_eq!(ada.send(with_token(&of_ada)).await.status, 419);
    let fresh = ada.text("/form").await;
    assert_ne!(fresh, of_ada);
    ada.send(with_token(&fresh)).await.ok();
}

#[tokio::test]
async fn nothing_but_the_whole_token_in_its_place_will_do() {
    let site = site(routes);
    let visitor = site.visitor();
    let token = visitor.text("/form").await;
    let flipped = format!("{}{}", if token.starts_with('A') { 'B' } else { 'A' }, &token[1..]);
    let double = format!("{token}{token}");
    for wrong in ["", " ", &token[..42], &flipped, &double, "null", "undefined", "\u{fc}"] {
        assert_eq!(visitor.send(with_token(wrong)).await.status, 419, "{wrong:?}");
        assert_eq!(visitor.form("/echo", &[("_token", wrong)]).await.status, 419, "{wrong:?}");
    }
    let path = format!("/echo?_token={token}");
    assert_eq!(visitor.form(&path, &[]).await.status, 419, "not in the address, where it would be logged");
    assert_eq!(visitor.send(request(Method::POST, "/echo").header("x-xsrf-token", &token)).await.status, 419);
    let json = request(Method::POST, "/echo").header("content-type", "application/json");
    assert_eq!(visitor.send(json.body(format!("{{\"_token\":\"{token}\"}}"))).await.status, 419);
    let plain =
        request(Method::POST, "/echo").header("content-type", "text/plain").body(format!("_token={token}"));
    assert_eq!(visitor.send(plain).await.status, 419);
    let file = [("_token", Some("token.txt"), token.as_str())];
    assert_eq!(visitor.send(multipart("/echo", &file)).await.status, 419);
    // A wrong header is not made good by a right field.
    let both = form("/echo", &[("_token", &token)]).header("x-csrf-token", "wrong");
    assert_eq!(visitor.send(both).await.status, 419);
}

#[tokio::test]
async fn a_method_that_a_form_smuggles_in_needs_the_token_too() {
    let site = site(routes);
    let visitor = site.visitor();
    let token = visitor.text("/form").await;
    assert_eq!(visitor.form("/echo", &[("_method", "DELETE")]).await.status, 419);
    let answer = visitor.form("/echo", &[("_method", "DELETE"), ("_token", &token)]).await.ok();
    assert_eq!(answer.text(), "deleted");
    assert_eq!(visitor.form("/echo", &[("_method", "GET")]).await.status, 419);
}

#[tokio::test]
async fn routes_may_opt_out_and_reading_needs_no_token() {
    let site = site(routes);
    let visitor = site.visitor();
    visitor.form("/hook", &[]).await.ok();
    visitor.form("/webhooks/pay", &[]).await.ok();
    for method in [Method::GET, Method::HEAD, Method::OPTIONS] {
        assert!(visitor.send(request(method, "/form")).await.status.is_success());
    }
}

#[tokio::test]
async fn a_form_that_is_too_large_or_broken_is_answered_as_such() {
    let site = site(routes);
    let visitor = site.visitor();
    let token = visitor.text("/form").await;
    let long = "x".repeat(200);
    assert_eq!(visitor.form("/small", &[("a", &long), ("_token", &token)]).await.status, 413);
    let large = multipart("/small", &[("a", None, &long), ("_token", None, &token)]);
    assert_eq!(visitor.send(large).await.status, 413);
    let broken = request(Method::POST, "/echo").header("content-type", "multipart/form-data; boundary=XX");
    assert_eq!(visitor.send(broken.body("--XX\r\nrubbish")).await.status, 400);
    let unbounded = request(Method::POST, "/echo").header("content-type", "multipart/form-data");
    assert_eq!(visitor.send(unbounded.body("x")).await.status, 400);
}

// spec: MID-8
#[tokio::test]
async fn a_form_that_lay_about_for_longer_than_a_session_is_expired_and_the_next_one_works() {
    let site = site(routes);
    let visitor = site.visitor();
    let token = visitor.text("/form").await;
    site.advance_minutes(119);
    visitor.send(with_token(&token)).await.ok();
    site.advance_minutes(1);
    assert_eq!(visitor.send(with_token(&token)).await.status, 419);
    let fresh = visitor.text("/form").await;
    assert_ne!(fresh, token);
    visitor.send(with_token(&fresh)).await.ok();
}

#[tokio::test]
async fn a_visitor_who_keeps_reading_keeps_a_working_form() {
    let site = site(routes);
    let visitor = site.visitor();
    let token = visitor.text("/form").await;
    for _ in 0..5 {
        site.advance_minutes(60);
        assert_eq!(visitor.text("/form").await, token);
    }
    visitor.send(with_token(&token)).await.ok();
    assert_eq!(site.store.counts().1, 0, "all of that without a single record");
}

#[tokio::test]
async fn bodies_within_the_configured_limit_are_read_whole() {
    let site: Site = site(routes);
    let visitor = site.visitor();
    let token = visitor.text("/form").await;
    let limit = site.application.config().get::<HttpConfig>().body_limit;
    let long = "x".repeat(limit - 200);
    visitor.form("/echo", &[("a", &long), ("_token", &token)]).await.ok();
    visitor
        .send(multipart("/echo", &[("a", Some("a.bin"), &long[200..]), ("_token", None, &token)]))
        .await
        .ok();
}
